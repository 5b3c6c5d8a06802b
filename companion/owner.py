"""What belongs to the owner, not to one game: corrections of the box, and who played last."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.game import Pack
from companion.secrets import write_private

log = logging.getLogger("tableside.owner")


class Owner:
    """Files in the state directory, each written atomically."""

    def __init__(self, state_dir: Path) -> None:
        self.directory = state_dir
        self.problems: list[str] = []

    def _path(self, game: str) -> Path:
        return self.directory / "box" / f"{re.sub(r'[^a-z0-9-]', '', game)}.json"

    def box(self, game: str) -> dict[str, Any]:
        """The owner's corrections of one game's printed values; a damaged file is said and left aside."""
        path = self._path(game)
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as wrong:
            problem = f"{path}: the box corrections cannot be read ({wrong}); the shipped values are used"
            if problem not in self.problems:
                self.problems.append(problem)
                log.warning("%s", problem)
            return {}

    def keep(self, game: str, move: Mapping[str, Any]) -> None:
        """A correction made in play holds for the next games too."""
        if isinstance(move.get("key"), str) and "value" in move:
            self.save(game, {**self.box(game), move["key"]: move["value"]})

    def save(self, game: str, overrides: Mapping[str, Any]) -> None:
        """Write the corrections of one game."""
        write_private(self._path(game), msgspec.json.format(msgspec.json.encode(dict(overrides)), indent=2))

    def last_players(self) -> list[dict[str, Any]]:
        """Who sat here last: "same players, next game"."""
        try:
            return msgspec.json.decode((self.directory / "players.json").read_bytes(), type=list[dict[str, Any]])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return []

    def remember_players(self, seats: list[dict[str, Any]]) -> None:
        """Keep names, colours and languages for next time."""
        write_private(self.directory / "players.json", msgspec.json.encode(seats))

    def lobby(self, packs: Mapping[str, Pack]) -> dict[str, Any]:
        """What the set-up screen needs: the games with their options, and who played last."""
        return {
            "setup": {
                name: {
                    "title": msgspec.to_builtins(pack.title()),
                    "players": list(pack.players),
                    "options": msgspec.to_builtins(pack.options()),
                }
                for name, pack in packs.items()
            },
            "last": self.last_players(),
        }
