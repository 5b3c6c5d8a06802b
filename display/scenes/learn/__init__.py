"""What the table tells beyond the game itself: what happened, why not, what now."""
