"""Who plays whom, and where they sit: rounds for tables of two, three and four, Swiss and everybody against everybody.

Pure: what was played goes in, the next round comes out, the same for the same. In this order it keeps: byes go round;
nobody sits in one seat (colour, place in the turn) twice more than in another; nobody meets the same people again while
others are left; small tables go round; equals play equals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations
from random import Random

from hall.rounds import Round, fewest_repeats, meetings, planned, repeats, table_sizes

MOST_PLAYERS = 1000
"""Players in one event; far above what the hall promises (200)."""
BYE, SEAT, AGAIN, OFTEN, SHORT = 10**14, 10**12, 10**10, 10**8, 10**5
"""What is worse than what: each is more than all of the next together."""
PLANNED = 6
"""Rounds of the evenings that are kept."""
STEPS, STILL, STUCK = 600, 7, 20
"""Swaps tried for a round that is not clean yet; those for which who moved stays; and how many until two tables are stirred."""
KNOWN = 50_000
"""Tables whose cost is remembered, in fifteen megabytes at most."""
ROOM = {2: 2, 3: 5, 4: 6}
"""Players a round of an evening takes, by the size of the tables: with more of them there is always somebody left to meet."""
TRIES = 6
"""Rounds, or whole evenings of a small field, tried while there are repeats in them."""


def swiss(
    players: Sequence[str],
    scores: Sequence[int],
    played: Sequence[Round],
    *,
    size: int,
    sizes: tuple[int, ...] = (),
    rounds: int = 6,
) -> Round:
    """The next round for these players, given from first to last with their points; `sizes`: what else the game allows.

    A field too small for its rounds is not led by its points: it plays an evening thought through before the first round,
    in which as few as possible meet again.
    """
    _check(players, scores, size)
    sizes = tuple(sorted({size, *sizes}))
    number = len(played)
    if number < rounds and not roomy(len(players), size, rounds):
        made = plan(len(players), size, sizes, rounds)
        names = _slots(played[0], made[0]) if played and made else players
        # as soon as somebody came late or left, the plan is over
        if names is not None and {*names} == {*players}:
            named = [_named(one, names) for one in made]
            if named[:number] == list(played):
                return named[number]
    best: _Field | None = None
    for seed in range(TRIES if roomy(len(players), size, rounds) else 1):
        field = _Field(played, players, scores)
        field.pair(size, sizes, Random(number + 1000 * seed))
        best = field if best is None or field.cost < best.cost else best
        if best.cost < OFTEN:
            break
    assert best is not None
    return _named(best.made, players)


def allowed(size: int, players: int) -> tuple[int, ...]:
    """Tables an organiser who wishes this size may get: of four also three; of two only where there is no other way."""
    return tuple(other for other in (2, 3, 4) if other <= size and (other > 2 or size == 2 or players < 6))


def everybody(players: Sequence[str], size: int, sizes: tuple[int, ...] = ()) -> list[Round]:
    """All rounds in which everybody meets everybody: of two exactly once, of more in as few rounds as are found."""
    _check(players, (0,) * len(players), size)
    if size == 2:
        return [_named(one, players) for one in circle(len(players))]
    return [_named(one, players) for one in _everybody(len(players), size, tuple(sorted({size, *sizes})))]


def roomy(players: int, size: int, rounds: int) -> bool:
    """Whether the last round has people left for everybody, whatever was played before."""
    return players >= ROOM[size] * rounds


@cache
def circle(players: int) -> tuple[Round, ...]:
    """One sits, the others go round; the fixed one changes colours, the others have theirs from where they sit."""
    even = players + players % 2
    rounds = []
    for turn in range(even - 1):
        tables, byes = [], []
        for row in range(even // 2):
            first = (turn + row) % (even - 1)
            second = even - 1 if row == 0 else (turn - row) % (even - 1)
            if second >= players:
                byes.append(str(first))
            else:
                white_first = turn % 2 == 0 if row == 0 else row % 2 == 1
                tables.append((str(first), str(second)) if white_first else (str(second), str(first)))
        rounds.append(Round(tuple(tables), tuple(byes)))
    return tuple(rounds)


@cache
def plan(players: int, size: int, sizes: tuple[int, ...], rounds: int) -> tuple[Round, ...]:
    """An evening of a small field, the one with the fewest repeats that is known or found."""
    shape = table_sizes(players, size, sizes)
    fewest = fewest_repeats(players, shape, rounds)
    known = planned(players, shape)[:rounds]
    if len(known) == rounds and (rounds == PLANNED or repeats(known) <= fewest):
        return known
    best: tuple[Round, ...] = known if len(known) == rounds else ()
    for seed in range(TRIES):
        if best and repeats(best) <= fewest:
            break
        tried = _evening(players, size, sizes, Random(seed), lambda played: len(played) == rounds)
        best = min(best or tried, tried, key=repeats)
    return best


@cache
def _everybody(players: int, size: int, sizes: tuple[int, ...]) -> tuple[Round, ...]:
    pairs = players * (players - 1) // 2
    if not table_sizes(players, size, sizes):
        return ()
    tries = [
        _evening(players, size, sizes, Random(seed), lambda played: len(meetings(played)) == pairs) for seed in range(8)
    ]
    return min(tries, key=len)


def _evening(
    players: int, size: int, sizes: tuple[int, ...], chance: Random, over: Callable[[tuple[Round, ...]], bool]
) -> tuple[Round, ...]:
    """Round after round with the fewest repeats, in a new order each."""
    order = [str(number) for number in range(players)]
    played: tuple[Round, ...] = ()
    while not over(played):
        played = (*played, _named(_Field(played, order, (0,) * players).pair(size, sizes, chance), order))
        chance.shuffle(order)
    return played


def _check(players: Sequence[str], scores: Sequence[int], size: int) -> None:
    if len(set(players)) != len(players) or len(players) != len(scores):
        raise ValueError("Every player is given once, with points.")
    if size not in (2, 3, 4) or len(players) > MOST_PLAYERS:
        raise ValueError(f"Tables are for 2, 3 or 4 players, an event for at most {MOST_PLAYERS}.")


def _slots(first: Round, planned: Round) -> list[str] | None:
    """Who is who in the plan, from its first round as it was played."""
    if [len(table) for table in first.tables] != [len(table) for table in planned.tables]:
        return None
    names = [name for table in (*first.tables, first.byes) for name in table]
    slots = [int(slot) for table in (*planned.tables, planned.byes) for slot in table]
    return [name for _, name in sorted(zip(slots, names, strict=True))] if len(slots) == len(names) else None


def _named(made: Round, names: Sequence[str]) -> Round:
    tables = tuple(tuple(names[int(player)] for player in table) for table in made.tables)
    return Round(tables, tuple(names[int(player)] for player in made.byes))


class _Field:
    """The players by their place, with what they have behind them."""

    def __init__(self, played: Sequence[Round], names: Sequence[str], scores: Sequence[int]) -> None:
        at = {name: place for place, name in enumerate(names)}
        count = self.count = len(names)
        self.met = [[0] * count for _ in names]
        self.seats = [[0, 0, 0, 0] for _ in names]
        self.byes, self.short = [0] * count, [0] * count
        groups = {score: number for number, score in enumerate(sorted(set(scores)))}
        self.group = [groups[score] for score in scores]
        for one in played:
            largest = max((len(table) for table in one.tables), default=0)
            for table in one.tables:
                here = [(seat, at[name]) for seat, name in enumerate(table) if name in at]
                for seat, player in here:
                    self.seats[player][seat] += 1
                    self.short[player] += len(table) < largest
                for (_, one_), (_, other) in combinations(here, 2):
                    self.met[one_][other] += 1
                    self.met[other][one_] += 1
            for name in one.byes:
                if name in at:
                    self.byes[at[name]] += 1

    def pair(self, size: int, sizes: tuple[int, ...], chance: Random) -> Round:
        """The next round; what is not as it should be in it is its `cost`."""
        shape = table_sizes(self.count, size, sizes)
        self.largest, self.common = max(shape, default=0), min(shape, default=0)
        sat = [sum(counts[: self.common]) for counts in self.seats]
        self.behind = {player for player in range(self.count) if sat[player] < max(sat)}
        self.late = [sum(self.seats[player][seat] for player in self.behind) for seat in range(4)]
        """Who sat out, or in a seat not every table has, evens the others out later: they shall not all lack the same."""
        self.free = [[_free(counts[:seats], self.common) for seats in range(5)] for counts in self.seats]
        self.known: dict[tuple[int, frozenset[int]], int] = {}
        """What these players at a table cost: swaps come by the same ones again and again."""
        tables = self._dealt(shape)
        self.cost = self._improved(tables, chance)
        seated = tuple(self._seated(table, chance) for table in tables[:-1])
        self.made = Round(tuple(seated), tuple(str(player) for player in sorted(tables[-1])))
        return self.made

    def _dealt(self, shape: tuple[int, ...]) -> list[list[int]]:
        """From the top: with the first who has none goes the next who fits; the last list is of those who sit out."""
        out = self.count - sum(shape)
        order = sorted(range(self.count), key=lambda player: (self.byes[player], -player))
        resting = set(order[:out])
        left = [player for player in range(self.count) if player not in resting]
        tables = []
        for size in shape:
            table = [left.pop(0)]
            while len(table) < size:
                fits = (player for player in left if self._cost([*table, player], size) < OFTEN)
                player = next(fits, left[0])
                left.remove(player)
                table.append(player)
            tables.append(table)
        return [*tables, sorted(resting)]

    def _cost(self, table: list[int], size: int) -> int:
        """`size`: of the full table; 0 is for those who sit out."""
        if size == 0:
            return sum((self.byes[player] - min(self.byes)) * BYE + self.count - player for player in table)
        those = size, frozenset(table)
        cost = self.known.get(those)
        if cost is None:
            if len(self.known) >= KNOWN:
                self.known.clear()
            cost = self.known[those] = self._of_players(table, size)
        return cost

    def _of_players(self, table: list[int], size: int) -> int:
        cost = SEAT * _unseated(tuple(sorted(self.free[player][size] for player in table)))
        if size < self.largest:
            cost += SHORT * sum(self.short[player] for player in table)
        for place, one in enumerate(table):
            met, group = self.met[one], self.group[one]
            for other in table[:place]:
                cost += (group - self.group[other]) ** 2
                if met[other]:
                    cost += AGAIN + OFTEN * met[other]
        return cost

    def _improved(self, tables: list[list[int]], chance: Random) -> int:
        """Swaps two players, each time the best two, until no table has a repeat or a seat twice; the best found is kept."""
        sizes = [*(len(table) for table in tables[:-1]), 0]
        costs = [self._cost(table, size) for table, size in zip(tables, sizes, strict=True)]
        still = min(STILL, self.count // 4)
        moved = [-still] * self.count
        best, kept = sum(costs), [list(table) for table in tables]
        for step in range(STEPS):
            bad = [number for number, cost in enumerate(costs) if cost >= OFTEN]
            if not bad:
                break
            here = chance.choice(bad)
            if step % STUCK == STUCK - 1:
                self._stirred(tables, sizes, costs, here, chance)
                continue
            swap = self._best_swap(tables, sizes, costs, here, [step - last < still for last in moved], chance)
            if swap is None:
                continue
            (a, there, b, cost_here, cost_there) = swap
            one, other = tables[here][a], tables[there][b]
            tables[here][a], tables[there][b] = other, one
            moved[one] = moved[other] = step
            costs[here], costs[there] = cost_here, cost_there
            if sum(costs) < best:
                best, kept = sum(costs), [list(table) for table in tables]
        tables[:] = kept
        return best

    def _stirred(self, tables: list[list[int]], sizes: list[int], costs: list[int], here: int, chance: Random) -> None:
        """Deals the players of two tables anew: best swaps alone can go in a circle."""
        there = chance.choice([number for number in range(len(tables)) if number != here])
        both = [*tables[here], *tables[there]]
        chance.shuffle(both)
        for number, part in ((here, both[: len(tables[here])]), (there, both[len(tables[here]) :])):
            tables[number], costs[number] = part, self._cost(part, sizes[number])

    def _best_swap(
        self,
        tables: list[list[int]],
        sizes: list[int],
        costs: list[int],
        here: int,
        still: list[bool],
        chance: Random,
    ) -> tuple[int, int, int, int, int] | None:
        found: list[tuple[int, int, int, int, int]] = []
        least: int | None = None
        mine = tables[here]
        for a, one in enumerate(mine):
            if still[one]:
                continue
            for there, theirs in enumerate(tables):
                if there == here:
                    continue
                for b, other in enumerate(theirs):
                    if still[other]:
                        continue
                    cost_here = self._cost([*mine[:a], other, *mine[a + 1 :]], sizes[here])
                    if least is not None and cost_here - costs[here] - costs[there] > least:
                        continue
                    cost_there = self._cost([*theirs[:b], one, *theirs[b + 1 :]], sizes[there])
                    change = cost_here + cost_there - costs[here] - costs[there]
                    if least is None or change < least:
                        least, found = change, []
                    if change == least:
                        found.append((a, there, b, cost_here, cost_there))
        return chance.choice(found) if found else None

    def _seated(self, table: list[int], chance: Random) -> tuple[str, ...]:
        """In the order of the seats: everybody where they sat least."""
        orders = list(permutations(table))
        chance.shuffle(orders)

        def sat(order: tuple[int, ...]) -> tuple[int, int, int]:
            free = sum(self.free[player][len(table)] >> seat & 1 for seat, player in enumerate(order))
            often = sum(self.seats[player][seat] for seat, player in enumerate(order))
            return -free, often, sum(self.late[seat] for seat, player in enumerate(order) if player in self.behind)

        best = min(orders, key=sat)
        for seat, player in enumerate(best):
            self.late[seat] += player in self.behind
            if seat >= self.common and player not in self.behind:
                self.late = [late + count for late, count in zip(self.late, self.seats[player], strict=True)]
        return tuple(str(player) for player in best)


def _free(counts: list[int], common: int) -> int:
    """Seats a player may take, as bits: those taken least; `common`: seats every table has, the others are owed to nobody."""
    least = min(counts[:common], default=0)
    return sum(1 << seat for seat, count in enumerate(counts) if count == least or (seat >= common and count < least))


@cache
def _unseated(free: tuple[int, ...]) -> int:
    """How many of these cannot have one of the seats they may take, at best."""
    seats = max(4, len(free))
    return len(free) - max(
        sum(mine >> seat & 1 for mine, seat in zip(free, order, strict=True))
        for order in permutations(range(seats), len(free))
    )
