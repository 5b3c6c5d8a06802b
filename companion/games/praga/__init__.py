"""Praga Caput Regni: the crane as a clock, prompts, public tracks and the whole tally."""
