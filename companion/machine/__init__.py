"""What keeps the table running: supervisor, broker, doctor, backup."""
