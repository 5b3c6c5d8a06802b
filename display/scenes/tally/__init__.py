"""The end of a game on the screen: every point, line by line."""
