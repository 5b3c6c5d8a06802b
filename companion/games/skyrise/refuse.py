"""Refusals of Skyrise: every one of them in one way."""

from __future__ import annotations

from typing import NoReturn

from companion.game import Text
from companion.games.kit.refusals import Param, refusal


def refuse(code: str, do: str | Text = "", page: str = "", box: str = "", **params: Param) -> NoReturn:
    """The rules forbid this; `do` is what to do instead where the code alone does not say it."""
    raise refusal("skyrise", code, do, page, box, "", **params)
