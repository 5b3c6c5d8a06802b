"""Finds the games: packs announce themselves through the entry-point group `tableside.games`.

What is handed out is behind a door (`companion.core.guard`): whatever a pack does wrong when it is loaded or asked is one
exception, and costs no other game anything.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

import msgspec

from companion.box.printed import printed
from companion.core.guard import Guarded, PackFailedError
from companion.game import Text


class UnknownGameError(Exception):
    """No pack of that name can be used here; `why` is for people at the table."""

    def __init__(self, message: str, why: Text) -> None:
        super().__init__(message)
        self.why = why


@cache
def _found() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group="tableside.games"), key=lambda entry: entry.name)}


def names() -> tuple[str, ...]:
    """The ids of all games, the known ones first."""
    first = [name for name in ("skytopia", "praga", "skyrise", "scorepad") if name in _found()]
    return (*first, *(name for name in _found() if name not in first))


def pack(name: str) -> Guarded:
    """The pack of that name."""
    if name not in _found():
        raise UnknownGameError(f"There is no game called {name!r}; known: {', '.join(names())}", Text("pack/missing"))
    found = _load(name)
    if isinstance(found, PackFailedError):
        raise UnknownGameError(f"The game {name!r} is installed but cannot be used: {found.brief}", found.why)
    return found


@cache
def _load(name: str) -> Guarded | PackFailedError:
    """A pack behind its door, or why there is none; asked once, for the answer may take its time."""
    if name in _left_out:
        return PackFailedError(name, "ended", "it stopped the table")
    try:
        found = Guarded(name, _found()[name].load)
        printed(package(name))
    except PackFailedError as failed:
        return failed
    except (OSError, ValueError, msgspec.MsgspecError) as wrong:
        return PackFailedError(name, "nonsense", f"its components.toml cannot be read: {wrong}")
    return found


def usable() -> dict[str, Guarded]:
    """Every pack that can be used."""
    return {name: found for name in names() if isinstance(found := _load(name), Guarded)}


def unusable() -> tuple[PackFailedError, ...]:
    """What is wrong with each of the others."""
    return tuple(found for name in names() if isinstance(found := _load(name), PackFailedError))


_left_out: set[str] = set()


def leave_out(game: str) -> None:
    """Do without a pack from the start: it has ended a core before."""
    _left_out.add(game)


def fingerprint(name: str) -> str:
    """Changes when another version of a pack is installed."""
    entry = _found().get(name)
    if entry is None:
        return ""
    spec, home = _spec(entry.module), folder(package(name))
    files = sorted(home.rglob("*.py")) if home else [Path(spec.origin)] if spec and spec.origin else []
    stats = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(stats).encode()).hexdigest()


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
