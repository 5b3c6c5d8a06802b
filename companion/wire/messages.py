"""Every message that crosses the corridor, listed once (docs/design.md §5).

Rooms meet only in these. Each is strict: an unknown field, a wrong type or a wrong version is refused, never
guessed. `companion.wire.topics` says which of them travels where.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.game import Ask, Tally, Text
from companion.panels import Panels
from companion.picture import Picture
from companion.sensing import Dial, Mat
from companion.wire.lobby import Lobby

VERSION = 1
NOTHING = msgspec.Raw(b"{}")

Version = Annotated[int, msgspec.Meta(ge=VERSION, le=VERSION)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=7)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Word = Annotated[str, msgspec.Meta(max_length=40)]
ClientId = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,64}$")]
RequestId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
RoomName = Literal["companion", "firmware_bridge", "vision", "display", "speech", "broker", "virtual"]
Cause = Literal["touch", "phone", "camera", "dial", "bot", "table"]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of all messages: a schema version."""

    v: Version = VERSION


class Health(Message, frozen=True):
    """A room says that it is there, and its figures."""

    room: RoomName
    status: Literal["online", "stopped", "offline"]
    ts: float = 0.0
    """Unix time, seconds; 0 in a last will."""
    say: Text | None = None
    """What is wrong, when something is."""
    do: Text | None = None
    figures: dict[str, float | int | str | bool] = {}


class SeatInfo(Message, frozen=True):
    """One chair at the table, as everybody sees it."""

    seat: Seat
    name: str
    colour: Word = "sun"
    language: Word = "en"
    phone: bool = False
    """A phone sits here."""
    bot: Word = ""


class State(Message, frozen=True):
    """One moment of the table, complete, as everybody may see it: how it stands and what is asked."""

    table: str
    phase: Literal["lobby", "playing", "over", "safe"]
    game: str = ""
    """Pack id; empty in the lobby."""
    game_id: str = ""
    seq: int = 0
    """Journal rows of this game; together with `game_id` it names the moment, and the prompt with it."""
    seats: tuple[SeatInfo, ...] = ()
    view: msgspec.Raw = msgspec.field(default_factory=lambda: NOTHING)
    """What the game shows, as its pack's `view_type` reads it: written once, in the core, and taken apart where it is drawn."""
    lobby: Lobby | None = None
    """What can be started; `None` while a game is played."""
    prompt: Prompt | None = None
    """What is asked now; `None` when no game is played."""
    panels: Panels = ()
    """What the game shows beside it."""
    mat: Mat | None = None
    """What the camera looks at in this game; in the lobby, in the last one or in whichever has something to see."""
    standing: Annotated[dict[str, str], msgspec.Meta(max_length=120)] | None = None
    """Spots a piece should stand on now, with its colour word: all others are bare. `None`: the game watches none."""
    dial: Dial | None = None
    tally: Tally | None = None
    play_link: str = ""
    """Once the game is over: the link that logs it in BG Stats."""
    depth: Literal["full", "light", "tally"] = "full"
    clock: Clocks | None = None
    hints: tuple[int, ...] = ()
    """Given so far, by seat, where the table counts them."""
    undo: Undo | None = None
    notices: tuple[Notice, ...] = ()
    games: tuple[str, ...] = ()
    """Packs that can be started here."""
    ts: float = 0.0


class Clocks(Message, frozen=True):
    """How long everybody has taken so far, in seconds; shown to who wants to see it, never enforced."""

    spent: tuple[float, ...] = ()
    """By seat, until the last row."""
    table: float = 0.0
    """What was nobody's in particular."""
    since: float = 0.0
    """When the last row was written: from then on the time of who decides runs."""
    stopped: bool = False


class Undo(Message, frozen=True):
    """What an undo would take back, and who must agree."""

    text: Text
    seat: Seat | None = None
    consent: bool = False
    """Something was revealed since: the table must agree."""
    asked: bool = False
    """Somebody wants it: the others are asked to agree."""
    otherwise: Question | None = None
    """How it was taken, and what makes the same picture: each answer takes it back and plays that instead."""


class Notice(Message, frozen=True):
    """Something the table should know until it is dealt with: a difference, a repair, a damaged journal."""

    id: str
    text: Text
    do: Text | None = None
    kind: Literal["info", "warn", "bad", "todo"] = "info"
    slot: str = ""
    done: bool = False
    seat: Seat | None = None
    """Whose yes or no it waits for: on their phone, or on the screen."""


class JoinInfo(Message, frozen=True):
    """How a phone comes to the table: for the touchscreen only, because whoever reads the code may sit down."""

    url: str
    code: str
    address: str = ""


class Prompt(Message, frozen=True):
    """What the table is asked: the game's own question, and perhaps one about a reading."""

    ask: Ask
    question: Question | None = None


class Question(Message, frozen=True):
    """A reading the rules cannot settle: ranked answers, best first."""

    id: str
    text: Text
    answers: tuple[Answerable, ...]
    picture: str = ""
    """Name of the `picture/<name>` that shows it."""
    slot: str = ""


class Answerable(Message, frozen=True):
    """One possible reading and what it would mean."""

    id: str
    text: Text
    share: Share
    move: dict[str, Any] | None = None
    """The move it stands for; `None` for "look again"."""
    picture: Picture = {}


class Private(Message, frozen=True):
    """The part of one moment that only this seat may see. Never retained.

    Every seat with a phone gets one for every row, empty or not: the phone then knows a whole moment from half of one, and
    nobody learns from a silence who has nothing to hide.
    """

    seat: Seat
    game: str
    seq: int
    view: msgspec.Raw = msgspec.field(default_factory=lambda: NOTHING)
    """Empty when this seat sees no more than everybody."""
    panels: Panels | None = None
    """What this seat is shown in place of everybody's panels."""


class Happened(Message, frozen=True):
    """Something that just happened, for animation, speech and lights."""

    kind: str
    seq: int
    seat: Seat | None = None
    text: Text | None = None
    params: dict[str, Any] = {}
    ts: float = 0.0


class DialSeen(Message, frozen=True):
    """Where the dial stands, as it is; whether that is right is the pack's to judge."""

    state: Literal["starting", "no dial", "unconfirmed", "turning", "settling", "ready"]
    ts: float
    """Seconds on the clock of the edges, not the wall."""
    position: int = 0
    """Notches clockwise of the zero, 0 to positions - 1."""
    positions: int = 6
    turns: int = 0
    """The same, not folded: notches since the zero was set, negative when turned back."""
    angle: float = 0.0
    """Between notches, in notches, for drawing: -0.5 to 0.5."""
    confidence: Share = 1.0
    counts: int = 0
    impossible: int = 0
    """Impossible transitions since start: a health figure."""
    say: Text | None = None
    do: Text | None = None


class Knob(Message, frozen=True):
    """The dial while it browses for somebody who does not see: what hands did with it since the bridge started."""

    turns: int = 0
    """Notches, clockwise less back."""
    presses: int = 0
    holds: int = 0


class DieSeen(Message, frozen=True):
    """One die the camera found."""

    owner: str
    """Player colour word as calibrated (`sun`, `leaf`, `sky`, `coral`, `snow`, `plum`); empty for a loose die."""
    owner_share: Share
    faces: tuple[Share, Share, Share, Share, Share, Share]
    x: float
    y: float
    """Place in the slot, 0 to 1."""
    size: float = 0.0


class CardSeen(Message, frozen=True):
    """The card in a slot: `""` is an empty place, `None` unknown."""

    card: str | None = None
    share: Share = 0.0


class SlotSeen(Message, frozen=True):
    """What lies in one slot of the mat."""

    slot: str
    """The area's id, as the game's mat has it."""
    dice: tuple[DieSeen, ...] = ()
    card: CardSeen = CardSeen()
    sure: bool = True
    """Every die here, or the piece, is above the threshold."""
    covered: bool = False
    pieces: Annotated[dict[str, Share], msgspec.Meta(max_length=8)] = {}
    """At a spot: by colour word how likely that piece stands here; `""`: none does."""


class MarketSeen(Message, frozen=True):
    """One reading per settled change."""

    state: Literal["starting", "no camera", "too dark", "hand", "settling", "ready", "drifted"]
    ts: float
    """Seconds on the clock of the frames."""
    frame: int = 0
    slots: tuple[SlotSeen, ...] = ()
    score: Share = 1.0
    """Light, sharpness and view together."""
    say: Text | None = None
    do: Text | None = None


class MoveRequest(Message, frozen=True):
    """A client asks for a move. The same id twice does nothing twice."""

    id: RequestId
    move: dict[str, Any] = {}
    undo: bool = False
    """Take back the last move instead."""
    consent: bool = False
    """This seat agrees to the undo that was asked for."""
    game: str = ""
    """The game it is meant for, as `State.game_id` names it; refused in any other."""
    seq: int | None = None
    """The prompt it answers: the row the person was looking at. Refused once the table has moved on."""
    cause: Cause = "phone"


class Refusal(Message, frozen=True):
    """Why not, and what to do."""

    code: str
    say: Text
    do: Text
    page: str = ""
    box: str = ""
    """The unconfirmed printed value it rests on: "our copy says otherwise" is offered."""
    field: str = ""
    """The form's field to mend."""


class Answer(Message, frozen=True):
    """The table's word on a request."""

    id: str
    ok: bool
    seq: int = 0
    refusal: Refusal | None = None
    result: dict[str, Any] = {}


class Do(Message, frozen=True):
    """A command to a room: set the zero, teach a card, calibrate."""

    id: RequestId
    client: ClientId
    command: str
    args: dict[str, Any] = {}


class Admin(Message, frozen=True):
    """Free a seat, new game, shut down. Role *table* only."""

    id: RequestId
    client: ClientId
    command: Literal[
        "new game",
        "end game",
        "resume",
        "discard",
        "free seat",
        "name seat",
        "new code",
        "box",
        "box list",
        "history",
        "hint",
        "clock",
        "leave lesson",
        "care",
        "then",
        "shut down",
        "rebuild",
        "hand",
    ]
    args: dict[str, Any] = {}


class Lamp(Message, frozen=True):
    """What the lights at the table should show."""

    seat: Seat | None = None
    colour: str = ""
    build: int | None = None
    """Notch to mark as the build position."""
    warning: bool = False
    pattern: Literal["off", "circle", "square", "triangle", "diamond", "hexagon", "cross"] = "off"


class VirtualTruth(Message, frozen=True):
    """The virtual table's truth. The core's user may not read it."""

    ts: float
    slots: dict[str, Any] = {}
    hand: dict[str, Any] | None = None
    light: dict[str, Any] = {}
    dial: int = 0
    """Absolute quadrature counts the dial should stand at."""
    you: tuple[Seat, ...] = ()
    """Seats of the demo that a person plays."""
    mat: Mat | None = None
    """The mat under the camera."""


class VirtualHand(Message, frozen=True):
    """A person's hand on the virtual table, told by the window that shows it."""

    action: Literal["move", "turn", "dial"]
    slot: str = ""
    """Where the die lies; empty: it is taken from the player's supply."""
    die: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    """Which of the dice there, in the order of `VirtualTruth`."""
    colour: str = ""
    """Whose die is taken from the supply."""
    face: Annotated[int, msgspec.Meta(ge=1, le=6)] = 1
    """What it shows then."""
    to: str = ""
    """Where it is put; empty: back to the supply."""
    x: Share = 0.5
    y: Share = 0.5
    steps: Annotated[int, msgspec.Meta(ge=-6, le=6)] = 1
