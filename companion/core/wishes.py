"""A phone would like another player's value put right: whose value it is says yes or no, on their phone or at the screen.

The screen lies in the middle and is everybody's, so nobody is asked about what is corrected there; nor is there anybody to ask
where a seat has no phone. What is agreed to is that player's own correction, as if their phone had sent it.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.guard import PackFailedError
from companion.core.refusals import RefusedError, refusal, refusing
from companion.core.session import Session
from companion.core.telling import together, told
from companion.door.seats import Phone
from companion.game import Event, RuleBroken, Text, seat_name
from companion.wire.messages import Cause, MoveRequest, Notice

if TYPE_CHECKING:
    from companion.core.table import Table

ANSWER = "@wish"
"""The kind of move that says yes or no."""


class Wish(msgspec.Struct, frozen=True):
    """What one player would like to change of another's."""

    game: str
    by: int
    whose: int
    move: Any
    said: Text
    """What everybody will read when it is done."""


class Wishes:
    """The one that is open; a newer one takes its place."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._open: Wish | None = None
        self._number = 0

    def make(self, session: Session, move: Any, *, by: int, whose: int) -> None:
        """Ask; raises `RefusedError` when there is nobody to ask, or when the rules would not have it anyway."""
        if self.table.seats.at(whose) is None:
            raise RefusedError(refusal("not-yours"))
        with refusing(session.pack):
            said = _said(session, move)
        self._number += 1
        self._open = Wish(session.game, by, whose, move, said)
        self.table.publish(())

    def notices(self, session: Session) -> tuple[Notice, ...]:
        """What is asked now, in figures that are still true; a wish the game has overtaken is gone."""
        wish = self._open
        if wish is None:
            return ()
        said = None
        if wish.game == session.game and not session.moment.over:
            with contextlib.suppress(RuleBroken, PackFailedError):
                said = _said(session, wish.move)
        if said is None:
            self._open = None
            return ()
        if said != wish.said:  # a yes to the old figures is none to these
            self._number += 1
            self._open = msgspec.structs.replace(wish, said=said)
        names = {"by": seat_name(wish.by), "name": seat_name(wish.whose)}
        text = Text("wish/asked", {**names, "what": said})
        return (Notice(id=f"wish-{self._number}", text=text, do=Text("wish/do", names), seat=wish.whose),)

    def answer(self, session: Session, client: str, phone: Phone | None, request: MoveRequest) -> None:
        """Yes or no, from whose value it is or from the screen."""
        wish = self._open
        if wish is None or request.move.get("wish") != f"wish-{self._number}":
            raise RefusedError(refusal("moved-on"))
        if phone is not None and phone.seat != wish.whose:
            raise RefusedError(refusal("not-yours"))
        self._open = None
        if request.move.get("yes") is True:
            cause: Cause = "touch" if phone is None else "phone"
            self.table.commit(session, wish.move, sender=client, cause=cause, request=request.id)
        else:
            self.table.publish(
                (Event("declined", wish.whose, Text("wish/no-thanks", {"name": seat_name(wish.whose)})),)
            )


def _said(session: Session, move: Any) -> Text:
    """What the correction would make everybody read, tried out on the present position."""
    with session.pack.watched():
        outcome = session.pack.play(session.state, move)
        return together(told(session.pack, move, outcome)) or Text("event/corrected")
