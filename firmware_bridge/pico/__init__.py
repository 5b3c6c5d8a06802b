"""What runs on the dial's board; the host imports the same codec and the same transition table."""
