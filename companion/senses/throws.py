"""Loose dice: what lies in the areas dice are thrown into, what it may be, and which move that is.

A throw is chance the camera sees. The pack says what a reading means (`Game.seen`); here is decided how sure the reading is, and
whether anything was thrown at all: dice that lie as they lay when the game last moved are not news.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from typing import Any

from companion.game import Game, RuleBroken
from companion.senses.explain import Candidate, Difference, Explanation
from companion.senses.standing import SURE
from companion.sensing import Mat, Reading
from companion.wire.messages import DieSeen, MarketSeen

Faces = dict[str, tuple[int, ...]]

POSSIBLE = 0.04
"""A face less likely than this is not asked about."""
WAYS = 24
"""Ways a reading may be that are looked into at most."""
ANSWERS = 4


class Throws:
    """What the loose dice of one game did since it last moved."""

    def __init__(self) -> None:
        self.before: Faces | None = None
        self._now: Faces | None = None
        self._fewest = 0
        self._denied: MarketSeen | None = None
        self._raw: Faces = {}
        self._named: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        """Areas that are read wrongly: what the camera says, and what must lie there."""

    def forget(self) -> None:
        """Another game: nothing is known."""
        self.before = self._now = self._denied = None
        self._fewest = 0
        self._named = {}

    def moved_on(self, loose: tuple[int, ...] | None = None) -> None:
        """The game moved, forwards or back: what lies there now has been dealt with.

        `loose` is every die as the game knows it. Where a throw was told that the camera overlooked or has not come to, what
        it says of the tray is not believed until it says something else: the die it finds then was in nobody's hand.
        """
        if loose is not None and self._now:
            tray, *others = self._now
            elsewhere = Counter(face for area in others for face in self._now[area])
            truth = tuple(sorted((Counter(loose) - elsewhere).elements()))
            if not elsewhere - Counter(loose) and truth != self._now[tray]:
                self._named[tray] = self._raw[tray], truth
                self._now = {**self._now, tray: truth}
        self.before = self._now
        self._fewest = _count(self._now or {})

    def denied(self, market: MarketSeen | None) -> None:
        """People say that this reading is none of what the table offered."""
        self._denied = market

    def look(self, market: MarketSeen | None, mat: Mat | None) -> Reading | None:
        """The dice as they most likely lie; `None` when there is nothing to see or it is not still."""
        areas = [area.id for area in mat.areas if area.loose] if mat is not None else []
        if not areas or market is None or market.state != "ready":
            return None
        slots = {slot.slot: slot for slot in market.slots}
        if any(name not in slots or slots[name].covered for name in areas):
            return None
        self._raw = {name: tuple(sorted(_face(die) for die in slots[name].dice)) for name in areas}
        self._now = {name: self._known(name, faces) for name, faces in self._raw.items()}
        if self.before is None:  # what lies there at first sight was not thrown now
            self.before, self._fewest = self._now, _count(self._now)
        self._fewest = min(self._fewest, _count(self._now))
        return Reading(self._now, self.before, self._fewest)

    def _known(self, area: str, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What lies in an area; a reading known to be wrong is so until the camera reads something else there."""
        if area not in self._named:
            return faces
        raw, truth = self._named[area]
        if raw == faces:
            return truth
        del self._named[area]
        return faces

    def _only_moved(self, reading: Reading, ways: list[tuple[float, Faces]]) -> Reading:
        """Dice that nobody picked up show what they showed: a doubtful one among them is what it was."""
        if reading.lifted or not reading.changed or len(reading.all) != _count(reading.before):
            return reading
        for _, faces in ways[1:]:
            told = Reading(faces, reading.before, reading.fewest)
            if not told.changed:
                self._named |= {
                    area: (self._raw[area], truth) for area, truth in faces.items() if truth != reading.dice[area]
                }
                self._now = faces
                return told
        return reading

    def explain(self, pack: Game, state: Any, market: MarketSeen, reading: Reading) -> Explanation | RuleBroken | None:
        """Which move the dice are: found, asked, refused by the pack, or `None` when they are not news."""
        if market is self._denied:
            return None
        ways = _ways({slot.slot: slot.dice for slot in market.slots if slot.slot in reading.dice}, reading)
        reading = self._only_moved(reading, ways)
        ways = ways if reading.changed else [(1.0, reading.dice)]
        try:
            best = pack.seen(state, reading)
        except RuleBroken as refused:
            return refused
        if best is None:
            return None
        shares: dict[Any, float] = {}
        states: dict[Any, Any] = {}
        for share, faces in ways:
            move = best if faces == reading.dice else _asked(pack, state, faces, reading)
            try:
                if move is not None and move not in states:
                    states[move] = pack.play(state, move).state
            except RuleBroken as refused:
                if move == best:
                    return refused
                continue  # the rules break ties among uncertain readings
            if move is not None:
                shares[move] = shares.get(move, 0.0) + share
        ranked = sorted(shares, key=lambda move: -shares[move])[:ANSWERS]
        total = sum(shares.values()) or 1.0
        candidates = tuple(Candidate((move,), states[move], shares[move] / total, shares[move]) for move in ranked)
        # the same faces as before need no second opinion, however hard one is to read; other faces although nothing was seen
        # to be picked up were thrown behind a hand, or knocked over
        plain = not reading.changed or (len(ways) == 1 and reading.lifted)
        area = next(iter(reading.dice))
        return Explanation("found" if plain else "question", candidates, (Difference(area),), len(ways))


def _asked(pack: Game, state: Any, faces: Faces, reading: Reading) -> Any | None:
    try:
        return pack.seen(state, Reading(faces, reading.before, reading.fewest))
    except RuleBroken:
        return None


def _face(die: DieSeen) -> int:
    return 1 + max(range(6), key=lambda i: die.faces[i])


def _count(faces: Faces) -> int:
    return sum(map(len, faces.values()))


def _ways(dice: dict[str, tuple[DieSeen, ...]], reading: Reading) -> list[tuple[float, Faces]]:
    """Every way the dice may lie with its likelihood, the likeliest first; one, when every die is sure.

    Where an area looks as it did when the game last moved, nobody has touched it, and nobody is asked about it again.
    """
    known = {area: faces for area, faces in reading.dice.items() if faces == reading.before.get(area)}
    places = [(area, die) for area, some in dice.items() if area not in known for die in some]
    found: list[tuple[float, Faces]] = []
    for chosen in product(*(_options(die) for _, die in places)):
        faces: dict[str, list[int]] = {area: list(known.get(area, ())) for area in dice}
        for (area, _), (face, _) in zip(places, chosen, strict=True):
            faces[area].append(face)
        found.append((prod(share for _, share in chosen), {area: tuple(sorted(f)) for area, f in faces.items()}))
    return sorted(found, key=lambda way: -way[0])[:WAYS]


def _options(die: DieSeen) -> list[tuple[int, float]]:
    best = max(die.faces)
    if best >= SURE:
        return [(_face(die), 1.0)]
    likely = sorted(((1 + i, share) for i, share in enumerate(die.faces)), key=lambda pair: -pair[1])
    return [pair for pair in likely[:3] if pair[1] >= POSSIBLE]
