"""Nothing of a table is small print on the smallest screen: 16 px is what whoever leans in can read."""

from __future__ import annotations

import pytest

from display.page import Page
from display.touch import Label
from display.widgets import band_height
from tests.conftest import ROOT
from tests.display.views import drawn
from tools import replay

SMALLEST = 16
GAMES = ("four-players-quick", "four-players-quick-drawn", "four-players-digital", "two-players-quick")


def pixels(label: Label) -> float:
    """The size its letters were set at."""
    return label.box[3] / (1 + 1.14 * label.text.count(" / "))


def of_the_table(page: Page) -> list[Label]:
    """Labels between the band and the answers."""
    low = page.theme.height - 88
    return [label for label in page.labels() if band_height(page) < label.box[1] < low - label.box[3]]


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_names_letters_and_numbers_of_skyrise_can_be_read(game: str, language: str) -> None:
    """Wonders on low keys, letters of patrons on the map of all islands, who passed and why."""
    views = list(replay.views(ROOT / f"tests/games/skyrise/{game}.jsonl", language))
    small = set()
    for view in views[:: max(1, len(views) // 24)]:
        page = drawn(view, 800, 480, language)
        small |= {(label.text, pixels(label)) for label in of_the_table(page) if pixels(label) < SMALLEST - 0.5}
    assert small == set()
