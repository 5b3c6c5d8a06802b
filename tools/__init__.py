"""What makes the product and is not part of it: training, pictures."""
