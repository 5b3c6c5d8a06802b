"""From every state of many random games: is each legal move's result, shown as a clean reading, explained as that move?

`python scripts/soak/skytopia_explain.py [GAMES] [MISREADINGS]`: in every state every legal move a camera or dial can see
is shown once (moves that look alike share a reading), and MISREADINGS of those results with one golem read wrongly, with
confidence: another face or another colour, any golem on the market. Resumable: each finished game is a line of
`out/soak/skytopia-explain.jsonl`; delete the file to start over. Exits 1 when anything was explained wrongly.

A misread golem may show exactly what another legal move would have shown. No reading can tell these two apart; they are
counted as twins. Everything else that a misreading tells must be asked about or called a mistake.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from benches.rules import NAMES, VARIANTS, WORDS, reading, steps
from companion.core.guard import Guarded
from companion.game import Die, Expected, Outcome
from companion.games.skytopia import pack as skytopia
from companion.games.skytopia.moves import Move
from companion.games.skytopia.state import SkytopiaState
from companion.senses.explain import Explanation, Seen, explain
from companion.senses.readings import Readings
from companion.wire.messages import MarketSeen, SeatInfo

OUT = Path(__file__).resolve().parents[2] / "out" / "soak" / "skytopia-explain.jsonl"
TIMED = 23
"""One state in so many is explained with nothing remembered, for the time it takes."""


class Remembering:
    """The pack, remembering what it was asked about the states near the present one: readings of one state share it."""

    def __init__(self) -> None:
        self._moves: dict[int, Any] = {}
        self._plays: dict[tuple[int, Move], Outcome] = {}
        self._expects: dict[int, Expected] = {}
        self._alive: list[Any] = []

    def forget(self) -> None:
        """Another state is the present one."""
        self._moves.clear()
        self._plays.clear()
        self._expects.clear()
        self._alive.clear()

    def moves(self, state: SkytopiaState) -> Any:
        """As the pack says."""
        found = self._moves.get(id(state))
        if found is None:
            self._alive.append(state)
            found = self._moves[id(state)] = skytopia.moves(state)
        return found

    def play(self, state: SkytopiaState, move: Move) -> Outcome:
        """As the pack says."""
        found = self._plays.get((id(state), move))
        if found is None:
            found = self._plays[id(state), move] = skytopia.play(state, move)
            self._alive += (state, found)
        return found

    def expect(self, state: SkytopiaState) -> Expected:
        """As the pack says."""
        found = self._expects.get(id(state))
        if found is None:
            self._alive.append(state)
            found = self._expects[id(state)] = skytopia.expect(state)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(skytopia, name)


class Search:
    """One game searched for a wrong explanation."""

    def __init__(self, number: int, misreadings: int) -> None:
        self.chance = random.Random(f"explain {number}")
        self.options = VARIANTS[number % len(VARIANTS)]
        self.misreadings = misreadings
        self.pack: Any = Remembering()
        self.counts: Counter[str] = Counter()
        self.took: list[float] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        """Every state of the game."""
        for before, _, _ in steps(self.options, self.chance):
            self.pack.forget()
            self.counts["states"] += 1
            looks = self.looks(before)
            for look, afters in looks.items():
                self.clean(before, look, afters)
            shown = list(looks)
            for look in self.chance.sample(shown, min(self.misreadings, len(shown))):
                self.misread(before, look, looks)
            self.untouched(before)

    def looks(self, before: SkytopiaState) -> dict[Expected, list[SkytopiaState]]:
        """What the sensors would see after each legal move, and the positions that look like that."""
        found: dict[Expected, list[SkytopiaState]] = {}
        present = self.pack.expect(before)
        for move in self.pack.moves(before):
            after = self.pack.play(before, move).state
            self.counts["moves"] += 1
            look = self.pack.expect(after)
            if look != present:
                found.setdefault(look, []).append(after)
        return found

    def clean(self, before: SkytopiaState, look: Expected, afters: list[SkytopiaState]) -> None:
        """Shown cleanly, it is explained as the move, or as one with the same result, or asked with it as an answer."""
        seen = reading(look)
        found = explain(self.pack, before, seen)
        self.counts["clean"] += 1
        self.counts["clean moves"] += len(afters)
        if self.counts["clean"] % TIMED == 0:
            start = time.thread_time()
            explain(skytopia, before, seen)
            self.took.append(time.thread_time() - start)
        told = [way.state for way in found.candidates]
        if found.kind == "found" and all(after == told[0] for after in afters):
            self.counts["explained"] += 1
        elif found.kind == "question" and all(after in told for after in afters):
            self.counts["asked"] += 1
        else:
            self.complain("clean", before, found, afters)

    def misread(self, before: SkytopiaState, look: Expected, looks: dict[Expected, list[SkytopiaState]]) -> None:
        """The same with one golem read wrongly: never committed, unless another legal move looks just like that."""
        wrong = self.one_die_wrong(look)
        if wrong is None:
            return
        self.counts["misread"] += 1
        if wrong == self.pack.expect(before):
            self.counts["misread: looks as before"] += 1
            return
        twin = looks.get(wrong)
        found = explain(self.pack, before, reading(wrong))
        if found.kind != "found":
            self.counts[f"misread: {'asked' if found.kind == 'question' else 'mistake'}"] += 1
        elif twin and found.candidates[0].state in twin:
            self.counts["misread: twin of another legal move"] += 1
        else:
            self.complain("misread", before, found, looks[look])

    def untouched(self, before: SkytopiaState) -> None:
        """Nobody touched anything and one golem is read wrongly: it lies where it lay, so it is asked about."""
        present = self.pack.expect(before)
        wrong = self.one_die_wrong(present)
        if wrong is None:
            return
        self.counts["untouched"] += 1
        if explain(self.pack, before, reading(wrong)).kind != "found":
            self.counts["untouched: not believed"] += 1
            return
        table = Table(self.pack, before)
        table.look(present)
        verdict = table.look(wrong)
        if verdict.kind in ("commit", "amend"):
            self.complain("untouched", before, verdict.explanation, [])
        else:
            self.counts["untouched: lies where it lay"] += 1

    def one_die_wrong(self, look: Expected) -> Expected | None:
        """The same market with one golem showing another face or another player's colour."""
        places = [(i, k) for i, slot in enumerate(look.slots) for k in range(len(slot.dice))]
        if not places:
            return None
        i, k = self.chance.choice(places)
        slot = look.slots[i]
        die, others = slot.dice[k], [one for j, one in enumerate(slot.dice) if j != k]
        seats = len(self.options["names"])
        if self.chance.random() < 0.8:
            wrong = [Die(die.owner, face) for face in range(1, 7) if face != die.face]
        else:
            wrong = [Die(owner, die.face) for owner in range(seats) if owner != die.owner]
        dice = tuple(sorted([*others, self.chance.choice(wrong)]))
        slots = (*look.slots[:i], msgspec.structs.replace(slot, dice=dice), *look.slots[i + 1 :])
        return msgspec.structs.replace(look, slots=slots)

    def complain(
        self, what: str, before: SkytopiaState, found: Explanation | None, afters: list[SkytopiaState]
    ) -> None:
        """Remember what went wrong, with enough to look at it."""
        self.counts[f"{what}: wrong"] += 1
        told = [[skytopia.encode(move) for move in way.moves] for way in found.candidates[:2]] if found else []
        kind, phase = found.kind if found else "?", before.stack[-1].kind
        self.wrong.append(f"{what} in {phase} ({before.stack[-1].code}): {kind} {told}, {len(afters)} right answers")


class Table:
    """Just enough of a game in play to judge readings, each golem lying in its own place."""

    def __init__(self, pack: Any, state: SkytopiaState) -> None:
        self.pack, self.state = Guarded("skytopia", lambda: pack), state
        self.seats = tuple(SeatInfo(seat=i, name=NAMES[i], colour=WORDS[i]) for i in range(4))
        self.done: list[Any] = []
        self.readings = Readings()

    def look(self, expected: Expected) -> Any:
        """What a reading of such a market means."""
        seen: Seen = reading(expected)
        slots = tuple(seen.slots.values())
        self.readings.market = MarketSeen(state="ready", ts=0.0, slots=slots)
        return self.readings.judge(self)  # type: ignore[arg-type]


def report(lines: list[dict[str, Any]], misreadings: int) -> int:
    """Everything found so far in one sentence each; 1 when anything was wrong."""
    total: Counter[str] = Counter()
    took = sorted(one for line in lines for one in line["took"])
    for line in lines:
        total.update(line["counts"])
    sys.stdout.write(f"{len(lines)} games, {misreadings} misreadings a state\n")
    for name, n in sorted(total.items()):
        sys.stdout.write(f"{name:40} {n:>10,}\n")
    if took:
        p99 = took[int(0.99 * (len(took) - 1))]
        sys.stdout.write(f"explain, {len(took)} timed: p99 {1000 * p99:.1f} ms, longest {1000 * took[-1]:.1f} ms\n")
    wrong = [text for line in lines for text in line["wrong"]]
    for text, n in Counter(wrong).most_common(12):
        sys.stdout.write(f"{n} x {text}\n")
    return 1 if wrong else 0


def main(games: int, misreadings: int) -> int:
    """Search the games not yet searched, then report on all of them."""
    OUT.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.loads(text) for text in OUT.read_text().splitlines()] if OUT.exists() else []
    done = {line["game"] for line in lines}
    for number in range(games):
        if number in done:
            continue
        start, search = time.process_time(), Search(number, misreadings)
        search.run()
        took = [round(one, 6) for one in search.took]
        line = {"game": number, "counts": search.counts, "took": took, "wrong": search.wrong}
        lines.append(line | {"seconds": round(time.process_time() - start, 2)})
        with OUT.open("a") as file:
            file.write(json.dumps(lines[-1]) + "\n")
    return report([line for line in lines if line["game"] < games], misreadings)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(given[0] if given else 500, given[1] if len(given) > 1 else 2))
