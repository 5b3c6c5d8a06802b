"""Camera and dial at work: the live picture with its scores and one instruction, the ring with the steps it felt."""

from __future__ import annotations

from typing import Any

import pygame

from companion.game import Text
from display.keys import Key
from display.page import Page
from display.paint.chronometer import put_chronometer
from display.paint.die import die
from display.paint.icons import icon
from display.paint.shapes import mark
from display.scenes import sites
from display.scenes.question import decoded, shape_of
from display.status import Line, lines
from display.theme import COLOUR_ORDER
from display.touch import Act, Both, Order, Put, Spot
from display.view import View
from display.widgets import Rect, button, check_disc, say_key, slab

CORNERS, COLOURS = "corners", "colours"
"""What is being shown to the camera by hand."""
LIVE = sites.LIVE
"""Sent while somebody looks at it."""
GOOD = 0.75
"""The camera says nothing of a part from here on."""
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("light", ("light", "even", "glare")),
    ("sharp", ("sharp",)),
    ("view", ("mat", "resolution", "angle")),
)
"""Three bars people can do something about, from the six the camera measures."""


def line_of(view: View, room: str) -> Line:
    """How one room is."""
    return next(line for line in lines(view) if line.id == room)


def scores(view: View) -> list[tuple[str, float]]:
    """Light, sharpness and view, each as bad as its worst part."""
    known = view.told.check.parts if view.told.check is not None else {}
    return [(name, min(known[k] for k in keys if k in known)) for name, keys in PARTS if any(k in known for k in keys)]


def instruction(view: View) -> tuple[Text, Text | None, str]:
    """What is wrong first and the one thing to do about it; or that all is well."""
    line = line_of(view, "vision")
    if line.level in ("off", "bad"):
        return line.say, line.do, line.level
    tapped = corners(view)
    if tapped is not None and len(tapped) < 4:
        which = Text(f"vision/corner/{len(tapped)}")
        return say_key("calibration/tap-corner", corner=which), say_key("calibration/tap-corner/do"), "off"
    if sites.tapped(view) is not None:
        return sites.instruction(view)
    if view.pick(COLOURS):
        what = "pieces" if on_spots(view) else "dice"
        return say_key(f"calibration/lay-{what}", n=len(colours(view))), say_key(f"calibration/lay-{what}/do"), "off"
    told = view.told.check
    if told is not None and told.say is not None:
        return told.say, told.do, "warn"
    if line.level == "warn":
        return line.say, line.do, "warn"
    if told is not None:
        return say_key("calibration/good"), say_key("calibration/good/do"), "ok"
    return say_key("calibration/looking"), None, "off"


def camera_content(view: View) -> tuple[Any, ...]:
    """Everything the camera's picture is drawn from."""
    return (
        hash(view.pictures.get(LIVE, b"")),
        repr(scores(view)),
        instruction(view),
        repr(corners(view)),
        (repr(sites.tapped(view)), repr(sites.believed(view)), len(camera_keys(view))),
        view.pick(COLOURS),
    )


def put_camera(page: Page, view: View, box: Rect) -> None:
    """The live picture, three bars beside or below it, and one instruction."""
    t, c = page.theme, page.c
    x, y, w, h = box
    say, do, level = instruction(view)
    words_h = min(h * 0.34, t.u(104, 76) * (1 + 0.4 * (t.zoom - 1)))
    tapping = sites.tapped(view) is not None
    found = [] if tapping else scores(view)
    bars_w = min(w * 0.34, t.u(230, 150)) if found and t.kind != "tall" else 0.0
    bars_h = t.u(96) if found and t.kind == "tall" else 0.0
    room_w, room_h = w - bars_w - (t.gap if bars_w else 0), h - words_h - bars_h
    blob = view.pictures.get(LIVE, b"")
    shape = shape_of(blob)  # the whole picture, whatever the camera's shape: corners are tapped on it
    pw = min(room_w, room_h * shape)
    frame = (x + (room_w - pw) / 2, y, pw, pw / shape)
    slab(page, frame, c.bg, t.u(12, 8), shadow=False, outline=c.line, width=2)
    inside = (frame[0] + 3, frame[1] + 3, round(pw - 6), round(pw / shape - 6))
    shown = decoded(blob, (inside[2], inside[3]))
    if tapping:
        sites.draw(page, view, inside, shape)
    elif shown is not None:
        page.surface.blit(shown, (round(inside[0]), round(inside[1])))
        _corners(page, view, inside)
    else:
        page.blit(icon("camera", min(pw, frame[3]) * 0.2, c.faint), frame[0] + pw / 2, frame[1] + frame[3] / 2)
    if view.pick(COLOURS):
        _dice_in_order(page, view, inside)
    if found:
        side = (x + w - bars_w, y, bars_w, frame[3]) if bars_w else (x, y + room_h, w, bars_h - t.gap)
        _bars(page, found, side)
    put_words(page, say, do, level, (x, y + h - words_h, w, words_h))


def corners(view: View) -> list[list[float]] | None:
    """The corners of the mat tapped so far, as shares of the picture; `None` when nobody is tapping them."""
    found = view.pick(CORNERS)
    return found if isinstance(found, list) else None


def _corners(page: Page, view: View, box: Rect) -> None:
    """While corners are tapped the picture takes them, each with its number."""
    tapped = corners(view)
    if tapped is None:
        return
    t, c = page.theme, page.c
    if len(tapped) < 4:
        page.touch("corner", box, Spot(CORNERS, box), grow=0)
    points = [(box[0] + x * box[2], box[1] + y * box[3]) for x, y in tapped]
    if len(points) > 1:
        pygame.draw.lines(page.surface, c.brass_hi, len(points) == 4, points, t.u(3, 2))
    for i, (x, y) in enumerate(points):
        r = t.u(15, 11)
        slab(page, (x - r, y - r, 2 * r, 2 * r), c.brass, r, shadow=False)
        page.text(str(i + 1), (x - r, y - r, 2 * r, 2 * r), "chip", c.ink, align="center", floor=0.5)


def _dice_in_order(page: Page, view: View, box: Rect) -> None:
    """Which die goes to which slot: the first row from the left, as it lies on the mat."""
    wanted = colours(view)
    side = min(box[2] / (len(wanted) * 1.6), box[3] * 0.2)
    wide = len(wanted) * side * 1.4 + side * 0.4
    strip = (box[0] + (box[2] - wide) / 2, box[1] + box[3] - side * 1.6, wide, side * 1.4)
    slab(page, strip, page.c.surface, side * 0.3, outline=page.c.line)
    for i, colour in enumerate(wanted):
        x = box[0] + box[2] / 2 + (i - (len(wanted) - 1) / 2) * side * 1.4
        paint, middle = page.theme.player(colour), strip[1] + strip[3] / 2
        page.blit(
            mark(paint, side * 0.44, page.theme) if on_spots(view) else die(paint, i % 6 + 1, side, page.theme),
            x,
            middle,
        )


def on_spots(view: View) -> bool:
    """The camera looks for pieces on a board, not for dice."""
    return bool(view.state and view.state.mat and view.state.mat.spots)


def colours(view: View) -> list[str]:
    """Whose dice or pieces are learnt, in the order they are laid: all of the box, the players', or the four usual ones."""
    known = view.state.mat.colours if view.state and view.state.mat else ()
    return list(known) or [seat.colour for seat in view.seats] or list(COLOUR_ORDER[:4])


def camera_keys(view: View) -> list[Key]:
    """What can be done about the camera: find the mat by its print or by its corners, learn the dice, look again."""
    tapped = corners(view)
    if tapped is not None:
        keep: Act = Both((Order("vision", "calibrate", {"corners": tapped}), Put({CORNERS: None})))
        off = None if len(tapped) == 4 else say_key("calibration/corners-left", n=4 - len(tapped))
        return [
            Key("corners-keep", say_key("box/keep"), keep if off is None else Put({}), off=off, sign=""),
            Key("corners-again", say_key("calibration/corners-again"), Put({CORNERS: []}), "ghost"),
            Key("corners-leave", say_key("back"), Put({CORNERS: None}), "ghost"),
        ]
    if sites.tapped(view) is not None:
        return sites.keys(view, shape_of(view.pictures.get(LIVE, b"")))
    if view.pick(COLOURS):
        order = Order("vision", "sample colours", {"colours": colours(view)})
        return [
            Key("colours-measure", say_key("calibration/measure"), Both((order, Put({COLOURS: None})))),
            Key("colours-leave", say_key("back"), Put({COLOURS: None}), "ghost"),
        ]
    return [
        Key("calibrate-mat", say_key("calibration/find-mat"), Order("vision", "calibrate")),
        Key("corners", say_key("calibration/corners"), Put({CORNERS: [], "banner": None})),
        *sites.open_key(view),
        Key(
            "colours",
            say_key("calibration/pieces" if on_spots(view) else "calibration/colours"),
            Put({COLOURS: True, "banner": None}),
        ),
        Key("look", say_key("calibration/look"), Order("vision", "look again")),
    ]


def put_camera_keys(page: Page, view: View, cells: list[Rect]) -> None:
    """The keys where the panel has room for them."""
    role = "button" if page.theme.kind == "wide" and cells[0][2] > page.theme.u(200) else "label"
    for one, cell in zip(camera_keys(view), cells, strict=False):
        button(page, one.id, cell, one.text, one.act, look=one.look, off=one.off, role=role, lines=3)


def _bars(page: Page, found: list[tuple[str, float]], box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    across = t.kind == "tall"
    n = len(found)
    each = (w - t.gap * (n - 1)) / n if across else min(h / n, t.u(96, 62))
    for i, (name, share) in enumerate(found):
        left, top = (x + i * (each + t.gap), y) if across else (x, y + i * each)
        room = each if across else w
        height = h if across else each
        good = share >= GOOD
        page.text(
            say_key(f"calibration/part/{name}"), (left, top, room - t.u(34, 22), height * 0.5), "label", floor=0.6
        )
        if good:
            check_disc(page, left + room - t.u(13, 9), top + height * 0.27, t.u(12, 8), c.ok)
        bar = (left, top + height * 0.58, room, max(8.0, t.u(14, 9)))
        slab(page, bar, c.bg, bar[3] / 2, shadow=False)
        fill = c.ok if good else c.warn
        slab(page, (bar[0], bar[1], max(bar[3], bar[2] * min(1.0, share)), bar[3]), fill, bar[3] / 2, shadow=False)


def put_words(page: Page, say: Text, do: Text | None, level: str, box: Rect) -> None:
    """What works or not, with its sign, and what to do."""
    t, c = page.theme, page.c
    x, y, w, h = box
    colour = {"warn": c.warn, "bad": c.bad, "ok": c.ok}.get(level, c.faint)
    r = min(t.u(18, 13), h * 0.22)
    middle = y + h * (0.5 if do is None else 0.34)
    if level == "ok":
        check_disc(page, x + r, middle, r, c.ok)
    else:
        page.blit(icon("warn" if level in ("warn", "bad") else "minus", r, colour), x + r, middle)
    left, room = x + 2 * r + t.u(16, 10), w - 2 * r - t.u(16, 10)
    if do is None:
        page.text(say, (left, y, room, h), "strong", lines=2, floor=0.5)
        return
    page.text(say, (left, y + h * 0.06, room, h * 0.46), "strong", lines=2, floor=0.5)
    page.text(do, (left, y + h * 0.54, room, h * 0.44), "label", c.dim, lines=2, floor=0.5)


def dial_content(view: View) -> tuple[Any, ...]:
    """Everything the dial's picture is drawn from."""
    seen = view.dial
    place = round(seen.position + seen.angle, 2) if seen else 0.0
    return place, seen.state if seen else "", line_of(view, "firmware_bridge")


def put_dial(page: Page, view: View, cx: float, cy: float, r: float) -> None:
    """The ring as the dial stands, its notch in the middle."""
    seen = view.dial
    turned = (seen.position + seen.angle) if seen else 0.0
    n = seen.positions if seen else 6
    faces = tuple((i % 6) + 1 for i in range(n)) if n <= 12 else (1, 2, 3, 4, 5, 6)
    sure = bool(seen and seen.state in ("ready", "turning", "settling"))
    put_chronometer(page.surface, cx, cy, r, page.theme, faces, (), turned=turned, sure=sure, prices_shown=False)
    box = (cx - r * 0.27, cy - r * 0.26, r * 0.54, r * 0.54)
    page.text(str(seen.position) if seen else "?", box, "figure", (248, 239, 224), align="center", floor=0.4)
