"""Numbers the reader was measured with: fixed by training and calibration, or chosen on rendered markets and photos."""

from __future__ import annotations

CELL = 8
UNIT = 48.0
CROP = 48
AROUND = 1.15
"""These four are built into the networks (see `tools/training/nets.py`)."""

OVERLAP = 0.5
"""Two boxes that share more are the same die."""
FACE_TEMPERATURE = 0.83
FINDER_TEMPERATURE = 1.0
FINDER_WEIGHT = 0.1
"""The finder's word on the face counts little: it is right for a third of strange dice, the face network for five sixths."""
FINDER_SAYS = 1.0
"""Weight of the finder's log odds against those of the face network, when both are asked whether this is a die."""
PHOTO_FIND = 0.3
"""A free photo: centre score from which a die is looked at."""
PHOTO_DIE = 0.15
"""Share of "this is a die" below which it is left out, whatever the finder says."""
PHOTO_EVIDENCE = 1.0
"""Log odds of both networks together from which it is a die."""
PHOTO_ELSEWHERE = 2.0
"""The same on top, in a picture enlarged or shrunk because the usual size showed nothing."""
PHOTO_PLAIN, PHOTO_REAL = 0.75, 0.8
"""Centre score and share of "this is a die" from which a die is reported even when its face cannot be made out."""
PHOTO_FACE = 0.7
"""Face share below which a doubtful find is taken for something else: a key, an icon, a shadow."""
PHOTO_AGAIN = 0.98
"""Share of face and die together below which a die gets further close-ups."""
PHOTO_SURE = 0.80
"""Face share from which a free photo's die gets a value."""
MARKET_FIND, MARKET_HINT = 0.22, 0.05
"""Centre score from which a find is looked at, and from which it hints at a die where a patch of colour lies."""
MARKET_WORTH = -3.0
"""Log odds of centre score and colour from which a find is looked at closely."""
MARKET_SURE = 0.92
"""On the mat a wrong reading costs more than a question."""
MARKET_LOOK = -1.0
"""Log odds of both networks below which a find is not worth another thought."""
MARKET_HOPE = -2.5
"""Log odds from which a doubtful find gets further close-ups."""
MARKET_PRINT = 1.2
"""After the vote: log odds below which a find is print, not a die."""
MARKET_TRUST = 3.2
"""Log odds below which a find is never committed without a question."""
MARKET_CERTAIN = 6.0
"""Log odds from which a die may have been overlooked by one frame: no print that was asked about came near."""
OWNER_SURE = 0.96
"""Share from which a die has one owner: below it lie pale dice so near the lamp that they look white."""
PIP_WEIGHT = 6.0
"""Odds by which a pip count speaks for its face when the networks hesitate."""
