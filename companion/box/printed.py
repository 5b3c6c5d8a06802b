"""The box: every printed number of a game is data with a source, and the owner's copy has the last word.

`components.toml` beside a pack lists each value as `{ value, source, certain }`. The owner's corrections lie in a
separate file and are handed in as overrides (dotted key -> value); a value is confirmed when the source is certain
or the owner has spoken.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One printed value and how far it can be trusted."""

    value: Any
    source: str
    certain: bool = True
    ask: str = ""
    """`first`: matters from turn one, so it is asked before the first game; empty: when it first matters."""
    low: int | None = None
    high: int | None = None
    options: tuple[str | int, ...] = ()


class Box(msgspec.Struct, frozen=True):
    """The printed values of one game, with the owner's overrides laid on top."""

    printed: dict[str, Printed]
    overrides: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self.overrides[key] if key in self.overrides else self.printed[key].value

    def __iter__(self) -> Iterator[str]:
        return iter(self.printed)

    def confirmed(self, key: str) -> bool:
        """The source is certain, or the owner has checked it."""
        return key in self.overrides or self.printed[key].certain

    def unconfirmed(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Those of `keys` nobody has confirmed, each once, in order."""
        return tuple(dict.fromkeys(key for key in keys if not self.confirmed(key)))

    def under(self, prefix: str) -> dict[str, Any]:
        """All values below a dotted prefix, by the rest of their key."""
        start = prefix + "."
        return {key[len(start) :]: self[key] for key in self.printed if key.startswith(start)}

    def corrected(self, key: str, value: Any) -> Box:
        """The same box with one value as the owner's copy has it; `ValueError` names what is wrong."""
        check(self.printed, key, value)
        return Box(self.printed, {**self.overrides, key: value})


def check(printed: Mapping[str, Printed], key: str, value: Any) -> None:
    """Refuse a value that cannot stand at this key; what is said of a list or a table is said of each of its items."""
    leaf = printed.get(key)
    if leaf is None:
        raise ValueError(f"{key}: there is no such value in this box")
    _same_shape(leaf.value, value, key)
    for item in _items(value):
        if leaf.options and item not in leaf.options:
            raise ValueError(f"{key}: {_shown(item)} is not one of {', '.join(map(str, leaf.options))}")
        if leaf.low is None and leaf.high is None:
            continue
        if not isinstance(item, int) or isinstance(item, bool):
            raise ValueError(f"{key}: {_shown(item)} should be a whole number")
        if leaf.low is not None and item < leaf.low:
            raise ValueError(f"{key}: {item} is below {leaf.low}")
        if leaf.high is not None and item > leaf.high:
            raise ValueError(f"{key}: {item} is above {leaf.high}")


def _items(value: Any) -> Iterable[Any]:
    """What is counted in a value: itself, or each item of a list or a table."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, tuple)) else (value,)


def _same_shape(known: Any, given: Any, key: str) -> None:
    """Numbers stay numbers, words stay words, all the way down."""
    if isinstance(known, bool) or isinstance(given, bool):
        if type(known) is not type(given):
            raise ValueError(f"{key}: {_shown(given)} should be {_kind(known)}")
        return
    if isinstance(known, int):
        if not isinstance(given, int) or not -10_000 <= given <= 10_000:
            raise ValueError(f"{key}: {_shown(given)} should be a whole number")
    elif isinstance(known, str):
        if not isinstance(given, str) or len(given) > 100:
            raise ValueError(f"{key}: {_shown(given)} should be a word")
    elif isinstance(known, (list, tuple)):
        if not isinstance(given, (list, tuple)) or len(given) > 1000:
            raise ValueError(f"{key}: {_shown(given)} should be a list")
        for i, item in enumerate(given):
            if known:
                _same_shape(known[min(i, len(known) - 1)], item, f"{key}[{i}]")
            elif not _flat(item):
                raise ValueError(f"{key}[{i}]: {_shown(item)} should be a number, a word or a list of them")
    elif isinstance(known, dict):
        if not isinstance(given, dict) or set(given) != set(known):
            raise ValueError(f"{key}: {_shown(given)} should have {', '.join(map(str, known))}")
        for name, item in given.items():
            _same_shape(known[name], item, f"{key}.{name}")
    elif type(known) is not type(given):
        raise ValueError(f"{key}: {_shown(given)} should be {_kind(known)}")


def _flat(item: Any) -> bool:
    """What may stand in a list of which nobody knows an item yet."""
    return all(not isinstance(one, (list, tuple, dict)) for one in _items(item))


def _shown(given: Any) -> str:
    """What somebody entered, however long or deep, in a few words."""
    return reprlib.repr(given)


def _kind(value: Any) -> str:
    return {bool: "true or false", int: "a whole number", str: "a word", list: "a list", dict: "a table"}.get(
        type(value), type(value).__name__
    )


def _leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Printed]]:
    for name, entry in table.items():
        key = f"{prefix}{name}"
        if not isinstance(entry, dict):
            raise ValueError(f"{key}: a printed value is written as {{ value, source, certain }}")
        if "value" in entry:
            yield key, msgspec.convert(entry, Printed)
        else:
            yield from _leaves(entry, f"{key}.")


@cache
def printed(package: str) -> dict[str, Printed]:
    """The values a pack ships, read once from `components.toml` in its package; none for a pack without such a file."""
    if not package:
        return {}
    try:
        text = resources.files(package).joinpath("components.toml").read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return dict(_leaves(msgspec.toml.decode(text)))


def load(package: str, overrides: Mapping[str, Any] | None = None) -> Box:
    """The box of a pack with the owner's overrides; a wrong one raises `ValueError` naming its key."""
    values = printed(package)
    for key, value in (overrides or {}).items():
        check(values, key, value)
    return Box(values, dict(overrides or {}))
