"""Searches at length for evenings of small fields in which as few as possible meet again, and writes `hall/plans.json`.

An evening is looked for whole, all its rounds at once, by annealing: two people of a round change places, and worse is taken
while it is warm. Where mathematics has a design it is built: 16 people are an affine plane, 24 a resolvable group divisible
design. Seats are given afterwards, so that nobody has sat in one seat twice more than in another after any round. What is in
the file is kept while nothing better is found (the hardest were found by a compiled version of this). It is not trusted:
`tests/hall/test_plans.py` counts every evening, and tries all others where counting leaves room (`tools/pairing_proof.c`).

usage: python -m tools.pairing_plans [SECONDS for each]
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import msgspec

from hall import pairing, rounds

ROUNDS = 6
FILE = Path(pairing.__file__).with_name("plans.json")
AGAIN, BYE, SHORT = 12.0, 400.0, 1.0
"""What a repeat costs, and a bye or a short table more than others have."""
HOT, COLD, STEPS = 1.2, 0.09, 2_000_000

Groups = list[list[int]]
"""The tables of a round, and last of all who sits out."""


def shapes() -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every field an organiser can have that is planned ahead: players, and the tables they sit at."""
    for size in (2, 3, 4):
        for players in range(size + 1, pairing.ROOM[size] * ROUNDS):
            shape = rounds.table_sizes(players, size, pairing.allowed(size, players))
            if len(shape) > 1 or sum(shape) < players:
                yield players, shape


class Annealing:
    """One evening, made better swap by swap."""

    def __init__(self, players: int, shape: tuple[int, ...], chance: Random) -> None:
        self.count, self.chance, self.largest = players, chance, max(shape)
        self.sizes = (*shape, players - sum(shape))
        self.evening: list[Groups] = []
        self.met = [[0] * players for _ in range(players)]
        self.byes, self.short = [0] * players, [0] * players
        for _ in range(ROUNDS):
            order = chance.sample(range(players), players)
            self.evening.append([[order.pop() for _ in range(size)] for size in self.sizes])
        for groups in self.evening:
            for number, group in enumerate(groups):
                for player in group:
                    self._sits(number, player, 1)
                for one, other in combinations(group, 2) if number < len(shape) else ():
                    self._meet(one, other, 1)

    def repeats(self) -> int:
        """Meetings of two who had met before."""
        return sum(max(0, self.met[one][other] - 1) for one, other in combinations(range(self.count), 2))

    def run(self, fewest: int, until: float) -> int:
        """Cool down once; the fewest repeats there were, and `evening` with them."""
        now = self.repeats()
        best, kept = now, _copied(self.evening)
        for step in range(STEPS):
            if step % 1000 == 0 and time.monotonic() > until:
                break
            now += self._step(AGAIN * HOT * (COLD / HOT) ** (step / STEPS))
            if now < best and self._fair():
                best, kept = now, _copied(self.evening)
                if best <= fewest:
                    break
        self.evening = kept
        return best

    def _step(self, warmth: float) -> int:
        """One swap, made or not; how many repeats it brought."""
        chance, groups = self.chance, self.chance.choice(self.evening)
        here, there = chance.sample(range(len(groups)), 2)
        if not groups[here] or not groups[there]:
            return 0
        a, b = chance.randrange(len(groups[here])), chance.randrange(len(groups[there]))
        one, other = groups[here][a], groups[there][b]
        again = self._change(groups, here, one, other) + self._change(groups, there, other, one)
        cost = AGAIN * again + self._unfair(here, there, one, other)
        if cost > 0 and chance.random() >= math.exp(-cost / warmth):
            return 0
        for number, leaves, comes in ((here, one, other), (there, other, one)):
            self._sits(number, leaves, -1)
            self._sits(number, comes, 1)
            for mate in groups[number] if number < len(self.sizes) - 1 else ():
                if mate != leaves:
                    self._meet(leaves, mate, -1)
                    self._meet(comes, mate, 1)
        groups[here][a], groups[there][b] = other, one
        return again

    def _change(self, groups: Groups, number: int, leaves: int, comes: int) -> int:
        if number == len(self.sizes) - 1:
            return 0
        mates = [mate for mate in groups[number] if mate != leaves]
        return sum((self.met[comes][mate] >= 1) - (self.met[leaves][mate] >= 2) for mate in mates)

    def _unfair(self, here: int, there: int, one: int, other: int) -> float:
        cost = 0.0
        for counts, weight, marked in ((self.byes, BYE, self._is_bye), (self.short, SHORT, self._is_short)):
            more = marked(there) - marked(here)
            cost += weight * more * (2 * counts[one] + more - 2 * counts[other] + more)
        return cost

    def _is_bye(self, number: int) -> int:
        return int(number == len(self.sizes) - 1)

    def _is_short(self, number: int) -> int:
        return int(number < len(self.sizes) - 1 and self.sizes[number] < self.largest)

    def _fair(self) -> bool:
        return max(self.byes) - min(self.byes) <= 1

    def _sits(self, number: int, player: int, times: int) -> None:
        self.byes[player] += times * self._is_bye(number)
        self.short[player] += times * self._is_short(number)

    def _meet(self, one: int, other: int, times: int) -> None:
        self.met[one][other] += times
        self.met[other][one] += times


def _copied(evening: list[Groups]) -> list[Groups]:
    return [[list(group) for group in groups] for groups in evening]


def four_and_twenty(players: int) -> list[Groups]:
    """Six rounds for 21 to 24 people at tables of four: seven times three points that go round, and three that stay.

    The first round has each difference once, so its turns meet everybody but two. Those who never meet are left out first: no
    table then misses two.
    """
    base = ((23, 0, 8, 17), (22, 1, 10, 14), (21, 3, 7, 15), (20, 2, 4, 5), (19, 13, 16, 18), (12, 9, 11, 6))

    def turned(point: int, turn: int) -> int:
        return point if point > 20 else point // 7 * 7 + (point + turn - point // 7 * 7) % 7

    evening = []
    for turn in range(ROUNDS):
        tables = [[turned(point, turn) for point in table if turned(point, turn) < players] for table in base]
        evening.append([*sorted(tables, key=len, reverse=True), []])
    return evening


def sixteen() -> list[Groups]:
    """The affine plane of order four: five rounds in which everybody meets everybody; then the first once more."""
    times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    lines = [[[4 * x + (times[slope][x] ^ shift) for x in range(4)] for shift in range(4)] for slope in range(4)]
    columns = [[4 * x + y for y in range(4)] for x in range(4)]
    return [[*tables, []] for tables in (columns, *lines, columns)]


def in_order(evening: Sequence[Groups]) -> list[Groups]:
    """The same rounds; nobody has a second bye before everybody had one, and repeats come as late as can be."""
    players = sum(map(len, evening[0]))

    def worth(order: Sequence[Groups]) -> tuple[int, list[int]]:
        unfair, out = 0, [0] * players
        for number, groups in enumerate(order, 1):
            for player in groups[-1]:
                out[player] += 1
            unfair += max(0, max(out) + -number * len(groups[-1]) // players)
        return unfair, [repeats(order[:number]) for number in range(2, len(order))]

    if not evening[0][-1]:
        return _greedy(evening)
    orders = [list(order) for order in permutations(evening)]
    return min(orders, key=worth)


def _greedy(evening: Sequence[Groups]) -> list[Groups]:
    left, played = list(evening), list[Groups]()
    while left:
        best = min(left, key=lambda groups: repeats([*played, groups]))
        left.remove(best)
        played.append(best)
    return played


def repeats(evening: Sequence[Groups]) -> int:
    """Meetings of two who had met before."""
    return rounds.repeats(_rounds(evening))


def _rounds(evening: Sequence[Groups]) -> list[rounds.Round]:
    def named(group: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(str, group))

    return [rounds.Round(tuple(named(group) for group in groups[:-1]), named(groups[-1])) for groups in evening]


def seated(evening: Sequence[Groups], chance: Random, tries: int = 400_000) -> list[Groups] | None:
    """In the order of the seats: after any round nobody had one of the seats all tables have twice more than another."""
    common = min(len(group) for group in evening[0][:-1])
    made = _copied(list(evening))
    players = sum(len(group) for group in made[0])
    at = [[0] * len(made) for _ in range(players)]
    for number, groups in enumerate(made):
        for group in groups[:-1]:
            for seat, player in enumerate(group):
                at[player][number] = seat
        for player in groups[-1]:
            at[player][number] = -1
    costs = [_uneven(seats, common) for seats in at]
    for step in range(tries):
        if not any(costs):
            return made
        number = chance.randrange(len(made))
        group = chance.choice(made[number][:-1])
        a, b = chance.sample(range(len(group)), 2)
        one, other = group[a], group[b]
        at[one][number], at[other][number] = b, a
        new = _uneven(at[one], common), _uneven(at[other], common)
        worse = sum(new) - costs[one] - costs[other]
        if worse <= 0 or chance.random() < math.exp(-worse / (0.5 * (1 - step / tries) + 0.05)):
            group[a], group[b] = other, one
            costs[one], costs[other] = new
        else:
            at[one][number], at[other][number] = a, b
    return None


def _uneven(seats: Sequence[int], common: int) -> int:
    counts, bad = [0] * common, 0
    for seat in seats:
        if 0 <= seat < common:
            counts[seat] += 1
        bad += max(0, max(counts) - min(counts) - 1)
    return bad


def numbered(evening: Sequence[Groups]) -> list[Groups]:
    """The same with new numbers: in the first round people sit down as they stand in the list."""
    order = [player for group in evening[0] for player in sorted(group)]
    new = {player: number for number, player in enumerate(order)}
    return [[[new[player] for player in group] for group in groups] for groups in evening]


def written(evening: Sequence[Groups]) -> tuple[str, ...]:
    """As the file has it."""
    return tuple(rounds.written(one) for one in _rounds(numbered(evening)))


def found(players: int, shape: tuple[int, ...], fewest: int, seconds: float, chance: Random) -> list[Groups]:
    """The best evening for these tables that comes up in that time."""
    best: list[Groups] = []
    if shape[:3] == (4, 4, 4) and set(shape) <= {3, 4} and len(shape) == 6 and sum(shape) == players:
        best = four_and_twenty(players)
    elif shape == (4, 4, 4, 4) and players == 16:
        best = sixteen()
    until = time.monotonic() + seconds
    while not best or (repeats(best) > fewest and time.monotonic() < until):
        tried = Annealing(players, shape, chance)
        tried.run(fewest, until)
        if tried._fair() and (not best or repeats(tried.evening) < repeats(best)):
            best = tried.evening
    return best


def keep(plans: dict[str, tuple[str, ...]]) -> None:
    """One line each, so that a change is seen."""
    lines = (msgspec.json.encode({key: plans[key]})[1:-1] for key in sorted(plans, key=lambda key: (len(key), key)))
    FILE.write_bytes(b"{\n" + b",\n".join(lines) + b"\n}\n")


def main(seconds: float) -> None:
    plans = msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[str, ...]])
    chance = Random(int(time.time()))
    for players, shape in shapes():
        key = rounds.named_shape(shape, players - sum(shape))
        fewest = rounds.fewest_repeats(players, shape, ROUNDS)
        known = rounds.repeats(rounds.read_plan(plans[key])) if key in plans else math.inf
        if known > fewest:
            made = seated(in_order(found(players, shape, fewest, seconds, chance)), chance)
            if made is not None and repeats(made) < known:
                plans[key] = written(made)
                keep(plans)
        now = rounds.repeats(rounds.read_plan(plans[key])) if key in plans else None
        print(f"{key}: {now} repeats, fewer than {fewest} cannot be", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
