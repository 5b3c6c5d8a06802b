"""A toy game for the tests of `explain` and the thin loop: two players, one die each, one slot, a dial of six."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from companion import sensing
from companion.core.guard import Guarded
from companion.game import (
    Ask,
    Choice,
    Die,
    Event,
    Expected,
    Game,
    Outcome,
    Player,
    PlayerTally,
    RuleBroken,
    SlotExpected,
    Tally,
    TallyLine,
    Text,
    View,
)
from companion.sensing import Area, Mat


class State(msgspec.Struct, frozen=True):
    """Whose die lies on the card with which face, and how often the dial was turned."""

    names: tuple[str, ...]
    die: Die | None = None
    turn: int = 0
    dial: int = 0
    points: tuple[int, ...] = (0, 0)
    ended: bool = False


class Dial(msgspec.Struct, frozen=True):
    position: int
    positions: int = 6


def _said(words: str) -> Text:
    """A sentence without a catalogue."""
    return Text("typed", {"words": words})


class ToyView(View, frozen=True):
    dial: Dial
    die: Die | None


class Place(msgspec.Struct, frozen=True, tag_field="kind", tag="place", forbid_unknown_fields=True):
    seat: int
    face: Annotated[int, msgspec.Meta(ge=1, le=6)]
    slot: str = "gold-1"


class Turn(msgspec.Struct, frozen=True, tag_field="kind", tag="turn", forbid_unknown_fields=True):
    seat: int | None = None


class Toy(Game):
    """Place a die that does not show the dial's number, then turn the dial; six turns end the game."""

    id = "toy"
    players = (2, 2)
    view_type = ToyView

    def title(self) -> Text:
        return Text("toy/title")

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> State:
        return State(tuple(options["names"]))

    def decode(self, move: Mapping[str, Any]) -> Place | Turn:
        typed: Place | Turn = msgspec.convert(dict(move), Place | Turn)  # type: ignore[arg-type]
        return typed

    def ask(self, state: State) -> Ask:
        if state.ended:
            return Ask(None, Text("toy/over"))
        choices = tuple(Choice(str(i), Text("toy/move"), self.encode(m)) for i, m in enumerate(self.moves(state)))
        return Ask(state.turn, Text("toy/place" if state.die is None else "toy/turn"), choices)

    def moves(self, state: State) -> Sequence[Place | Turn]:
        if state.ended:
            return ()
        if state.die is None:
            return [Place(state.turn, face) for face in range(1, 7) if face != state.dial + 1]
        return [Turn()]

    def play(self, state: State, move: Place | Turn) -> Outcome:
        if isinstance(move, Place):
            if state.die is not None:
                raise RuleBroken("toy/occupied", _said("A die lies there."), _said("Turn the dial."))
            if move.seat != state.turn:
                raise RuleBroken("toy/turn", _said("It is not your turn."), _said("Wait."))
            if move.face == state.dial + 1:
                raise RuleBroken("toy/face", _said("The dial forbids this face."), _said("Choose another."))
            points = list(state.points)
            points[move.seat] += move.face
            there = msgspec.structs.replace(state, die=Die(move.seat, move.face), points=tuple(points))
            return Outcome(there, (Event("placed", move.seat),))
        if state.die is None:
            raise RuleBroken("toy/early", _said("No die lies there."), _said("Place one."))
        dial = (state.dial + 1) % 6
        there = msgspec.structs.replace(state, die=None, dial=dial, turn=1 - state.turn, ended=dial == 0)
        return Outcome(there, (Event("turned"),))

    def mat(self, players: int) -> Mat | None:
        """One slot."""
        return Mat(260.0, 180.0, (Area("gold-1", 70.0, 45.0, 63.0, 88.0, ("cards", "player dice")),))

    def dial(self) -> sensing.Dial | None:
        """Six notches."""
        return sensing.Dial(6)

    def expect(self, state: State) -> Expected:
        dice = () if state.die is None else (state.die,)
        return Expected((SlotExpected("gold-1", dice),), state.dial, 6)

    def view(self, state: State, seat: int | None) -> ToyView:
        players = tuple(Player(seat=i, name=n, points=state.points[i]) for i, n in enumerate(state.names))
        return ToyView(players=players, dial=Dial(state.dial), die=state.die)

    def over(self, state: State) -> bool:
        return state.ended

    def tally(self, state: State) -> Tally:
        players = tuple(
            PlayerTally(i, name, state.points[i], (TallyLine("faces", Text("toy/faces"), state.points[i]),))
            for i, name in enumerate(state.names)
        )
        best = max(state.points)
        return Tally(players, tuple(i for i, points in enumerate(state.points) if points == best))


pack = Toy()
guarded = Guarded("toy", lambda: pack)
"""As the registry hands it out."""
