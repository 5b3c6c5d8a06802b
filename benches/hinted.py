"""Is a hint worth having? `python -m benches.hinted [GAMES] [SEED]`: two greedy players, one of whom follows every hint.

A hint is what the table would say: the first move of the planner's turn. Seats are changed after every game.
"""

from __future__ import annotations

import random
import sys

from companion.core.registry import pack as find_pack
from companion.robots import mind
from companion.robots.thinking import turn


def play(hinted: int, seed: int, *, hints: bool = True) -> tuple[int, int]:
    """The points of who was hinted and of who was not."""
    pack, chance = find_pack("skytopia").pack, random.Random(seed)
    state = pack.new({"names": ["Ada", "Ben"], "depth": "full", "colours": ["sun", "leaf"]}, {})
    while not pack.over(state):
        seat, legal = pack.ask(state).seat, pack.moves(state)
        if seat is None or len(legal) == 1:
            move = chance.choice(legal)
        elif seat == hinted and hints:
            move = pack.decode(turn(pack, state, seat, mind("hard"), chance)[0])
        else:
            move = mind("medium").choose(pack, state, chance)
        state = pack.play(state, move).state
    totals = {player.seat: player.total for player in pack.tally(state).players}
    return totals[hinted], totals[1 - hinted]


def main(argv: list[str]) -> int:
    """Play, and count who won."""
    games, seed = int(argv[0]) if argv else 10, int(argv[1]) if len(argv) > 1 else 1
    results = [play(number % 2, seed + number) for number in range(games)]
    wins = sum(with_hints > without for with_hints, without in results)
    ahead = sum(with_hints - without for with_hints, without in results) / games
    sys.stdout.write(f"hinted greedy won {wins} of {games}, {ahead:+.1f} points a game; {results}\n")
    return 0 if wins > games / 2 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
