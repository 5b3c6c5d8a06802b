"""A recorded game as the screen would have been shown it, prompt after prompt, without a table."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec

from companion.game import Game, RuleBroken, Text
from companion.wire.colours import of_the_pieces
from companion.wire.files import read_text
from companion.wire.messages import Health, Prompt, SeatInfo, State, Undo
from display.theme import COLOUR_ORDER
from display.view import View

MAX_BYTES = 20_000_000
"""No game is that long."""


class ReplayError(Exception):
    """The file cannot be drawn; the message names the line."""


def find_pack(name: str) -> Game:
    """The rules of a game, through the same door packs of other distributions use."""
    for entry in entry_points(group="tableside.games"):
        if entry.name == name:
            pack: Game = entry.load()
            return pack
    raise ReplayError(f"line 1: no game called {name!r} is installed")


def _lines(path: Path) -> list[dict[str, Any]]:
    found = []
    try:
        text = read_text(path, MAX_BYTES)
    except OSError as wrong:
        raise ReplayError(f"{path} cannot be read: {wrong.strerror}") from wrong
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=dict[str, Any]))
            except msgspec.DecodeError as wrong:
                raise ReplayError(f"line {number}: {wrong}") from wrong
    if not found or "game" not in found[0]:
        raise ReplayError("line 1: a recorded game begins with its game and options")
    return found


def views(path: Path, language: str = "en") -> Iterator[View]:
    """What the screen would have been shown, prompt after prompt, and the tally at the end."""
    lines = _lines(path)
    head = lines[0]
    pack = find_pack(str(head["game"]))
    names = [str(name) for name in head["options"]["names"]]
    colours = of_the_pieces([""] * len(names), pack.colours)
    seats = tuple(
        SeatInfo(seat=i, name=name, colour=colours[i] or COLOUR_ORDER[i % len(COLOUR_ORDER)], language=language)
        for i, name in enumerate(names)
    )
    rooms = ("companion", "vision", "firmware_bridge", "display")
    well = {room: Health(room=room, status="online") for room in rooms}  # type: ignore[arg-type]
    state = pack.new(head["options"], head.get("box") or {})
    for number, line in enumerate(lines[1:], 2):
        if number == 2:
            yield _view(pack, state, seats, 1, well)
        if isinstance(line.get("move"), dict):
            try:
                state = pack.play(state, pack.decode(line["move"])).state
            except (RuleBroken, msgspec.ValidationError) as wrong:
                raise ReplayError(f"line {number}: the rules refuse this move: {wrong}") from wrong
            yield _view(pack, state, seats, number, well)


def _view(pack: Game, state: Any, seats: tuple[SeatInfo, ...], seq: int, well: dict[str, Health]) -> View:
    over = pack.over(state)
    told = State(
        table="replay",
        phase="over" if over else "playing",
        game=pack.id,
        game_id="replay",
        seq=seq,
        seats=seats,
        view=msgspec.Raw(msgspec.json.encode(pack.view(state, None))),
        panels=pack.panels(state, None),
        prompt=Prompt(ask=pack.ask(state)),
        tally=pack.tally(state) if over else None,
        undo=Undo(text=Text("display/undo")) if seq > 1 else None,
    )
    return View(state=told, health=well)
