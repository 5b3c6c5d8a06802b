"""Cameras: one interface (`frame`), five back ends, and a line with the fix when one does not open."""
