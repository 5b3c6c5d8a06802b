"""What became of another version is said by the core that comes after it, however early that one starts."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.care import Care
from companion.core.updates import ABANDONED
from companion.game import Text
from companion.wire.config import Config, TableConfig
from tests.conftest import until

NAME = "0123456789abcdef"


class Table:
    """All that care asks of a table."""

    def __init__(self, folder: Path) -> None:
        self.config = Config(
            state_dir=folder / "state", config_dir=folder, table=TableConfig(installed=str(folder / "opt"))
        )
        self.notices: dict[str, Text] = {}
        self.bus = SimpleNamespace(call=lambda work: work())

    def notice(self, name: str, text: Text, kind: str) -> None:
        self.notices[name] = text

    def publish(self, events: tuple[Any, ...]) -> None:
        pass


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Installed; the core before this one asked for another version."""
    (tmp_path / "opt").mkdir()
    (tmp_path / "state/update").mkdir(parents=True)
    (tmp_path / "state/update/asked").write_text(NAME)
    return Table(tmp_path)


def say(table: Table, **told: Any) -> Path:
    """Root's half says how far it is."""
    path = Path(table.config.table.installed) / "update.json"
    path.write_text(json.dumps({"id": NAME, "what": "update", **told}))
    return path


def test_a_core_that_starts_before_root_is_done_says_it_when_it_is(table: Table) -> None:
    say(table, percent=90)
    care = Care(table)  # type: ignore[arg-type]
    assert care.look().busy
    say(table, done=True, version="9.9.9")
    until(lambda: not care.look().busy, 20, "the end of it")
    care.close()
    assert table.notices["care"] == Text("care/updated", {"version": "9.9.9"})
    assert not (table.config.state_dir / "update/asked").exists()


def test_what_was_done_before_is_said_at_once(table: Table) -> None:
    say(table, done=True, version="9.9.9")
    care = Care(table)  # type: ignore[arg-type]
    assert not care.look().busy
    care.close()
    assert table.notices == {"care-updated": Text("care/updated", {"version": "9.9.9"})}


def test_nobody_waits_for_an_update_that_the_power_cut_off(table: Table) -> None:
    path = say(table, percent=50)
    long_ago = time.time() - ABANDONED - 1
    os.utime(path, (long_ago, long_ago))
    care = Care(table)  # type: ignore[arg-type]
    assert not care.look().busy
    care.close()
    assert table.notices == {}
