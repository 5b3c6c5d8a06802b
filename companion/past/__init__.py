"""Finished games: history, statistics, plots, tallies in words."""
