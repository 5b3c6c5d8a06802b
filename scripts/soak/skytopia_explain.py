"""From every state of many random games: is each legal move's result, shown as a clean reading, explained as that move?

`python scripts/soak/skytopia_explain.py GAMES [EACH]`: EACH legal moves a camera can see are tried per state, all of
them with 0. Beside it one golem is misread with confidence. Prints what it found; exits 1 when anything was explained
wrongly or slowly.
"""

from __future__ import annotations

import random
import sys
import time

from companion.bench import percentile
from companion.bench.rules import VARIANTS, reading, steps
from companion.explain import explain
from companion.games.skytopia import pack
from companion.games.skytopia.moves import Correct, Move
from companion.games.skytopia.state import State, slot_names


class Counts:
    """What the search for a wrong explanation found."""

    def __init__(self) -> None:
        self.tried = self.right = self.asked = self.misread = self.committed = 0
        self.took: list[float] = []
        self.wrong: list[str] = []


def one_move(counts: Counts, before: State, move: Move) -> None:
    """Shown cleanly, the move's result must be explained as the move or as one with the same result."""
    after = pack.play(before, move).state
    if pack.expect(after) == pack.expect(before):
        return
    start = time.thread_time()
    found = explain(pack, before, reading(pack.expect(after)))
    counts.took.append(time.thread_time() - start)
    counts.tried += 1
    if found.kind == "found" and found.candidates[0].state == after:
        counts.right += 1
    elif found.kind == "question" and any(way.state == after for way in found.candidates):
        counts.asked += 1
    else:
        counts.wrong.append(f"{pack.encode(move)} was explained as {found.kind}")


def one_misreading(counts: Counts, before: State, after: State, chance: random.Random) -> None:
    """A golem of somebody who did not move, seen with another face, must not be committed."""
    others = [(i, die) for i, slot in enumerate(after.slots) for die in slot.dice if die.owner != before.turn]
    if not others or before.phase == "setup":
        return
    slot, die = chance.choice(others)
    free = [face for face in range(1, 7) if not after.slots[slot].faces >> face & 1]
    name = slot_names(after.rows)[slot]
    wrong = Correct("die", die.owner, slot=name, was=die.face, face=chance.choice(free))
    found = explain(pack, before, reading(pack.expect(pack.play(after, wrong).state)))
    counts.misread += 1
    if found.kind == "found":
        counts.committed += 1
        counts.wrong.append(f"a misread golem on {name} was committed as {found.candidates[0].moves}")


def main(games: int, each: int) -> int:
    """Run the games and report."""
    counts, chance = Counts(), random.Random(5)
    for number in range(games):
        for before, move, after in steps(VARIANTS[number % len(VARIANTS)], chance):
            legal = list(pack.moves(before))
            for one in legal if not each else chance.sample(legal, min(each, len(legal))):
                one_move(counts, before, one)
            if type(move).__name__ == "Place":
                one_misreading(counts, before, after, chance)
    p99 = percentile(counts.took, 0.99) * 1000
    sys.stdout.write(
        f"{games} games, {counts.tried} clean readings: {counts.right} explained, {counts.asked} asked with the right "
        f"answer among them, {len(counts.wrong) - counts.committed} wrong; {counts.misread} misreadings: "
        f"{counts.committed} committed; explain p99 {p99:.1f} ms, longest {max(counts.took) * 1000:.1f} ms\n"
    )
    for line in counts.wrong[:10]:
        sys.stdout.write(line + "\n")
    return 1 if counts.wrong or p99 > 30 else 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(given[0] if given else 20, given[1] if len(given) > 1 else 1))
