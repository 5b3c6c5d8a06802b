"""What people do at a virtual table beyond what the bots do: the core's journal is the truth, and this reads it.

A person undoes, turns a die that lies, plays for a bot, or changes the pieces under everybody's hands. What the bots had in
mind is then worth nothing; what the core has written down is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from companion.core.session import Session
from companion.journal.store import Journal
from companion.virtual.gathering import Gathering
from companion.wire.config import Config

OFTEN = 3
"""Times the game is found no further than it was before, after which nobody waits for hands that never rest."""
LATE = 30.0
"""Seconds after which what a hand did to the pieces has surely been read."""


class MeddledError(Exception):
    """A person did something meanwhile: what a bot intended no longer fits."""


class Following:
    """The row of the journal that the virtual hands have followed so far, and who wrote those after it."""

    def __init__(self, config: Config, people: Gathering) -> None:
        self.people = people
        self.game, self.row = "", 0
        self._furthest = self._hindered = 0
        self._folder = config.state_dir / "games"
        self._judged: tuple[str, int] | None = None
        """The moment that was found to be nobody's but the bots' and the sensors'."""

    @property
    def heard(self) -> tuple[str, int]:
        """The moment the core spoke of last: its game and row."""
        state = self.people.ears.state
        return ("", 0) if state is None else (state.game_id, state.seq)

    @property
    def moved(self) -> bool:
        """The core has written something that was not followed yet."""
        return self.heard != (self.game, self.row)

    def followed(self) -> None:
        """Everything up to what was heard last is as the hands know it."""
        self.game, self.row = self.heard

    def read(self) -> Session:
        """The game as it is written down now: from here on this is what the hands follow."""
        game, row = self.heard
        with closing(Journal.reading(self._folder)) as journal:
            session = Session.resume(journal, game)
        done = len(session.done)
        self._hindered = 0 if game != self.game or done > self._furthest else self._hindered + 1
        self._furthest = done if game != self.game else max(done, self._furthest)
        # rows written meanwhile are in the session; their states are still to be heard, and bring nothing new
        self.game, self.row = game, max(row, session.seq)
        return session

    @property
    def hindered(self) -> bool:
        """Somebody takes back and changes faster than the bots play."""
        return self._hindered >= OFTEN

    def undisturbed(self, seconds: float) -> bool:
        """No person has had a hand on the pieces for so long; or always one has, and it is waited for no more."""
        return self.people.calm(seconds) or self.hindered

    def mind_people(self) -> None:
        """`MeddledError` when one of the rows since was a person's doing, by touch, phone, or a hand on the pieces."""
        if not self.moved or self.heard == self._judged:
            return
        if self.heard[0] != self.game or self._by_a_person():
            raise MeddledError
        self._judged = self.heard

    def minding(self, condition: Callable[[], Any]) -> Callable[[], Any]:
        """The same condition for as long as no person changes what it is about; then `MeddledError`."""

        def minded() -> Any:
            found = condition()
            if not found:
                self.mind_people()
            return found

        return minded

    def _by_a_person(self) -> bool:
        ours = {self.people.host.client, *(phone.client for phone in self.people.phones.values())}
        with closing(Journal.reading(self._folder)) as journal:
            senders = {row.sender for row in journal.rows(self.game)[self.row :]}
        meddled = time.monotonic() - self.people.touched_at < LATE
        return bool(senders - ours - {"companion"}) or (meddled and "companion" in senders)
