"""Trouble: a small game that goes wrong on demand, in whichever of its functions and in whichever way.

The file named by the environment variable TROUBLE says where and how (`view hang`); while it is not there the game is sound: put
your die on the card for its points, or end the game.
"""

from __future__ import annotations

import functools
import itertools
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

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
    seat_name,
)

# what can go wrong ---------------------------------------------------------------------------------------------


def _raise(error: BaseException) -> Any:
    raise error


def _hang() -> Any:
    while True:
        pass


def _recurse() -> Any:
    return _recurse()


def _grow() -> Any:
    taken = []
    while True:
        taken.append(bytearray(1_000_000))


def _stubborn() -> Any:
    """Swallows whatever is raised in it."""
    while True:
        try:
            _hang()
        except BaseException:  # noqa: BLE001
            continue


class UnspeakableError(Exception):
    """Goes wrong once more when it is told."""

    def __str__(self) -> str:
        raise KeyError("nor can this be said")


def _nested() -> Any:
    value: list[Any] = []
    for _ in range(5_000):
        value = [value]
    return value


RAISES: dict[str, Callable[[], Any]] = {
    "error": lambda: _raise(KeyError("trouble")),
    "exit": lambda: _raise(SystemExit(3)),
    "interrupt": lambda: _raise(KeyboardInterrupt()),
    "memory": lambda: _raise(MemoryError()),
    "unspeakable": lambda: _raise(UnspeakableError()),
    "odd-refusal": lambda: _raise(RuleBroken("x", 5, None)),  # type: ignore[arg-type]
    "recursion": _recurse,
}
NONSENSE: dict[str, Callable[[], Any]] = {
    "nothing": lambda: None,
    "number": lambda: 5,
    "generator": lambda: (i for i in itertools.count()),
    "object": object,
    "huge": lambda: {"players": "x" * 3_000_000},
    "nested": _nested,
    "odd-ask": lambda: Ask(99, 5, "choices"),  # type: ignore[arg-type]
    "odd-outcome": lambda: Outcome(None, (Event("#/+", 99),), "perhaps"),  # type: ignore[arg-type]
    "odd-tally": lambda: Tally((PlayerTally(7, "X", float("nan"), ()),), (9,)),  # type: ignore[arg-type]
    "odd-expected": lambda: Expected((SlotExpected("gold-1", (Die(0, 99),)),), 10**30),
    "odd-view": lambda: Shown(players=(Player(seat="first", points={}),), chart="up"),  # type: ignore[arg-type]
    "surrogate": lambda: Shown(players=(Player(seat=0, name="\ud800"),)),
    "dictionary": lambda: {"players": []},
}
HANGS: dict[str, Callable[[], Any]] = {"hang": _hang, "sleep": lambda: time.sleep(3600), "grow": _grow}
ENDS: dict[str, Callable[[], Any]] = {
    "stubborn": _stubborn,
    "loop in C": lambda: max(itertools.count()),
    "abort": os.abort,
}
"""What no exception ends: these take the core with them."""
WAYS = RAISES | NONSENSE | HANGS | ENDS


def _wrong_in(name: str) -> Callable[[], Any] | None:
    """Asked a hundred thousand times, so by the shortest way to a file."""
    try:
        file = os.open(os.environ.get("TROUBLE", "/nowhere"), os.O_RDONLY)
    except OSError:
        return None
    try:
        where, _, how = os.read(file, 100).decode().strip().partition(" ")
    finally:
        os.close(file)
    return WAYS[how] if where == name else None


FUNCTIONS = [
    name
    for name, value in vars(Game).items()
    if callable(value) and not name.startswith("_") and not isinstance(value, type)
]
"""What a game is asked."""


def goes_wrong(kind: type[Any]) -> type[Any]:
    """Every function of a game may go wrong."""
    for name in FUNCTIONS:
        setattr(kind, name, _troubled(name, getattr(kind, name)))
    kind.__abstractmethods__ = frozenset()
    return kind


def _troubled(name: str, sound: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(sound)
    def call(*arguments: Any) -> Any:
        wrong = _wrong_in(name)
        return wrong() if wrong else sound(*arguments)

    return call


# the game ------------------------------------------------------------------------------------------------------


class State(msgspec.Struct, frozen=True):
    names: tuple[str, ...]
    points: tuple[int, ...]
    deck: tuple[int, ...] = ()
    die: Die | None = None
    ended: bool = False


class Shown(View, frozen=True):
    hand: tuple[int, ...] = ()


class Move(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    seat: int | None = None


class Deal(Move, frozen=True, tag="deal"):
    deck: tuple[int, ...] = ()


class Put(Move, frozen=True, tag="put"):
    face: int = 1


class End(Move, frozen=True, tag="end"):
    pass


@goes_wrong
class Trouble(Game):
    """The pack."""

    id = "trouble"
    players = (1, 4)
    view_type = Shown

    def title(self) -> Text:
        return Text("trouble/title")

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> State:
        return State(tuple(options["names"]), (0,) * len(options["names"]))

    def deal(self, state: State) -> dict[str, Any] | None:
        return None if state.deck else {"move": {"kind": "deal"}, "shuffle": {"deck": [1, 2, 3]}}

    def decode(self, move: Mapping[str, Any]) -> Move:
        return msgspec.convert(dict(move), Deal | Put | End)  # type: ignore[return-value]

    def ask(self, state: State) -> Ask:
        choices = tuple(
            Choice(str(i), Text("trouble/move"), self.encode(move)) for i, move in enumerate(self.moves(state))
        )
        return Ask(None, Text("trouble/ask", {"name": seat_name(0)}), choices)

    def moves(self, state: State) -> Sequence[Move]:
        return [] if state.ended else [End(), *(Put(0, face) for face in range(1, 7))]

    def play(self, state: State, move: Move) -> Outcome:
        if state.ended:
            raise RuleBroken("trouble/over", Text("trouble/over"), Text("trouble/over"))
        if isinstance(move, Deal):
            return Outcome(msgspec.structs.replace(state, deck=move.deck), reveals=True)
        if isinstance(move, End):
            return Outcome(msgspec.structs.replace(state, ended=True), (Event("over"),))
        seat, face = move.seat or 0, move.face  # type: ignore[attr-defined]
        points = tuple(p + face * (i == seat) for i, p in enumerate(state.points))
        return Outcome(msgspec.structs.replace(state, points=points, die=Die(seat, face)), (Event("put", seat),))

    def view(self, state: State, seat: int | None) -> Shown:
        players = tuple(Player(seat=i, name=n, points=state.points[i]) for i, n in enumerate(state.names))
        return Shown(players=players, hand=() if seat is None else state.deck[seat : seat + 1])

    def tally(self, state: State) -> Tally:
        players = tuple(
            PlayerTally(i, name, state.points[i], (TallyLine("dice", Text("trouble/dice"), state.points[i]),))
            for i, name in enumerate(state.names)
        )
        return Tally(players, tuple(i for i, p in enumerate(state.points) if p == max(state.points)))

    def over(self, state: State) -> bool:
        return state.ended

    def expect(self, state: State) -> Expected:
        return Expected((SlotExpected("gold-1", (state.die,) if state.die else ()),))


pack = Trouble()
