"""What the table tells besides the game itself: what happened, why not, what now."""
