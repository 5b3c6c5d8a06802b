"""The hall."""
