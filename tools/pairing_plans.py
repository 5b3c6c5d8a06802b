"""Looks long for evenings of small fields with few repeats, and writes `hall/plans.json`: `python -m tools.pairing_plans`.

Only what a short search does not find is kept there. What is there already is kept while nothing better is found.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from hall import pairing

ROUNDS = 6
KINDS = ((2, (2,)), (3, (2, 3, 4)), (3, (3, 4)), (3, (3,)), (4, (2, 3, 4)), (4, (3, 4)), (4, (4,)))
FILE = Path(pairing.__file__).with_name("plans.json")


def main(tries: int) -> None:
    kept = msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[pairing.Round, ...]])
    for size, sizes in KINDS:
        for players in range(4, pairing.ROOM[size] * ROUNDS):
            key = f"{size} {' '.join(map(str, sizes))}: {players}"
            fewest = pairing.fewest_repeats(players, size, sizes, ROUNDS)
            short = pairing.search(players, size, sizes, ROUNDS, range(pairing.PLANS))
            best = min(kept.get(key, short), short, key=pairing.repeats)
            if pairing.repeats(short) > fewest:
                if pairing.repeats(best) > fewest:
                    found = pairing.search(players, size, sizes, ROUNDS, range(pairing.PLANS, tries))
                    best = min(best, found, key=pairing.repeats)
                kept[key] = best
                lines = (msgspec.json.encode({name: kept[name]})[1:-1] for name in sorted(kept))
                FILE.write_bytes(b"{\n" + b",\n".join(lines) + b"\n}\n")
            print(key, pairing.repeats(short), pairing.repeats(best), "at best", fewest, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
