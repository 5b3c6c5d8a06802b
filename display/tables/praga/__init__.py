"""Praga Caput Regni on the screen."""
