"""The parts every scene is made of: panels, buttons, chips, the top band, banners, steppers."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pygame

from companion.game import Text
from display.page import Page, Texts
from display.paint.icons import icon
from display.paint.shapes import mark
from display.paint.sprite import Pen, lay, sprite, vertical
from display.theme import RGB, Player, mix, rgb
from display.touch import Act, Go
from display.view import View

Rect = tuple[float, float, float, float]
DARK = 330
"""Red, green and blue together: up to here a fill takes light signs (the light theme's colours are dark)."""


def inset(box: Iterable[float], dx: float, dy: float | None = None) -> Rect:
    """The box without its margin."""
    x, y, w, h = box
    dy = dx if dy is None else dy
    return x + dx, y + dy, w - 2 * dx, h - 2 * dy


def split(box: Iterable[float], n: int, gap: float, *, down: bool = False) -> list[Rect]:
    """The box in `n` equal parts."""
    x, y, w, h = box
    if n <= 0:
        return []
    if down:
        each = (h - gap * (n - 1)) / n
        return [(x, y + i * (each + gap), w, each) for i in range(n)]
    each = (w - gap * (n - 1)) / n
    return [(x + i * (each + gap), y, each, h) for i in range(n)]


def slab(
    page: Page,
    box: Iterable[float],
    fill: RGB,
    radius: float,
    *,
    shadow: bool = True,
    outline: RGB | None = None,
    width: float = 2.0,
    shine: bool = False,
) -> None:
    """A rounded rectangle with a hard shadow; smooth corners come from the sprite cache."""
    x, y, w, h = (round(v) for v in box)
    drop = page.theme.u(3, 3) if shadow else 0
    key = ("slab", fill, round(radius), outline, round(width * 2), drop, shine, page.theme.light)
    c = page.c

    def paint(pen: Pen) -> None:
        left, top = -w / 2, -(h + drop) / 2
        if drop:
            pen.rect(left, top + drop, w, h, c.shadow, radius)
        if outline is not None:
            pen.rect(left, top, w, h, outline, radius)
            pen.rect(left + width, top + width, w - 2 * width, h - 2 * width, fill, radius - width)
        elif shine:
            pen.rect(left, top, w, h, mix(fill, (255, 255, 255), 0.08), radius)
            pen.rect(left, top + 1.5, w, h - 1.5, fill, radius)
        else:
            pen.rect(left, top, w, h, fill, radius)

    lay(page.surface, sprite(key, w, h + drop, paint, 2 if w * h > 90000 else 3), (x, y))


def dashed(page: Page, box: Iterable[float], colour: RGB, radius: float) -> None:
    """A dashed outline: not possible, not there, not yet."""
    width = 2.0
    x, y, w, h = (round(v) for v in box)

    def paint(pen: Pen) -> None:
        a, b, r = w / 2 - width, h / 2 - width, radius
        for sx in (-1, 1):
            for sy in (-1, 1):
                start = {(1, -1): 0, (1, 1): 90, (-1, 1): 180, (-1, -1): 270}[(sx, sy)]
                pen.arc(sx * (a - r), sy * (b - r), r, start + 12, start + 78, colour, width)
        dash = 9.0
        for length, across, level in ((a - r, False, b), (b - r, True, a)):
            count = max(1, int(2 * length / (dash * 1.8)))
            for i in range(count):
                p = -length + (i + 0.5) * 2 * length / count
                for side in (-1, 1):
                    ends = ((p - dash / 2, side * level), (p + dash / 2, side * level))
                    pen.line([(v, u) if across else (u, v) for u, v in ends], colour, width)

    lay(page.surface, sprite(("dashed", colour, round(radius)), w, h, paint, 2), (x, y))


def brass(page: Page, box: Iterable[float], radius: float, *, pressed: bool = False) -> None:
    """The one brass button of a screen."""
    x, y, w, h = (round(v) for v in box)
    lip = page.theme.u(4, 3)

    def paint(pen: Pen) -> None:
        pen.rect(-w / 2, -h / 2 + lip - lip / 2, w, h, rgb("7C5923"), radius)
        top, low = (rgb("E4B766"), rgb("C9923A")) if pressed else (rgb("F3CD82"), rgb("DDA544"))
        face = pygame.Surface(pen.surface.get_size(), pygame.SRCALPHA)
        own = Pen(face, pen.fine)
        own.rect(-w / 2, -(h + lip) / 2, w, h, (255, 255, 255, 255), radius)
        shade = (
            vertical(face.get_width(), round(h * pen.fine), top, low).convert_alpha()
            if pygame.display.get_init() and pygame.display.get_surface()
            else vertical(face.get_width(), round(h * pen.fine), top, low)
        )
        face.blit(shade, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        pen.surface.blit(face, (0, 0))

    lay(page.surface, sprite(("brass", round(radius), pressed, lip), w, h + lip, paint, 2), (x, y))


def button(
    page: Page,
    id: str,
    box: Rect,
    what: Texts | None,
    act: Act | None,
    *,
    look: str = "raised",
    sign: str = "",
    role: str = "button",
    off: Texts | None = None,
    pending: bool = False,
    repeats: bool = False,
    note: Texts | None = None,
    key: str = "",
    lines: int = 2,
    align: str = "center",
) -> None:
    """A button: `raised`, `ghost`, `brass` or `chosen`; `off` stays in place, dashed, with its reason."""
    t, c = page.theme, page.c
    pressed = page.touch(id, box, act, repeats=repeats, key=key) if act is not None else False
    radius = min(t.u(16, 12), box[3] / 2)
    ink = c.text
    if off is not None:
        dashed(page, box, c.line if not pressed else c.dim, radius)
        ink = c.faint
        note = off
    elif look == "brass":
        box = (box[0], box[1] + (2 if pressed else 0), box[2], box[3] - t.u(4, 3))
        brass(page, box, radius, pressed=pressed)
        ink = c.ink
    elif look == "ghost":
        box = _sunk(box, pressed)
        slab(page, box, c.press if pressed else c.bg, radius, shadow=False, outline=c.line, width=2)
        ink = c.dim
    elif look == "chosen":
        box = _sunk(box, pressed)
        slab(page, box, c.brass, radius, shadow=False)
        ink = c.ink
    else:
        box = _sunk(box, pressed)
        slab(page, box, c.press if pressed else c.raised, radius, shine=True)
    if pending:
        dots(page, box, ink)
        return
    _inside_button(page, box, what, sign, role, ink, note, off is not None, look, lines, align)


def _sunk(box: Rect, pressed: bool) -> Rect:
    return (box[0], box[1] + 2, box[2], box[3]) if pressed else box


def _inside_button(
    page: Page,
    box: Rect,
    what: Texts | None,
    sign: str,
    role: str,
    ink: RGB,
    note: Texts | None,
    off: bool,
    look: str,
    lines: int,
    align: str,
) -> None:
    t, c = page.theme, page.c
    x, y, w, h = inset(box, t.u(12, 7), t.u(5, 3))
    if sign:
        r = min(t.u(17, 14), h * 0.32)
        if what is None:
            page.blit(icon(sign, r, ink), x + w / 2, y + h / 2)
            return
        before = 2 * r + t.u(16, 9)
        if align == "center" and note is None:  # sign and words stand in the middle as one
            x += max(0.0, (w - before - page.wide(what, (w - before, h), role, lines=lines, floor=0.5)) / 2 - t.u(3, 1))
        page.blit(icon(sign, r, ink), x + r + t.u(6, 3), y + h / 2)
        x, w = x + before, box[0] + box[2] - t.u(12, 7) - x - before
        align = "left"
    if note is not None:
        words = c.warn if off else (c.ink if look in ("brass", "chosen") else c.dim)
        share = page.share_above((what or "", role, 1), (note, "label", 2), (w, h * 0.96), (0.56, 0.46)) * 0.96
        page.text(what or "", (x, y + h * 0.02, w, h * share), role, ink, align=align, lines=1, floor=0.55)
        low = h * (0.02 + share)
        page.text(note, (x, y + low, w, h * 0.98 - low), "label", words, align=align, lines=2, floor=0.6)
    elif what is not None:
        page.text(what, (x, y, w, h), role, ink, align=align, lines=lines, floor=0.5)


def dots(page: Page, box: Iterable[float], colour: RGB) -> None:
    """Sent, not yet answered."""
    x, y, w, h = box
    for i in (-1, 0, 1):
        r = page.theme.u(6, 4)
        pygame.draw.circle(
            page.surface,
            mix(colour, page.c.raised, 0.2 + 0.2 * (i + 1)),
            (round(x + w / 2 + i * 3 * r), round(y + h / 2)),
            r,
        )


def chip(
    page: Page, box: Rect, what: Texts, *, dot: RGB | None = None, look: str = "raised", align: str = "center"
) -> None:
    """Two words in a pill."""
    c = page.c
    fill, ink = {"brass": (c.brass, c.ink), "dark": (c.bg, c.brass_hi)}.get(look, (c.raised, c.dim))
    if look == "line":
        slab(page, box, c.bg, box[3] / 2, shadow=False, outline=c.line, width=2)
        ink = c.faint
    else:
        slab(page, box, fill, box[3] / 2, shadow=False)
    x, y, w, h = inset(box, box[3] * 0.34, 0)
    if dot is not None:
        x += max(0.0, (w - h * 0.46 - page.wide(what, (w - h * 0.46, h), "chip")) / 2)
        w = box[0] + box[2] - box[3] * 0.34 - x
        pygame.draw.circle(page.surface, dot, (round(x + h * 0.14), round(y + h / 2)), round(h * 0.17))
        x, w, align = x + h * 0.46, w - h * 0.46, "left"
    page.text(what, (x, y, w, h), "chip", ink, align=align, floor=0.6)


def band_height(page: Page) -> int:
    """The top band grows a little with the text."""
    tall = 1.3 if page.theme.kind == "tall" else 1.0
    return round(page.theme.u(108, 76) * tall * (1 + 0.3 * (page.theme.zoom - 1)))


def block_width(page: Page, name: str) -> int:
    """The player's block: as wide as the name asks, within reason."""
    from display import fonts

    t = page.theme
    height = band_height(page)
    least, most = t.u(240 if t.kind == "tall" else 318, 216), t.width * (0.36 if t.kind == "tall" else 0.34)
    size = round(t.size("name"))
    return round(min(most, max(least, height * 0.75 + fonts.width(name, "serif-bold", size) + height * 0.34)))


def band(
    page: Page,
    view: View,
    seat: int | None,
    title: Texts,
    help: Texts | None,
    *,
    colour: str | None = None,
    name: str | None = None,
    right: Rect | None = None,
    wiped: float = 1.0,
    breath: float = 0.0,
) -> None:
    """Whose turn it is and what to do now: the one sentence of the screen."""
    t, c = page.theme, page.c
    height = band_height(page)
    player = t.player(colour or view.colour(seat)) if seat is not None or colour else None
    shown = name if name is not None else (view.name(seat) if seat is not None else page.say("display/everybody"))
    width = block_width(page, shown)
    _block(page, player, shown, width, height, wiped, breath)
    pygame.draw.line(page.surface, c.line, (0, height - 1), (t.width, height - 1), 2)
    left = width + t.u(14, 10)
    room = (right[0] if right else t.width) - t.margin - left
    if help:
        usual = 0.5 if t.kind == "tall" else 0.56
        share = page.share_above((title, "prompt", 3), (help, "body", 3), (room, height * 0.91), (usual, 0.42))
        page.text(title, (left, height * 0.05, room, height * share), "prompt", lines=3, floor=0.36)
        low = height * (0.04 + share)
        page.text(help, (left, low, room, height * 0.95 - low), "body", c.dim, lines=3, floor=0.5)
    else:
        page.text(title, (left, height * 0.06, room, height * 0.88), "prompt", lines=3, floor=0.36)


def _block(
    page: Page, player: Player | None, name: str, width: int, height: int, wiped: float, breath: float = 0.0
) -> None:
    t, c = page.theme, page.c
    fill = mix(player.fill if player else c.brass, rgb("FFF8EA"), 0.5 * round(breath * 12) / 12)
    slant = round(0.28 * min(height, page.theme.u(108, 76)))

    def paint(pen: Pen) -> None:
        points = [
            (-width / 2, -height / 2),
            (width / 2, -height / 2),
            (width / 2 - slant, height / 2),
            (-width / 2, height / 2),
        ]
        pen.polygon(points, fill)

    lay(page.surface, sprite(("block", fill), width, height, paint, 2), (round(-width * (1 - wiped) ** 3), 0))
    r = 0.2 * min(height, t.u(108, 76))
    x = t.margin + r
    if player:
        page.blit(mark(player, r, t, ink=True), x + t.u(4, 2), height / 2)
    else:
        page.blit(icon("book", r, c.ink), x + t.u(4, 2), height / 2)
    left = x + r + t.u(18, 12)
    page.text(
        name,
        (left, height * 0.12, width - slant * 0.9 - left, height * 0.76),
        "name",
        c.ink,
        floor=0.34,
        lines=2,
        typed=True,
    )


def heading(page: Page, title: Text, back: Act | None, *, right: float = 0.0) -> int:
    """The title of a scene that is nobody's turn, as a piece of its own; `right` is left free. Returns where the body begins."""
    height = band_height(page)
    box = (0, 0, page.theme.width - right, height)
    page.piece("band", box, (title, repr(back), right), lambda: _title(page, title, back, box))
    return height


def _title(page: Page, title: Text, back: Act | None, box: Rect) -> None:
    t, height = page.theme, box[3]
    left = t.margin + t.u(12, 8)
    if back is not None:
        side = max(t.touch, round(height * 0.72))
        button(
            page,
            "back",
            (t.margin, (height - side) / 2, side, side),
            None,
            back,
            look="ghost",
            sign="left",
            key="escape",
        )
        left = t.margin + side + t.u(20, 12)
    end = box[2] - t.margin
    page.text(title, (left, 0, end - left - t.gap, height), "title", lines=2, floor=0.5)


def status_chip(page: Page, view: View, box: Rect) -> None:
    """One health chip: what is wrong, in two words; a touch tells more."""
    from display.status import worst

    found = worst(view)
    colour = {"warn": page.c.warn, "bad": page.c.bad}.get(found.level, page.c.ok)
    page.touch("health", box, Go("health"), grow=max(0, (page.theme.touch - box[3]) / 2 + 1))
    chip(page, box, page.forms(found.short), dot=colour)


def check_disc(page: Page, cx: float, cy: float, r: float, colour: RGB) -> None:
    """Done."""

    def paint(pen: Pen) -> None:
        pen.circle(0, 0, r, colour)
        ink = rgb("1A130E" if sum(colour) > DARK else "FFF8EA")
        pen.line([(-0.42 * r, 0.02 * r), (-0.1 * r, 0.36 * r), (0.46 * r, -0.34 * r)], ink, 0.18 * r)

    page.blit(sprite(("check-disc", colour, round(r * 2)), 2 * r + 2, 2 * r + 2, paint), cx, cy)


def day_of(seconds: float) -> Text:
    """A day as the screen's language writes it."""
    when = time.localtime(seconds)
    month = say_key(f"month/{when.tm_mon}")
    return say_key("day", day=str(when.tm_mday), month=month, year=str(when.tm_year))


def say_key(key: str, **params: int | str | Text) -> Text:
    """A sentence of this screen's own catalogue."""
    return Text(f"display/{key}", dict(params))
