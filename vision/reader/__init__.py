"""Reading dice: pure functions on pictures. Nothing here knows a camera, a game or the virtual table."""
