"""Readings after decisions nobody told: from how many is a wrong story believed?

`python scripts/soak/skytopia_untold.py [READINGS] [SEED]`: random games of every variant. From each state the player in
turn goes on until a camera or dial shows something, or until it shows a second thing to a table that was not looking at
the first; whatever was decided before that, nobody said. One visible move must be believed as that move. A reading after
untold decisions must be believed as what was played, or asked about; a story that leaves a decision out may look exactly
the same. A single visible move is believed to use what is on offer; whoever silently passes that and then does the very
same with the next card makes the same picture, so what was played must be among what is told beside it: in one touch, or
asked or told once more where several stories begin alike. Exits 1 when a reading is held in none of these ways, or when a
visible move is not believed. The last line says how often an honest single move is told with another reading.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from benches.rules import VARIANTS, reading, steps
from companion.games.skytopia import pack
from companion.games.skytopia.moves import Move
from companion.games.skytopia.state import SkytopiaState
from companion.senses.alike import Story, alike
from companion.senses.explain import explain

Run = tuple[SkytopiaState, tuple[Move, ...], SkytopiaState]
"""A state, the moves played from there and nobody told but the last, and what is seen then."""


def runs(number: int) -> Iterator[Run]:
    """Every run of one player's moves in one game that ends with the first or the second thing to be seen."""
    states: list[SkytopiaState] = []
    played: list[Move] = []
    first = 0
    """Where the moves after the last thing seen begin; the second thing is seen from the states before that."""
    for before, move, after in steps(VARIANTS[number % len(VARIANTS)], random.Random(f"untold {number}")):
        if before.phase == "setup" or (states and before.turn != states[0].turn):
            states, played, first = [], [], 0
        states.append(before)
        played.append(move)
        if pack.expect(after) != pack.expect(before):
            if before.phase != "setup":
                yield from ((state, tuple(played[i:]), after) for i, state in enumerate(states))
            states, played, first = states[first:], played[first:], len(states) - first


def judge(run: Run) -> tuple[str, str]:
    """What `explain` makes of it, and a line about it when that is wrong."""
    before, moves, after = run
    found = explain(pack, before, reading(pack.expect(after)))
    what = "visible" if len(moves) == 1 else "untold"
    if found.kind != "found":
        asked = "asked" if found.kind == "question" else found.kind
        if what == "untold" and any(way.state == after for way in found.candidates):
            asked = "asked, with what was played among the answers"
        return f"{what}: {asked}", "" if what == "untold" else f"{what}: {found.kind}"
    told = found.candidates[0]
    if told.state == after:
        return f"{what}: believed and right", ""
    if what == "untold" and len(told.moves) == 1:
        stories = beside(before, told.moves[0])
        if any(played(before, story.moves) == after for story in stories if story.whole):
            return "untold: told beside the one believed", ""
        if any(leads_there(run, story) for story in stories if not story.whole):
            return "untold: its beginning told beside the one believed, then asked or believed", ""
    names = ["/".join(type(move).__name__.lower() for move in story) for story in (moves, told.moves)]
    return f"{what}: WRONG story believed", f"at {before.stack[-1].kind}: played {names[0]}, believed {names[1]}"


def beside(before: SkytopiaState, told: Move) -> tuple[Story, ...]:
    """What is told beside a believed move."""
    seat = getattr(told, "seat", None)
    return () if seat is None else alike(pack, before, told, seat)


def played(state: SkytopiaState, moves: tuple[Move, ...]) -> SkytopiaState:
    """Where these moves lead."""
    for move in moves:
        state = pack.play(state, move).state
    return state


def leads_there(run: Run, story: Story) -> bool:
    """The player began so, and what is seen is then asked about, or believed or told as what was played."""
    before, moves, after = run
    here, rest = played(before, story.moves), moves[len(story.moves) :]
    if moves[: len(story.moves)] == story.moves and rest:
        return "WRONG" not in judge((here, rest, after))[0]
    found = explain(pack, here, reading(pack.expect(after)))
    return any(way.state == after for way in found.candidates)


def main(readings: int, seed: int) -> int:
    """Games until so many untold readings have been judged."""
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    number, start, lines = seed, time.process_time(), 0
    while sum(n for name, n in counts.items() if name.startswith("untold")) < readings:
        for run in runs(number):
            name, line = judge(run)
            counts[name] += 1
            lines += len(run[1]) == 1 and bool(beside(run[0], run[1][0]))
            if line:
                wrong[line] += 1
        number += 1
    sys.stdout.write(f"{number - seed} games, {time.process_time() - start:.0f} s\n")
    for name, n in sorted(counts.items()):
        sys.stdout.write(f"{name:60} {n:>8,}\n")
    seen = counts["visible: believed and right"]
    sys.stdout.write(f"told with another reading: {lines:,} of {seen:,} visible moves ({lines / max(1, seen):.1%})\n")
    for line, n in wrong.most_common(20):
        sys.stdout.write(f"{n} x {line}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(given[0] if given else 5000, given[1] if len(given) > 1 else 0))
