"""What a game pack is: the base class of every game, and the small structs it speaks with.

A pack is pure: no clock, no chance, no files. It is given a state and a move and answers with a new state and
what happened, or refuses with a sentence a player can act on. Everything that travels is text *key* and
parameters; each client says it in its own language (`companion.wire.words`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.picture import Picture, PictureDie

if TYPE_CHECKING:
    from companion.panels import Panel

__all__ = [
    "Ask",
    "Choice",
    "Die",
    "Event",
    "Expected",
    "Field",
    "Form",
    "Game",
    "Option",
    "Outcome",
    "Picture",
    "PictureDie",
    "Player",
    "PlayerTally",
    "RuleBroken",
    "SlotExpected",
    "Tally",
    "TallyLine",
    "Text",
    "View",
    "seat_name",
]


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence as key and parameters; a parameter may itself be a sentence.

    `Text("seat", {"n": 2})` is the name of seat 2: the client that draws it knows the names.
    A parameter called `n` chooses the plural form.
    """

    key: str
    params: Mapping[str, int | str | Text | tuple[Text, ...]] = {}


def seat_name(seat: int) -> Text:
    """The player at `seat`, to be named by whoever says it."""
    return Text("seat", {"n": seat})


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to a prompt. What is impossible stays in its place and says why (`off`)."""

    id: str
    text: Text
    move: dict[str, Any]
    note: Text | None = None
    off: Text | None = None
    group: str = ""
    picture: Picture = {}
    """What to draw beside it."""
    primary: bool = False


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the values a field may take."""

    value: str | int | bool
    text: Text


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value a person may enter with a stepper, a picker or a key pad."""

    id: str
    text: Text
    kind: Literal["number", "pick", "many", "flag", "words"]
    value: int | str | bool | tuple[str | int, ...] | None = None
    low: int | None = None
    high: int | None = None
    options: tuple[Option, ...] = ()
    help: Text | None = None
    seat: int | None = None


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several values entered together; they are sent as `move | {"values": {field id: value}}`."""

    fields: tuple[Field, ...]
    move: dict[str, Any]
    send: Text


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the table must do now."""

    seat: int | None
    """Whose decision it is; `None` is the whole table."""
    text: Text
    choices: tuple[Choice, ...] = ()
    help: Text | None = None
    form: Form | None = None
    change: tuple[Text, ...] = ()
    """The physical change expected, one sentence per component."""
    reminders: tuple[Text, ...] = ()
    phase: str = ""
    waiting: tuple[int, ...] = ()
    """Seats that all must still answer, when the decision is simultaneous. Their secret choices travel in
    `view(state, seat).ask`, never here."""


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that just happened, for animation, speech and lights."""

    kind: str
    seat: int | None = None
    text: Text | None = None
    params: dict[str, Any] = {}


class Outcome(msgspec.Struct, frozen=True):
    """A move carried out."""

    state: Any
    told: tuple[Event, ...] | Callable[[], tuple[Event, ...]] = ()
    """What happened, or how to find it out: most moves are tried by bots and `explain`, who never ask."""
    reveals: bool = False
    """Something hidden was shown to others (a card turned up): undo past it needs the table's consent."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order."""
        return self.told() if callable(self.told) else self.told


class Die(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """A die as it lies: whose it is and the face on top."""

    owner: int
    face: int


class SlotExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One place the camera looks at."""

    slot: str
    dice: tuple[Die, ...] = ()
    card: str | None = None
    """Card id, `""` for an empty place, `None` for a card not yet identified."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sensors should see now. Slots in a fixed order, dice sorted."""

    slots: tuple[SlotExpected, ...] = ()
    dial: int | None = None
    """Notches the dial stands clockwise of its zero, or `None` when the game has no dial."""
    dial_positions: int = 0


class TallyLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One source of points of one player."""

    id: str
    text: Text
    points: int
    reason: Text | None = None
    unconfirmed: tuple[str, ...] = ()
    """Box values this line used that the owner has not confirmed."""


class PlayerTally(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every point of one player."""

    seat: int
    name: str
    total: int
    lines: tuple[TallyLine, ...]
    extra: dict[str, int | str] = {}
    """Further figures of this game (`leftover_coins`, `cards`)."""


class Tally(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole score with its winners."""

    players: tuple[PlayerTally, ...]
    winners: tuple[int, ...]
    tie_break: Text | None = None
    unconfirmed: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()

    @property
    def highest_wins(self) -> bool:
        """Whoever won has the most points; on a pad the fewest may win."""
        most = max((player.total for player in self.players), default=0)
        return all(player.total == most for player in self.players if player.seat in self.winners)


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """What every client reads of a player."""

    seat: int
    name: str = ""
    points: int | float | None = None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What a game shows: the part that every client reads. A game with a table of its own adds its fields in a subclass.

    How to: 1. put the subclass and its parts (frozen structs of plain values, nothing of the rules) into `companion/shown/<game>.py`
    and name it in the pack (`view_type = PigView`); `view` returns it, and the core refuses anything else. 2. Draw it with
    `view.shown(PigView)` in `display/tables/<game>/`, and run `python -m tools.wire_types` for the phone's types.
    """

    players: tuple[Player, ...] = ()
    turn: int | None = None
    """Whose turn it is, where nobody is asked."""
    round: int | None = None
    chart: tuple[tuple[int | float, ...], ...] = ()
    """For each player the points after each round."""
    ask: Ask | None = None
    """In the view of a single seat: what only this seat is asked."""


class RuleBroken(Exception):  # noqa: N818 - said as a player would say it
    """The rules forbid this move. `say` and `do` are shown to the player in their language.

    `box` names the unconfirmed printed value the refusal rests on: then "our copy says otherwise" is offered.
    """

    def __init__(self, code: str, say: Text, do: Text, page: str = "", box: str = "") -> None:
        super().__init__(code)
        self.code, self.say, self.do, self.page, self.box = code, say, do, page, box


class Game(ABC):
    """A game. Subclass it and announce an instance through the entry points `tableside.games`.

    What has no default is the game itself; every other hook makes it nicer at the table and may be left alone. All are
    pure: the same state gives the same answer. The table works with copies of what they answer, refuses what is not of
    the type given here, and waits about two seconds for it (`companion.core.guard`).

    Three kinds of moves mean the same in every game. `correct` puts the record right at any time; `box`
    (`key`, `value`) says what a printed value is in the owner's copy and is kept for later games; `@answer` is the table's.
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
    colours: tuple[str, ...] = ()
    """The colours its pieces have, as seats are coloured at the table, first the one given first; empty: any colour will do."""
    sensor_depth: int = 3
    """Moves that may lie between two readings, beside those that each explain one more place (a market laid out)."""
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
        """Legal moves to try, for bots, `explain` and tests; empty only when the game has ended."""

    @abstractmethod
    def play(self, state: Any, move: Any) -> Outcome:
        """Carry a move out or raise `RuleBroken`."""

    @abstractmethod
    def view(self, state: Any, seat: int | None) -> Any:
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

    def describe(self, move: Any) -> Text | None:
        """The move in one short sentence that tells no secret; `None`: it is called by its kind."""
        return None

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

    # camera and dial -------------------------------------------------------------------------------------------

    def expect(self, state: Any) -> Expected:
        """What the sensors should see in this state; nothing, when the game needs none."""
        return Expected()

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
