"""The games: one pack each, pure rules and printed data."""
