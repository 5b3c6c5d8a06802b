"""Recorded games are drawn prompt by prompt, and the documentation's pictures are the command's own."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import re
from pathlib import Path

import pygame
import pytest

from tests.conftest import ROOT
from tests.display.views import drawn
from tools import pictures, stage
from tools.pictures import main
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


def test_the_pictures_in_the_documentation_come_from_the_real_core() -> None:
    """Newcomer F1: prompts, refusals and lists in them are what the product says; no sample stands in for it."""
    source = inspect.getsource(pictures) + inspect.getsource(stage)
    assert "samples" not in source
    assert "display/demo/" not in source
    pad = pictures._pad()
    kept = pygame.image.load(ROOT / "docs" / "pictures" / "scorepad.png")
    assert kept.get_size() == pictures.render(pad, pictures.SMALL, "en").get_size()
    assert [player.points for player in pad.common.players] == [20, 33, -3]


def test_every_picture_in_the_documentation_is_shown_somewhere_and_none_twice() -> None:
    """Newcomer F2: the chart on a phone was the tally once more."""
    folder = ROOT / "docs" / "pictures"
    texts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    shown = set(re.findall(r"pictures/([\w-]+\.\w+)", texts))
    assert {name for name in shown if not (folder / name).is_file()} == set()
    kept = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    assert len(set(kept.values())) == len(kept)
    assert {name for name in kept if not name.startswith("phone-")} - shown <= UNSHOWN


UNSHOWN = {"praga-action.png", "skyrise-small.png", "skyrise-tally.png"}
"""Made with the others, for whoever looks through the folder."""
