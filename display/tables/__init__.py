"""One folder per game: the table each of them shows. Scenes every game shares are in `display.scenes`."""
