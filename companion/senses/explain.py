"""Which legal move, or short sequence, leads from the present state to what is seen?

One bounded best-first search serves all packs: it needs only `moves`, `play` and `expect`. The rules break ties among
*uncertain* readings; a *confident* one is never bent: if no legal move leads there, the table is told what differs.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import repeat
from typing import Any, Literal

import msgspec

from companion.game import Die, Expected, Game, RuleBroken, SlotExpected
from companion.senses.standing import SURE, Stands, piece_chance, standing, whose
from companion.wire.messages import DieSeen, SlotSeen

CARD = 0.5
"""A card that was named at all has been verified by its reader; an unknown one has no name."""
COMMIT = 0.98
"""Share of the best explanation among all that fit, from which on it is committed."""
PLAIN = 0.6
"""What is news in the reading must be at least this likely, however well the rules like it."""
NEVER = 1e-6
"""A likelihood below this is a contradiction."""
NODES = 400
LONGEST = 64


class Seen(msgspec.Struct, frozen=True, dict=True):
    """What the sensors report, in the game's terms."""

    slots: dict[str, SlotSeen] = {}
    owners: dict[str, int] = {}
    """Seat of each calibrated colour word."""
    dial: int | None = None
    """Notches, or `None` when the dial is away or unconfirmed."""
    lenient: bool = False
    """Doubtful finds may be print."""

    @cached_property
    def looked(self) -> frozenset[str]:
        """Slots that could be seen."""
        return frozenset(name for name, slot in self.slots.items() if not slot.covered)


class Difference(msgspec.Struct, frozen=True):
    """One place where the table is not as it should be."""

    slot: str
    """Slot id, or `dial`."""
    expected: tuple[Die, ...] = ()
    seen: tuple[Die, ...] = ()
    expected_dial: int | None = None
    seen_dial: int | None = None
    expected_piece: Stands | None = None
    seen_piece: Stands | None = None


class Candidate(msgspec.Struct, frozen=True):
    """One way the table may have come to look like this."""

    moves: tuple[Any, ...]
    state: Any
    share: float
    likelihood: float
    """Of the reading in the places that changed: a die settled long ago may go on being hard to read."""
    whole: bool = True
    """Nothing lags: whatever these moves change is seen."""


class Explanation(msgspec.Struct, frozen=True):
    """What the search found."""

    kind: Literal["same", "found", "question", "impossible"]
    candidates: tuple[Candidate, ...] = ()
    differences: tuple[Difference, ...] = ()
    nodes: int = 0


def _die_chance(die: Die, seen: DieSeen, owners: Mapping[str, int]) -> float:
    owner = owners.get(seen.owner)
    if owner == die.owner:
        chance = seen.owner_share
    elif seen.owner_share >= SURE:
        return 0.0
    else:
        chance = (1 - seen.owner_share) / max(1, len(owners) - 1)
    face = seen.faces[die.face - 1]
    best = max(seen.faces)
    if best >= SURE and face < best:
        return 0.0
    return chance * face


def certain(die: DieSeen) -> bool:
    """There is no doubt about this die."""
    return max(die.faces) >= SURE and die.owner_share >= SURE


def slot_chance(expected: SlotExpected, seen: SlotSeen, owners: Mapping[str, int], *, lenient: bool = False) -> float:
    """How likely this reading is if the slot lies as expected; 0 when a confident part of it contradicts.

    `lenient`: a doubtful find may be print on the card and not a die at all.
    """
    return _best_match(expected, seen, owners, lenient)[0]


def left_over(expected: SlotExpected, seen: SlotSeen, owners: Mapping[str, int]) -> tuple[DieSeen, ...]:
    """What was found beside the expected dice and is none of them."""
    matched = _best_match(expected, seen, owners, True)[1]
    return tuple(die for i, die in enumerate(seen.dice) if i not in matched)


def _best_match(
    expected: SlotExpected, seen: SlotSeen, owners: Mapping[str, int], lenient: bool
) -> tuple[float, tuple[int, ...]]:
    """The best way to lay the finds on the expected dice: its likelihood, and which finds it uses."""
    card = seen.card
    if card.card is not None and card.share >= CARD and expected.card is not None and card.card != expected.card:
        return 0.0, ()
    if expected.piece is not None and seen.pieces:
        return piece_chance(expected.piece, seen.pieces), ()
    dice, found = expected.dice, seen.dice
    if not dice and not found:
        return 1.0, ()
    if len(dice) > len(found) or (len(dice) < len(found) and not lenient):
        return 0.0, ()
    # find by find, the best way to have laid some of the dice: twenty finds cost no more than a few
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (1.0, ())}
    for number, other in enumerate(found):
        chances = [_die_chance(die, other, owners) for die in dice]
        passed_over = 0.0 if certain(other) else PRINT
        ways = {laid: (chance * passed_over, used) for laid, (chance, used) in best.items()}
        for laid, (chance, used) in best.items():
            for place, fits in enumerate(chances):
                more = laid | 1 << place
                if more != laid and chance * fits > ways.get(more, (0.0,))[0]:
                    ways[more] = (chance * fits, (*used, number))
        best = {laid: way for laid, way in ways.items() if way[0] > 0.0}
    return best.get((1 << len(dice)) - 1, (0.0, ()))


PRINT = 0.9
"""Weight for each find that would have to be print."""
LAG = 0.01
"""Weight of an explanation for each place the hands have not caught up with yet."""


class _Judge:
    """Compares expectations with one reading, remembering each slot it has judged.

    A move may make more happen than the hand has done yet: the dial is turned, the finished card still lies there. A
    place that should have changed but still looks as it did is not a contradiction, it lags.
    """

    def __init__(self, seen: Seen, present: Expected) -> None:
        self.seen = seen
        self.dial = present.dial
        self._known: dict[SlotExpected, float] = {}
        self._present = {slot.slot: self._chance(slot) for slot in present.slots if slot.slot in seen.looked}
        self._slots = present.slots
        self._wrong = sum(chance <= NEVER for chance in self._present.values())
        self._likelihood = math.prod(chance for chance in self._present.values() if chance > NEVER)

    def _chance(self, slot: SlotExpected) -> float:
        chance = self._known.get(slot)
        if chance is None:
            reading = self.seen.slots[slot.slot]
            chance = slot_chance(slot, reading, self.seen.owners, lenient=self.seen.lenient)
            self._known[slot] = chance
        return chance

    def judge(self, expected: Expected) -> tuple[int, float, float, int]:
        """Number of places that contradict, the likelihood of the rest, of what is news in it, and how many lag."""
        alike = len(expected.slots) == len(self._slots)
        wrong, likelihood = (self._wrong, self._likelihood) if alike else (0, 1.0)
        news, lagging = 1.0, 0
        for slot, was in zip(expected.slots, self._slots if alike else repeat(None), strict=False):
            # most places are untouched, and a pack may hand out the same object for them: they count as before
            if slot is was or slot.slot not in self._present:
                continue
            before, chance = self._present[slot.slot], self._chance(slot)
            if alike and before > NEVER:
                likelihood /= before
            elif alike:
                wrong -= 1
            if chance > NEVER:
                likelihood *= chance
                news *= 1.0 if slot == was else chance
            elif before > NEVER:
                lagging += 1
            else:
                wrong += 1
        if self.seen.dial is not None and expected.dial is not None and expected.dial != self.seen.dial:
            if self.dial == self.seen.dial:
                lagging += 1
            else:
                wrong += 1
        return wrong, likelihood, news, lagging

    def as_seen(self, before: Expected, after: Expected) -> bool:
        """All that changes from one to the other is as it is seen, or lies where something else has come by now."""
        if after.dial != before.dial and None not in (after.dial, self.seen.dial) and after.dial != self.seen.dial:
            return False
        changed = (slot for slot in after.slots if slot not in before.slots and slot.slot in self.seen.looked)
        return all(self._chance(slot) > NEVER or self._present.get(slot.slot, 1.0) <= NEVER for slot in changed)


def explain(pack: Game, state: Any, seen: Seen, *, nodes: int = NODES, depth: int | None = None) -> Explanation:
    """The best explanation of a reading, within a bounded number of tried moves; `depth` is the pack's own unless given.

    Three kinds of longer stories are asked about, however well they fit. One die misread with confidence could tell a
    story in which two players decide, and one that a shorter story tells as well but for a single die. And a story may
    leave out what a player decided without a trace: then others look the same, and they are told beside it.
    """
    present = pack.expect(state)
    judge = _Judge(seen, present)
    wrong, _, _, _ = judge.judge(present)
    if wrong == 0:
        return Explanation("same")
    search = _Search(pack, judge, nodes)
    found = search.shortest(state, wrong, depth or pack.sensor_depth)
    if not found:
        return Explanation("impossible", differences=tuple(differences(present, seen)), nodes=search.tried)
    best = _ranked(found)[0]
    deciding = {getattr(move, "seat", None) for move in best.moves} - {None}
    sure = best.share >= COMMIT and best.likelihood >= PLAIN and len(deciding) <= 1
    if pack.hidden_moves and len(deciding) <= 1 and (len(best.moves) > 1 or not best.whole):
        off = any(short < len(best.moves) and one_die_off(there, seen) for short, there in search.almost)
        others, no_more = search.untold(state, best, {None, *deciding})
        found += others
        sure = sure and not off and not others and no_more
    kind: Literal["found", "question"] = "found" if sure else "question"
    return Explanation(kind, _ranked(found), tuple(differences(present, seen)), search.tried)


class _Way(msgspec.Struct, frozen=True):
    """Moves, the state they lead to and how well the reading fits there."""

    moves: tuple[Any, ...]
    state: Any
    weight: float
    news: float
    whole: bool


class _Search:
    """Moves tried from a state, until one or more of them lead to what is seen."""

    def __init__(self, pack: Game, judge: _Judge, nodes: int) -> None:
        self.pack, self.judge, self.nodes = pack, judge, nodes
        self.tried = 0
        self.almost: list[tuple[int, Expected]] = []
        """How many moves lead to a position that contradicts the reading in one place only, and how it should look."""

    def _try(self, path: tuple[Any, ...], here: Any, move: Any) -> tuple[_Way, int, Expected] | None:
        """Where one more move leads, how many places still contradict, and how it should look; nothing if it leads nowhere."""
        try:
            there = self.pack.play(here, move).state
        except RuleBroken:
            return None
        self.tried += 1
        expected = self.pack.expect(there)
        missing, likelihood, news, lagging = self.judge.judge(expected)
        steps = (*path, move)
        if missing == 1 and not lagging:
            self.almost.append((len(steps), expected))
        # a longer story must be seen whole, what lags would let it skip its own evidence: such a move leads nowhere
        if lagging and (missing or path):
            return None
        return _Way(steps, there, likelihood * LAG**lagging, news, not lagging), missing, expected

    def shortest(self, state: Any, wrong: int, depth: int) -> list[_Way]:
        """All explanations of the smallest length; best first: closest to what is seen, then shortest."""
        if wrong == 1:
            self.almost.append((0, self.pack.expect(state)))
        heap: list[tuple[float, int, tuple[Any, ...], Any, int]] = [(wrong, 0, (), state, wrong)]
        found: list[_Way] = []
        shortest = LONGEST
        while heap and self.tried < self.nodes:
            _, _, path, here, distance = heapq.heappop(heap)
            for move in self.pack.sensed(here) if len(path) < shortest else ():
                way, missing, _ = self._try(path, here, move) or (None, 0, None)
                if way is not None and not missing:
                    shortest = len(way.moves)
                    found = [*(one for one in found if len(one.moves) == shortest), way]
                elif way and missing <= distance and len(way.moves) < min(shortest, depth + wrong - missing):
                    near = missing + 0.25 * len(way.moves)
                    heapq.heappush(heap, (near, self.tried, way.moves, way.state, missing))
                if self.tried >= self.nodes:
                    break
        return found

    def untold(self, state: Any, best: Candidate, deciding: set[Any]) -> tuple[list[_Way], bool]:
        """Other stories of the same player that look the same and end elsewhere, and whether there are no more of them.

        They turn off from the best one wherever something could be decided that leaves no trace, none but what is seen,
        or one that a later move may have covered: a golem set and then turned looks like a golem placed.
        """

        def ahead(here: Any) -> list[Any]:
            moves = [move for move in self.pack.sensed(here) if getattr(move, "seat", None) in deciding]
            return sorted(moves, key=lambda move: move not in best.moves)

        path: tuple[Any, ...] = ()
        here, todo, later = state, deque[_Turning](), deque[_Turning]()
        for told in best.moves:
            todo.append((path, here, [move for move in ahead(here) if move != told]))
            path, here = (*path, told), self.pack.play(here, told).state
        found, enough = list[_Way](), self.tried + self.nodes
        while (todo or later) and self.tried < enough and len(found) < ANSWERS:
            path, here, moves = (todo or later).popleft()
            before = self.pack.expect(here)
            for number, move in enumerate(moves, 1):
                way, missing, after = self._try(path, here, move) or (None, 0, before)
                if way is not None and not missing:
                    if way.state != best.state and all(way.state != other.state for other in found):
                        found.append(way)
                    later.append((path, here, moves[number:]))
                    break
                if way is not None and (move in best.moves or self.judge.as_seen(before, after)):
                    todo.append((way.moves, way.state, ahead(way.state)))
        return found, not todo and not later


_Turning = tuple[tuple[Any, ...], Any, list[Any]]
"""The moves so far, the state they lead to, and what is still to be tried there."""
ANSWERS = 7
"""Stories told beside the best at most."""


def one_die_off(expected: Expected, seen: Seen) -> bool:
    """The reading is this position but for one die, which shows another face or colour."""
    off = 0
    for slot in expected.slots:
        reading = seen.slots.get(slot.slot)
        if reading is None or reading.covered or slot_chance(slot, reading, seen.owners) > NEVER:
            continue
        off += 1
        if off > 1 or odd_die_out(slot, reading, seen.owners) is None:
            return False
    return off == 1 and (seen.dial is None or expected.dial is None or seen.dial == expected.dial)


def odd_die_out(slot: SlotExpected, seen: SlotSeen, owners: Mapping[str, int]) -> tuple[DieSeen, Die] | None:
    """The one die that is not as expected in a slot where everything else is: as it was read, and what it should be."""
    if len(slot.dice) != len(seen.dice):
        return None
    for i, die in enumerate(seen.dice):
        others = msgspec.structs.replace(seen, dice=(*seen.dice[:i], *seen.dice[i + 1 :]))
        for k, wanted in enumerate(slot.dice):
            rest = SlotExpected(slot.slot, (*slot.dice[:k], *slot.dice[k + 1 :]), slot.card)
            if slot_chance(rest, others, owners) > NEVER:
                return die, wanted
    return None


def _ranked(found: Iterable[_Way]) -> tuple[Candidate, ...]:
    """Best first, ways to the same position counted once, shares adding up to one."""
    ways: list[_Way] = []
    for way in sorted(found, key=lambda one: (-one.weight, len(one.moves))):
        if not any(way.state == other.state for other in ways):
            ways.append(way)
    total = sum(way.weight for way in ways) or 1.0
    return tuple(Candidate(way.moves, way.state, way.weight / total, way.news, way.whole) for way in ways[:8])


def differences(expected: Expected, seen: Seen) -> Iterable[Difference]:
    """Where the table is not as the present state says, slot by slot."""
    for slot in expected.slots:
        reading = seen.slots.get(slot.slot)
        if reading is None or reading.covered or slot_chance(slot, reading, seen.owners) > NEVER:
            continue
        dice = tuple(
            sorted(
                Die(seen.owners.get(die.owner, -1), 1 + max(range(6), key=lambda i: die.faces[i]))
                for die in reading.dice
            )
        )
        pieces = (whose(piece, seen.owners) for piece in (slot.piece, standing(reading)))
        yield Difference(slot.slot, slot.dice, dice, None, None, *pieces)
    if seen.dial is not None and expected.dial is not None and expected.dial != seen.dial:
        yield Difference("dial", expected_dial=expected.dial, seen_dial=seen.dial)
