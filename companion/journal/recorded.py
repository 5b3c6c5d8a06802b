"""A recorded game as JSON lines: the format of `tableside replay`, exports and the games in the tests.

First line: format, game, options, box. Then one line per move that stood. Last line: the tally.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from companion.core.guard import PackFailedError
from companion.core.registry import UnknownGameError
from companion.core.registry import pack as find_pack
from companion.game import Game, Outcome, RuleBroken

FORMAT = "tableside-game-1"
MAX_BYTES = 20_000_000


class RecordError(Exception):
    """The file is not a recorded game, or not one that these rules allow; the message names the line."""


class Record(msgspec.Struct, frozen=True):
    """A game that was played."""

    game: str
    options: dict[str, Any]
    box: dict[str, Any]
    moves: tuple[dict[str, Any], ...]
    tally: dict[str, Any] | None = None
    redacted: bool = False
    """What is still secret was left out: it can be read but not replayed."""

    @property
    def pack(self) -> Game:
        """The rules it was played by."""
        return find_pack(self.game)

    def begin(self) -> Any:
        """The first state; `RecordError` when options or box allow none."""
        try:
            return self.pack.new(self.options, self.box)
        except (ValueError, PackFailedError, msgspec.ValidationError) as wrong:
            raise RecordError(f"line 1: the game cannot begin: {wrong}") from wrong

    def steps(self) -> Iterator[tuple[Any, Mapping[str, Any], Outcome]]:
        """State before, move, outcome, one by one; `RecordError` names the line the rules refuse."""
        pack, state = self.pack, self.begin()
        for number, move in enumerate(self.moves, 2):
            try:
                outcome = pack.play(state, pack.decode(move))
            except RuleBroken as refused:
                raise RecordError(f"line {number}: the rules refuse this move: {refused.code}") from refused
            except msgspec.ValidationError as wrong:
                raise RecordError(f"line {number}: not a move of {self.game}: {wrong}") from wrong
            except PackFailedError as wrong:
                raise RecordError(f"line {number}: {wrong}") from wrong
            yield state, move, outcome
            state = outcome.state

    def final(self) -> Any:
        """The last state."""
        state = self.begin()
        for _, _, outcome in self.steps():
            state = outcome.state
        return state


def read(data: bytes) -> Record:
    """A record from JSON lines."""
    if len(data) > MAX_BYTES:
        raise RecordError(f"the file is larger than {MAX_BYTES // 1_000_000} MB: no game is that long")
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            lines.append(msgspec.json.decode(line, type=dict[str, Any]))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
            raise RecordError(f"line {number}: not a JSON object: {wrong}") from wrong
    if not lines or lines[0].get("format") != FORMAT:
        raise RecordError(f'line 1: a recorded game begins with {{"format": "{FORMAT}", ...}}')
    head, moves, tally = lines[0], [], None
    for number, entry in enumerate(lines[1:], 2):
        if isinstance(entry.get("move"), dict):
            moves.append(entry["move"])
        elif "tally" in entry:
            tally = entry["tally"]
        else:
            raise RecordError(f'line {number}: expected {{"move": ...}} or {{"tally": ...}}')
    try:
        record = Record(str(head["game"]), dict(head["options"]), dict(head.get("box") or {}), tuple(moves), tally)
        find_pack(record.game)
    except (KeyError, TypeError, ValueError) as wrong:
        raise RecordError(f"line 1: game or options are missing: {wrong}") from wrong
    except UnknownGameError as wrong:
        raise RecordError(f"line 1: {wrong}") from wrong
    return record


def write(
    game: str,
    options: Mapping[str, Any],
    box: Mapping[str, Any],
    moves: Iterable[Mapping[str, Any]],
    tally: Any | None,
) -> bytes:
    """The same game as JSON lines."""
    lines: list[Any] = [{"format": FORMAT, "game": game, "options": options, "box": box}]
    lines += [{"move": move} for move in moves]
    if tally is not None:
        lines.append({"tally": tally})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
