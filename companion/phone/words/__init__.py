"""Words only the phone says."""
