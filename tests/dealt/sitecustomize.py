"""For processes that tests start: every run deals alike. Found through `PYTHONPATH`; the product's own chance is untouched."""

import random
import secrets

_chance = random.Random(7)
secrets.SystemRandom = lambda: _chance
