"""What another game of our own touches: its folder, its words, one line of `pyproject.toml`, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

CODE = ("companion", "vision", "display", "firmware_bridge", "systemd")


def files() -> list[Path]:
    """Everything that runs or is read while it runs."""
    wanted = (".py", ".ts", ".css", ".po", ".toml", ".sh", ".service")
    found = [path for room in CODE for path in (ROOT / room).rglob("*") if path.suffix in wanted]
    return [path for path in found if not {"node_modules", "dist", "__pycache__"} & set(path.parts)]


@pytest.mark.parametrize("game", ["yacht", "farkle"])
def test_a_game_of_our_own_is_named_in_its_folder_and_on_one_line(game: str) -> None:
    """Whoever adds another touches nothing else: no list of games, no table of sensors, no case in a screen or phone."""
    home = ROOT / "companion" / "games" / game
    named = re.compile(rf"\b{game}\b", re.IGNORECASE)
    elsewhere = [
        path.relative_to(ROOT).as_posix()
        for path in files()
        if home not in path.parents and named.search(path.read_text(encoding="utf-8"))
    ]
    assert elsewhere == []
    assert {path.name for path in (home / "words").glob("*.po")} == {"en.po", "pl.po", "fr.po"}
    lines = [line for line in (ROOT / "pyproject.toml").read_text().splitlines() if named.search(line)]
    assert lines == [f'{game} = "companion.games.{game}:pack"']


@pytest.mark.parametrize("game", ["yacht", "farkle"])
def test_a_dice_game_fits_on_a_few_pages(game: str) -> None:
    """Rules, robot, camera and panels together: what another afternoon's game has to be compared with."""
    code = (ROOT / "companion" / "games" / game).glob("*.py")
    assert sum(len(path.read_text().splitlines()) for path in code) <= 300


@pytest.mark.parametrize("slot", ["blue-1", "gold-2", "red-3", "violet-4"])
def test_slots_of_the_market_stand_in_skytopias_pack_only(slot: str) -> None:
    """Camera, bridge, printer, calibration and virtual table work from what a game declares."""
    rooms = [
        path
        for path in files()
        if path.suffix == ".py" and path.parts[len(ROOT.parts)] in ("vision", "firmware_bridge")
    ]
    rooms += list((ROOT / "companion" / "virtual").glob("*.py")) + list((ROOT / "companion" / "senses").glob("*.py"))
    column = slot.partition("-")[0]
    listed = re.compile(rf'"{slot}"|\("blue", "gold"|"{column}-')
    assert [path.name for path in rooms if listed.search(path.read_text(encoding="utf-8"))] == []
