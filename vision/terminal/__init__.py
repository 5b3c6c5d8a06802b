"""What a person types: the camera's commands."""
