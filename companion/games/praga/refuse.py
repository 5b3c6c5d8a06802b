"""Refusals: why a move is against the rules, and what to do instead."""

from __future__ import annotations

from companion.game import RuleBroken
from companion.games.kit.refusals import Param, refusal


def refused(code: str, box: str = "", **params: Param) -> RuleBroken:
    """The refusal with this code; the same parameters serve both sentences."""
    return refusal("praga", code, "", "", box, "", **params)
