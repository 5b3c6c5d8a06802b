"""The small card beside an answer."""

from __future__ import annotations

from companion.game import Picture
from companion.shown.skytopia import SkytopiaView
from display.page import Page
from display.paint.crests import crest
from display.paint.tokens import coin, sign, star
from display.theme import TOWERS, mix
from display.view import View
from display.widgets import slab

COLOURS = {"B": "blue", "G": "gold", "R": "red", "V": "violet"}
"""A card's name begins with its colour."""


def draw_card(page: Page, view: View, what: Picture, at: tuple[float, float], side: float, fade: float) -> bool:
    """A small card in its colour, with its effect or its crest; `False` when nobody knows its colour."""
    t, (cx, cy), card = page.theme, at, what.get("card") or ""
    colour = (what.get("slot") or what.get("tower") or COLOURS.get(card[:1], "")).split("-")[0]
    enamel = TOWERS.get(colour)
    if enamel is None:
        return False
    paper = mix(enamel.fill, page.c.surface, 1 - fade)
    slab(page, (cx - side * 0.42, cy - side * 0.5, side * 0.84, side), paper, t.u(6, 4), shadow=False)
    effect = view.shown(SkytopiaView).effects.get(card[:2])
    lying = _crest_on(view, what)
    if effect is not None and effect.mark in ("points", "coins"):
        r = side * 0.2
        page.blit(coin(r) if effect.mark == "coins" else star(r, enamel.mark), cx + side * 0.17, cy)
        value = (cx - side * 0.36, cy - side * 0.3, side * 0.34, side * 0.6)
        page.text(str(effect.value), value, "chip", enamel.mark, align="right", size=side * 0.4, floor=0.4)
    elif effect is not None:
        page.blit(sign(effect.mark, side * 0.24, enamel.mark), cx, cy)
    elif lying:
        page.blit(crest(lying, side * 0.26, enamel.mark, enamel.fill), cx, cy)
    return True


def _crest_on(view: View, what: Picture) -> str:
    """The crest of the card in the market this choice is about."""
    for slot in view.shown(SkytopiaView).market.slots:
        if slot.slot == what.get("slot") or slot.card == what.get("card"):
            return slot.crest
    return ""
