"""Touches of Skyrise: quick auctions of four players without a phone, tokens laid as they fall or drawn by the table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from benches.figures import Row, row
from benches.finger import Finger, Local
from benches.touches import Move, Recorded, recorded
from companion.games.skyrise import pack
from companion.wire.replies import Hand
from display.touch import Both, Go, Play, Tell, Touch
from display.view import Told

GAMES = Path(__file__).parents[1] / "tests" / "games" / "skyrise"
MOST, AUCTION = 130.0, 2.0
"""A whole game of four; one auction, with the token its winner takes."""


def rows() -> list[Row]:
    """The figures of Skyrise."""
    found = []
    for name, how in (("four-players-quick", "tokens as they fall"), ("four-players-quick-drawn", "tokens drawn")):
        touches = count(recorded(GAMES / f"{name}.jsonl"))
        auctions = touches["won"][1]
        each = (touches["won"][0] + touches.get("token", (0, 0))[0]) / auctions
        whole = float(sum(n for n, _ in touches.values()))
        found.append(row(f"skyrise touches of a game of four, {how}", whole, "", MOST, n=1))
        found.append(row(f"skyrise touches an auction, {how}", each, "", AUCTION, n=auctions))
    return found


def count(game: Recorded) -> dict[str, tuple[int, int]]:
    """Kind of move -> touches and how often it was made."""
    state = pack.new(game.options, game.box)
    finger, found = Finger(pack, tuple(game.options["names"])), dict[str, tuple[int, int]]()
    for move in game.moves:
        kind = str(move["kind"])
        touches = (
            0 if kind == "deal" else _handed(finger, state, move) if kind == "choose" else _made(finger, state, move)
        )
        before = found.get(kind, (0, 0))
        found[kind] = before[0] + touches, before[1] + 1
        state = pack.play(state, pack.decode(move)).state
    return found


def _made(finger: Finger, state: Any, move: Move) -> int:
    if move["kind"] == "lay":  # as the table proposes it
        plain = {name: value for name, value in move.items() if name != "kind"}
        return finger.make(state, {"kind": "lay", "values": plain})
    unsaid = ("seat",) if move["kind"] == "won" else ()  # the number says whose it is
    return finger.make(state, {name: value for name, value in move.items() if name not in unsaid and value is not None})


def _handed(finger: Finger, state: Any, move: Move) -> int:
    """A secret choice of somebody without a phone: the screen is handed over, touched, and the card is touched."""
    seat, local, told = int(move["seat"]), Local(), Told()
    for steps in range(1, 5):
        touch = _next(finger.shown(state, local, told), seat, move)
        for act in touch.act.acts if isinstance(touch.act, Both) else (touch.act,):
            if isinstance(act, Play):
                return steps
            if isinstance(act, Tell):
                told = Told(hand=Hand(seat, 0, msgspec.Raw(msgspec.json.encode(pack.view(state, seat)))))
            elif isinstance(act, Go):
                local = {**local, "scene": act.scene, "curtain": seat}
    raise AssertionError(f"the screen has no way to {move}")


def _next(touches: Iterable[Touch], seat: int, move: Move) -> Touch:
    wanted = (f"secret {move['cards'][-1]}", "curtain-open", f"hand-{seat}")
    known = {touch.id: touch for touch in touches}
    return next(known[name] for name in wanted if name in known)
