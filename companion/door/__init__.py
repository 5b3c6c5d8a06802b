"""How people come in: the page, the join code, seats and phones."""
