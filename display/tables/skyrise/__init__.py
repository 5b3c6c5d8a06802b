"""Skyrise on the screen."""
