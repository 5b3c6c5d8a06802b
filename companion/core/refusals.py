"""The core's own refusals: what is not carried out, why, and what to do instead."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import msgspec

from companion.core.guard import Guarded, PackFailedError
from companion.game import RuleBroken, Text
from companion.journal.store import JournalUnusableError
from companion.wire.messages import Refusal

log = logging.getLogger("tableside.table")


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


@contextlib.contextmanager
def refusing(pack: Guarded) -> Iterator[None]:
    """What rules, pack or disk say against it in this block becomes one `RefusedError`, with everything unchanged."""
    try:
        yield
    except RuleBroken as broken:
        said = {name: getattr(broken, name) for name in ("code", "say", "do", "page", "box", "field")}
        why = Refusal(**said)
        raise RefusedError(why) from broken
    except msgspec.ValidationError as wrong:
        unread = pack.failed("nonsense", f"a move it cannot read back: {wrong} (in encode)")
        raise RefusedError(failed(unread)) from wrong
    except PackFailedError as wrong:
        raise RefusedError(failed(wrong)) from wrong
    except JournalUnusableError as wrong:
        log.error("%s", wrong)
        raise RefusedError(refusal(wrong.code)) from wrong
