"""Another version and back: a backup before, what is replaced is kept, a failure half-way undoes itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.core.session import Session
from companion.journal.store import Journal
from companion.wire.messages import SeatInfo
from tests.e2e.test_install import files, install
from tests.journals import open_game

UNIT = "etc/systemd/system/tableside-core.service"


def _version(root: Path, name: str) -> None:
    """An environment as pip would have made it; its command is this very Tableside."""
    program = root / "opt/tableside/venv/bin/tableside"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m companion.cli "$@"\n')
    program.chmod(0o755)
    (root / "opt/tableside/venv/version").write_text(name)


def _running_version(root: Path) -> str:
    return (root / "opt/tableside/venv/version").read_text()


def _points(root: Path) -> int:
    journal = Journal(root / "var/lib/tableside/games")
    game = open_game(journal)
    assert game is not None
    total = Session.resume(journal, game).state.total(0)
    journal.close()
    return int(total)


def _play(root: Path, points: int) -> None:
    journal = Journal(root / "var/lib/tableside/games")
    game = open_game(journal)
    if game is None:
        seats = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))
        session = Session.start(journal, "scorepad", {}, {}, seats)
    else:
        session = Session.resume(journal, game)
    session.play({"kind": "points", "seat": 0, "points": points}, sender="display", cause="touch")
    journal.close()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A root with the first version installed and a game in play."""
    install(tmp_path, "--kiosk", "none")
    _version(tmp_path, "first")
    (tmp_path / UNIT).write_text("[Service]\n# of the first version\n")
    _play(tmp_path, 5)
    return tmp_path


def test_an_update_backs_up_first_and_keeps_what_it_replaces(old: Path) -> None:
    """The archive holds the game; the old environment and units wait beside the new ones."""
    said = install(old, "--update", "--kiosk", "none")
    steps = [line for line in said if line.startswith("+")]
    exchange = ("+ back up games and settings", "+ keep the present version", "+ put the new version", "+ write ")
    order = [next(number for number, step in enumerate(steps) if step.startswith(start)) for start in exchange]
    assert order == sorted(order), "nothing that is installed is touched before the games are safe"
    (archive,) = (old / "var/lib/tableside/backups").glob("*.zip")
    assert archive.stat().st_mode & 0o777 == 0o600
    assert (old / "opt/tableside/previous/venv/version").read_text() == "first"
    assert "# of the first version" in (old / "opt/tableside/previous/units/tableside-core.service").read_text()
    assert "# of the first version" not in (old / UNIT).read_text()
    assert any("--rollback" in line for line in said)


def test_the_way_back_restores_programs_and_keeps_the_games(old: Path) -> None:
    """What was played with the new version is not thrown away unasked."""
    install(old, "--update", "--kiosk", "none")
    _version(old, "second")
    _play(old, 7)
    said = install(old, "--rollback")
    assert _running_version(old) == "first"
    assert "# of the first version" in (old / UNIT).read_text()
    assert _points(old) == 12
    assert any("tableside restore" in line for line in said)
    assert not (old / "opt/tableside/previous").exists()
    assert "nothing was updated" in install(old, "--rollback", code=1)[-1]


def test_the_way_back_can_take_the_games_along(old: Path) -> None:
    """As they were before the update; what is replaced is itself kept as a backup."""
    install(old, "--update", "--kiosk", "none")
    _version(old, "second")
    _play(old, 7)
    install(old, "--rollback", "--games")
    assert _running_version(old) == "first"
    assert _points(old) == 5
    assert len(list((old / "var/lib/tableside/backups").glob("*.zip"))) == 2


def test_an_update_that_fails_half_way_undoes_itself(old: Path) -> None:
    """A file that cannot be written: the old version is back before the script ends, and says so."""
    share = old / "opt/tableside/share"
    for path in sorted(share.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    share.rmdir()
    share.write_text("in the way")
    said = install(old, "--update", "--kiosk", "none", code=1)
    assert any("put back" in line for line in said)
    assert _running_version(old) == "first"
    assert "# of the first version" in (old / UNIT).read_text()
    assert _points(old) == 5


def test_a_backup_that_fails_ends_the_update_before_it_begins(old: Path) -> None:
    """No backup, no update."""
    program = old / "opt/tableside/venv/bin/tableside"
    program.write_text("#!/bin/sh\nexit 1\n")
    before = files(old)
    install(old, "--update", "--kiosk", "none", code=1)
    assert files(old) == before
    assert _running_version(old) == "first"


def test_a_dry_update_shows_the_steps_and_takes_none(old: Path) -> None:
    """Backup and keeping included."""
    before = files(old)
    said = install(old, "--update", "--dry-run", "--kiosk", "none")
    assert "+ back up games and settings" in said
    assert files(old) == before


def test_there_must_be_something_to_update(tmp_path: Path) -> None:
    """One line, nothing written."""
    assert "install first" in install(tmp_path, "--update", code=1)[-1]
    assert files(tmp_path) == set()
