"""Camera: reports what it believes lies on the table."""
