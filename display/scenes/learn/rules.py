"""The rules at hand: opened at the rule of the present prompt, all of them a touch away, and found by their words."""

from __future__ import annotations

from companion.game import Text
from companion.wire.rules import Card, rules, search
from display.keys import Key, put_key
from display.leaves import leaf_of
from display.page import Page
from display.scenes.keyboard import draw_keyboard
from display.touch import Act, Both, Go, Put
from display.view import View
from display.widgets import Rect, heading, inset, say_key, slab, split

CARD, FIND, LEAF = "rules-card", "rules", "rules-leaf"


def rule_of(view: View, off: Text | None = None) -> Card | None:
    """The rule behind what is off or was just refused, else the rule of what is asked now."""
    known = rules(view.game)
    refused = off.key if off is not None else view.refusal.code if view.refusal is not None and view.banner else ""
    found = known.refused(refused) if refused else None
    if found is None and view.prompt is not None:
        found = known.asked(view.prompt.ask.text.key)
    return found


def opened(view: View) -> Act:
    """Go to the rules, at the one that matters now."""
    card = rule_of(view)
    return Both((Put({CARD: card.id if card else None, FIND: None, LEAF: None}), Go("rules")))


def draw(page: Page, view: View) -> None:
    """One card, or all that fit what is looked for."""
    card = next((one for one in rules(view.game).cards if one.id == view.pick(CARD)), None)
    height = heading(page, say_key("menu/rules"), Go(""))
    if card is not None:
        _one(page, view, card, height)
    else:
        _all(page, view, height)
    draw_keyboard(page, view)


def _foot(page: Page) -> list[Rect]:
    t = page.theme
    h = max(t.touch, t.u(82, 62))
    return split((t.margin, t.height - t.u(18, 8) - h, t.width - 2 * t.margin, h), 2, t.gap)


def _one(page: Page, view: View, card: Card, height: float) -> None:
    t, c = page.theme, page.c
    keys = _foot(page)
    box = (t.margin, height + t.u(14, 8), t.width - 2 * t.margin, keys[0][1] - height - t.u(30, 16))
    title, text = card.said(page.words.language)

    def paint() -> None:
        slab(page, box, c.surface, t.u(20, 14))
        x, y, w, h = inset(box, t.u(34, 18), t.u(20, 10))
        page.text(title, (x, y, w, h * 0.2), "title", c.brass_text, floor=0.5)
        page.text(text, (x, y + h * 0.22, w, h * 0.66), "prompt", lines=7, floor=0.35, valign="top")
        if card.page:
            page.text(say_key("rules/page", page=card.page), (x, y + h * 0.9, w, h * 0.1), "label", c.dim, floor=0.6)

    page.piece("rule", box, (card.id, box, page.words.language), paint)
    put_key(page, view, keys[0], Key("rules-all", say_key("rules/all"), Put({CARD: None}), "ghost"))
    put_key(page, view, keys[1], Key("rules-on", say_key("menu/on"), Go(""), "brass"))


def _all(page: Page, view: View, height: float) -> None:
    t = page.theme
    keys = _foot(page)
    words = str((view.pick(FIND) or {}).get("words", ""))
    found = search(view.game, page.words.language, words)
    body = (t.margin, height + t.u(14, 8), t.width - 2 * t.margin, keys[0][1] - height - t.u(30, 16))
    columns = 1 if t.kind == "tall" else 2
    rows = max(1, int((body[3] + t.gap) / (max(t.touch, t.u(72, 58)) + t.gap)))
    leaf = leaf_of(view, LEAF, len(found), rows * columns)
    cells = [cell for row in split(body, rows, t.gap, down=True) for cell in split(row, columns, t.gap)]
    for card, cell in zip(leaf.of(found), cells, strict=False):
        name = card.said(page.words.language)[0]
        put_key(page, view, cell, Key(f"rule {card.id}", name, Put({CARD: card.id}), align="left"))
    if not found:
        none = say_key("rules/none", words=words)
        page.piece(
            "rules none", body, words, lambda: page.text(none, body, "body", page.c.dim, align="center", lines=2)
        )
    typing = {"where": FIND, "id": "words", "text": words}
    look_for = say_key("rules/found", words=words) if words else say_key("rules/find")
    put_key(page, view, keys[0], Key("rules-find", look_for, Put({"keys": typing, LEAF: None}), "ghost"))
    for key in leaf.keys("rules-leaf", sign="right"):
        put_key(page, view, keys[1], key)
