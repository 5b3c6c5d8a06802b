"""Only what changed is painted; the screen then shows, to the last pixel, what painting everything would show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from companion.wire.messages import DialSeen
from display import scenes
from display.page import Page
from display.screen import Screen
from display.touch import Setting
from display.wording import Wording
from tests.conftest import ROOT
from tests.display.test_client import Table
from tools.replay import views

MOMENTS = 61
"""Of each game, evenly from its first prompt to its tally: 183 of three games."""


def pixels(surface: pygame.Surface) -> NDArray[np.uint8]:
    """What a surface shows."""
    rows = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return rows.reshape(surface.get_height(), surface.get_width(), 3)


def whole(screen: Screen) -> pygame.Surface:
    """The view on this screen, painted on an empty page."""
    view, theme = screen.client.view, screen.page.theme
    page = Page(pygame.Surface(screen.surface.get_size()), theme, Wording(theme.language))
    page.words.names = {seat.seat: seat.name for seat in view.seats}
    page.begin(screen.page.motion.now)
    scenes.find(scenes.named(view))(page, view)
    page.finish()
    return page.surface


@pytest.mark.parametrize("game", ["skytopia/four-players", "praga/three-players", "skyrise/three-players-digital"])
def test_a_game_painted_piece_by_piece_looks_as_if_painted_whole(tmp_path: Path, game: str) -> None:
    """Move by move, with the dial turning and cards picked on the way, no pixel differs."""
    table = Table(tmp_path, (1280, 720))
    table.client.perform(Setting({"reduced_motion": True}))
    seen = list(views(ROOT / "tests" / "games" / f"{game}.jsonl"))
    painted = 0
    for number in range(MOMENTS):
        view = seen[number * (len(seen) - 1) // (MOMENTS - 1)]
        for room in view.health.values():
            table.core.publish(f"health/{room.room}", room)
        table.core.publish("sensor/dial", DialSeen(state="ready", ts=float(number), position=number % 6))
        frames = table.screen.frames
        table.show(view)
        if number % 3 == 0 and view.prompt is not None:
            groups = [choice.group for choice in view.prompt.ask.choices if choice.group]
            table.client.put(slot=groups[-1] if groups else None)
            table.pass_time()
        table.pass_time(10.0)  # whatever moved has arrived, and banners are over
        painted += table.screen.frames - frames
        differ = (pixels(table.screen.surface) != pixels(whole(table.screen))).any(axis=2)
        assert not differ.any(), (number, int(differ.sum()), [int(at.min()) for at in np.nonzero(differ)])
    assert painted >= MOMENTS
