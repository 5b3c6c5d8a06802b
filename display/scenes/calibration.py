"""Calibration: where the mat lies under the camera, and where the dial begins."""

from __future__ import annotations

from display.page import Page
from display.paint.chronometer import put_chronometer
from display.paint.icons import icon
from display.scenes.common import draw_banner
from display.scenes.question import decoded
from display.status import lines
from display.touch import Go, Order
from display.view import View
from display.widgets import Rect, band_height, button, chip, inset, say_key, slab, split, title_bar

LIVE = "live"
"""The camera's live view, sent while somebody looks at it."""


def draw(page: Page, view: View) -> None:
    """Camera at the left with its live picture, dial at the right with its ring."""
    t = page.theme
    height = band_height(page)
    page.piece(
        "band",
        (0, 0, t.width, height),
        "calibration",
        lambda: title_bar(page, say_key("calibration/title"), back=Go("")) and None,
    )
    body = (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - t.u(28, 14))
    camera, dial = split(body, 2, t.u(20, 10), down=t.kind == "tall")
    blob = view.pictures.get(LIVE, b"")
    known = {line.id: line for line in lines(view)}
    page.piece(
        "camera",
        (camera[0], camera[1], camera[2], camera[3] + 5),
        (hash(blob), known["vision"], camera),
        lambda: _camera(page, view, blob, camera),
    )
    seen = view.dial
    place = round(seen.position + seen.angle, 2) if seen else 0.0
    page.piece(
        "dial",
        (dial[0], dial[1], dial[2], dial[3] + 5),
        (place, seen.state if seen else "", known["firmware_bridge"], dial),
        lambda: _dial(page, view, dial),
    )
    draw_banner(page, view, (t.width * 0.2, height + t.u(6, 4), t.width * 0.6, t.u(84, 64)), page.motion.now)


def _keys(page: Page, box: Rect) -> tuple[Rect, list[Rect]]:
    t = page.theme
    h = max(t.touch, t.u(80, 60))
    x, y, w, room = inset(box, t.u(20, 12))
    return (x, y, w, room - h - t.gap), split((x, y + room - h, w, h), 2, t.gap)


def _camera(page: Page, view: View, blob: bytes, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    room, keys = _keys(page, box)
    x, y, w, h = room
    side = min(w, h - t.u(60, 40))
    shown = decoded(blob, round(side))
    if shown is not None:
        page.surface.blit(shown, (round(x + (w - side) / 2), round(y)))
    else:
        page.blit(icon("camera", side * 0.2, c.faint), x + w / 2, y + side * 0.4)
    line = next(item for item in lines(view) if item.id == "vision")
    page.text(
        line.say if line.level in ("warn", "bad") else say_key("calibration/mat"),
        (x, y + h - t.u(56, 38), w, t.u(56, 38)),
        "label",
        c.warn if line.level in ("warn", "bad") else c.dim,
        align="center",
        lines=2,
        floor=0.5,
    )
    button(page, "look", keys[0], say_key("calibration/look"), Order("vision", "live"), sign="camera")
    button(page, "calibrate-mat", keys[1], say_key("calibration/find-mat"), Order("vision", "calibrate"), sign="check")


def _dial(page: Page, view: View, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    room, keys = _keys(page, box)
    x, y, w, h = room
    r = min(w / 2.2, (h - t.u(60, 40)) / 2.2)
    seen = view.dial
    turned = (seen.position + seen.angle) if seen else 0.0
    n = seen.positions if seen else 6
    faces = tuple((i % 6) + 1 for i in range(n)) if n <= 12 else (1, 2, 3, 4, 5, 6)
    sure = bool(seen and seen.state in ("ready", "turning", "settling"))
    put_chronometer(
        page.surface, x + w / 2, y + r * 1.06, r, t, faces, (), turned=turned, sure=sure, prices_shown=False
    )
    page.text(
        str(seen.position) if seen else "?",
        (x + w / 2 - r * 0.27, y + r * 0.8, r * 0.54, r * 0.54),
        "figure",
        (248, 239, 224),
        align="center",
        floor=0.4,
    )
    line = next(item for item in lines(view) if item.id == "firmware_bridge")
    page.text(
        line.say if line.level in ("warn", "bad") else say_key("calibration/dial"),
        (x, y + h - t.u(56, 38), w, t.u(56, 38)),
        "label",
        c.warn if line.level in ("warn", "bad") else c.dim,
        align="center",
        lines=2,
        floor=0.5,
    )
    button(
        page,
        "set-zero",
        keys[0],
        say_key("calibration/zero"),
        Order("firmware_bridge", "set zero", {"position": 0}),
        sign="dial",
    )
    button(
        page, "confirm-dial", keys[1], say_key("calibration/confirm"), Order("firmware_bridge", "confirm"), sign="check"
    )


def draw_waiting(page: Page, view: View) -> None:
    """Nothing has been said yet: the table is being set."""
    t = page.theme

    def paint() -> None:
        r = min(t.width, t.height) * 0.2
        put_chronometer(page.surface, t.width / 2, t.height * 0.4, r, t, (5, 6, 1, 2, 3, 4), (None, 0, 1, 3, 6, 10))
        page.text(
            say_key("starting"),
            (t.margin, t.height * 0.66, t.width - 2 * t.margin, t.height * 0.14),
            "title",
            align="center",
            floor=0.4,
        )
        if not view.connected:
            w = min(t.width * 0.7, t.u(520, 340))
            chip(
                page,
                ((t.width - w) / 2, t.height * 0.82, w, t.u(44, 32)),
                page.forms("display/health/broker/away"),
                dot=page.c.warn,
            )

    page.piece("waiting", (0, 0, t.width, t.height), view.connected, paint)
