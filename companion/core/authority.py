"""Who may make which move: decided once, on the decoded move, for every game alike.

The screen speaks for the table. A phone speaks for its own seat: it answers what is asked of that seat or of everybody, does
what its game lets a seat do at any time (`out_of_turn`), and puts its own values right; about another's it may only ask
(`wishes.py`). Everything else is somebody else's, or the table's. What is asked and whose a move is are public, so no refusal
tells a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.refusals import RefusedError, refusal
from companion.core.session import Session
from companion.game import Ask, Game
from companion.games.kit.forms import entered

BY_HAND = ("correct", "box", "tell")
"""Moves that put the record right instead of playing; without an owner they are the table's, never everybody's."""


def decoded(pack: Game, move: Mapping[str, Any]) -> Any:
    """The typed move, the one that is looked at here and played afterwards; `msgspec.ValidationError` on anything else."""
    entered(move)
    return pack.decode(move)


def check(session: Session, move: Any, seat: int, *, named: bool, offered: str) -> None:
    """Raise `RefusedError` unless the phone at `seat` may make this move now.

    `named`: it says which prompt it answers. `offered`: the printed value the table's last refusal let this phone correct.
    """
    pack, state = session.pack, session.state
    plain, whose = pack.encode(move), pack.owner(state, move)
    kind = plain.get("kind")
    if {whose, plain.get("seat")} - {None, seat}:  # neither another's, nor said in another's name
        raise RefusedError(refusal("not-yours"))
    if kind == "box":
        if (not offered or plain.get("key") != offered) and not _asked_for(session.moment.ask, plain, seat):
            raise RefusedError(refusal("at-the-screen"))
    elif kind == "correct":
        if whose is None:
            raise RefusedError(refusal("at-the-screen"))
    elif whose is None or kind not in pack.out_of_turn:
        _check_turn(session.moment.ask, str(kind), whose, seat, named=named)


def anothers(session: Session, move: Any, seat: int) -> int | None:
    """Whose value this would put right, where that is another seat's: a phone asks for it instead of doing it."""
    plain, whose = session.pack.encode(move), session.pack.owner(session.state, move)
    return whose if plain.get("kind") == "correct" and plain.get("seat") in (None, whose) and whose != seat else None


def _check_turn(ask: Ask, kind: str, whose: int | None, seat: int, *, named: bool) -> None:
    """An answer is given by who is asked, to the question that is asked now."""
    if not _asked(ask, seat):
        raise RefusedError(refusal("not-your-turn"))
    if whose is None and ask.seat not in (None, seat):
        raise RefusedError(refusal("not-your-turn"))
    if whose is None and ask.seat == seat and kind not in _kinds(ask):
        raise RefusedError(refusal("at-the-screen"))  # the table's affair, and nothing this turn asks for
    if not named:
        raise RefusedError(refusal("moved-on"))


def check_reading(session: Session, moves: tuple[Any, ...], seat: int) -> None:
    """Raise `RefusedError` unless the phone at `seat` may say that these moves are what the sensors saw."""
    pack, state = session.pack, session.state
    if not _asked(session.moment.ask, seat):
        raise RefusedError(refusal("not-your-turn"))
    if any(pack.owner(state, move) not in (None, seat) for move in moves):
        raise RefusedError(refusal("not-yours"))


def may_take_back(session: Session, seat: int) -> bool:
    """The last move is this seat's, or one that everybody may make."""
    last = session.done[-1]
    whose = session.pack.owner(last.before, session.pack.decode(last.row.body))
    return whose == seat or (whose is None and last.row.body.get("kind") not in BY_HAND)


def _asked(ask: Ask, seat: int) -> bool:
    return ask.seat is None or ask.seat == seat or seat in ask.waiting


def _asked_for(ask: Ask, plain: Mapping[str, Any], seat: int) -> bool:
    """The game itself asks this seat what its copy says, and this is one of the answers."""
    return ask.seat == seat and any(choice.move == plain for choice in ask.choices)


def _kinds(ask: Ask) -> set[Any]:
    forms = (ask.form.move,) if ask.form else ()
    return {move.get("kind") for move in (*(choice.move for choice in ask.choices), *forms)}
