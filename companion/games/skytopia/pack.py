"""Skytopia as a game pack: the hooks of `companion.game.Game`, each answered by its own module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.box.printed import load
from companion.game import Ask, Expected, Field, Game, Option, Outcome, Tally, Text
from companion.games.skytopia import (
    ask,
    correct,
    describe,
    document,
    expect,
    light,
    phrases,
    play,
    restore,
    scoring,
    setup,
    statistics,
    turn,
    view,
)
from companion.games.skytopia.describe import Differs
from companion.games.skytopia.light import Light
from companion.games.skytopia.mat import CHRONOMETER, market_mat
from companion.games.skytopia.moves import Correct, Move, Reveal, decode, encode
from companion.games.skytopia.printed import PACKAGE, problem
from companion.games.skytopia.state import SkytopiaState, Work
from companion.sensing import Dial, Mat
from companion.shown.skytopia import SkytopiaView


def _pick(name: str, value: str | int, *values: str | int) -> Field:
    choices = tuple(Option(one, Text(f"skytopia/option/{name}/{one}")) for one in values)
    help_ = Text(f"skytopia/option/{name}/help")
    return Field(name, Text(f"skytopia/option/{name}"), "pick", value, options=choices, help=help_)


def _flag(name: str) -> Field:
    help_ = Text(f"skytopia/option/{name}/help")
    return Field(name, Text(f"skytopia/option/{name}"), "flag", False, help=help_)


OPTIONS = (
    _pick("depth", "full", "full", "light", "tally"),
    _pick("abilities_by", "deal", "deal", "draft"),
    _pick("sides", "A", "A", "B", "each"),
    _flag("initial_turn"),
    _pick("rows", 0, 0, 3, 2),
)

AnyState = SkytopiaState | Light


class Skytopia(Game):
    """The whole game for 2 to 4 players, at three depths: full, light and tally."""

    id = "skytopia"
    starts = True
    players = (2, 4)
    secrets = False
    view_type = SkytopiaView

    def title(self) -> Text:
        """The game's name."""
        return Text("skytopia/title")

    def options(self) -> tuple[Field, ...]:
        """The set-up form beyond seats: depth and variants."""
        return OPTIONS

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> AnyState:
        """The first state."""
        depth = options.get("depth", "full")
        if depth in ("light", "tally"):
            return light.new(options, box)
        if depth != "full":
            raise ValueError(f"depth: {depth!r} is not full, light or tally")
        work = Work(setup.new(options, box))
        turn.settle(work)
        return work.frozen()

    def problems(self, box: Mapping[str, Any]) -> tuple[str, ...]:
        """What cannot be in the owner's box as a whole: `key: what`."""
        wrong = problem(load(PACKAGE, box))
        return (wrong,) if wrong else ()

    def decode(self, move: Mapping[str, Any]) -> Move:
        """A typed move from JSON."""
        return decode(move)

    def encode(self, move: Move) -> dict[str, Any]:
        """The same move as JSON values."""
        return encode(move)

    def owner(self, state: AnyState, move: Move) -> int | None:
        """A card named in a tower is its city's; what a correction sets belongs to a player or to the whole table."""
        if isinstance(move, Reveal) and move.tower is not None:
            return state.turn if move.owner is None else move.owner
        if isinstance(move, Correct) and move.what not in correct.OWN:
            return None
        return super().owner(state, move)

    def ask(self, state: AnyState) -> Ask:
        """What the table must do now."""
        return light.ask(state) if isinstance(state, Light) else ask.ask(state)

    def moves(self, state: AnyState) -> Sequence[Move]:
        """Legal moves of the present decision."""
        return light.moves(state) if isinstance(state, Light) else turn.options(state)

    def play(self, state: AnyState, move: Move) -> Outcome:
        """Carry a move out or raise `RuleBroken`."""
        return light.play(state, move) if isinstance(state, Light) else play.play(state, move)

    def mat(self, players: int) -> Mat | None:
        """The market: a row for each player."""
        return market_mat(max(2, players))

    def dial(self) -> Dial | None:
        """The chronometer."""
        return CHRONOMETER

    def expect(self, state: AnyState) -> Expected:
        """What the sensors should see."""
        return light.expect(state) if isinstance(state, Light) else expect.expect(state)

    def view(self, state: AnyState, seat: int | None) -> SkytopiaView:
        """What everybody may see."""
        return light.view(state) if isinstance(state, Light) else view.view(state)

    def tally(self, state: AnyState) -> Tally:
        """Every point of every player with its reason."""
        if isinstance(state, Light):
            return light.tally(state)
        return scoring.tally(state.numbers, state.guilds, scoring.endings(state))

    def over(self, state: AnyState) -> bool:
        """The game has ended and its tally stands."""
        return state.step == "over" if isinstance(state, Light) else not state.stack

    def score(self, given: Mapping[str, Any], box: Mapping[str, Any]) -> Tally:
        """Score a final position entered by hand."""
        return document.score(given, box)

    def example(self) -> dict[str, Any]:
        """A filled document for `score`."""
        return document.example()

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of that document."""
        return document.schema()

    def describe(self, move: Move) -> Text:
        """A move in one short sentence."""
        return describe.describe(move)

    def slot_text(self, slot: str) -> Text:
        """The place of a slot."""
        return phrases.slot(slot)

    def differs(self, state: AnyState, difference: Differs) -> tuple[Text, Text] | None:
        """Why what is seen cannot be, and what to do."""
        return None if isinstance(state, Light) else describe.differs(state, difference)

    def identify(self, slot: str, card: str) -> Move:
        """The camera knows a card that lay there unidentified."""
        return Reveal(card=card, slot=slot)

    def restore(self, now: AnyState, wanted: AnyState) -> tuple[Text, ...]:
        """Component moves that bring the table from one position to another."""
        if isinstance(now, Light) or isinstance(wanted, Light):
            return ()
        return restore.restore(now, wanted)

    def statistics(self, state: AnyState) -> dict[str, Any]:
        """Points per round and source, for charts and export."""
        return statistics.counted(state) if isinstance(state, Light) else statistics.statistics(state)
