"""Newcomer D5: the X of a window. A demo ends; a table with phones and a camera at it asks first."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from tests.display.test_client import Table


def close(table: Table) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    table.pass_time()
    table.pass_time()


def test_a_running_table_asks_before_its_window_closes(tmp_path: Path) -> None:
    table = Table(tmp_path)
    close(table)
    assert not table.screen.closed
    table.tap("closing-stay")
    assert table.client.view.pick("scene") is None
    close(table)
    table.tap("closing-end")
    assert table.screen.closed


def test_a_demo_s_window_just_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_DEMO", "alone")
    table = Table(tmp_path)
    close(table)
    assert table.screen.closed
