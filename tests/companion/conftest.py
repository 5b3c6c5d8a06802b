"""Cores in memory for every test of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core import registry
from tests.companion import toy
from tests.companion.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """A desk where the toy game can be played."""
    monkeypatch.setattr(registry, "usable", lambda: {"toy": toy.guarded})
    monkeypatch.setattr("companion.core.session.find_pack", lambda name: toy.guarded)
    return Desk(tmp_path)
