"""Skytopia on the screen."""
