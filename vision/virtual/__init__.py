"""The virtual camera: pictures of a table that does not exist. It shares no code with the reader."""
