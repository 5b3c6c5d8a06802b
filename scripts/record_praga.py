"""Record games of Praga for the tests and for the count of touches: `python scripts/record_praga.py tests/games/praga`.

Seeded players take plausible turns with a copy whose tiles are made up (`benches/copy_of_praga.py`); the same seed records the
same game.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import msgspec

from benches import copy_of_praga
from companion.games.praga import moves, offers, pack
from companion.games.praga.copy import HEXES
from companion.games.praga.state import PragaState

NAMES = ("Magda", "Tomek", "Élodie", "Sam")
WEIGHTS = {"mines": 4, "quarries": 4, "upgrade": 9, "wall": 14, "building": 14, "road": 4}
"""How often an action is done, near what play reports tell."""
GAMES = {
    "one-player": (1, "full", 11),
    "two-players": (2, "full", 5),
    "three-players": (3, "full", 23),
    "four-players": (4, "full", 7),
    "two-players-light": (2, "light", 9),
}


class Player:
    """Decides like somebody who has read the rules and plays for fun."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.noted = -1

    def choose(self, state: PragaState) -> Any:
        """The next move of this position."""
        legal = list(pack.moves(state))
        if state.depth == "light":
            return self._light(state, legal)
        if state.due() is not None or state.played_out or state.dummy or state.begun is not None:
            return self.chance.choice(legal)
        if state.hand is None:
            extra = [move for move in legal if isinstance(move, moves.Extra)]
            if extra and self.chance.random() < 0.6:
                return extra[0]
            return self.chance.choice([move for move in legal if isinstance(move, moves.Choose)])
        return self._rest(state, legal)

    def _light(self, state: PragaState, legal: list[Any]) -> Any:
        if state.hand is not None and self.noted != state.turn and self.chance.random() < 0.5:
            self.noted = state.turn
            return moves.Note({"points": self.chance.randint(1, 9)}, state.active)
        return legal[-1] if state.hand is not None else self.chance.choice(legal)

    def _rest(self, state: PragaState, legal: list[Any]) -> Any:
        acts = [move for move in legal if isinstance(move, (moves.Act, moves.Begin))]
        if acts:
            names = sorted({move.action for move in acts})
            wanted = self.chance.choices(names, [WEIGHTS[name] for name in names])[0]
            found = [move for move in acts if move.action == wanted]
            produced = [move for move in found if getattr(move, "branch", "") == "produce"]
            return self.chance.choice(produced if produced and self.chance.random() < 0.7 else found)
        if set(state.did) & set(HEXES) and self.noted != state.turn:
            self.noted = state.turn
            if self.chance.random() < 0.5:
                return moves.Note({self.chance.choice(offers.BESIDE[:5]): 1}, state.active)
        others = [move for move in legal if not isinstance(move, (moves.Turn, moves.Recall))]
        if others and self.chance.random() < 0.4:
            return self.chance.choice(others)
        return legal[-1]


def record(players: int, depth: str, seed: int) -> bytes:
    """One whole game as the lines of its file."""
    chance, player = random.Random(seed), Player(seed)
    tiles = list(range(1, 7))
    chance.shuffle(tiles)
    head: dict[str, Any] = {"names": list(NAMES[:players]), "depth": depth, "side": "a", "tiles": tiles}
    box = copy_of_praga.box()
    lines: list[Any] = [{"format": "tableside-game-1", "game": "praga", "options": head, "box": box}]
    state = pack.new(head, box)
    while not pack.over(state):
        move = player.choose(state)
        if isinstance(move, moves.Sheet) and depth == "light":
            move = moves.Sheet(move.seat, _position(player.chance))
        lines.append({"move": pack.encode(move)})
        state = pack.play(state, move).state
    lines.append({"tally": pack.tally(state)})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def _position(chance: random.Random) -> dict[str, Any]:
    """A final position somebody enters after a light game."""
    counts = {name: chance.randint(0, 5) for name in ("technology", "university", "blue", "red", "walls", "eggs")}
    printed = {
        f"{building}_{axis}": chance.randint(0, 6) for building in ("wall", "cathedral") for axis in ("row", "column")
    }
    return {
        **counts,
        **printed,
        "multiplier": chance.randint(0, 3),
        "gold": chance.randint(0, 9),
        "stone": chance.randint(0, 9),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, game in GAMES.items():
        (folder / f"{name}.jsonl").write_bytes(record(*game))
