"""Recorded games are drawn prompt by prompt, and the documentation's pictures are the command's own."""

from __future__ import annotations

import itertools
from pathlib import Path

import pygame
import pytest

from tests.conftest import ROOT
from tests.display.views import drawn
from tools.pictures import main, shots
from tools.replay import ReplayError, views

GAMES = sorted((ROOT / "tests" / "games").glob("skytopia/*.jsonl"))


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
@pytest.mark.usefixtures("blank_pictures")
def test_every_prompt_of_a_recorded_game_can_be_drawn_and_read(game: Path) -> None:
    """In each language and layout no label is cut; each prompt that asks offers something to touch."""
    seen = list(views(game))
    assert len(seen) == sum(1 for line in game.read_text().splitlines() if '"move"' in line) + 1
    last = seen[-1].state
    assert last is not None and last.phase == "over"
    ways = itertools.cycle(itertools.product(((800, 480), (1280, 720), (720, 1280)), ("en", "pl", "fr"), (100, 150)))
    for view, (size, language, text_size) in zip(seen[:: max(1, len(seen) // 90)], ways, strict=False):
        page = drawn(view, *size, language, text_size)
        cut = [label.text for label in page.labels() if not label.fits and not label.typed]
        assert not cut, (size, language, text_size)
        ask = view.prompt.ask if view.prompt else None
        if ask and any(choice.off is None for choice in ask.choices):
            offered = {touch.id for touch in page.touches()}
            assert offered & ({choice.id for choice in ask.choices} | {choice.group for choice in ask.choices})


def test_a_replay_makes_one_png_per_prompt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command, on a short game."""
    lines = GAMES[0].read_text().splitlines()[:4]
    short = tmp_path / "short.jsonl"
    short.write_text("\n".join(lines) + "\n")
    assert main(["--replay", str(short), str(tmp_path / "out"), "--size", "800x480"]) == 0
    made = sorted((tmp_path / "out").glob("*.png"))
    assert len(made) == 4
    assert pygame.image.load(made[0]).get_size() == (800, 480)
    assert "4 pictures" in capsys.readouterr().out


def test_a_file_that_is_no_game_is_refused_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line is named; nothing is drawn."""
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"game": "chess", "options": {"names": []}}\n{"move": {}}\n')
    assert main(["--replay", str(wrong), str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith("line 1:")
    with pytest.raises(ReplayError, match="line 1"):
        list(views(wrong))


def test_the_pictures_in_the_documentation_are_those_the_command_makes() -> None:
    """Each scene once, at the size it was drawn."""
    folder = ROOT / "docs" / "pictures"
    for name, _, size, _, _ in shots():
        assert pygame.image.load(folder / f"{name}.png").get_size() == size
