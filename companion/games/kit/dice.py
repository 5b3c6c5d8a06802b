"""What games with loose dice share: turns of throws, a tray with a strip beside it, and a throw entered by hand."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.game import Choice, Event, Expected, Field, Form, Outcome, RuleBroken, Text, seat_name
from companion.games.kit.forms import flat
from companion.games.kit.names import begins
from companion.games.kit.refusals import refusal
from companion.games.kit.simple import Simple
from companion.panels import ShownDie
from companion.sensing import Area, Mat, Reading

Face = Annotated[int, Meta(ge=1, le=6)]
Faces = tuple[int, ...]
TRAY = Mat(
    260.0,
    170.0,
    (
        Area("tray", 4.0, 4.0, 182.0, 162.0, ("loose dice",), label="throw"),
        Area("aside", 194.0, 4.0, 62.0, 162.0, ("loose dice",), label="keep"),
    ),
    die_mm=16.0,
)


def without(dice: Faces, some: Faces) -> Faces:
    """The dice less some of them, sorted."""
    return tuple(sorted((Counter(dice) - Counter(some)).elements()))


def falls(dice: int) -> Iterator[Faces]:
    """Every way this many dice can fall, each sorted."""
    return combinations_with_replacement(range(1, 7), dice)


def some_of(dice: Faces) -> list[Faces]:
    """Every set of these dice, from none to all of them."""
    return sorted({some for n in range(len(dice) + 1) for some in combinations(sorted(dice), n)})


def said(dice: Faces) -> str:
    """Dice as they are read out."""
    return " ".join(map(str, sorted(dice))) or "–"


def shown(kept: Faces, others: Faces, *, by_touch: bool = False) -> Iterator[ShownDie]:
    """Dice as they are drawn, what lies aside first; with `by_touch` each is kept or let go by touching it (`one_by_one`)."""
    for aside, faces, what in ((True, kept, "throw"), (False, others, "keep")):
        for face in faces:
            yield ShownDie(face, kept=aside, choice=f"{what}-{face}" if by_touch and face else "")


class DiceGame(Simple):
    """Whoever is in turn throws, leaves some dice aside and throws the others, until the turn is written down.

    Words beside those of `Simple`: `<id>/say/<kind>` for a move with its `dice`, `<id>/refuse/<code>` and `<id>/do/<code>`,
    `<id>/event/<what>`, for a throw entered by hand `<id>/by-hand` and `<id>/die`, for dice kept by touch `<id>/choice/keep` and
    `<id>/choice/free`.
    """

    players = (1, 8)
    starts = True
    dice: int
    """How many there are."""

    def seated(self, options: Mapping[str, Any]) -> tuple[tuple[str, ...], int]:
        """Everybody's name, and the seat that begins."""
        names = tuple(str(name) for name in options["names"])
        return names, begins(options, len(names))

    @abstractmethod
    def carry_out(self, state: Any, move: Any) -> Outcome:
        """What a move of whoever is in turn leads to, or why it is refused."""

    def apply(self, state: Any, move: Any) -> Any:
        """The same without what is told of it."""
        return self.carry_out(state, move).state

    def play(self, state: Any, move: Any) -> Outcome:
        """Nobody moves for another, and nobody after the end."""
        if self.over(state) or move.seat != state.turn:
            raise self.refused("not-now")
        return self.carry_out(state, move)

    def decode(self, move: Mapping[str, Any]) -> Any:
        """Strictly, as the struct says; dice entered by hand come as a form, those that stayed beside it."""
        plain = flat(move)
        if "die-1" in plain:
            entered = [plain.pop(f"die-{i}") for i in range(1, self.dice + 1) if f"die-{i}" in plain]
            stayed = plain.pop("stay", [])
            plain["dice"] = [*stayed, *entered] if isinstance(stayed, list) else stayed
        return msgspec.convert(plain, self.move_type)

    def by_hand(self, seat: int, first: Faces, stay: Faces = ()) -> Form:
        """A throw for a table without a camera: a number for every die, beginning with these; what stayed is thrown no more."""
        fields = tuple(
            Field(f"die-{i}", Text(f"{self.id}/die", {"i": i}), "number", face, 1, 6) for i, face in enumerate(first, 1)
        )
        move = {"kind": "throw", "seat": seat} | ({"stay": list(stay)} if stay else {})
        return Form(fields, move, Text(f"{self.id}/by-hand"), aside=True)

    def one_by_one(self, state: Any, kept: Faces) -> Iterator[Choice]:
        """One die more stays, or goes back to those that are thrown: by touch on the die, or by dial. One at least is thrown."""
        for face in sorted(set(state.dice)):
            more, less = tuple(sorted((*kept, face))), without(kept, (face,))
            if not without(more, state.dice) and len(more) < self.dice:
                yield self._stays(state, f"keep-{face}", "keep", face, more)
            if face in kept:
                yield self._stays(state, f"throw-{face}", "free", face, less)

    def _stays(self, state: Any, name: str, what: str, face: int, dice: Faces) -> Choice:
        move = {"kind": "keep", "seat": state.turn, "dice": list(dice)}
        return Choice(name, Text(f"{self.id}/choice/{what}", {"face": face}), move)

    def describe(self, move: Any) -> Text | None:
        """`<id>/say/<kind>`, with its dice."""
        return Text(f"{self.id}/say/{self.encode(move)['kind']}", {"dice": said(getattr(move, "dice", ()))})

    def refused(self, code: str) -> RuleBroken:
        """Why it cannot be done, and what to do."""
        return refusal(self.id, code)

    def told(self, state: Any, what: str, **params: Any) -> tuple[Event, ...]:
        """What whoever is in turn did, in the words of `<id>/event/<what>`; `n` is what it was worth."""
        text = Text(f"{self.id}/event/{what}", {"name": seat_name(state.turn), **params})
        worth = {"points": params["n"]} if "n" in params else {}
        return (Event("points" if worth else "thrown", state.turn, text, worth),)

    def lying(self, state: Any) -> Faces:
        """Every die on the mat, as far as the game knows: none before the first throw."""
        dice: Faces = state.dice
        return dice

    def expect(self, state: Any) -> Expected:
        """The dice that were thrown, also where somebody said so before the camera saw it."""
        return Expected(loose=self.lying(state) or None)

    def mat(self, players: int) -> Mat | None:
        """A tray for the throw, and a strip beside it for what lies aside."""
        return TRAY

    def counted(self, reading: Reading) -> Faces:
        """Every die on the mat; refused when there are too many, or too few although some were put down again."""
        if len(reading.all) > self.dice:
            raise self.refused("too-many")
        if len(reading.all) < self.dice and reading.lifted:
            raise self.refused("too-few")
        return reading.all
