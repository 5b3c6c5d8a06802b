"""The pictures of the scenes in `docs/pictures`: made by a command, never by hand."""

from __future__ import annotations

import io
import os
from pathlib import Path

import msgspec
import pygame

from display import samples, scenes
from display.page import Page
from display.paint.die import put_die
from display.paint.sprite import Pen
from display.theme import PLAYERS, TOWERS, Theme
from display.view import View
from display.wording import Wording

WIDE, SMALL, TALL = (1280, 720), (800, 480), (720, 1280)


def render(
    view: View, size: tuple[int, int], language: str, *, light: bool = False, text_size: int = 100
) -> pygame.Surface:
    """One view, still."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    if not pygame.display.get_init():
        pygame.display.init()
        pygame.display.set_mode((64, 64))
    theme = Theme(*size, text_size, light, language=language)
    page = Page(pygame.Surface(size), theme, Wording(language, {seat.seat: seat.name for seat in view.seats}))
    page.motion.still = True
    page.begin(0.0)
    scenes.draw(page, view)
    page.finish()
    return page.surface


def unclear_die() -> bytes:
    """A die under glare, as a camera might send it; drawn here."""
    side = 420
    base = pygame.Surface((side, side), pygame.SRCALPHA)
    base.fill(TOWERS["red"].fill)
    die = pygame.Surface((side, side), pygame.SRCALPHA)
    put_die(Pen(die, 1), 0, 0, side * 0.5, PLAYERS["sun"], 3, (26, 19, 14))
    turned = pygame.transform.rotozoom(die, -12, 1.0)
    base.blit(turned, turned.get_rect(center=(side // 2, side // 2 + 20)))
    glare = pygame.Surface((24, 24), pygame.SRCALPHA)
    for r in range(11, 0, -1):
        pygame.draw.circle(glare, (255, 250, 235, round(235 * (1 - r / 12))), (12, 12), r)
    base.blit(pygame.transform.smoothscale(glare, (230, 200)), (100, 105))
    soft = pygame.transform.smoothscale(pygame.transform.smoothscale(base, (side // 3, side // 3)), (side, side))
    flat = pygame.Surface((side, side), depth=24)
    flat.blit(soft, (0, 0))
    buffer = io.BytesIO()
    pygame.image.save(flat, buffer, "unclear.jpg")
    return buffer.getvalue()


def _question(language: str) -> View:
    return msgspec.structs.replace(samples.question(language), pictures={"slot-red-2": unclear_die()})


def shots() -> list[tuple[str, View, tuple[int, int], str, bool]]:
    """Name, view, size, language, light theme: each scene once."""
    pad = msgspec.structs.replace(samples.pad("en"), local={"scene": "history"})
    return [
        ("table", samples.table("en"), WIDE, "en", False),
        ("table-small", samples.table("pl"), SMALL, "pl", False),
        ("table-upright", samples.table("fr"), TALL, "fr", False),
        ("table-light", samples.table("fr", 3), WIDE, "fr", True),
        ("question", _question("en"), WIDE, "en", False),
        ("tally", samples.tally("fr"), WIDE, "fr", False),
        ("setup", samples.lobby("en"), WIDE, "en", False),
        ("join", samples.joined("pl"), WIDE, "pl", False),
        ("scorepad", samples.pad("en"), SMALL, "en", False),
        ("history", pad, SMALL, "en", False),
        ("generic", samples.generic("fr"), WIDE, "fr", False),
        ("form", samples.entry_form("pl"), WIDE, "pl", False),
        ("health", samples.troubled("pl"), WIDE, "pl", False),
        ("settings", samples.table("fr", scene="settings"), WIDE, "fr", False),
        ("calibration", samples.table("en", scene="calibration"), WIDE, "en", False),
        ("undo", samples.table("pl", scene="undo"), WIDE, "pl", False),
        ("rebuild", samples.rebuilt("en"), WIDE, "en", False),
        ("refusal", samples.refused("fr"), WIDE, "fr", False),
        ("menu", samples.table("en", scene="menu"), SMALL, "en", False),
    ]


def make(folder: Path) -> list[Path]:
    """Draw them all."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, view, size, language, light in shots():
        path = folder / f"{name}.png"
        pygame.image.save(render(view, size, language, light=light), str(path))
        made.append(path)
    return made
