"""Every move as one would say it at the table, for bots whose pieces people move and for questions about the dial."""

from __future__ import annotations

from companion.game import Text
from companion.games.praga import moves
from companion.games.praga.gains import thing

PLAIN = {
    moves.Extra: "pay",
    moves.Seal: "seal",
    moves.Token: "token",
    moves.Refresh: "pay",
    moves.Good: "good",
}
"""Moves told by one word of theirs: `praga/move/extra/gold`."""


def describe(move: moves.AnyMove) -> Text:
    """The move in one short sentence."""
    kind = type(move).__name__.lower()
    match move:
        case moves.Choose():
            return Text("praga/move/choose", {"tile": move.tile})
        case moves.Act():
            return _act(move)
        case moves.Begin(action=""):
            return Text("praga/move/begin/put-off")
        case moves.Begin():
            return Text("praga/move/begin", {"action": Text(f"praga/action/{move.action}")})
        case moves.Note() | moves.Reward():
            gives = tuple(thing(name, n) for name, n in move.values.items() if type(n) is int and n > 0)
            return Text(f"praga/move/{kind}", {"things": gives}) if gives else Text(f"praga/move/{kind}/nothing")
        case moves.Climb():
            key = "praga/move/climb-level" if move.enters else "praga/move/climb"
            level = Text(f"praga/level/{move.enters or 1}")
            return Text(key, {"building": Text(f"praga/building/{move.building}"), "level": level})
        case moves.Learn():
            effect = Text(f"praga/technology/{move.effect}")
            return Text("praga/move/learn", {"level": Text(f"praga/level/{move.level}"), "effect": effect})
        case moves.Use():
            return Text("praga/move/use", {"level": Text(f"praga/level/{move.level}")})
        case moves.Final(tile="none"):
            return Text("praga/move/final/none")
        case moves.Final():
            return Text("praga/move/final", {"tile": Text(f"praga/v/{move.tile}")})
        case moves.Complete():
            return Text("praga/move/complete", {"n": move.plaza})
    if type(move) in PLAIN:
        return Text(f"praga/move/{kind}/{getattr(move, PLAIN[type(move)])}")
    return Text(f"praga/move/{kind}")


def _act(move: moves.Act) -> Text:
    action = Text(f"praga/action/{move.action}")
    if move.branch:
        return Text(f"praga/move/{move.action}/{move.branch}")
    if move.tile:
        return Text("praga/move/act-tile", {"action": action})
    return Text("praga/move/act", {"action": action})
