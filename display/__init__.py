"""Touchscreen: draws the state it was sent and sends touches back."""
