"""`tableside box`: check printed numbers against the owner's copy, in about two minutes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.box.owner import Owner
from companion.box.printed import Printed, check, load, printed
from companion.core.registry import UnknownGameError, pack
from companion.wire import announced
from companion.wire.config import state_dir
from companion.wire.words import Words


class BoxError(Exception):
    """It could not be done; the message says why."""


def confirm(game: str, *, json: bool, settings: list[str], every: bool) -> str:
    """Show, set or ask; what is to be shown comes back."""
    try:
        rules = pack(game)
    except UnknownGameError as wrong:
        raise BoxError(str(wrong)) from wrong
    owner, package = Owner(state_dir()), announced.package(game)
    values = printed(package)
    if not values:
        raise BoxError(f"{game} has no printed numbers to check")
    overrides = owner.box(game)
    if settings:
        for setting in settings:
            key, equals, text = setting.partition("=")
            if not equals:
                raise BoxError(f"{setting!r}: write it as key=value")
            try:
                overrides[key] = _given(values, key, text)
            except ValueError as wrong:
                raise BoxError(str(wrong)) from wrong
        for problem in rules.problems(overrides):
            raise BoxError(problem)
        owner.save(game, overrides)
        return ""
    if json:
        box = load(package, overrides)
        rows = {
            key: {"value": box[key], "source": leaf.source, "certain": leaf.certain, "confirmed": box.confirmed(key)}
            for key, leaf in values.items()
        }
        return msgspec.json.format(msgspec.json.encode(rows), indent=2).decode()
    _ask(game, package, owner, overrides, every=every)
    return ""


def _given(values: Mapping[str, Printed], key: str, text: str) -> Any:
    """What somebody typed, as the value it stands for; `ValueError` says why it cannot stand there."""
    try:
        try:
            value = msgspec.json.decode(text.encode())
        except msgspec.DecodeError:
            value = text
        check(values, key, value)
    except RecursionError as wrong:
        raise ValueError(f"{key}: nothing printed is nested that deeply") from wrong
    return value


def _ask(game: str, package: str, owner: Owner, overrides: dict[str, Any], *, every: bool) -> None:
    """On a terminal: Enter confirms what is shown, a value corrects it, s leaves it open, q ends."""
    values = printed(package)
    box = load(package, overrides)
    open_keys = [key for key, leaf in values.items() if not box.confirmed(key) and (every or leaf.ask == "first")]
    if not open_keys:
        sys.stderr.write("Everything asked for is confirmed. Use --all for the rest.\n")
        return
    if not sys.stdin.isatty():
        raise BoxError(f"{len(open_keys)} values are open; answer on a terminal, or use --set key=value")
    words = Words("en")
    sys.stderr.write(
        "Look at your copy. Enter = as shown, a number or word = what your copy says, s = skip, q = stop.\n"
    )
    for number, key in enumerate(open_keys, 1):
        shown = msgspec.json.encode(box[key]).decode()
        label = words.say(f"{game}/box/{key}") if words.knows(f"{game}/box/{key}") else key
        while True:
            sys.stderr.write(f"[{number}/{len(open_keys)}] {label} = {shown} ? ")
            sys.stderr.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not line or answer == "q":
                return
            if answer == "s":
                break
            try:
                overrides[key] = _given(values, key, answer) if answer else box[key]
            except ValueError as wrong:
                sys.stderr.write(f"  {wrong}\n")
                continue
            owner.save(game, overrides)  # each at once: Ctrl-C loses no answer
            break
