"""The words games and rooms speak in: sentences, answers, forms, prompts, events, what lies on the table, what is shown, tallies.

Frozen structs, and nothing that does anything. Everything that travels is text *key* and parameters; each client says it in its
own language (`companion.wire.words`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from companion.picture import Picture


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
    confirm: bool = False
    """It ends something for everybody: a touch asks once more before it counts."""


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the values a field may take."""

    value: str | int | bool
    text: Text


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value a person may enter with a stepper, a picker or a key pad."""

    id: str
    text: Text
    kind: Literal["number", "pick", "many", "flag", "words", "list"]
    """`list`: words, one after the other."""
    value: int | str | bool | tuple[str | int, ...] | None = None
    low: int | None = None
    high: int | None = None
    options: tuple[Option, ...] = ()
    help: Text | None = None
    seat: int | None = None
    row: Text | None = None
    """Numbers one after the other with the same `row` may stand side by side behind it, each under its `short` name."""
    short: Text | None = None


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place of a grid and what is printed there. Row 0 is below the columns, column 0 at the rows' ends."""

    row: int
    column: int
    shows: int | str | None = None
    """A number or one of the grid's signs; `None`: nobody has said."""
    seat: int | None = None
    """Whose piece stands there."""


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the board in rows and columns, as far as it was told: drawn, touched, and told by a `tell` move.

    `{"kind": "tell", "grid": id, "spaces": [{"row", "column", "shows"}], "rows": n, "columns": n, "borders": [n, n]}`: what is
    left out stays as it was. Rows count from the bottom, columns from where the pieces begin.
    """

    id: str
    text: Text
    rows: int
    columns: int
    spaces: tuple[Space, ...] = ()
    """What was told."""
    signs: tuple[Option, ...] = ()
    """What a place may show. An arrow is drawn for `left`, `right` and `up`, a number with its star for `+2`."""
    ends: tuple[int, int] | None = None
    """Bounds of the numbers at the rows' ends, where there are any."""
    feet: tuple[int, int] | None = None
    """Bounds of the numbers below the columns, where there are any."""
    borders: tuple[int, ...] = ()
    """The first row above each border, 0 while nobody has said; drawn as lines."""
    levels: tuple[Text, ...] = ()
    """What begins above each border, where that can be told."""
    leftward: bool = False
    """The pieces begin at the right."""
    shifted: bool = False
    """Every other row lies half a place further, as hexagons do."""
    grows: bool = False
    """How many rows and columns it has can be told."""
    pieces: tuple[Space, ...] = ()
    """Where everybody stands."""
    keys: tuple[str, ...] = ()
    """The printed values it draws."""


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several values entered together; they are sent as `move | {"values": {field id: value}}`."""

    fields: tuple[Field, ...]
    move: dict[str, Any]
    send: Text
    aside: bool = False
    """Only for whoever cannot do without: what the camera sees need not be entered. It waits behind a button."""
    apart: bool = False
    """Every player may send their own fields alone, as `move | {"apart": true, "values": …}`; a phone then shows its player's
    fields, and the others' folded away."""


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
    learnt: Mapping[str, Any] = {}
    """What this move shows of the owner's copy (dotted key of the box -> value): kept for later games as a `box` move is, and
    forgotten when the move is taken back."""

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
    piece: str | None = None
    """At a spot: the colour word of the piece that stands there, `""` for none; `None`: it does not matter."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sensors should see now. Slots in a fixed order, dice sorted."""

    slots: tuple[SlotExpected, ...] = ()
    dial: int | None = None
    """Notches the dial stands clockwise of its zero, or `None` when the game has no dial."""
    dial_positions: int = 0
    loose: tuple[int, ...] | None = None
    """Every loose die on the mat, sorted; `None` where the game does not know, as before a throw."""


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

    How to: 1. put the subclass and its parts (frozen structs of plain values) into `companion/shown/<game>.py` and name it
    in the pack (`view_type = PigView`); `view` returns it, and the core refuses anything else. 2. Draw it with
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
    `field` is the id of the form's field to mend: screen and phone go to it and light it.
    """

    def __init__(self, code: str, say: Text, do: Text, page: str = "", box: str = "", field: str = "") -> None:
        super().__init__(code)
        self.code, self.say, self.do, self.page, self.box, self.field = code, say, do, page, box, field
