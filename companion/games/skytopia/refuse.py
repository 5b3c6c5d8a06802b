"""Refusals: why a move is against the rules, and what to do instead, in words a player can act on."""

from __future__ import annotations

from companion.game import RuleBroken
from companion.games.kit.refusals import Param, refusal

PAGES = {
    **dict.fromkeys(("not-finished", "tower-not-ready"), "9"),
    **dict.fromkeys(("face-build", "face-taken", "protected"), "10"),
    **dict.fromkeys(("half-use", "too-far", "wrong-target"), "14"),
}
"""The page of the printed rulebook, French and Polish alike, that says so; what only follows from it has none."""


def refused(code: str, box: str = "", page: str = "", at: str = "", **params: Param) -> RuleBroken:
    """The refusal with this code; the same parameters serve both sentences."""
    return refusal("skytopia", code, "", page or PAGES.get(code, ""), box, at, **params)
