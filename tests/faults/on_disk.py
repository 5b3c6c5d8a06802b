"""What is tried on a small disk, each in a process of its own; the tests judge what it saw."""

from __future__ import annotations

from typing import Any

from companion.journal.store import Journal, JournalUnusableError
from tests.faults.disk import Disk


def _points(number: int) -> dict[str, Any]:
    return {"kind": "points", "seat": 0, "points": number, "why": "x" * 400}


def _try(journal: Journal, number: int) -> str:
    try:
        journal.append("g1", "move", _points(number), request=f"r{number}")
    except JournalUnusableError as refused:
        return refused.code
    return "ok"


def _told(journal: Journal) -> list[int]:
    return [row.body["points"] for row in journal.rows("g1") if row.kind == "move"]


def full_while_playing(disk: Disk) -> dict[str, Any]:
    """Moves until the disk is full, more while it is, then room, more moves, a restart."""
    journal = Journal(disk.folder / "games")
    journal.append("g1", "new", {"pack": "scorepad"})
    answers: dict[int, str] = {}
    for number in range(20):
        answers[number] = _try(journal, number)
    # every place a write can stop at: in the middle of a line, between the two copies, inside SQLite
    for number, leave in enumerate((0, 100, 600, 5000, 0, 9000, 30, 0), 20):
        disk.fill(leave)
        answers[number] = _try(journal, number)
        disk.free()
    for number in range(28, 32):
        answers[number] = _try(journal, number)
    live = _told(journal)
    again = Journal(disk.folder / "games")  # as after a power cut: nobody said farewell
    return {
        "answers": [answers[number] for number in range(32)],
        "accepted": [number for number, answer in answers.items() if answer == "ok"],
        "live": live,
        "resumed": _told(again),
        "damage": again.damage is not None,
        "limited": disk.limited,
    }


def full_at_the_start(disk: Disk) -> dict[str, Any]:
    """A finished and an open game; the table starts while the disk is full, and again when there is room."""
    journal = Journal(disk.folder / "games")
    journal.append("done", "new", {"pack": "scorepad"})
    journal.append("done", "end", {"tally": {}, "over": True})
    journal.append("g1", "new", {"pack": "scorepad"})
    for number in range(10):
        _try(journal, number)
    journal.close()
    disk.fill()
    codes = []
    for _ in range(3):
        try:
            opened = Journal(disk.folder / "games")
            codes.append(_try(opened, 99))
            opened.close()
        except JournalUnusableError as refused:
            codes.append(refused.code)
    aside = [path.name for path in (disk.folder / "games").glob("*damaged*")]
    disk.free()
    later = Journal(disk.folder / "games")
    return {
        "codes": codes,
        "aside": aside,
        "games": [first.game for first, _ in later.games()],
        "told": _told(later),
        "next": _try(later, 10),
        "damage": later.damage is not None,
    }


def read_only(disk: Disk) -> dict[str, Any]:
    """The folder came read-only: the journal is left as it is and says why."""
    try:
        journal = Journal(disk.folder / "games")
    except JournalUnusableError as refused:
        return {"open": False, "code": refused.code, "say": str(refused)}
    except OSError as refused:
        return {"open": False, "code": "os", "say": str(refused)}
    return {"open": True, "code": _try(journal, 99), "told": _told(journal)}
