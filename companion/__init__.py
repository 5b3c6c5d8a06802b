"""Tableside: the core, the only truth at the table."""

__version__ = "0.1.0"
