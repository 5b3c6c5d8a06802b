"""Finished games on the screen."""
