"""What one player alone may see of Skyrise, on the screen that was handed to them."""

from __future__ import annotations

from companion.game import Text
from companion.shown.skyrise import SkyriseView
from display.page import Page
from display.tables.skyrise.pieces import faction, put_token
from display.widgets import Rect, split


def draw_secrets(page: Page, own: SkyriseView, box: Rect) -> None:
    """The objective, the patrons' values, and the wonder cards in hand."""
    t, c, secret = page.theme, page.c, own.secret
    if secret is None:
        return
    x, y, w, h = box
    line = min(h / 5, t.u(64, 44) * t.zoom)
    page.text(Text("skyrise/field/objective"), (x, y, w, line * 0.6), "small", c.dim, floor=0.5)
    y += line * 0.6
    if secret.objective:
        r = line * 0.3
        page.blit(faction(secret.objective, r, ground=c.surface), x + r, y + line / 2)
        words = (x + 3 * r, y, w - 3 * r, line)
        page.text(Text(f"skyrise/faction/{secret.objective}"), words, "strong", floor=0.45)
    y += line * 1.1
    for (letter, value), cell in zip(secret.patrons.items(), split((x, y, w, line), 4, t.gap), strict=False):
        r = min(line * 0.32, cell[2] * 0.2)
        put_token(page, letter, cell[0] + r, y + line / 2, r)
        page.text(str(value), (cell[0] + 2.5 * r, y, cell[2] - 2.5 * r, line), "figure", floor=0.4)
    if own.ask is not None or not secret.hand:
        return
    y += line * (1.2 if secret.patrons else 0)
    rows = split((x, y, w, box[1] + h - y), len(secret.hand), t.gap, down=True)
    for card, row in zip(secret.hand, rows, strict=True):
        page.text(Text(f"skyrise/wonder/{card.card}"), (row[0], row[1], row[2], row[3] * 0.4), "strong", floor=0.45)
        told = Text("skyrise/note/card", {"initiative": card.initiative, "effect": card.effect})
        page.text(told, (row[0], row[1] + row[3] * 0.4, row[2], row[3] * 0.6), "body", c.dim, lines=2, floor=0.45)
