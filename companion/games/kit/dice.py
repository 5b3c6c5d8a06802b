"""What games with loose dice share: a tray with a strip beside it, dice in words, and a throw entered by hand."""

from __future__ import annotations

from collections import Counter

from companion.game import Field, Form, Text
from companion.sensing import Area, Mat

Faces = tuple[int, ...]
TRAY = Mat(
    260.0,
    170.0,
    (
        Area("tray", 4.0, 4.0, 182.0, 162.0, ("loose dice",), label="throw"),
        Area("aside", 194.0, 4.0, 62.0, 162.0, ("loose dice",), label="keep"),
    ),
    die_mm=16.0,
)


def without(dice: Faces, some: Faces) -> Faces:
    """The dice less some of them, sorted."""
    return tuple(sorted((Counter(dice) - Counter(some)).elements()))


def said(dice: Faces) -> str:
    """Dice as they are read out."""
    return " ".join(map(str, sorted(dice))) or "–"


def by_hand(game: str, seat: int, shown: Faces) -> Form:
    """A throw for a table without a camera: a number for every die."""
    fields = tuple(
        Field(f"die-{i}", Text(f"{game}/die", {"i": i}), "number", face, 1, 6) for i, face in enumerate(shown, 1)
    )
    return Form(fields, {"kind": "throw", "seat": seat}, Text(f"{game}/by-hand"), aside=True)


def entered(move: dict[str, object], most: int) -> dict[str, object]:
    """The move with the dice of such a form gathered."""
    if "die-1" not in move:
        return move
    faces = [face for i in range(1, most + 1) if (face := move.get(f"die-{i}"))]
    return {**{key: value for key, value in move.items() if not key.startswith("die-")}, "dice": faces}
