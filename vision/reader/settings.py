"""Numbers the reader was measured with: fixed by training and by cross-validated calibration, not by taste."""

from __future__ import annotations

CELL = 8
UNIT = 48.0
CROP = 48
AROUND = 1.15
"""These four are built into the networks (see `vision/training/nets.py`)."""

OVERLAP = 0.5
"""Two boxes that share more are the same die."""
FACE_TEMPERATURE = 0.8
FINDER_TEMPERATURE = 1.0
FINDER_WEIGHT = 0.4
PHOTO_FIND = 0.45
"""A free photo: centre score from which a die is looked at."""
PHOTO_PLAIN = 0.75
"""Centre score from which a die is reported even when its face cannot be made out."""
PHOTO_FACE = 0.7
"""Face share below which a doubtful find is taken for something else: a key, an icon, a shadow."""
PHOTO_DIE = 0.8
"""Share of "this is a die" below which it is left out."""
PHOTO_HOPE = 0.3
"""Share of "this is a die" from which further close-ups are worth their time."""
PHOTO_SURE = 0.80
"""Face share from which a free photo's die gets a value."""
MARKET_FIND = 0.38
MARKET_SURE = 0.92
"""On the mat a wrong reading costs more than a question."""
MARKET_DIE = 0.5
MARKET_REAL = 0.94
MARKET_PLAIN = 0.3
"""Centre score times face share below which a find is print, not a die."""
OWNER_SURE = 0.9
PIP_WEIGHT = 6.0
"""Odds by which a pip count speaks for its face when the networks hesitate."""
MARKET_DOUBT, MARKET_FACE = 0.75, 0.6
"""After the vote: something that looks little like a die and shows no clear face is print."""
MARKET_TRUST = 0.5
"""A find weaker than this is never committed without a question."""
