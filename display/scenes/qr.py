"""QR codes: ivory card, ink modules, four modules of quiet."""

from __future__ import annotations

from functools import lru_cache

import pygame
import segno

from companion.game import Text
from display.page import Page
from display.touch import Act
from display.widgets import Rect, button, say_key, slab

INK, IVORY = (26, 19, 14), (255, 248, 234)


@lru_cache(maxsize=8)
def _modules(link: str) -> tuple[bytes, ...]:
    """Which modules are dark, row by row: a third of a second for a long link, so once for all sizes it is drawn at."""
    made = segno.make(link, error="l" if len(link) > 120 else "m", boost_error=False)
    return tuple(bytes(row) for row in made.matrix)


@lru_cache(maxsize=32)
def qr(link: str, side: float) -> pygame.Surface:
    """The code with its quiet zone, as large as whole pixels per module allow; the paper is the card's."""
    matrix = _modules(link)
    n = len(matrix) + 8
    scale = max(1, int(side // n))
    picture = pygame.Surface((n * scale, n * scale))
    picture.fill(IVORY)
    picture.set_colorkey(IVORY)  # the card's round corners stay round
    for y, row in enumerate(matrix):
        for x, dark in enumerate(row):
            if dark:
                picture.fill(INK, ((x + 4) * scale, (y + 4) * scale, scale, scale))
    return picture


def put_qr(page: Page, link: str, box: tuple[float, float, float, float]) -> None:
    """A code on its rounded card."""
    x, y, w, h = box
    slab(page, box, IVORY, page.theme.u(34, 20), shadow=False)
    picture = qr(link, min(w, h))
    page.surface.blit(picture, (round(x + (w - picture.get_width()) / 2), round(y + (h - picture.get_height()) / 2)))


def draw_qr_card(page: Page, link: str, text: Text, close: Act) -> None:
    """The large card over everything; any touch closes it, and a key says so."""
    t, c = page.theme, page.c
    high = max(float(t.touch), t.u(86, 66))

    def paint() -> None:
        page.surface.fill(c.bg, (0, 0, t.width, t.height))
        page.touch("qr-close", (0, 0, t.width, t.height), close, grow=0, key="escape")
        side = min(t.width, t.height) * 0.86
        room: Rect
        back: Rect
        if t.kind == "tall":
            put_qr(page, link, ((t.width - side) / 2, t.height * 0.1, side, side))
            room = (t.margin, t.height * 0.1 + side + t.margin, t.width - 2 * t.margin, t.height * 0.2)
            page.text(text, room, "prompt", align="center", lines=4, floor=0.5)
            back = (t.margin, t.height - t.margin - high, t.width - 2 * t.margin, high)
        else:
            put_qr(page, link, (t.margin * 2, (t.height - side) / 2, side, side))
            left = t.margin * 4 + side
            room = (left, t.height * 0.16, t.width - left - 2 * t.margin, t.height * 0.5)
            page.text(text, room, "prompt", lines=6, floor=0.5)
            back = (left, (t.height + side) / 2 - high, room[2], high)
        button(page, "qr-back", back, say_key("back"), close, look="ghost", sign="left")

    page.piece("qr-card", (0, 0, t.width, t.height), (link, text), paint, modal=True)
