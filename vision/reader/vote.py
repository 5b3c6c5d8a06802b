"""Several frames, one reading: dice seen at the same place are asked together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.reader import settings
from vision.reader.market import MarketDie

SAME = 0.08
"""Dice of two frames nearer than this share of the slot are one die."""
PLAINLY = 4
"""Frames from which one that overlooked a die may be outvoted."""


def together(frames: Sequence[tuple[MarketDie, ...]]) -> tuple[MarketDie, ...]:
    """The dice most frames agree on, with the geometric mean of their shares."""
    groups: list[list[MarketDie]] = []
    for dice in frames:
        fresh = list(groups)  # a frame has one word in each group: two dice side by side stay two
        for die in dice:
            near = min(fresh, key=lambda group: _away(group[0], die), default=None)
            if near is not None and abs(near[0].x - die.x) < SAME and abs(near[0].y - die.y) < SAME:
                near.append(die)
                fresh = [group for group in fresh if group is not near]
            else:
                groups.append([die])
    voted = [_one(group, len(frames)) for group in groups if _seen(group, len(frames))]
    return tuple(sorted((d for d in voted if not _print(d)), key=lambda d: (d.y, d.x)))


def _seen(group: Sequence[MarketDie], frames: int) -> bool:
    """Most frames saw it, or two saw it plainly, or one beyond doubt: then it is asked about."""
    if 2 * len(group) > frames or any(die.odds >= settings.MARKET_CERTAIN for die in group):
        return True
    return sum(die.odds >= settings.MARKET_TRUST for die in group) >= 2


def _print(die: MarketDie) -> bool:
    """It looks little like a die: print, not worth a question."""
    return die.odds < settings.MARKET_PRINT


def _away(a: MarketDie, b: MarketDie) -> float:
    return max(abs(a.x - b.x), abs(a.y - b.y))


def _one(group: Sequence[MarketDie], frames: int) -> MarketDie:
    # frames look from different sides, so agreement counts for more than one frame's word, though not for all of them
    weight = 1.5 if len(group) > 1 else 1.0
    shares = np.exp(weight * np.mean([np.log(np.array(d.faces) + 1e-4) for d in group], axis=0))
    shares = shares / shares.sum()
    die = replace(
        group[-1],
        score=float(np.mean([d.score for d in group])),
        die=_mean_odds([d.die for d in group]),
        tint=float(np.mean([d.tint for d in group])),
    )
    # a die some frames did not see is doubtful as a whole, unless one alone overlooked what all others saw plainly
    once = frames >= PLAINLY and frames - len(group) == 1 and die.odds >= settings.MARKET_CERTAIN
    counted = len(group) if once else frames
    shares = shares * (len(group) / counted) + (1 - len(group) / counted) / 6
    owners: dict[str, float] = {}
    for seen in group:
        owners[seen.owner] = owners.get(seen.owner, 0.0) + seen.owner_share / counted
    owner = max(owners, key=lambda name: owners[name])
    return replace(die, faces=tuple(float(s) for s in shares), owner=owner, owner_share=min(1.0, owners[owner]))


def _mean_odds(shares: Sequence[float]) -> float:
    """The share whose log odds are the mean of theirs: one frame's doubt does not outweigh another's certainty."""
    odds = [np.log(p / (1 - p)) for p in (min(max(share, 1e-3), 1 - 1e-3) for share in shares)]
    return float(1 / (1 + np.exp(-np.mean(odds))))


def settled(frames: Sequence[tuple[MarketDie, ...]], enough: int) -> bool:
    """No further frame is needed: enough of them agree, and every die is sure."""
    if len(frames) < enough:
        return False
    dice = together(frames)
    plain = all(d.sure and max(d.faces) >= settings.MARKET_SETTLED for d in dice)
    return plain and all(sum(not _print(d) for d in f) == len(dice) for f in frames)
