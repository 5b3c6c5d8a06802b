"""One precise question with ranked answers: what did the camera see?"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import pygame

from companion.wire.messages import Answerable, Question
from display.keys import Key, put_key
from display.page import Page
from display.paint.die import die
from display.paint.icons import icon
from display.scenes.common import draw_band
from display.theme import TOWERS
from display.touch import Act, Both, Order, Play, TakeBack
from display.view import View
from display.widgets import Rect, band_height, brass, dots, inset, say_key, slab, split


def draw(page: Page, view: View) -> None:
    """Picture at the left, answers at the right, best first."""
    question = view.prompt.question if view.prompt else None
    if question is None:
        return
    t = page.theme
    ask = view.prompt.ask if view.prompt else None
    draw_band(page, view, _as_ask(question, ask))
    risen = page.motion.fresh("question", question.id, 0 if t.reduced_motion else 180, first=True)
    top = band_height(page) + t.u(40, 14) + t.u(24, 14) * (1 - risen) ** 2
    foot = max(t.touch, t.u(86, 66))
    low = t.height - t.u(24, 8) - foot
    m = t.u(40, 10)
    if t.kind == "tall":
        side = min(t.width - 2 * m, (low - top) * 0.4)
        picture: Rect = ((t.width - side) / 2, top, side, side)
        answers: Rect = (m, top + side + t.u(24), t.width - 2 * m, low - top - side - t.u(48))
    else:
        side = min(t.u(420, 270), low - top - t.u(30, 10))
        picture = (m, top, side, side)
        left = m + side + t.u(40, 14)
        answers = (left, top, t.width - m - left, low - top - t.u(30, 10))
    blob = view.pictures.get(question.picture) or view.pictures.get(question.slot, b"")
    page.piece(
        "picture",
        (picture[0] - 8, picture[1] - 8, side + 16, side + 16),
        (question.id, len(blob), hash(blob)),
        lambda: _picture(page, view, question, blob, picture),
    )
    _answers(page, view, question, answers)
    _foot(
        page, view, (m, low, t.width - 2 * m, foot), picture[2] if t.kind != "tall" else (t.width - 2 * m - t.gap) / 2
    )


def _as_ask(question: Question, ask: Any) -> Any:
    from companion.game import Ask

    place = say_key("question/only-this")
    if question.slot:
        colour, _, row = question.slot.rpartition("-")
        place = say_key("question/place", colour=say_key(f"colour/{colour}"), row=row) if colour in TOWERS else place
    return Ask(ask.seat if ask else None, question.text, help=place)


def _picture(page: Page, view: View, question: Question, blob: bytes, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, inset(box, -t.u(5, 4)), c.shadow, t.u(20, 14), shadow=False)
    x, y, w, h = (round(v) for v in box)
    shown = decoded(blob, (w, h))
    if shown is None:
        slab(page, box, c.surface, t.u(16, 12), shadow=False)
        page.blit(icon("camera", w * 0.13, c.faint), x + w / 2, y + h * 0.4)
        page.text(
            say_key("question/no-picture"),
            (x + w * 0.2, y + h * 0.52, w * 0.6, h * 0.16),
            "label",
            c.dim,
            align="center",
            lines=2,
        )
    else:
        page.surface.blit(shown, (x, y))
    length, pad, width = w * 0.1, w * 0.2, t.u(5, 3)
    for sx in (0, 1):
        for sy in (0, 1):
            cx, cy = x + (w - pad if sx else pad), y + (h - pad if sy else pad)
            dx, dy = (-length if sx else length), (-length if sy else length)
            for end in ((cx + dx, cy), (cx, cy + dy)):
                pygame.draw.line(
                    page.surface, c.brass_hi, (round(cx), round(cy)), (round(end[0]), round(end[1])), width
                )


@lru_cache(maxsize=4)
def _loaded(blob: bytes) -> pygame.Surface | None:
    try:
        return pygame.image.load(io.BytesIO(blob), "picture.jpg") if blob else None
    except pygame.error:
        return None


def shape_of(blob: bytes) -> float:
    """How broad a picture is for its height; 16:9 while there is none."""
    picture = _loaded(blob)
    return picture.get_width() / max(1, picture.get_height()) if picture is not None else 16 / 9


@lru_cache(maxsize=4)
def decoded(blob: bytes, size: tuple[int, int]) -> pygame.Surface | None:
    """The JPEG at the size of its frame; one that cannot be read counts as none.

    A live view brings four per second, none of which is ever shown again: only the last few are kept.
    """
    picture = _loaded(blob)
    if picture is None:
        return None
    w, h = picture.get_size()
    room = max(1, size[0]), max(1, size[1])
    k = max(room[0] / w, room[1] / h)
    large = pygame.transform.smoothscale(
        picture.convert_alpha() if pygame.display.get_surface() else picture, (round(w * k), round(h * k))
    )
    shown = pygame.Surface(room, pygame.SRCALPHA)
    shown.blit(large, ((room[0] - large.get_width()) // 2, (room[1] - large.get_height()) // 2))
    return shown


def _answers(page: Page, view: View, question: Question, box: Rect) -> None:
    t = page.theme
    real = [a for a in question.answers if a.move is not None and a.id != "look"]
    first, second, rest = real[:1], real[1:2], real[2:]
    x, y, w, h = box
    label = t.size("label") * 1.7 if rest else 0
    unit = (h - label - t.gap * 2) / (148 + (124 if second else 0) + (84 if rest else 0)) if rest or second else h / 148
    big, small, row = (
        min(170 * t.scale, 148 * unit),
        min(140 * t.scale, 124 * unit),
        max(t.touch, min(84 * unit, t.u(94, 70))),
    )
    seat = view.prompt.ask.seat if view.prompt else None
    at = y
    for answer, height, best in [(a, big, True) for a in first] + [(a, small, False) for a in second]:
        place = (x, at, w, height)
        content = (answer, view.pending == answer.id)
        page.part(f"answer {answer.id}", place, content, _answer, view, answer, place, best, seat)
        at += height + t.gap
    if rest:
        page.piece(
            "others",
            (x, at, w, label),
            len(rest),
            lambda: page.text(say_key("question/others"), (x, at, w, label), "body", page.c.dim),
        )
        cells = split((x, at + label, w, row), min(len(rest), 4), t.gap)
        for answer, cell in zip(rest, cells, strict=False):
            content = (answer, view.pending == answer.id)
            page.part(f"answer {answer.id}", cell, content, _other, view, answer, cell, seat)


def _act(answer: Answerable, seat: int | None) -> Act:
    return Play(answer.move or {})


def _answer(page: Page, view: View, answer: Answerable, box: Rect, best: bool, seat: int | None) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(answer.id, box, _act(answer, seat), key="return" if best else "")
    ink = c.ink if best else c.text
    if best:
        brass(page, (box[0], box[1] + (2 if pressed else 0), box[2], box[3] - t.u(4, 3)), t.u(20, 14), pressed=pressed)
    else:
        slab(page, box, c.press if pressed else c.raised, t.u(20, 14), shine=True)
    x, y, w, h = box
    if view.pending == answer.id:
        dots(page, box, ink)
        return
    side = min(t.u(84, 56), h * 0.62)
    left = x + t.u(32, 14)
    if "die" in answer.picture:
        what = answer.picture["die"]
        if best:
            pad = side * 0.14
            slab(
                page,
                (left - pad, y + h / 2 - side / 2 - pad, side + 2 * pad, side + 2 * pad),
                (250, 229, 186),
                t.u(16, 10),
                shadow=False,
            )
        page.blit(
            die(t.player(view.colour(what.get("owner"))), int(what.get("face", 0)), side, t),
            left + side / 2,
            y + h / 2 - side * 0.03,
        )
        left += side + t.u(36, 18)
    bar_w = t.u(130, 80)
    room = x + w - left - bar_w - t.u(50, 26)
    note = _consequence(page, answer)
    if note:
        page.text(answer.text, (left, y + h * 0.14, room, h * 0.44), "name", ink, floor=0.4)
        page.text(note, (left, y + h * 0.56, room, h * 0.3), "body", ink if best else c.dim, floor=0.5)
    else:
        page.text(answer.text, (left, y + h * 0.1, room, h * 0.8), "name", ink, floor=0.4, lines=2)
    _bar(page, (x + w - bar_w - t.u(28, 14), y + h / 2 - t.u(7, 5), bar_w, t.u(14, 10)), answer.share, best)


def _consequence(page: Page, answer: Answerable) -> str:
    what = answer.picture
    if "coins" in what and "rounds" in what:
        price = page.say("display/coins", n=int(what["coins"])) if what["coins"] else page.say("display/free")
        return f"{price} · {page.say('display/built-in', n=int(what['rounds']))}"
    return ""


def _bar(page: Page, box: Rect, share: float, best: bool) -> None:
    """How likely, as a bar: nobody plays by percentages."""
    c = page.c
    track, fill = ((186, 146, 78), c.ink) if best else (c.bg, c.brass)
    slab(page, box, track, box[3] / 2, shadow=False)
    slab(page, (box[0], box[1], max(box[3], box[2] * share), box[3]), fill, box[3] / 2, shadow=False)


def _other(page: Page, view: View, answer: Answerable, box: Rect, seat: int | None) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(answer.id, box, _act(answer, seat))
    slab(page, box, c.press if pressed else c.raised, t.u(14, 10), shine=True)
    side = min(t.u(52, 38), box[3] * 0.6)
    if "die" in answer.picture:
        what = answer.picture["die"]
        page.blit(
            die(t.player(view.colour(what.get("owner"))), int(what.get("face", 0)), side, t),
            box[0] + box[2] / 2,
            box[1] + box[3] / 2,
        )
    else:
        page.text(answer.text, inset(box, t.u(10, 6), 2), "button", align="center", lines=2, floor=0.5)


def _foot(page: Page, view: View, box: Rect, first: float) -> None:
    t = page.theme
    x, y, w, h = box
    between = t.gap if t.kind == "tall" else t.u(40, 14)
    # the core's own "look again" drops the question; without it the camera alone is asked
    asked = view.prompt.question if view.prompt else None
    again = next((a for a in asked.answers if a.id == "look" and a.move), None) if asked else None
    look: Act = Order("vision", "look again")
    if again is not None and again.move is not None:
        look = Both((look, Play(again.move)))
    left = (x, y, first, h)
    right = (x + first + between, y, w - first - between, h)
    put_key(page, view, left, Key("look-again", say_key("question/again"), look, look="ghost", sign="camera", key="l"))
    put_key(
        page,
        view,
        right,
        Key("take-back", say_key("question/take-back"), TakeBack(), look="ghost", sign="undo", key="backspace"),
    )
