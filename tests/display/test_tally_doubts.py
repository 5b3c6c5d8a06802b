"""The last screen says which lines rest on printed values nobody checked, in words that can be read."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
import pytest

from benches import samples
from companion.game import PlayerTally, Tally, TallyLine, Text
from companion.wire.messages import SeatInfo, State
from display.page import Page
from display.scenes.tally import tally as scene
from display.theme import COLOUR_ORDER, Theme
from display.view import View
from display.wording import Wording
from tests.display.views import label_faults

KEYS = ("bases.blue.tiers", "effects.B4.tiers", "abilities.T3A.cards")


@pytest.fixture(autouse=True, scope="module")
def _video():
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((64, 64))


def last_screen(doubts, language, width, height):
    """Skytopia's tally with the track of the first player looked at."""
    names = ("Magda", "Louis")
    line = TallyLine("track", Text("skytopia/line/track"), 20, Text("skytopia/reason/track", {"n": 20}), doubts)
    players = tuple(PlayerTally(seat, name, 20 - seat, (line,)) for seat, name in enumerate(names))
    seats = tuple(SeatInfo(seat=i, name=name, colour=COLOUR_ORDER[i]) for i, name in enumerate(names))
    tally = Tally(players, (0,), None, doubts)
    state = State(table="table", phase="over", game="skytopia", seats=seats, tally=tally)
    view = View(state=state, health=samples.table().health, local={"cell": (0, 0), "revealed": True})
    theme = Theme(width, height, 100, language=language)
    page = Page(pygame.Surface((width, height)), theme, Wording(language, dict(enumerate(names))))
    page.motion.still = True
    page.begin(100.0)
    scene.draw(page, view)
    page.finish()
    return page


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_of_many_unchecked_values_one_is_named_and_the_others_counted(size, language):
    page = last_screen(KEYS, language, *size)
    assert label_faults(page.labels(), *size) == []
    said = [label.text for label in page.labels() if "(+2)" in label.text]
    assert len(said) == 1


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize(
    "size", [(480, 320), (800, 480), (1280, 720), (720, 1280)], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_a_touched_number_says_where_it_comes_from_also_when_it_is_in_doubt(size, language):
    """Newcomer D12: the printed value nobody has checked stood in the place of the reason."""
    page = last_screen(KEYS, language, *size)
    reason = page.say(Text("skytopia/reason/track", {"n": 20}))
    assert any(reason in label.text.replace(" / ", " ") for label in page.labels())


def test_a_single_unchecked_value_is_named_alone():
    page = last_screen(KEYS[:1], "en", 1280, 720)
    told = " ".join(label.text for label in page.labels())
    assert "Rests on a printed value nobody has checked" in told
    assert "(+" not in told
