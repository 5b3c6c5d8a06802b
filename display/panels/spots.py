"""A map of spots: places with owners, and roads between them."""

from __future__ import annotations

from companion.game import Choice
from companion.panels import Spots
from display.page import Page
from display.paint.shapes import mark
from display.paint.sprite import Pen, lay, sprite
from display.panels.sheet import said
from display.scenes.choices import act_for
from display.view import View
from display.widgets import Rect, inset, slab


def draw(page: Page, view: View, panel: Spots, box: Rect, key: str, offered: dict[str, Choice]) -> frozenset[str]:
    """The map in its own proportions, in the middle of its box."""
    t = page.theme
    title = t.u(36, 24) * t.zoom if panel.title is not None else 0.0
    x, y, w, h = inset((box[0], box[1] + title, box[2], box[3] - title), t.u(12, 8))
    wide = min(w, h * panel.ratio)
    high = wide / panel.ratio
    left, top = x + (w - wide) / 2, y + (h - high) / 2
    r = min(t.u(30, 20), wide / 14, high / 8)
    made = frozenset(one.choice for one in panel.spots if one.choice in offered)
    acts = {one: offered[one] for one in sorted(made)}
    at = [(left + r + one.x * (wide - 2 * r), top + r + one.y * (high - 2 * r)) for one in panel.spots]

    def paint(page: Page) -> None:
        c = page.c
        slab(page, box, c.surface, t.u(14, 10))
        if panel.title is not None:
            page.text(
                panel.title,
                (box[0] + t.u(18, 10), box[1] + 2, box[2] - t.u(36, 20), title),
                "label",
                c.dim,
                floor=0.5,
            )
        roads = tuple((at[a], at[b]) for a, b in panel.roads if a < len(at) and b < len(at))
        if roads:

            def lines(pen: Pen) -> None:
                for one, other in roads:
                    ends = [(px - box[0] - box[2] / 2, py - box[1] - box[3] / 2) for px, py in (one, other)]
                    pen.line(ends, c.line, t.u(6, 4))

            picture = sprite(("roads", roads, c.line), box[2], box[3], lines, 2)
            lay(page.surface, picture, (round(box[0]), round(box[1])))
        for spot, (px, py) in zip(panel.spots, at, strict=True):
            choice = acts.get(spot.choice)
            pressed = False
            if choice is not None:
                reach = max(r, t.touch / 2)
                area = (px - reach, py - reach, 2 * reach, 2 * reach)
                pressed = page.touch(choice.id, area, act_for(choice, view.prompt.ask if view.prompt else None), grow=0)
            ring = c.brass if choice is not None else c.line
            slab(
                page,
                (px - r, py - r, 2 * r, 2 * r),
                c.press if pressed else c.raised,
                r,
                shadow=False,
                outline=ring,
                width=3 if choice is not None else 2,
            )
            if spot.seat is not None:
                page.blit(mark(t.player(view.colour(spot.seat)), r * 0.56, t), px, py)
            elif spot.text != "":
                page.text(
                    said(spot.text), (px - r * 0.8, py - r * 0.6, 1.6 * r, 1.2 * r), "chip", align="center", floor=0.4
                )

    page.part(key, box, (panel, view.seats, acts), paint)
    return made
