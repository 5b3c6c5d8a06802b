"""Skytopia as a game pack: the protocol of `companion.game`, each answer from its own module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Ask, Expected, Field, Option, Outcome, Tally, Text
from companion.games.skytopia import ask, expect, play, scoring, setup, turn, view
from companion.games.skytopia.moves import Move, decode, encode
from companion.games.skytopia.state import State, Work


def _pick(name: str, value: str | int, *values: str | int) -> Field:
    choices = tuple(Option(one, Text(f"skytopia/option/{name}/{one}")) for one in values)
    help_ = Text(f"skytopia/option/{name}/help")
    return Field(name, Text(f"skytopia/option/{name}"), "pick", value, options=choices, help=help_)


def _flag(name: str) -> Field:
    help_ = Text(f"skytopia/option/{name}/help")
    return Field(name, Text(f"skytopia/option/{name}"), "flag", False, help=help_)


OPTIONS = (
    _pick("abilities_by", "deal", "deal", "draft"),
    _pick("sides", "A", "A", "B", "each"),
    _flag("initial_turn"),
    _pick("rows", 0, 0, 3, 2),
)


class Skytopia:
    """The whole game for 2 to 4 players."""

    id = "skytopia"
    players = (2, 4)

    def title(self) -> Text:
        """The game's name."""
        return Text("skytopia/title")

    def options(self) -> tuple[Field, ...]:
        """The set-up form beyond seats: depth and variants."""
        return OPTIONS

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> State:
        """The first state."""
        work = Work(setup.new(options, box))
        turn.settle(work)
        return work.frozen()

    def decode(self, move: Mapping[str, Any]) -> Move:
        """A typed move from JSON."""
        return decode(move)

    def encode(self, move: Move) -> dict[str, Any]:
        """The same move as JSON values."""
        return encode(move)

    def ask(self, state: State) -> Ask:
        """What the table must do now."""
        return ask.ask(state)

    def moves(self, state: State) -> Sequence[Move]:
        """Legal moves of the present decision."""
        return turn.options(state)

    def play(self, state: State, move: Move) -> Outcome:
        """Carry a move out or raise `RuleBroken`."""
        return play.play(state, move)

    def expect(self, state: State) -> Expected:
        """What the sensors should see."""
        return expect.expect(state)

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """What everybody may see."""
        return view.view(state)

    def tally(self, state: State) -> Tally:
        """Every point of every player with its reason."""
        return scoring.tally(state.numbers, state.guilds, scoring.endings(state))

    def over(self, state: State) -> bool:
        """The game has ended and its tally stands."""
        return not state.stack
