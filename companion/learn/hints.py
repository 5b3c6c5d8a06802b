"""A hint in two steps: what kind of move, then which one and why. What the planner would do, said and not done.

It thinks where robots think, in a process that is there only while hints are asked for. Whoever is asked in secret gets no hint
here: the screen stands where all can see it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.refusals import RefusedError, refusal
from companion.core.session import Session
from companion.core.telling import told
from companion.game import Choice, RuleBroken, Text
from companion.journal.store import JournalUnusableError
from companion.robots.thinker import Thinker
from companion.robots.thinking import Thought
from companion.wire.replies import Hint

if TYPE_CHECKING:
    from companion.core.table import Table

LEVEL = "hard"
SOON, LATE = 2, 4
"""Rounds until a golem has finished: up to here it is fast, from there on it is patient."""

KINDS = frozenset(
    (
        *("use", "skip", "take", "set", "add", "buy", "trigger", "activate", "move", "rotate", "finish"),
        *("choose", "act", "bonus", "climb", "extra", "learn", "reward", "seal", "token", "turn", "windows"),
        *("bid", "pass", "colour", "crypt"),
    )
)
"""Kinds of moves whose direction has words of its own."""


class Hints:
    """The adviser of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.thinker = Thinker(table.journal.directory, table.bus.call)

    def ask(self, answer: Callable[[Hint | None], None], *, count: bool = False) -> None:
        """`answer` gets the hint for whoever decides now, or `None` when there is none; raises `RefusedError` at once when
        nobody in particular decides. `count`: the table wants to read at the end how many were given."""
        session = self.table.session
        seat = session.moment.ask.seat if session is not None and not session.ended else None
        if session is None or seat is None or session.seats[seat].bot or session.options.get("depth", "full") != "full":
            raise RefusedError(refusal("no-hint"))
        game, seq = session.game, session.seq

        def heard(thought: Thought | None) -> None:
            now = self.table.session
            late = now is None or (now.game, now.seq) != (game, seq)
            if late or thought is None or not thought.moves:
                return answer(None)
            if count:
                with contextlib.suppress(JournalUnusableError):  # a full disk costs nobody their hint
                    session.given_hint(seat, sender="display")
                    self.table.publish(())
            return answer(hint(session, thought))

        self.thinker.ask(game, seq, {seat: LEVEL}, heard, hint=True)

    def close(self) -> None:
        """The evening is over."""
        self.thinker.rest()


def hint(session: Session, thought: Thought) -> Hint | None:
    """A thought as it travels: the row it is for, and both steps."""
    plain = thought.moves[0]
    try:
        with session.pack.watched():
            move = session.pack.decode(plain)
            said = told(session.pack, move, session.pack.play(session.state, move))
    except (RuleBroken, msgspec.ValidationError):
        return None
    choice = next((one for one in session.moment.ask.choices if one.move == plain), None)
    what = choice.text if choice is not None else said[0] if said else Text("robot/move")
    return Hint(session.game, session.seq, _kind(plain, choice), what, tuple(said), _why(thought.better, choice))


def _kind(plain: dict[str, Any], choice: Choice | None) -> Text:
    """The first step: a direction, not a move."""
    rounds = choice.picture.get("rounds") if choice is not None else None
    if isinstance(rounds, int):
        pace = "soon" if rounds <= SOON else "late" if rounds >= LATE else "between"
        return Text(f"hint/rounds/{pace}")
    kind = str(plain.get("kind"))
    return Text(f"hint/kind/{kind if kind in KINDS else 'other'}")


def _why(better: float, choice: Choice | None) -> Text:
    points = round(better)
    rounds = choice.picture.get("rounds") if choice is not None else None
    if isinstance(rounds, int):
        return Text("hint/why-rounds" if points > 0 else "hint/why-rounds-little", {"n": points, "rounds": rounds})
    return Text("hint/why", {"n": points}) if points > 0 else Text("hint/why-little")
