"""Names of strangers: kept, shown and printed without anything that steers a screen, a terminal or a log."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from companion.door.join import Door, JoinRequest
from companion.journal.store import Journal
from companion.past.history import plays
from companion.wire.names import LONGEST, clean, printable
from companion.wire.process_log import OneLine
from tests.companion.desk import Desk
from tests.conftest import Place

EVIL = "A\x1b]0;owned\x07d\x9b31ma\u202e\u2066\u200b\r\nx\0"
"""Sets a title, colours, turns the text around, ends the line."""


def test_a_name_is_what_a_pen_writes() -> None:
    """Letters of every script, marks, digits and emoji stay; what cannot be seen goes; spaces are one."""
    for name in ("Ada", "Łucja Żółć", "Zoë", "नेहा", "李雷", "👩‍👩‍👧", "می‌خواهم", "O'Neill-Smith 3"):
        assert clean(f"  {name} ") == name
    assert clean(EVIL) == "A ]0;owned d 31ma x"
    for nothing in ("", "   ", "\0\x1b", "\u200b\u200e", "\u200d", "\u2028", "\ud800"):
        assert clean(nothing) == ""
    assert len(clean("x" * 100)) == LONGEST


def test_names_are_clean_wherever_they_come_in(tmp_path: Path, place: Place) -> None:
    """At the door, from the screen for a seat and for another name, and from the settings for the table."""
    desk = Desk(tmp_path)
    desk.new("scorepad", EVIL, "\x1b\x1b")
    assert [seat.name for seat in desk.state.seats] == [clean(EVIL), "2"]
    answer: Future[Any] = Future()
    Door(desk.table).join(JoinRequest(code=desk.table.seats.code, seat=1, name=f"B{EVIL}"), "", "here", answer)
    desk.pump()
    assert answer.result(0).name == clean(f"B{EVIL}") == desk.state.seats[1].name
    assert desk.admin("name seat", seat=0, name=f"{EVIL}!").ok
    assert desk.state.seats[0].name == clean(f"{EVIL}!")
    assert not desk.admin("name seat", seat=0, name="\u202e").ok
    assert b"\\u001b" not in (tmp_path / "players.json").read_bytes()
    place.environment["TABLESIDE_TABLE_NAME"] = "Oak\u202e"
    assert place.config().table.name == "Oak"
    place.environment["TABLESIDE_TABLE_NAME"] = "Oak\x1b[2J"
    assert place.config().table.name == "Tableside", "what could steer a terminal is no setting at all"


def _old_game(directory: Path) -> None:
    """Finished before names were cleaned."""
    journal = Journal(directory)
    journal.append("g1", "new", {"pack": "scorepad", "options": {}, "box": {}, "seats": [{"seat": 0, "name": EVIL}]})
    line = {"id": "a", "text": {"key": "x"}, "points": 3}
    tally = {"players": [{"seat": 0, "name": EVIL, "total": 3, "lines": [line]}], "winners": [0]}
    journal.append("g1", "end", {"over": True, "tally": tally})
    journal.close()


@pytest.mark.parametrize(
    "command", [["history"], ["history", "--json"], ["export", "csv"], ["export", "json"], ["export", "g1"]]
)
def test_no_command_prints_what_steers_a_terminal(place: Place, command: list[str]) -> None:
    """Whatever an older journal holds."""
    _old_game(place.root / "state" / "games")
    done = place.python("companion.cli", *command)
    assert done.stdout or done.stderr
    assert not set(done.stdout + done.stderr) & set("\x1b\x07\x9b\u202e\u2066\r\0")


def test_an_older_name_counts_as_it_would_be_kept_today(tmp_path: Path) -> None:
    """Finished games, figures and exports see one name."""
    _old_game(tmp_path)
    (play,) = plays(Journal(tmp_path))
    assert [player.name for player in play.tally.players] == [clean(EVIL)]


def test_what_is_printed_keeps_its_layout_and_nothing_else() -> None:
    """Lines and columns stay; a steering character is seen as what it is, not obeyed."""
    assert printable("a\tb\nc – ł 👩‍👩‍👧") == "a\tb\nc – ł 👩‍👩‍👧"
    assert printable("a\x1b[31mb\x9b\x7f\u202ec") == "a\ufffd[31mb\ufffd\ufffd\ufffdc"


def test_a_log_line_is_one_line() -> None:
    """What a stranger sent does not look like another event, and colours nothing."""
    record = logging.LogRecord(
        "tableside.bus", logging.WARNING, "", 0, "left out: %s", ("x\nERROR forged\x1b[0m",), None
    )
    assert OneLine("%(levelname)s %(message)s").format(record) == "WARNING left out: x\ufffdERROR forged\ufffd[0m"
