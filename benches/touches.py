"""How often a table touches its screen in a whole game, counted by playing recorded games through the real scenes.

Each game has a module of its own that says which recorded games are played, how a recorded move is entered at a table, and
what the budgets are (`ROWS`). What the sensors see for themselves costs no touch.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benches.figures import Row, show
from benches.finger import Finger
from companion.game import Game

ROWS = {"praga": "benches.touches_praga", "skyrise": "benches.touches_skyrise"}
"""Game -> the module whose `rows()` counts its touches."""
GAMES = Path(__file__).parent / "games"
"""Recorded games, one folder per game: options and box, the moves, the tally."""

Move = dict[str, Any]
Entered = Callable[[Any, Move], tuple[Move | None, bool]]
"""A position and a recorded move -> the next move a table sends for it, and whether it is the last one."""


def as_recorded(state: Any, move: Move) -> tuple[Move | None, bool]:
    """A recorded move is sent as it is."""
    return move, True


class Recorded(msgspec.Struct, frozen=True):
    """A game as it was played."""

    options: dict[str, Any]
    box: dict[str, Any]
    moves: tuple[Move, ...]


class Count(msgspec.Struct):
    """Touches of a whole game, by the kind of move, with the state at its end and what its box has learnt by then."""

    touches: dict[str, int]
    state: Any
    box: dict[str, Any]

    def of(self, *kinds: str) -> int:
        """Touches of these kinds of moves; without any, of all."""
        return sum(n for kind, n in self.touches.items() if not kinds or kind in kinds)


def recorded(path: Path) -> Recorded:
    """A recorded game from its file."""
    head, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return Recorded(head["options"], head["box"], tuple(line["move"] for line in lines if "move" in line))


def count(
    pack: Game,
    game: Recorded,
    *,
    sensed: Callable[[Move], bool],
    entered: Entered = as_recorded,
    box: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Count:
    """Play a recorded game through the scenes, with another `box` or `options` where the table knows less than the record."""
    learnt = dict(game.box if box is None else box)
    state = pack.new(game.options if options is None else options, learnt)
    finger, touches = Finger(pack, tuple(game.options["names"])), dict[str, int]()
    for move in game.moves:
        done = False
        while not done:
            step, done = entered(state, move)
            if step is None:
                continue
            kind = str(step["kind"])
            touches[kind] = touches.get(kind, 0) + (0 if sensed(step) else finger.make(state, step))
            outcome = pack.play(state, pack.decode(step))
            state, learnt = outcome.state, {**learnt, **outcome.learnt}
    return Count(touches, state, learnt)


def rows() -> list[Row]:
    """The figures of every game that has recorded ones."""
    return [row for name in ROWS.values() for row in importlib.import_module(name).rows()]


def main() -> int:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    return show(rows(), as_json=options.parse_args().json)


if __name__ == "__main__":
    sys.exit(main())
