"""The box: printed numbers as data, and the owner's word on them."""
