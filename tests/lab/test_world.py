"""The players of a game in the lab know what the machine's journal says, though it lies inside."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.core.session import Session
from companion.journal.store import Journal
from companion.wire.config import Config
from companion.wire.messages import SeatInfo
from tools.lab import world
from tools.lab.world import Elsewhere

SEATS = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))


def test_the_journal_is_fetched_whenever_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, here = tmp_path / "inside", tmp_path / "here"
    monkeypatch.setattr(world, "STATE", str(inside))
    guest = SimpleNamespace(run=lambda command: subprocess.check_output(["sh", "-c", command], text=True))
    journal = Journal(inside / "games")
    session = Session.start(journal, "scorepad", {}, {}, SEATS)
    people = SimpleNamespace(ears=SimpleNamespace(state=SimpleNamespace(game_id=session.game, seq=0)))
    following = Elsewhere(Config(state_dir=here, config_dir=here), people, guest)  # type: ignore[arg-type]
    assert following.read().state.total(0) == 0
    session.play({"kind": "points", "seat": 0, "points": 7}, sender="display", cause="touch")
    assert following.read().state.total(0) == 7
    assert following.row == session.seq
    journal.close()
