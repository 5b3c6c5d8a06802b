"""The table's voice: what to do, what happened, what was refused. A room of its own: nothing it does delays the screen."""
