"""The core's own refusals: what is not carried out, why, and what to do instead."""

from __future__ import annotations

from companion.core.guard import PackFailedError
from companion.game import Text
from companion.wire.messages import Refusal


class RefusedError(Exception):
    """A request that is not carried out; everything is as it was."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.code)
        self.why = why


def failed(wrong: PackFailedError) -> Refusal:
    """The pack did something no pack may do: nothing has changed, and which game it was and how is said."""
    return refusal("pack-failed", game=wrong.title, why=wrong.why)


def refusal(code: str, **params: int | str | Text) -> Refusal:
    """One of the core's own refusals."""
    return Refusal(code=f"table/{code}", say=Text(f"table/refuse/{code}", params), do=Text(f"table/do/{code}", params))
