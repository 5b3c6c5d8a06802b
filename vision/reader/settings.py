"""Numbers the reader was measured with: fixed by training and calibration, or chosen on rendered markets and photos."""

from __future__ import annotations

from dataclasses import dataclass

CELL = 8
UNIT = 48.0
CROP = 64
AROUND = 1.15
"""These four are built into the networks (see `tools/training/nets.py`)."""

OVERLAP = 0.5
"""Two boxes that share more are the same die."""
FACE_TEMPERATURE = 1.05
FINDER_TEMPERATURE = 1.0
FINDER_WEIGHT = 0.1
"""The finder's word on the face counts little: it is right for a third of strange dice, the face network for five sixths."""
FINDER_SAYS = 1.0
"""Weight of the finder's log odds against those of the face network, when both are asked whether this is a die."""


@dataclass(frozen=True)
class Photo:
    """Thresholds of a free photo; `tools/training/budget.py` chooses those that are marked, and says what they cost."""

    find: float = 0.3
    """Centre score from which a die is looked at."""
    die: float = 0.15
    """Share of "this is a die" below which it is left out, whatever the finder says."""
    evidence: float = 1.0
    """Chosen: log odds of both networks together from which it is a die."""
    odd: float = 6.0
    """Chosen: log odds that a find loses for each power of e by which it is larger or smaller than the other dice."""
    elsewhere: float = 2.0
    """The same on top, in a picture enlarged or shrunk because the usual size showed nothing."""
    joint: float = 4.0
    """Chosen: the same with the log odds of its face added: a key, an icon or a shadow may look like a die, not like a four."""
    temperature: float = 1.0
    """Fitted: above one the faces of strange dice are less sure than the networks say, which learnt from rendered ones."""
    again: float = 0.98
    """Share of face and die together below which a die gets further close-ups."""
    sure: float = 0.7
    """Chosen: face share from which a die gets a value."""


PHOTO = Photo()
MARKET_FIND, MARKET_HINT = 0.22, 0.05
"""Centre score from which a find is looked at, and from which it hints at a die where a patch of colour lies."""
MARKET_WORTH = -3.0
"""Log odds of centre score and colour from which a find is looked at closely."""
MARKET_SURE = 0.92
"""On the mat a wrong reading costs more than a question."""
MARKET_SETTLED = 0.95
"""Face share below which further frames and pips are asked: the core commits from here on, and asks people about less."""
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
