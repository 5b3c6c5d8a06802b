"""The core's own refusals: what is not carried out, why, and what to do instead."""

from __future__ import annotations

from companion.game import Text
from companion.wire.messages import Refusal


class RefusedError(Exception):
    """A request that is not carried out; everything is as it was."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.code)
        self.why = why


def refusal(code: str, **params: int | str | Text) -> Refusal:
    """One of the core's own refusals."""
    return Refusal(code=f"table/{code}", say=Text(f"table/refuse/{code}", params), do=Text(f"table/do/{code}", params))
