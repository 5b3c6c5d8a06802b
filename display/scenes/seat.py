"""One seat of the set-up: name, colour, language, a person or a robot, or leave."""

from __future__ import annotations

import pygame

from display.drafts import GameDraft, SeatDraft
from display.page import Page
from display.paint.shapes import mark
from display.theme import COLOUR_ORDER
from display.touch import Put
from display.view import View
from display.widgets import Rect, button, check_disc, dashed, inset, say_key, slab, split

LEVELS = ("", "easy", "medium", "hard")
"""Who plays: a person, or a robot of this level."""
LANGUAGE_NAMES = {"en": "English", "pl": "Polski", "fr": "Français"}


def _with(wanted: GameDraft, index: int, changed: SeatDraft) -> Put:
    """One seat changed; two players never share a colour: they swap."""
    before = wanted["seats"][index]["colour"]
    seats = [
        changed if i == index else {**other, "colour": before} if other["colour"] == changed["colour"] else other
        for i, other in enumerate(wanted["seats"])
    ]
    return Put({"setup": {**wanted, "seats": seats}})


def draw_seat_sheet(
    page: Page,
    view: View,
    wanted: GameDraft,
    high: int,
    *,
    robots: bool,
    colours: tuple[str, ...] = (),
    stays: bool = False,
) -> None:
    """The sheet of the seat being changed; `robots`: one could sit here; `colours`: those of the game's pieces, where it has its
    own; `stays`: who is to begin keeps the chair."""
    t, c = page.theme, page.c
    index = wanted.get("edit")
    if index is None or index >= len(wanted["seats"]):
        return
    w, h = (
        t.width * (0.94 if t.kind != "wide" else 0.72),
        t.height * (0.94 if t.kind == "small" else 0.5 if t.kind == "tall" else 0.8),
    )
    box = ((t.width - w) / 2, (t.height - h) / 2, w, h)
    done = Put({"setup": {**wanted, "edit": None}})

    def paint() -> None:
        veil = pygame.Surface((t.width, t.height), pygame.SRCALPHA)
        veil.fill((*c.shadow, 190))
        page.surface.blit(veil, (0, 0))
        page.touch("seat-close", (0, 0, t.width, t.height), done, grow=0, key="escape")
        slab(page, box, c.surface, t.u(20, 14), outline=c.line, width=1.5)
        _rows(page, wanted, index, inset(box, t.u(26, 14)), done, robots, colours or COLOUR_ORDER, stays)

    page.piece("seat-sheet", (0, 0, t.width, t.height), (repr(wanted), high, robots, colours, stays), paint, modal=True)


def _rows(
    page: Page,
    wanted: GameDraft,
    index: int,
    box: Rect,
    done: Put,
    robots: bool,
    known: tuple[str, ...],
    stays: bool,
) -> None:
    t, seat = page.theme, wanted["seats"][index]
    name, colours, languages, *who, foot = split(box, 5 if robots else 4, t.u(16, 10), down=True)
    keys = Put({"keys": {"where": "seat", "id": str(index), "text": seat["name"], "fresh": True}})
    button(
        page,
        "seat-name",
        name,
        seat["name"],
        keys,
        role="name",
        sign="pencil",
        look="ghost",
        lines=1,
        align="left",
    )
    for colour, cell in zip(known, split(colours, len(known), t.u(10, 6)), strict=True):
        _colour(page, wanted, index, seat, colour, cell)
    for (code, label), cell in zip(
        LANGUAGE_NAMES.items(), split(languages, len(LANGUAGE_NAMES), t.u(10, 6)), strict=True
    ):
        look = "chosen" if seat["language"] == code else "raised"
        button(page, f"seat-language-{code}", cell, label, _with(wanted, index, {**seat, "language": code}), look=look)
    for row in who:
        _who(page, wanted, index, seat, row)
    cells = split(foot, 3, t.u(16, 10))
    remaining = [s for i, s in enumerate(wanted["seats"]) if i != index]
    if remaining:
        button(
            page,
            "seat-leave",
            cells[0],
            say_key("setup/leave"),
            Put({"setup": {**wanted, "seats": remaining, "edit": None, "first": 0}}),
            look="ghost",
        )
    if index != wanted["first"]:
        begins = {"first": index} if stays else {"seats": [wanted["seats"][index], *remaining], "edit": 0}
        button(
            page,
            "seat-first",
            cells[1],
            say_key("setup/first"),
            Put({"setup": {**wanted, **begins}}),
            look="ghost",
        )
    button(page, "seat-done", cells[2], say_key("setup/done"), done, look="brass", key="return")


def _who(page: Page, wanted: GameDraft, index: int, seat: SeatDraft, box: Rect) -> None:
    """A person, or a robot that plays as well as it is told to."""
    for level, cell in zip(LEVELS, split(box, len(LEVELS), page.theme.u(10, 6)), strict=True):
        label = say_key(f"setup/robot/{level}") if level else say_key("setup/person")
        look = "chosen" if seat["bot"] == level else "raised"
        button(page, f"seat-bot-{level}", cell, label, _with(wanted, index, {**seat, "bot": level}), look=look)


def _colour(page: Page, wanted: GameDraft, index: int, seat: SeatDraft, colour: str, box: Rect) -> None:
    t = page.theme
    paint = t.player(colour)
    chosen = seat["colour"] == colour
    taken = not chosen and any(s["colour"] == colour for s in wanted["seats"])
    pressed = page.touch(f"colour-{colour}", box, _with(wanted, index, {**seat, "colour": colour}))
    spot = (box[0], box[1] + (2 if pressed else 0), box[2], box[3])
    if taken:
        dashed(page, spot, page.c.line, t.u(14, 10))
        page.blit(mark(paint, min(box[2], box[3]) * 0.22, t), box[0] + box[2] / 2, box[1] + box[3] / 2, 0.5)
        return
    slab(page, spot, paint.fill, t.u(14, 10), outline=page.c.text if chosen else None, width=4)
    page.blit(mark(paint, min(box[2], box[3]) * 0.22, t, ink=True), box[0] + box[2] / 2, box[1] + box[3] / 2)
    if chosen:
        check_disc(page, box[0] + box[2] - t.u(16, 11), box[1] + t.u(16, 11), t.u(12, 8), page.c.ok)
