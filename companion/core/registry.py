"""Finds the games: packs announce themselves through the entry-point group `tableside.games`."""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from companion.game import Pack

log = logging.getLogger("tableside.games")


class UnknownGameError(Exception):
    """No pack of that name can be used here."""


@cache
def _found() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group="tableside.games"), key=lambda entry: entry.name)}


def names() -> tuple[str, ...]:
    """The ids of all games, the known ones first."""
    first = [name for name in ("skytopia", "praga", "skyrise", "scorepad") if name in _found()]
    return (*first, *(name for name in _found() if name not in first))


@cache
def pack(name: str) -> Pack:
    """The pack of that name."""
    entry = _found().get(name)
    if entry is None:
        raise UnknownGameError(f"There is no game called {name!r}; known: {', '.join(names())}")
    try:
        found: Pack = entry.load()
    except Exception as wrong:  # a pack is anybody's code: whatever it does wrong, the other games are still played
        raise UnknownGameError(f"The game {name!r} is installed but cannot be loaded: {wrong}") from wrong
    return found


def usable() -> dict[str, Pack]:
    """Every pack that loads; a broken one is said and left out, the table goes on."""
    packs: dict[str, Pack] = {}
    for name in names():
        try:
            packs[name] = pack(name)
        except UnknownGameError as wrong:
            log.warning("%s", wrong)
    return packs
