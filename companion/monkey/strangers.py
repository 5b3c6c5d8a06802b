"""Who else has a say at a table: robots with minds of their own, a camera and a dial that see what they like."""

from __future__ import annotations

import random
from typing import Any

from companion.core.session import Session
from companion.core.table import Table
from companion.monkey.bent import bent
from companion.robots.thinker import Heard, Thinker
from companion.robots.thinking import Thought
from companion.sensing import Toss
from companion.vocabulary import Expected
from companion.wire.bus import Bus
from companion.wire.messages import CardSeen, DialSeen, DieSeen, MarketSeen, Message, SlotSeen

WORDS = ("sun", "leaf", "sky", "coral", "snow", "plum", "")


class Fickle(Thinker):
    """A mind that answers at once: mostly with a legal move, else with another's, with nonsense, or not at all."""

    def __init__(self, table: Table, bus: Bus, chance: random.Random) -> None:
        super().__init__(table.journal.directory, bus.call)
        self._table, self._chance = table, chance
        self.asleep = False
        """It has no answer to anything."""

    def ask(self, game: str, seq: int, chairs: dict[int, str], heard: Heard, *, hint: bool = False) -> None:
        """As the thinker is asked."""
        session = self._table.session
        thought = None if session is None or self.asleep else self._thought(session, list(chairs))
        self._call(lambda: heard(thought))

    def _thought(self, session: Session, chairs: list[int]) -> Thought | None:
        chance, pack = self._chance, session.pack
        if chance.random() < 0.05:
            return None
        legal = [pack.encode(move) for move in pack.moves(session.state)]
        own = [move for move in legal if move.get("seat") in (*chairs, None)]
        if chance.random() < 0.05 or not legal:
            return Thought(0, wrong="it does not feel like it")
        move = chance.choice(own or legal)
        seat = move.get("seat") if move.get("seat") in chairs else chance.choice(chairs)
        odd = bent(dict(move), chance) if chance.random() < 0.05 else move
        moves = (odd, chance.choice(legal)) if chance.random() < 0.2 else (odd,)
        return Thought(0, seat, tuple(one for one in moves if isinstance(one, dict)))


def seen(expected: Expected, toss: Toss | None, colours: list[str], chance: random.Random) -> MarketSeen:
    """A table that lies like this, as a camera reads it: some of it wrongly, some of it not at all."""
    slots = []
    for slot in expected.slots:
        dice = [_die(die.face, colours[die.owner] if die.owner < len(colours) else "", chance) for die in slot.dice]
        if chance.random() < 0.03:
            dice.append(_die(chance.randint(1, 6), chance.choice(WORDS), chance))
        card = CardSeen(card=slot.card, share=0.99 if slot.card is not None else 0.0)
        pieces = {} if slot.piece is None else {slot.piece: 0.97, chance.choice(WORDS): 0.03}
        covered = chance.random() < 0.02
        slots.append(SlotSeen(slot=slot.slot, dice=tuple(dice), card=card, covered=covered, pieces=pieces))
    if toss is not None:
        thrown = {toss.area: [chance.randint(1, 6) for _ in range(chance.choice((toss.dice, toss.dice, 6)))]}
        for area, faces in {**toss.lying, **thrown}.items():
            slots.append(SlotSeen(slot=area, dice=tuple(_die(face, "", chance) for face in faces)))
    if chance.random() < 0.1:
        slots.append(SlotSeen(slot=chance.choice(("nowhere", "gold-99", "", "x" * 40))))
    state = "ready" if chance.random() < 0.8 else chance.choice(("no camera", "too dark", "hand", "drifted"))
    return MarketSeen(state=state, ts=chance.random() * 1e6, slots=tuple(slots))  # type: ignore[arg-type]


def _die(face: int, owner: str, chance: random.Random) -> DieSeen:
    sure = chance.choice((0.99, 0.99, 0.99, 0.6, 0.2))
    face = face if chance.random() < 0.95 else chance.randint(1, 6)
    shares: Any = tuple(sure if one == face else (1 - sure) / 5 for one in range(1, 7))
    return DieSeen(owner=owner, owner_share=sure, faces=shares, x=chance.random(), y=chance.random())


def turned(expected: int | None, chance: random.Random) -> DialSeen:
    """A dial that stands there, a notch further, or anywhere."""
    at = chance.choice((expected or 0, (expected or 0) + 1, chance.randrange(6))) % 6
    state = "ready" if chance.random() < 0.8 else chance.choice(("unconfirmed", "turning", "no dial"))
    return DialSeen(state=state, ts=chance.random() * 1e6, position=at, turns=at)  # type: ignore[arg-type]


def glance(session: Session, chance: random.Random) -> tuple[str, Message]:
    """What camera or dial say of the table as it lies, or as it lies after somebody's next move."""
    pack, state = session.pack, session.state
    legal = list(pack.moves(state))
    if legal and chance.random() < 0.6:
        state = pack.play(state, chance.choice(legal)).state
    expected = pack.expect(state)
    if chance.random() < 0.3:
        return "sensor/dial", turned(expected.dial, chance)
    colours = [seat.colour for seat in session.seats]
    return "sensor/market", seen(expected, pack.toss(state), colours, chance)
