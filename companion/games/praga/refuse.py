"""Refusals: why a move is against the rules, and what to do instead."""

from __future__ import annotations

from companion.game import RuleBroken, Text

Param = int | str | Text | tuple[Text, ...]

CODES = (
    *("acted", "box", "branch", "cannot-pay", "correct", "crane", "depth", "dummy", "extra-twice", "final-taken"),
    *("form", "give-windows", "held", "level", "no-arrow", "no-bonus", "no-cube", "no-egg", "no-such-tile", "no-tile"),
    *("no-tile-turned", "not-now", "not-over", "not-your-turn", "nothing", "over", "pending", "plaza", "plaza-needed"),
    *("refreshed", "road-end", "seal-taken", "seals-full", "sheet", "special", "technology", "tile-chosen", "too-dear"),
    *(
        "held-back",
        "no-such-hex",
        "plaza-empty",
        "plaza-there",
        "sheet-missing",
        "top-row",
        "track-not-done",
        "wheel",
        "wrong-action",
        "wrong-tile-action",
    ),
)
"""Every code with its two sentences in `words/`."""


def refused(code: str, box: str = "", **params: Param) -> RuleBroken:
    """The refusal with this code; the same parameters serve both sentences."""
    say = Text(f"praga/refuse/{code}", dict(params))
    do = Text(f"praga/refuse/{code}/do", dict(params))
    return RuleBroken(code, say, do, box=box)
