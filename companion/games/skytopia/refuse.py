"""Refusals: why a move is against the rules, and what to do instead, in words a player can act on."""

from __future__ import annotations

from companion.game import RuleBroken, Text

Value = int | str | Text | tuple[Text, ...]

CODES = (
    *("over", "not-your-turn", "not-now", "no-such-slot", "empty-slot", "face-build", "face-taken", "too-dear"),
    *("not-there", "protected", "no-golem-home", "occupied", "wrong-start", "take-other", "half-use", "too-far"),
    *("turned-already", "not-finished", "tower-not-ready", "no-target", "wrong-target", "in-chain", "cannot-use"),
    *("no-such-card", "wrong-colour", "card-elsewhere", "card-not-in-game", "card-known", "deck-empty", "slot-full"),
    "nearer-gap",
    *("no-such-guild", "guild-group", "tile-taken", "city-taken", "no-such-tier", "same-card", "box", "correct-range"),
    *("correct-golems", "correct-cards", "correct-value", "form"),
)
"""Every code with its two sentences in `words/`."""

PAGES = {
    **dict.fromkeys(("not-finished", "tower-not-ready"), "9"),
    **dict.fromkeys(("face-build", "face-taken", "protected"), "10"),
    **dict.fromkeys(("half-use", "too-far", "wrong-target"), "14"),
}
"""The page of the printed rulebook, French and Polish alike, that says so; what only follows from it has none."""


def refused(code: str, box: str = "", page: str = "", **params: Value) -> RuleBroken:
    """The refusal with this code; the same parameters serve both sentences."""
    say = Text(f"skytopia/refuse/{code}", dict(params))
    do = Text(f"skytopia/refuse/{code}/do", dict(params))
    return RuleBroken(code, say, do, page or PAGES.get(code, ""), box)
