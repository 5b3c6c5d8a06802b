"""The virtual table: holds the physical truth, and hands that do what players intend."""
