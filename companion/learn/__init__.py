"""Learning the game at the table: hints."""
