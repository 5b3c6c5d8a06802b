"""The position of a game of Praga: frozen, and everything in it is on the table for all to see."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.box.printed import Box
from companion.game import Event, Text
from companion.games.praga import clock
from companion.games.praga.crane import Crane
from companion.games.praga.sheet import Sheet

Depth = Literal["full", "light", "tally"]
ACTIONS = ("mines", "quarries", "upgrade", "wall", "building", "road")


class Technology(msgspec.Struct, frozen=True):
    """A technology tile in front of its owner."""

    level: int
    effect: str
    turn: int
    """Crane turn in which it was reached: levels I and II sleep until the owner's next turn."""
    used: bool = False


class Missed(msgspec.Struct, frozen=True):
    """A turn whose action nobody has recorded yet."""

    turn: int
    tile: int
    slot: int
    booked: int = 0
    """Points booked for its special wheel bonus: given back if the special tile turns out to have been taken."""
    did: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    """What else was done in that turn, and which once-a-turn technologies had paid."""


class Board(msgspec.Struct, frozen=True):
    """What one player has, as far as it was recorded."""

    points: int = 0
    gold: int = 0
    stone: int = 0
    eggs: int = 0
    silver_windows: int = 0
    gold_windows: int = 0
    mines: int = 3
    quarries: int = 2
    technology: int = 0
    university: int = 0
    red: int = 0
    blue: int = 0
    walls: int = 0
    upgrades: int = 0
    era_one: int = 0
    """Upgrades of Era I among them."""
    road: int = 0
    cubes: int = 2
    wall_row: int = 1
    wall_column: int = 1
    wall_level: int = 1
    cathedral_row: int = 1
    cathedral_column: int = 1
    cathedral_level: int = 1
    firsts: tuple[str, ...] = ()
    """First arrivals at six and nine already asked for: `gold-6`, `stone-9`."""
    freed: int = 0
    tokens: tuple[tuple[str, str], ...] = ()
    """(track, production token) taken."""
    technologies: tuple[Technology, ...] = ()
    seals: tuple[str, ...] = ()
    v_tiles: tuple[str, ...] = ()
    upgraded: dict[str, dict[str, int]] = {}
    """Action -> what the upgrade lying on it gives whenever it is done."""
    step_one: dict[str, int] = {}
    """What unfinished plazas give at the end of the game."""
    missed: tuple[Missed, ...] = ()
    """Turns that ended before their action was recorded."""
    used: tuple[str, ...] = ()
    """Printed values the recorded points rest on."""
    studied: tuple[str, ...] = ()
    """Printed values the recorded technology steps rest on."""
    stepped: int = 0
    """Crane turn of the last technology step: whoever says later that it led to a tile has had it since then."""
    asked: tuple[str, ...] = ()
    """Where a V tile has been asked for: `bridge`, `cathedral`."""

    @property
    def unlogged(self) -> int:
        """Turns whose action is still to be recorded."""
        return len(self.missed)

    @property
    def windows(self) -> int:
        """Windows of both colours."""
        return self.silver_windows + self.gold_windows

    def token(self, track: str) -> str:
        """The production token of a track, or nothing."""
        return dict(self.tokens).get(track, "")


class Plaza(msgspec.Struct, frozen=True):
    """One plaza: how many buildings touch it and who claims it."""

    buildings: int = 0
    """Those of the set-up included, once somebody has told them."""
    cubes: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()
    done: bool = False
    set_up: int = 0
    """Buildings that lay there before the first turn: with fewer than four players some sites are filled."""
    tile: int = 0
    """The plaza tile among those seen of this copy (`plazas.tiles`), counted from one; 0: nobody has said which it is."""
    empty: bool = False
    """A place for a plaza tile that stays without one: with fewer than four players it counts as a plaza all the same."""
    built: tuple[tuple[int, int, bool], ...] = ()
    """Crane turn and seat of every building of this game, and whether it scored for each building here."""


class Begun(msgspec.Struct, frozen=True):
    """An action being carried out and where it came from."""

    source: Literal["tile", "extra", "technology", "missed"]
    action: str = ""
    discount: str = ""
    """`building` or `wall`: two gold or two stone off, from a technology."""
    tile: int = 0
    """The building tile that was picked among those seen of this copy; its site is still to be told."""
    plaza: int = 0
    """The plaza its site touches."""
    which: int = 0
    """The turn it belongs to, among those that were not recorded."""


class Pending(msgspec.Struct, frozen=True):
    """Something a player has still to say."""

    kind: Literal["plaza", "resource", "token", "technology", "final", "windows", "good"]
    seat: int
    turn: int
    what: str = ""
    both: bool = False
    """Of a plaza: one of two rewards, both of which are taken. Of a token: it pays at once for a production just made."""


class Hand(msgspec.Struct, frozen=True):
    """The chosen action tile and where it hung."""

    tile: int
    station: int
    slot: int
    scored: int
    acted: bool = False
    bonus: bool = True
    """The wheel bonus can still be taken."""


class PragaState(msgspec.Struct, frozen=True):
    """A game between two moves."""

    names: tuple[str, ...]
    box: Box
    crane: Crane
    boards: tuple[Board, ...]
    plazas: tuple[Plaza, ...]
    depth: Depth = "full"
    side: str = "a"
    robots: tuple[int, ...] = ()
    """Seats that robots play: what only the owner's copy knows is asked of people for them, too."""
    wall_set: str = "base"
    cathedral_set: str = "base"
    first: int = 0
    """The seat that begins."""
    turn: int = 0
    hand: Hand | None = None
    begun: Begun | None = None
    held: bool = False
    """The wheel has turned, and the turn's action is still to be told."""
    laid: tuple[int, ...] | None = None
    """While the hanging tiles are told before the first turn: those named so far, from the first red place on."""
    half: str = ""
    """The first of the two actions of the tile being told."""
    told: bool = False
    """Which tile hangs where was told, so what is learnt of a tile is true of the box."""
    taken: tuple[str, ...] = ()
    """Hex tiles taken in this game, as action and number."""
    extra: bool = False
    refreshed: bool = False
    built: tuple[int, ...] = ()
    """Plazas built at in this turn."""
    did: tuple[str, ...] = ()
    """Actions carried out in this turn."""
    late: tuple[str, ...] = ()
    """Actions of earlier turns told in this one."""
    moved: tuple[str, ...] = ()
    """Buildings on which the player in turn moved in this turn: an arrow up may lie there."""
    landed: tuple[str, ...] = ()
    """Buildings whose cube stands, since this turn, on a space nobody has told anything about."""
    technology_used: tuple[str, ...] = ()
    """Once-a-turn technologies already rewarded in this turn."""
    pending: tuple[Pending, ...] = ()
    planks: int = 0
    bridge_fives: int = 0
    cathedral_fives: int = 0
    """V tiles taken by the bridge and by the Cathedral."""
    pairs: tuple[tuple[str, ...], ...] = ((), (), (), (), (), ())
    """Actions seen on each tile, for tiles whose pair the box does not know."""
    paid_out: bool = False
    """The unfinished plazas have given, or been asked for, what they give at the end."""
    sheets: tuple[Sheet | None, ...] = ()
    chart: tuple[tuple[int, ...], ...] = ()
    """Everybody's points after each round."""

    @property
    def players(self) -> int:
        """People at the table."""
        return len(self.names)

    @property
    def seats(self) -> int:
        """Turns in a round: the dummy of the solo game has one too."""
        return max(2, self.players)

    @property
    def active(self) -> int:
        """The seat whose turn it is; in the solo game seat 1 is the dummy."""
        return self.seat_at(self.turn)

    def seat_at(self, turn: int) -> int:
        """Whose crane turn it is."""
        return (turn + self.first) % self.seats

    @property
    def length(self) -> int:
        """Crane turns in the game."""
        return clock.length(self.box, self.seats)

    @property
    def played_out(self) -> bool:
        """All turns are over, the one begun too; only the final scoring is left."""
        return self.depth == "tally" or (self.turn >= self.length and self.hand is None)

    @property
    def dummy(self) -> bool:
        """It is the dummy's turn."""
        return not self.played_out and self.active >= self.players

    @property
    def over(self) -> bool:
        """Every final position has been entered."""
        return self.played_out and all(sheet is not None for sheet in self.sheets)

    @property
    def era(self) -> int:
        """The era of the turn now due."""
        return clock.era(self.box, self.seats, self.turn)

    def actions_of(self, tile: int) -> tuple[str, ...]:
        """The two actions of a tile as the box has them, else those seen in this game."""
        known = self.box[f"tiles.{self.side}.{tile}"] if self.told else ()
        printed = tuple(name for name in known if name in ACTIONS)
        seen = self.pairs[tile - 1]
        return printed if len(printed) == 2 else tuple(dict.fromkeys((*printed, *seen)))[:2]

    def pair_known(self, tile: int) -> bool:
        """The box says both actions printed on this tile."""
        return self.told and all(name in ACTIONS for name in self.box[f"tiles.{self.side}.{tile}"])

    @property
    def recalled(self) -> Missed | None:
        """The earlier turn whose action is being told."""
        begun = self.begun
        return self.boards[self.active].missed[begun.which] if begun and begun.source == "missed" else None

    @property
    def when(self) -> int:
        """The crane turn in which what is being told was done."""
        return self.recalled.turn if self.recalled else self.turn

    def due(self) -> Pending | None:
        """What somebody has to say first; a technology may wait for its owner's next turn."""
        for one in self.pending:
            if one.kind != "technology" or (one.turn < self.turn and one.seat == self.active and self.hand is None):
                return one
        return None


class Work:
    """A move in the making: the state so far and what happened."""

    def __init__(self, state: PragaState) -> None:
        self.state = state
        self.events: list[Event] = []
        self.learnt: dict[str, Any] = {}
        """What this move shows of the owner's copy."""
        self.reveals = False
        """Tiles were turned up that nobody knew: taking this back needs everybody's consent."""

    @property
    def box(self) -> Box:
        """The printed values in force."""
        return self.state.box

    def board(self, seat: int) -> Board:
        """A player's board as it is now."""
        return self.state.boards[seat]

    def set(self, **changes: Any) -> None:
        """Change the state."""
        self.state = msgspec.structs.replace(self.state, **changes)

    def put(self, seat: int, **changes: Any) -> None:
        """Change one player's board."""
        boards = list(self.state.boards)
        boards[seat] = msgspec.structs.replace(boards[seat], **changes)
        self.set(boards=tuple(boards))

    def note_moved(self, seat: int, building: str) -> None:
        """A cube moved on Hunger Wall or Cathedral."""
        if seat == self.state.active:
            self.set(moved=tuple(dict.fromkeys((*self.state.moved, building))))

    def owe(self, pending: Pending) -> None:
        """Somebody has something to say."""
        self.set(pending=(*self.state.pending, pending))

    def settle(self, pending: Pending) -> None:
        """They have said it."""
        rest = list(self.state.pending)
        rest.remove(pending)
        self.set(pending=tuple(rest))

    def rests_on(self, seat: int, *keys: str, what: str = "used") -> None:
        """Remember unconfirmed printed values these points (or, with `studied`, technology steps) rest on."""
        fresh = self.box.unconfirmed(keys)
        self.put(seat, **{what: tuple(dict.fromkeys((*getattr(self.board(seat), what), *fresh)))})

    def say(self, kind: str, seat: int | None = None, /, **params: int | str | Text | tuple[Text, ...]) -> None:
        """Something happened that is worth telling."""
        plain = {name: value for name, value in params.items() if isinstance(value, (int, str))}
        self.events.append(Event(kind, seat, Text(f"praga/event/{kind}", dict(params)), plain))
