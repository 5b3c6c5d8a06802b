"""Everything that is written down: the journal's rows, its spare copy, recorded games."""
