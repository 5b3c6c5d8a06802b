"""What the monkey looks for, and how it tells what it found."""

from __future__ import annotations

import logging
import re
import shlex
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal

import msgspec

Kind = Literal["exits", "stuck", "differs"]
HOME = Path(__file__).resolve().parent


class FaultFound(Exception):  # noqa: N818 - it is what the search is for
    """Something that must never happen; the game it happened in ends here."""

    def __init__(self, kind: Kind, where: str, what: str) -> None:
        super().__init__(what)
        self.kind, self.where, self.what = kind, where, what


class Fault(msgspec.Struct, frozen=True):
    """A fault with the story that leads to it."""

    kind: Kind
    where: str
    what: str
    game: str
    seed: int
    number: int
    step: int
    last: tuple[str, ...]

    @property
    def command(self) -> str:
        """What plays the same game again."""
        words = ["tableside", "monkey", self.game, "--seed", str(self.seed), "--from", str(self.number), "--games", "1"]
        return shlex.join([*words, "--story"])


class Report(msgspec.Struct):
    """What a run saw."""

    games: int = 0
    moves: int = 0
    """Moves asked for, whether they were carried out or refused."""
    faults: list[Fault] = []

    def count(self, kind: Kind) -> int:
        """Faults of one kind."""
        return sum(fault.kind == kind for fault in self.faults)

    def figures(self) -> dict[str, int]:
        """The figures other programs rely on."""
        return {
            "games": self.games,
            "moves": self.moves,
            "exits": self.count("exits"),
            "stuck": self.count("stuck"),
            "differs": self.count("differs"),
        }

    def stories(self) -> list[Fault]:
        """One fault of each kind and place: the one that is reached in the fewest steps."""
        shortest: dict[tuple[str, str, str], Fault] = {}
        for fault in sorted(self.faults, key=lambda one: one.step):
            shortest.setdefault((fault.game, fault.kind, fault.where), fault)
        return list(shortest.values())


def told(report: Report) -> str:
    """The report for people: a sentence per figure, a story per fault."""
    figures = report.figures()
    lines = [
        f"{figures['games']} games were played with {figures['moves']} moves asked for.",
        f"{figures['exits']} would have ended the core.",
        f"{figures['stuck']} left somebody asked who has no answer.",
        f"{figures['differs']} were told differently by their journal.",
    ]
    for fault in report.stories():
        same = sum((one.game, one.kind, one.where) == (fault.game, fault.kind, fault.where) for one in report.faults)
        lines += ["", f"{fault.kind}, {fault.game}, {same} games: {fault.what}"]
        lines += [f"  seed {fault.seed}, game {fault.number}, step {fault.step}; the last steps were"]
        lines += [f"    {line}" for line in fault.last]
        lines += [f"  {fault.command}"]
    return "\n".join(lines)


PACKS = "tableside.games"
"""Where the guard says that a pack failed."""


class Ear(logging.Handler):
    """Hears what the core survived: an error in its log, or a pack that failed, would have ended it were it not caught."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, str]] = []
        """Where and what."""

    def emit(self, record: logging.LogRecord) -> None:
        """Remember an error with its place."""
        if record.levelno < logging.ERROR and record.name != PACKS:
            return
        what = record.getMessage().strip()
        wrong = record.exc_info[1] if record.exc_info else None
        self.heard.append((_place(wrong) if wrong is not None else _named(what), what.splitlines()[-1][:300]))

    def __enter__(self) -> Ear:
        """Hear everything this process says of its core; nothing of it is printed, refusals are not news here."""
        core, packs = logging.getLogger("tableside"), logging.getLogger(PACKS)
        self._before = core.propagate, core.handlers, packs.level
        core.propagate, core.handlers = False, [self]
        packs.setLevel(logging.DEBUG)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        core, packs = logging.getLogger("tableside"), logging.getLogger(PACKS)
        core.propagate, core.handlers = self._before[:2]
        packs.setLevel(self._before[2])

    @contextmanager
    def watched(self, doing: str) -> Iterator[None]:
        """Whatever goes wrong in here ends the core, or would have if nobody had caught it."""
        self.heard.clear()
        try:
            yield
        except FaultFound:
            raise
        except Exception as wrong:
            where, what = self.heard[0] if self.heard else (_place(wrong), f"{type(wrong).__name__}: {wrong}")
            raise FaultFound("exits", where, f"{doing}: {what[:200]} [{where}]") from wrong
        if self.heard:
            where, what = self.heard[0]
            raise FaultFound("exits", where, f"{doing}: {what[:200]} [{where}]")


def _named(words: str) -> str:
    """The place a traceback in words ends with."""
    found = re.findall(r'File "([^"]+)", line (\d+), in (\S+)', words)
    return _at(*found[-1]) if found else words.splitlines()[0][:80]


def _place(wrong: BaseException) -> str:
    """The innermost line that is not the monkey's own, and of ours where there is one."""
    every = traceback.extract_tb(wrong.__traceback__)
    frames = [frame for frame in every if not _within(frame.filename, HOME)] or list(every)
    inner = next((frame for frame in reversed(frames) if _within(frame.filename, HOME.parent)), frames[-1])
    return _at(inner.filename, str(inner.lineno), inner.name)


def _at(file: str, line: str, function: str) -> str:
    name = Path(file).relative_to(HOME.parent.parent) if _within(file, HOME.parent) else Path(file).name
    return f"{name}:{line} ({function})"


def _within(name: str, folder: Path) -> bool:
    return Path(name).is_relative_to(folder)
