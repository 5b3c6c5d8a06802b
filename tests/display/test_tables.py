"""Each game's own table comes through one door; what every game shares knows no game."""

from __future__ import annotations

from pathlib import Path

import pytest

from display import tables
from display.tables import GameScreen, screen_of
from tests.companion.test_rooms import imports_of
from tests.conftest import ROOT

GAMES = ("skytopia", "praga", "skyrise", "scorepad")
SHARED = [
    file
    for file in sorted((ROOT / "display").rglob("*.py"))
    if not any(f"tables/{game}/" in file.as_posix() for game in GAMES)
]


@pytest.mark.parametrize("file", SHARED, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_every_game_shares_imports_no_game(file: Path) -> None:
    """A new game touches none of these files."""
    for module in imports_of(file):
        assert not any(module.startswith(f"display.tables.{game}") for game in GAMES), module


@pytest.mark.parametrize("game", GAMES)
def test_our_own_games_come_through_the_strangers_door(game: str) -> None:
    """Entry points, as for anybody."""
    assert type(screen_of(game)).__module__ == f"display.tables.{game}"


def test_a_game_without_a_screen_gets_the_generic_one() -> None:
    """Everything has a default."""
    assert type(screen_of("ludo")) is GameScreen


class Broken:
    """An entry point whose module raises something nobody expects."""

    def load(self) -> object:
        raise RuntimeError("no such font")


def test_a_screen_that_cannot_be_loaded_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is shown all the same."""
    monkeypatch.setattr(tables, "entry_points", lambda **_: [Broken()])
    screen_of.cache_clear()
    try:
        assert type(screen_of("skytopia")) is GameScreen
    finally:
        screen_of.cache_clear()
