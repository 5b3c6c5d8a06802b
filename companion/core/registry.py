"""Finds the games: packs announce themselves through the entry-point group `tableside.games`."""

from __future__ import annotations

import logging
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from companion.game import Game

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
def pack(name: str) -> Game:
    """The pack of that name."""
    entry = _found().get(name)
    if entry is None:
        raise UnknownGameError(f"There is no game called {name!r}; known: {', '.join(names())}")
    try:
        found: Game = entry.load()
    except Exception as wrong:  # a pack is anybody's code: one that does not load costs no other game
        raise UnknownGameError(f"The game {name!r} is installed but cannot be loaded: {wrong}") from wrong
    return found


def usable() -> dict[str, Game]:
    """Every pack that loads; a broken one is said and left out, the table goes on."""
    packs: dict[str, Game] = {}
    for name in names():
        try:
            packs[name] = pack(name)
        except UnknownGameError as wrong:
            log.warning("%s", wrong)
    return packs


# where a pack's words and numbers lie --------------------------------------------------------------------------


def package(name: str) -> str:
    """The package a game's words, printed numbers and pictures lie in.

    Empty for a pack that is one module with nothing beside it, and for a game nobody announces.
    """
    entry = _found().get(name)
    if entry is None:
        return ""
    module = entry.module
    return module if folder(module) is not None else module.rpartition(".")[0]


@cache
def folder(package: str) -> Path | None:
    """Where a package's files lie, found without running any code of it; `None` for a module and for what is not there."""
    spec = _spec(package)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _spec(module: str) -> ModuleSpec | None:
    """Where a module lies. `find_spec` alone would import every package above it."""
    parent, _, last = module.rpartition(".")
    try:
        if not parent:
            return find_spec(last) if last else None
        above = _spec(parent)
        places = above.submodule_search_locations if above else None
        return PathFinder.find_spec(module, list(places)) if places else None
    except (ImportError, ValueError):  # found, but in no state to be told about
        return None
