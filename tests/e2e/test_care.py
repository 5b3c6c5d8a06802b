"""Backup to a stick and back by touch alone: two tables in processes of their own, one stick, and a finger on each screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.journal.store import Journal
from companion.machine.sticks import MARK, sticks
from companion.virtual.ports import some_ports
from companion.wire.config import DisplayConfig
from companion.wire.messages import State
from display.client import Client as ScreenClient
from display.screen import Screen
from tests.conftest import PATIENCE, Client, Place, Run


class Finger:
    """The real screen's code on a real line to a real table; it touches what is drawn and nothing else."""

    def __init__(self, run: Run) -> None:
        config = run.place.config()
        self.line = Client.room(config, "display")
        size = (800, 480)
        self.client = ScreenClient(self.line.bus, config)
        self.screen = Screen(pygame.display.set_mode(size), self.client, DisplayConfig(width=size[0], height=size[1]))
        self.line.start()
        run.clients.append(self.line)

    def look(self) -> None:
        self.line.bus.pump(0.02)
        self.client.tick(time.monotonic())
        self.screen.step(time.monotonic())

    def until(self, condition: Any, what: str, seconds: float = PATIENCE) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.look()
            if found := condition():
                return found
        raise AssertionError(f"not within {seconds} s: {what}; shown: {self.shown()}")

    def shown(self) -> list[str]:
        return [label.text for label in self.screen.page.labels()]

    def tap(self, start: str) -> None:
        def there() -> Any:
            return next((t for t in self.screen.page.touches() if t.id.startswith(start)), None)

        touch = self.until(there, f"a place to touch called {start}")
        at = (touch.box[0] + touch.box[2] // 2, touch.box[1] + touch.box[3] // 2)
        self.screen.press(at, time.monotonic())
        self.look()
        self.screen.release(at)
        self.look()

    def reads(self, words: str) -> None:
        self.until(lambda: any(words in text for text in self.shown()), words)

    @property
    def state(self) -> State:
        state = self.client.view.state
        assert state is not None
        return state


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "media" / "BLUE"
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    return folder


@pytest.fixture
def tables(tmp_path: Path, stick: Path) -> Iterator[list[Run]]:
    """Two machines."""
    runs: list[Run] = []
    with some_ports() as here, some_ports() as there:
        for name, ports in (("first", here), ("second", there)):
            root = tmp_path / name
            (root / "config").mkdir(parents=True)
            (root / "config" / "tableside.toml").write_text(f'[table]\nsticks = ["{stick.parent}"]\n')
            runs.append(Run(Place(root, ports), "--without", "vision,display,firmware_bridge").start())
        try:
            yield runs
        finally:
            for run in runs:
                run.stop()


def test_restored_on_a_second_machine_by_touch_alone(tables: list[Run], stick: Path) -> None:
    """A game in progress goes from one table to another; the second one's own game is kept as a backup."""
    first, second = (Finger(run) for run in tables)
    first.tap("game-yacht")
    first.tap("start")
    first.until(lambda: first.state.game == "yacht", "a game")
    game = first.state.game_id
    first.tap("menu")
    first.tap("menu-care")
    first.reads("BLUE")
    first.tap("care-backup")
    first.reads("Backed up as")
    (archive,) = stick.glob("tableside-*.zip")
    assert archive.stat().st_mode & 0o077 == 0, "it knows who played"

    second.until(lambda: second.client.view.state is not None, "a table")
    second.tap("menu")
    second.tap("menu-care")
    second.tap("restore ")
    second.tap("restore ")
    second.until(lambda: second.state.game_id == game, "the game of the first table on the second")
    second.tap("menu")
    second.tap("menu-care")
    second.reads("Brought back")
    journal = Journal.reading(tables[1].place.config().state_dir / "games")
    assert [row.body for row in journal.rows(game)][:1] == [first_row(tables[0], game)]
    journal.close()


def first_row(run: Run, game: str) -> dict[str, Any]:
    journal = Journal.reading(run.place.config().state_dir / "games")
    try:
        return journal.rows(game)[0].body
    finally:
        journal.close()


def test_only_what_is_mounted_or_meant_for_it_is_a_stick(tmp_path: Path, stick: Path) -> None:
    (tmp_path / "media" / "home").mkdir()
    (tmp_path / "media" / "link").symlink_to(stick)
    assert [one.name for one in sticks((str(tmp_path / "media"), "/nowhere"))] == ["BLUE"]
    (stick / "tableside-20260101-000000.zip").write_bytes(b"x")
    (stick / "holiday.zip").write_bytes(b"x")
    assert [kept.name for kept in sticks((str(tmp_path / "media"),))[0].backups] == ["tableside-20260101-000000.zip"]
