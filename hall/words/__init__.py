"""The words of the hall's page."""
