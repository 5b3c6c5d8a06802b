"""Loads the games that are announced (`companion.wire.announced`).

What is handed out is behind a door (`companion.core.guard`): whatever a pack does wrong when it is loaded or asked is one
exception, and costs no other game anything.
"""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec

from companion.box.printed import printed
from companion.core.guard import Guarded, PackFailedError
from companion.game import Text
from companion.wire.announced import entries, names, package, sources


class UnknownGameError(Exception):
    """No pack of that name can be used here; `why` is for people at the table."""

    def __init__(self, message: str, why: Text) -> None:
        super().__init__(message)
        self.why = why


def pack(name: str) -> Guarded:
    """The pack of that name."""
    if name not in entries():
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
        found = Guarded(name, entries()[name].load)
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
    stats = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in sources(name)]
    return hashlib.sha256(repr(stats).encode()).hexdigest() if stats else ""
