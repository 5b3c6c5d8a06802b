"""Where robots think: `python -m companion.robots.thinking GAMES`, one question per line, one answer per line.

It ends when nobody can ask it any more. The position comes from the journal, as it stood when the question was asked;
a mind is given it as its own seat may think it is (`Game.imagined`).
"""

from __future__ import annotations

import random
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from companion.bots import Bot, outlook
from companion.core.session import Session
from companion.game import Game
from companion.journal.store import Journal
from companion.robots import mind

MOVES_AT_ONCE = 3
"""Moves a robot asks for at once; more than anybody can remember."""


class Think(msgspec.Struct, frozen=True):
    """What would one of these chairs do now?"""

    id: int
    game: str
    seq: int
    chairs: dict[int, str]
    """Seat -> level, in the order in which they are asked."""
    hint: bool = False
    """One move is enough, but how much better is it than the others?"""


class Thought(msgspec.Struct, frozen=True):
    """The moves of one chair, in order; none when nothing is asked of any of them."""

    id: int
    seat: int | None = None
    moves: tuple[dict[str, Any], ...] = ()
    better: float = 0.0
    """Points by which the first move promises more than the others do on average."""
    wrong: str = ""
    """Why there is none although there should be."""


class Own:
    """A game as one player meets it: where several decide at once, only the own moves are thought about."""

    def __init__(self, pack: Game, seat: int) -> None:
        self._pack, self._seat = pack, seat

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pack, name)

    def moves(self, state: Any) -> list[Any]:
        """The seat's own, or all when none is."""
        legal = list(self._pack.moves(state))
        return [move for move in legal if getattr(move, "seat", None) == self._seat] or legal


def turn(pack: Game, state: Any, seat: int, bot: Bot, chance: random.Random) -> tuple[dict[str, Any], ...]:
    """What this seat does until somebody else is asked, something is shown, or it would be too much for one breath."""
    own, found = Own(pack, seat), list[dict[str, Any]]()
    while len(found) < MOVES_AT_ONCE and not pack.over(state) and pack.deal(state) is None:
        asked = pack.ask(state).seat
        if asked != seat and (asked is not None or found):
            break
        legal = own.moves(state)
        if not legal or getattr(legal[0], "seat", None) != seat:
            break
        move = bot.choose(own, state, chance)  # type: ignore[arg-type]  # it answers what a game does
        outcome = pack.play(state, move)
        found.append(pack.encode(move))
        if outcome.reveals:
            break
        state = outcome.state
    return tuple(found)


def advantage(pack: Game, state: Any, seat: int, plain: dict[str, Any]) -> float:
    """What a move promises beyond the average of the seat's other moves, in points."""
    judge = outlook.of(pack)
    worth = {True: list[float](), False: list[float]()}
    for move in Own(pack, seat).moves(state):
        worth[pack.encode(move) == plain].append(judge(pack, pack.play(state, move).state, seat))
    others = worth[False]
    return worth[True][0] - sum(others) / len(others) if others and worth[True] else 0.0


class Memory:
    """The game thought about last, so that a question costs the moves since then and not the whole evening."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._last: Session | None = None

    def session(self, game: str) -> Session:
        """As the journal tells it now."""
        with closing(Journal.reading(self._directory)) as journal:
            rows = journal.rows(game)
            if self._last is None or not self._last.caught_up(rows):
                self._last = Session.resume(journal, game)
        return self._last


def think(memory: Memory, wanted: Think, chance: random.Random) -> Thought:
    """Ask each chair in turn, until one has something to do."""
    session = memory.session(wanted.game)
    if session.seq != wanted.seq:
        return Thought(wanted.id)  # the game has moved on: another question is on its way
    for seat, level in wanted.chairs.items():
        pack = session.pack.pack
        state = pack.imagined(session.state, seat, lambda pile: chance.sample(pile, len(pile)))
        moves = turn(pack, state, seat, mind(level), chance)
        if moves and wanted.hint:
            better = advantage(pack, state, seat, moves[0])
            return Thought(wanted.id, seat, moves[:1], better)
        if moves:
            return Thought(wanted.id, seat, moves)
    return Thought(wanted.id)


def main() -> int:
    """Answer until the last question."""
    memory, chance = Memory(Path(sys.argv[1])), random.Random()
    for line in sys.stdin.buffer:
        wanted = msgspec.json.decode(line, type=Think)
        try:
            thought = think(memory, wanted, chance)
        except Exception as wrong:  # noqa: BLE001 - a pack is anybody's code; the next question may go well
            thought = Thought(wanted.id, wrong=repr(wrong)[:300])
        sys.stdout.buffer.write(msgspec.json.encode(thought) + b"\n")
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
