"""What the table offers to whom: every answer a player could give to the present prompt."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.session import Session
from companion.game import Ask, Field, Form, Game, RuleBroken

TRIES = 12
"""Ways of filling a form before it counts as one that cannot be sent."""

Offer = tuple[int | None, dict[str, Any]]
"""Whose answer it is, and the move."""


class Scene:
    """A position as the table tells it to everybody, and the pack that knows what may follow."""

    def __init__(self, pack: Game, session: Session) -> None:
        self.pack, self.state, now = pack, session.state, session.moment
        self.over, self.ask, self.chart = now.over, now.ask, now.public.view.chart
        self.shown: dict[str, Any] = msgspec.json.decode(now.public.json)
        """What everybody sees, of whatever game it is."""
        self.views = {seat: (own or now.public).view for seat, own in enumerate(now.own)}
        self.asks = list(self._asked())

    def _asked(self) -> Iterator[tuple[int | None, Ask]]:
        """Everybody who is asked something now: the public prompt, and what single seats are asked in private."""
        public = self.ask
        if self.over:
            return
        if public.choices or public.form or not public.waiting:
            yield public.seat, public
        for seat in dict.fromkeys((*public.waiting, public.seat)):
            private = self.views[seat].ask if seat is not None else None
            if private is not None:
                yield seat, private
            elif seat in public.waiting and seat != public.seat:
                yield seat, Ask(seat, public.text)

    def offers(self, chance: random.Random) -> list[Offer]:
        """The answers on the prompts: each open choice, each form as it stands and with a few fields changed."""
        found: list[Offer] = []
        for seat, ask in self.asks:
            found += [(seat, choice.move) for choice in ask.choices if choice.off is None]
            if ask.form is not None:
                found += [(seat, filled(ask.form, chance, changes)) for changes in (0, 1, 3)]
        return found

    def legal(self) -> list[Offer]:
        """What a bot would choose from."""
        return [(getattr(move, "seat", None), self.pack.encode(move)) for move in self.pack.moves(self.state)]

    def accepts(self, move: Any) -> bool:
        """The rules take this move."""
        try:
            self.pack.play(self.state, self.pack.decode(move))
        except (RuleBroken, msgspec.ValidationError):
            return False
        return True

    def stuck(self) -> tuple[int | None, Ask] | None:
        """Somebody who is asked and has no answer that is accepted; `None` when everybody has one."""
        return next(((seat, ask) for seat, ask in self.asks if not self._has_answer(seat, ask)), None)

    def _has_answer(self, seat: int | None, ask: Ask) -> bool:
        if any(self.accepts(choice.move) for choice in ask.choices if choice.off is None):
            return True
        chance = random.Random(0)
        if ask.form is not None and any(self.accepts(filled(ask.form, chance, n % 3)) for n in range(TRIES)):
            return True
        return any(self.accepts(move) for whose, move in self.legal() if whose in (seat, None) or seat is None)


def filled(form: Form, chance: random.Random, changes: int) -> dict[str, Any]:
    """The form as it is sent, with some of its fields changed."""
    values: dict[str, Any] = {field.id: _standing(field) for field in form.fields}
    for field in chance.sample(form.fields, min(changes, len(form.fields))):
        values[field.id] = _entered(field, chance)
    return {**form.move, "values": msgspec.to_builtins(values)}


def _standing(field: Field) -> Any:
    """What the form shows before anybody touches it."""
    if field.value is not None:
        return field.value
    if field.kind == "many":
        return [option.value for option in field.options[: field.low or 0]]
    if field.kind == "number":
        return field.low or 0
    return field.options[0].value if field.options else "" if field.kind == "words" else False


def _entered(field: Field, chance: random.Random) -> Any:
    """What somebody may enter there."""
    match field.kind:
        case "number":
            low, high = field.low or 0, field.high if field.high is not None else 20
            return chance.choice((low, high, chance.randint(low, high), chance.randint(low, min(high, low + 5))))
        case "flag":
            return chance.random() < 0.5
        case "words":
            return chance.choice(("", "a word", "ł" * 61))
        case "many":
            count = field.low if field.low is not None and field.low == field.high else chance.randrange(0, 4)
            return [option.value for option in chance.sample(field.options, min(count, len(field.options)))]
        case _:
            return chance.choice(field.options).value if field.options else None
