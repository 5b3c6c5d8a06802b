"""The pack: Praga through the hooks all games have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.box.printed import load
from companion.game import Ask, Expected, Field, Game, Grid, Option, Outcome, Tally, Text
from companion.games.kit.names import begins
from companion.games.praga import (
    ask,
    correct,
    crane,
    describe,
    final,
    forms,
    grids,
    layout,
    moves,
    plazas,
    scoring,
    sheet,
    statistics,
    technology,
    turn,
    view,
)
from companion.games.praga.actions import act, begin, put_off
from companion.games.praga.copy import problems
from companion.games.praga.gains import amounts_in, gain, pay
from companion.games.praga.legal import legal
from companion.games.praga.moves import AnyMove
from companion.games.praga.refuse import refused
from companion.games.praga.settle import settle
from companion.games.praga.state import Board, Depth, PragaState, Work
from companion.panels import Panel
from companion.sensing import Dial
from companion.shown.praga import PragaView

PACKAGE = "companion.games.praga"
DEPTHS = ("full", "light", "tally")
SETS = ("base", "a", "b")
ANY_TIME = (moves.Learn, moves.Reward, moves.Token, moves.Final, moves.Windows, moves.Note, moves.Good)
"""What may belong to another player than the one in turn."""
LIGHT = (moves.Choose, moves.Note, moves.Turn, moves.Sheet, moves.Correct, moves.Box)


def _pick(name: str, values: Sequence[str]) -> Field:
    options = tuple(Option(value, Text(f"praga/option/{name}/{value}")) for value in values)
    return Field(name, Text(f"praga/option/{name}"), "pick", values[0], options=options)


class Praga(Game):
    """Praga Caput Regni for one to four players."""

    id = "praga"
    starts = True
    players = (1, 4)
    bgg_id = 308765
    view_type = PragaView
    sensor_depth = 1
    """A reading of the dial is one turn of the wheel or a mistake; it never stands for several moves."""

    def title(self) -> Text:
        """The game's name."""
        return Text("praga/title")

    def options(self) -> tuple[Field, ...]:
        """Depth, the side of all six action tiles, and which set of levels each building uses."""
        return (
            _pick("depth", DEPTHS),
            _pick("side", ("a", "b")),
            _pick("wall_set", SETS),
            _pick("cathedral_set", SETS),
        )

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> PragaState:
        """The first position; mixed sides or half a set of levels are refused."""
        names = tuple(str(name) for name in options["names"])
        if not self.players[0] <= len(names) <= self.players[1]:
            raise ValueError(f"names: {len(names)} players; Praga is for 1 to 4")
        chosen = {field.id: self._option(field, options) for field in self.options()}
        printed = load(PACKAGE, box)
        for problem in problems(printed):
            raise ValueError(problem)
        seats = max(2, len(names))
        given = options.get("tiles")
        order = tuple(given or range(1, crane.TILES + 1))
        if sorted(order) != list(range(1, crane.TILES + 1)):
            raise ValueError("tiles: the six action tiles in the order of their stations, each once")
        board = msgspec.structs.replace(Board(), **{name: int(value) for name, value in printed.under("start").items()})
        depth = msgspec.convert(chosen["depth"], Depth)
        pairs = [printed[f"tiles.{chosen['side']}.{tile}"] for tile in range(1, crane.TILES + 1)]
        fresh = all(name == "unknown" for pair in pairs for name in pair)
        play = Work(
            PragaState(
                names=names,
                box=printed,
                crane=crane.set_up(int(printed[f"crane.start.{seats}"]), order),
                boards=(board,) * len(names),
                plazas=(),
                sheets=(None,) * len(names),
                depth=depth,
                told=bool(given) or fresh,
                laid=None if given or depth != "full" else (),
                side=chosen["side"],
                robots=tuple(int(seat) for seat in options.get("robots", ())),
                wall_set=chosen["wall_set"],
                cathedral_set=chosen["cathedral_set"],
                first=begins(options, len(names)),
            )
        )
        settle(play)
        return play.state

    def _option(self, field: Field, options: Mapping[str, Any]) -> str:
        value = options.get(field.id, field.value)
        if value not in [option.value for option in field.options]:
            raise ValueError(f"{field.id}: {value!r} is not one of {', '.join(str(o.value) for o in field.options)}")
        return str(value)

    def problems(self, box: Mapping[str, Any]) -> tuple[str, ...]:
        """What cannot be in the owner's box as a whole: `key: what`."""
        return problems(load(PACKAGE, box))

    def grids(self, box: Mapping[str, Any]) -> tuple[Grid, ...]:
        """Hunger Wall and Cathedral with each of their sets of levels, and the map of the plazas."""
        return grids.of_copy(load(PACKAGE, box))

    def tells(self, box: Mapping[str, Any], move: Mapping[str, Any]) -> dict[str, Any]:
        """What the box says once a part of the board was told."""
        return grids.told(load(PACKAGE, box), msgspec.convert(dict(move), moves.Tell))

    def decode(self, move: Mapping[str, Any]) -> AnyMove:
        """A typed move from JSON."""
        return moves.decode(move)

    def encode(self, move: AnyMove) -> dict[str, Any]:
        """The same move as JSON values."""
        return moves.encode(move)

    def owner(self, state: PragaState, move: AnyMove) -> int | None:
        """Whose a move is also where it leaves that open; the wheel, and whatever the dummy does, is the table's."""
        if isinstance(move, moves.Correct) and correct.of_wheel(move):
            return None
        if move.seat is not None or isinstance(move, (moves.Correct, moves.Box, moves.Tell)):
            return move.seat
        return None if state.dummy else _whose(state)

    def ask(self, state: PragaState) -> Ask:
        """What the table must do now."""
        return ask.ask(state)

    def moves(self, state: PragaState) -> Sequence[AnyMove]:
        """Legal moves to try."""
        return legal(state)

    def play(self, state: PragaState, move: AnyMove) -> Outcome:
        """Carry a move out or refuse it."""
        play = Work(state)
        _dispatch(play, move)
        return Outcome(play.state, tuple(play.events), play.reveals, play.learnt)

    def dial(self) -> Dial | None:
        """The crane's wheel."""
        return Dial(crane.STATIONS)

    def expect(self, state: PragaState) -> Expected:
        """The arrow of the crane, counted in notches from station 1."""
        box = state.crane.next_box if state.held else state.crane.box
        return Expected(dial=box - 1, dial_positions=crane.STATIONS)

    def describe(self, move: AnyMove) -> Text | None:
        """A move as one would say it at the table."""
        return describe.describe(move)

    def differs(self, state: PragaState, difference: Any) -> tuple[Text, Text] | None:
        """Where the arrow stands and where it belongs."""
        if difference.slot != "dial" or difference.seen_dial is None:
            return None
        say = Text("praga/differs/wheel", {"seen": crane.place(difference.seen_dial + 1)})
        if state.held:
            return say, Text("praga/differs/wheel/held", {"station": crane.place(state.crane.next_box)})
        if state.hand is None and not state.dummy:
            return say, Text("praga/differs/wheel/back", {"station": crane.place(state.crane.box)})
        wanted: dict[str, int | Text] = {"n": state.crane.notches, "station": crane.place(state.crane.next_box)}
        return say, Text("praga/differs/wheel/turn", wanted)

    def view(self, state: PragaState, seat: int | None) -> PragaView:
        """Everything is public; a seat also sees its own form at the end."""
        return view.view(state, seat)

    def panels(self, state: PragaState, seat: int | None) -> tuple[Panel, ...]:
        """The clock of the eras."""
        return view.panels(state)

    def tally(self, state: PragaState) -> Tally:
        """Every point of every player, from what was entered or else recorded."""
        sheets = [final.standing(state, seat) for seat in range(state.players)]
        doubts = {seat: final.doubts(state, seat, one) for seat, one in enumerate(sheets)}
        return scoring.tally(state.box, sheets, doubts)

    def statistics(self, state: PragaState) -> dict[str, Any]:
        """Points per round and source, for charts and export."""
        return statistics.statistics(state, self.tally(state))

    def over(self, state: PragaState) -> bool:
        """Every final position has been entered."""
        return state.over

    def score(self, document: Mapping[str, Any], box: Mapping[str, Any]) -> Tally:
        """Score a final position entered by hand."""
        printed = load(PACKAGE, box)
        return scoring.tally(printed, sheet.read(document, printed).players)

    def example(self) -> dict[str, Any]:
        """A filled document for `score`."""
        return sheet.EXAMPLE

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of that document."""
        return sheet.schema()


def _dispatch(play: Work, move: AnyMove) -> None:
    state = play.state
    seat = move.seat
    if seat is not None and seat >= state.players:
        raise refused("not-your-turn")
    if isinstance(move, (moves.Box, moves.Correct, moves.Tell)):
        _put_right(play, move)
        return settle(play)
    if isinstance(move, moves.Sheet):
        return final.enter(play, move.seat, move.values)
    if state.depth == "tally" or (state.depth == "light" and not isinstance(move, LIGHT)):
        raise refused("depth")
    if isinstance(move, ANY_TIME):
        return _any_time(play, move)
    if state.played_out:
        raise refused("over")
    if isinstance(move, moves.Hang):
        return layout.hang(play, move)
    if seat is not None and seat != state.active and not state.dummy:
        raise refused("not-your-turn")
    if isinstance(move, moves.Turn):
        return turn.turn(play, move)
    if state.dummy:
        raise refused("dummy")
    return _own_turn(play, state.active, move)


def _put_right(play: Work, move: moves.Box | moves.Correct | moves.Tell) -> None:
    if isinstance(move, moves.Tell):
        return grids.tell(play, move)
    if isinstance(move, moves.Box):
        return correct.printed(play, move)
    of_wheel = move.box is not None or bool(move.stations)
    if "box" in move.values:
        correct.wheel_form(play, move.values)
    elif move.values and move.seat is not None:
        correct.board(play, move.seat, move.values)
    elif move.values or not of_wheel:
        raise refused("nothing")
    if of_wheel:
        correct.wheel(play, move)
    return None


def _own_turn(play: Work, seat: int, move: AnyMove) -> None:
    """Moves only the player in turn can make."""
    match move:
        case moves.Choose():
            turn.choose(play, seat, move)
            if move.action:
                begin(play, seat, moves.Begin(move.action, seat=seat))
        case moves.Begin(action=""):
            put_off(play)
        case moves.Begin():
            begin(play, seat, move)
        case moves.Act():
            act(play, seat, move)
        case moves.Later():
            turn.later(play, seat)
        case moves.Recall():
            turn.recall(play, seat, move.which)
        case moves.Land():
            technology.lands(play, seat, move)
            turn.finish_held(play)
        case moves.Complete():
            plazas.complete(play, move.plaza)
        case moves.Bonus():
            turn.bonus(play, seat, move)
        case moves.Extra():
            technology.extra(play, seat, move)
        case moves.Climb():
            technology.climb(play, seat, move)
        case moves.Seal():
            technology.seal(play, seat, move)
        case moves.Reach():
            technology.says_reached(play, seat)
        case moves.Use():
            technology.use(play, seat, move)
        case moves.Refresh():
            if play.state.refreshed:
                raise refused("refreshed")
            pay(play, seat, **{move.pay: 1})
            play.set(refreshed=True)
            play.reveals = True
            play.say("refreshed", seat, who=Text("seat", {"n": seat}))
        case _:
            raise refused("not-now")


def _whose(state: PragaState) -> int:
    """The player a move is about that names nobody."""
    due = state.due()
    return due.seat if due else state.active % state.players


def _any_time(play: Work, move: AnyMove) -> None:
    """Moves that may belong to another player than the one in turn."""
    seat = _whose(play.state) if move.seat is None else move.seat
    match move:
        case moves.Learn():
            technology.learn(play, seat, move)
        case moves.Reward():
            technology.reward(play, seat, move, forms.checked(forms.reward_fields(), move.values))
        case moves.Good():
            technology.good(play, seat, move)
        case moves.Token():
            technology.token(play, seat, move)
        case moves.Final():
            technology.final(play, seat, move)
        case moves.Windows():
            waiting = next((p for p in play.state.pending if p.kind == "windows" and p.seat == seat), None)
            if waiting is None:
                raise refused("nothing")
            turn.give_windows(play, seat, move.gold, move.silver, turn.owed_windows(play.state, waiting))
            play.settle(waiting)
        case moves.Note():
            _note(play, seat, move)


def _note(play: Work, seat: int, move: moves.Note) -> None:
    if play.state.over:
        raise refused("over")
    known = forms.note_fields(play.state)
    gain(play, seat, **amounts_in(forms.checked(known, move.values)))
    settle(play)


pack = Praga()
