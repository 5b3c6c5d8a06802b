"""What a game pack is: the base class of every game.

A pack is pure: no clock, no chance, no files. It is given a state and a move and answers with a new state and what happened, or
refuses with a sentence a player can act on. What it speaks with is in `companion.vocabulary` and can be imported from here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.panels import Panel
from companion.picture import Picture, PictureDie, PictureHex
from companion.sensing import Dial, Mat, Reading, Toss
from companion.vocabulary import (
    Ask,
    Choice,
    Die,
    Event,
    Expected,
    Field,
    Form,
    Grid,
    Option,
    Outcome,
    Player,
    PlayerTally,
    RuleBroken,
    SlotExpected,
    Space,
    Tally,
    TallyLine,
    Text,
    View,
    seat_name,
)

__all__ = [
    "Ask",
    "Choice",
    "Die",
    "Event",
    "Expected",
    "Field",
    "Form",
    "Game",
    "Grid",
    "Option",
    "Outcome",
    "Picture",
    "PictureDie",
    "PictureHex",
    "Player",
    "PlayerTally",
    "RuleBroken",
    "SlotExpected",
    "Space",
    "Tally",
    "TallyLine",
    "Text",
    "View",
    "seat_name",
]


class Game(ABC):
    """A game. Subclass it and announce an instance through the entry points `tableside.games`.

    What has no default is the game itself; every other hook makes it nicer at the table and may be left alone. All are
    pure: the same state gives the same answer. The table works with copies of what they answer, refuses what is not of
    the type given here, and waits about two seconds for it (`companion.core.guard`).

    Four kinds of moves mean the same in every game. `correct` puts the record right at any time; `box`
    (`key`, `value`) says what a printed value is in the owner's copy and is kept for later games, `tell` what a grid shows
    there; `@answer` is the table's.
    """

    id: str
    """The name it is announced under."""
    players: tuple[int, int]
    """The fewest and the most."""
    secrets: bool = True
    """A seat may see more than everybody; `False` spares the table asking for the view of each."""
    out_of_turn: tuple[str, ...] = ()
    """Kinds of moves a phone may make for its own seat whoever decides."""
    robots: bool = True
    """A robot can sit at it: `moves` says what it may do, and what it does is worth something in the `tally`."""
    starts: bool = False
    """`new` understands the option `first`, the seat that begins; else it is the first one, or the game says it later."""
    colours: tuple[str, ...] = ()
    """The colours its pieces have, as seats are coloured at the table, first the one given first; empty: any colour will do."""
    sensor_depth: int = 3
    """Moves that may lie between two readings, beside those that each explain one more place (a market laid out)."""
    hidden_moves: bool = True
    """Something may be decided between two readings that leaves no trace: then longer stories are asked about."""
    bgg_id: int = 0
    """Its number at BoardGameGeek, where it is known for sure: BG Stats then knows the game by it, and not by its name alone."""
    view_type: type[View] = View
    """The struct of its views, for the core, the screen and the phone alike."""

    # the game --------------------------------------------------------------------------------------------------

    @abstractmethod
    def title(self) -> Text:
        """The game's name. Asked once, when the table starts."""

    @abstractmethod
    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> Any:
        """The first state, or a `ValueError` naming the option that is wrong.

        `options` always holds `names` (in seating order, clockwise), and `robots` (their seats) where some play; `box` holds the
        owner's overrides (dotted key -> value).
        """

    @abstractmethod
    def decode(self, move: Mapping[str, Any]) -> Any:
        """A typed move from JSON; raises `msgspec.ValidationError` on anything else."""

    @abstractmethod
    def ask(self, state: Any) -> Ask:
        """What the table must do now."""

    @abstractmethod
    def moves(self, state: Any) -> Sequence[Any]:
        """Legal moves to try, for bots, `explain` and tests; empty only when the game has ended, or where a robot is asked what
        only people can see: then they answer for it."""

    @abstractmethod
    def play(self, state: Any, move: Any) -> Outcome:
        """Carry a move out or raise `RuleBroken`."""

    @abstractmethod
    def view(self, state: Any, seat: int | None) -> View:
        """What this seat may see, as the struct `view_type` names; `None` is the public."""

    @abstractmethod
    def tally(self, state: Any) -> Tally:
        """Every point of every player with its reason; before the end, what is certain by then."""

    @abstractmethod
    def over(self, state: Any) -> bool:
        """The game has ended and its tally stands."""

    # what a simple game need not say ---------------------------------------------------------------------------

    def options(self) -> tuple[Field, ...]:
        """The set-up form beyond seats: variants, depth. Asked once, when the table starts."""
        return ()

    def owner(self, state: Any, move: Any) -> int | None:
        """Whose a move is: no phone of another seat may make it. `None`: the whole table's."""
        whose: int | None = getattr(move, "seat", None)
        return whose

    def encode(self, move: Any) -> dict[str, Any]:
        """The same move as JSON values, secrets and all: for the journal."""
        plain: dict[str, Any] = msgspec.to_builtins(move)
        return plain

    def deal(self, state: Any) -> dict[str, Any] | None:
        """What the table must shuffle now, for a pack has no chance of its own; `None`: nothing is owed.

        `{"move": {...}, "shuffle": {field: [items]}}`: the move comes back with each list in a new order, like any other move.
        """
        return None

    def redact(self, move: Any) -> dict[str, Any] | None:
        """The move without its secrets, for the export of an open game; `None` when it has none."""
        return None

    def publish(self, state: Any, moves: Sequence[Any]) -> list[dict[str, Any]]:
        """The moves as the export of a finished game has them, `state` being its end: what was never shown stays unseen, what
        was changed before it was shown is left out, and the game can still be replayed."""
        return [self.encode(move) for move in moves]

    def describe(self, move: Any) -> Text | None:
        """The move in one short sentence that tells no secret; `None`: it is called by its kind."""
        return None

    def advise(self, state: Any) -> Any | None:
        """The move a good player would make, for robots; `None`: they throw what must be thrown, or find one themselves."""
        return None

    def imagined(self, state: Any, seat: int, shuffle: Callable[[Sequence[Any]], Sequence[Any]]) -> Any:
        """The position as this seat may think it is: what is hidden from it dealt anew, in the order `shuffle` gives. Robots and
        hints are given this one, so a game with secrets must say it: two positions that look alike to a seat are imagined
        alike."""
        return state

    def statistics(self, state: Any) -> dict[str, Any]:
        """Points per round and by source, for charts and exports.

        `{"rounds": n, "players": [{"seat", "name", "rounds": [points...], "sources": {name: points}}]}`
        """
        return {}

    def panels(self, state: Any, seat: int | None) -> tuple[Panel, ...]:
        """What to show beside the prompt, the most important first (`companion.panels`); `None` is everybody.

        Every screen and phone draws it. A seat is asked only when the game has secrets.
        """
        return ()

    # printed numbers -------------------------------------------------------------------------------------------

    def problems(self, box: Mapping[str, Any]) -> tuple[str, ...]:
        """What cannot be in the owner's box as a whole, each as `key: what`; single values are checked as they come."""
        return ()

    def grids(self, box: Mapping[str, Any]) -> tuple[Grid, ...]:
        """Parts of the board in rows and columns, with what the owner's box says of them, to be told on their picture."""
        return ()

    def tells(self, box: Mapping[str, Any], move: Mapping[str, Any]) -> dict[str, Any]:
        """The printed values a `tell` move about a grid changes; `ValueError` for what cannot be printed there."""
        raise ValueError("this game has no grids")

    # camera and dial -------------------------------------------------------------------------------------------

    def mat(self, players: int) -> Mat | None:
        """What lies where under the camera with this many players (`companion.sensing`); `None`: there is nothing to see."""
        return None

    def dial(self) -> Dial | None:
        """The dial this game is played with."""
        return None

    def toss(self, state: Any) -> Toss | None:
        """Dice that must be thrown now, whoever else decides: robots and the virtual table throw them."""
        return None

    def seen(self, state: Any, reading: Reading) -> Any | None:
        """The move that loose dice lying still are: a throw is chance the camera sees. `None`: they are not a move.

        Raise `RuleBroken` to say what is wrong with them (a die too many). The reading is taken as certain; where the camera is
        not, the table asks for every way it may be, and asks people.
        """
        return None

    def expect(self, state: Any) -> Expected:
        """What the sensors should see in this state; nothing, when the game needs none."""
        return Expected()

    def sensed(self, state: Any) -> Sequence[Any]:
        """The moves camera and dial can show, where most of `moves` look alike to them: what `explain` tries."""
        return self.moves(state)

    def slot_text(self, slot: str) -> Text:
        """A place the camera looks at, in words."""
        return Text("slot/name", {"slot": slot})

    def differs(self, state: Any, difference: Any) -> tuple[Text, Text] | None:
        """What is wrong and what to do, for an `explain.Difference`; `None`: the table says it in general words."""
        return None

    def identify(self, slot: str, card: str) -> Any | None:
        """The move for a card that lay there unidentified and that the camera now knows; `None`: it means nothing."""
        return None

    def restore(self, now: Any, wanted: Any) -> tuple[Text, ...] | None:
        """Component moves that bring the table from one position to another; `None`: place by place, from `expect`."""
        return None

    # a final position entered by hand (`tableside tally`) ------------------------------------------------------

    def score(self, document: Mapping[str, Any], box: Mapping[str, Any]) -> Tally:
        """Score a final position; raises `ValueError` naming the field that is wrong."""
        raise ValueError(f"{self.id} is played at the table and cannot be scored from a file")

    def example(self) -> dict[str, Any]:
        """A filled document for `score`."""
        return {}

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of that document."""
        return {}
