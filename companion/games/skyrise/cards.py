"""Wonder cards as they are read: what each says with its numbers, and what its owner is asked where nobody has read it yet.

The rulebook's notes do not say what most of the cards print. Such a card has a `word` in the box: *unread* until somebody has
compared it with what the table believes, then *as told*, or *otherwise*, and then its owner says each time what it gives.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.box.printed import Box
from companion.game import Text
from companion.games.skyrise.state import Piece, SkyriseState
from companion.games.skyrise.wonders import prestige

FORMS = {"le-baron": "given", "crypt": "reach"}
"""Cards whose sentence is another one with another word in the box."""
RATES = range(1, 7)
"""Other numbers a card might print for each thing it counts, or give at once."""
REWARDS = (0, 4, 5, 6, 8, 10, 12)


class Reading(msgspec.Struct, frozen=True):
    """One way to read a card: the printed value it corrects, and what the wonder gives then."""

    key: str
    value: Any
    points: int


def effect(box: Box, card: str) -> Text:
    """What a card does, with the numbers of the owner's box."""
    start = f"wonders.{card}"
    values = box.under(start)
    if values.get("word") == "otherwise":
        return Text("skyrise/wonder-otherwise")
    form = FORMS.get(card)
    key = f"skyrise/wonder-effect/{card}" + (f"-{values[form]}" if form else "")
    numbers = {name: value for name, value in values.items() if name in ("rate", "max", "threshold", "reward")}
    told = Text(key, numbers)
    return (
        Text("skyrise/wonder-gives", {"effect": told, "prestige": more}) if (more := values.get("prestige")) else told
    )


def unread(box: Box, card: str) -> bool:
    """Nobody has said yet whether the card says what the table believes."""
    if not card or f"wonders.{card}.word" not in box.printed:
        return False
    spoken = (key for key in box.overrides if key.startswith(f"wonders.{card}.") and not key.endswith(".initiative"))
    return box[f"wonders.{card}.word"] == "unread" and not any(spoken)


def otherwise(box: Box, card: str) -> bool:
    """The card says something else than the table can work out."""
    return f"wonders.{card}.word" in box.printed and box[f"wonders.{card}.word"] == "otherwise"


def readings(state: SkyriseState, piece: Piece) -> tuple[Reading, ...]:
    """What an unread card may say: first as the table believes, then with other numbers, each with another result."""
    start = f"wonders.{piece.card}."
    found = [Reading(f"{start}word", "as-told", prestige(state, piece))]
    for name in ("rate", "reward", "prestige", *FORMS.values()):
        leaf = state.box.printed.get(start + name)
        if leaf is None:
            continue
        values: Any = leaf.options or (RATES if name == "rate" else REWARDS)
        for value in values:
            if value == state.box[start + name]:
                continue
            box = state.box.corrected(start + name, value)
            given = prestige(state.but(overrides=box.overrides), piece)
            if name == "reach" or given not in {one.points for one in found}:
                found.append(Reading(start + name, value, given))
    return tuple(found)


def initiative(box: Box, card: str) -> int:
    """The number that decides who opens era II."""
    return int(box[f"wonders.{card}.initiative"])
