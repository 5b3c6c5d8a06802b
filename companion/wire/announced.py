"""Which games are announced here, and where their files lie; no code of a game runs for that.

Games announce themselves through the entry-point group `tableside.games`. Every room may ask: words are read from a game's
folder also where its rules are never loaded.
"""

from __future__ import annotations

from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

OURS = ("skytopia", "praga", "skyrise", "scorepad")
"""Named first wherever games are listed."""


@cache
def entries() -> dict[str, EntryPoint]:
    """Every announced game by its id."""
    return {entry.name: entry for entry in sorted(entry_points(group="tableside.games"), key=lambda entry: entry.name)}


def names() -> tuple[str, ...]:
    """The ids of all games, the known ones first."""
    return (*(name for name in OURS if name in entries()), *(name for name in entries() if name not in OURS))


def package(name: str) -> str:
    """The package a game's words, printed numbers and pictures lie in.

    Empty for a pack that is one module with nothing beside it, and for a game nobody announces.
    """
    entry = entries().get(name)
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


def sources(name: str) -> list[Path]:
    """The files a game's code is read from."""
    entry = entries().get(name)
    if entry is None:
        return []
    spec, home = _spec(entry.module), folder(package(name))
    return sorted(home.rglob("*.py")) if home else [Path(spec.origin)] if spec and spec.origin else []
