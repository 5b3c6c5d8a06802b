"""The screen's own words."""
