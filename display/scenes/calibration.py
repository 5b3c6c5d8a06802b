"""Calibration: where the mat lies under the camera, and where the dial begins."""

from __future__ import annotations

from display.page import Page
from display.paint.chronometer import put_chronometer
from display.scenes import sensors, sites
from display.scenes.common import draw_banner
from display.touch import Go, Order
from display.view import View
from display.widgets import Rect, button, chip, heading, inset, say_key, slab, split


def draw(page: Page, view: View) -> None:
    """Camera at the left with its live picture, dial at the right with its ring."""
    t = page.theme
    height = heading(page, say_key("calibration/title"), Go(""))
    x, y, w, h = (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - t.u(28, 14))
    gap = t.u(20, 10)
    tapping = sites.tapped(view) is not None  # the picture is wanted as large as it can be
    if tapping:
        camera: Rect = (x, y, w, h)
    elif t.kind == "tall":
        camera = (x, y, w, h * 0.54)
        dial: Rect = (x, y + h * 0.54 + gap, w, h * 0.46 - gap)
    else:
        camera = (x, y, w * 0.6, h)
        dial = (x + w * 0.6 + gap, y, w * 0.4 - gap, h)
    page.part("camera", camera, sensors.camera_content(view), _camera, view, camera)
    if not tapping:
        page.part("dial", dial, sensors.dial_content(view), _dial, view, dial)
    draw_banner(page, view, (t.width * 0.2, height + t.u(6, 4), t.width * 0.6, t.u(84, 64)), page.motion.now)


def _keys(page: Page, box: Rect, n: int = 2) -> tuple[Rect, list[Rect]]:
    t = page.theme
    h = max(t.touch, t.u(80, 60))
    x, y, w, room = inset(box, t.u(20, 12))
    return (x, y, w, room - h - t.gap), split((x, y + room - h, w, h), n, t.gap)


def _camera(page: Page, view: View, box: Rect) -> None:
    slab(page, box, page.c.surface, page.theme.u(14, 10))
    room, keys = _keys(page, box, max(4, len(sensors.camera_keys(view))))
    sensors.put_camera(page, view, room)
    sensors.put_camera_keys(page, view, keys)


def _dial(page: Page, view: View, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    room, keys = _keys(page, box)
    x, y, w, h = room
    words = t.u(70, 50)
    r = min(w / 2.2, (h - words) / 2.2)
    sensors.put_dial(page, view, x + w / 2, y + r * 1.06, r)
    line = sensors.line_of(view, "firmware_bridge")
    wrong = line.level in ("warn", "bad")
    page.text(
        line.say if wrong else say_key("calibration/dial"),
        (x, y + h - words, w, words),
        "label",
        c.warn if wrong else c.dim,
        align="center",
        lines=3,
        floor=0.5,
    )
    zero = Order("firmware_bridge", "set zero", {"position": 0})
    button(page, "set-zero", keys[0], say_key("calibration/zero"), zero, sign="dial")
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
