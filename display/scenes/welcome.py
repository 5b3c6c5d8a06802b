"""The first steps on a new table: language, screen, dial, camera, phones, box; each says what works, each can be skipped."""

from __future__ import annotations

from companion.game import Text
from display.keys import Key, key_row
from display.page import Page
from display.paint.tokens import star
from display.scenes import sensors
from display.scenes.box import boxes, opened
from display.scenes.common import draw_banner
from display.scenes.join import put_address, put_code
from display.scenes.seat import LANGUAGE_NAMES
from display.scenes.settings import draw_setting
from display.touch import Act, Both, Go, Order, Put, Setting
from display.view import View
from display.widgets import Rect, band_height, button, check_disc, inset, say_key, slab, split

STEPS = ("language", "screen", "dial", "camera", "phones", "box")
DONE = Both((Setting({"welcomed": True}), Put({"welcome-step": None, "welcome-turns": None, "box-from": None}), Go("")))
SPOTS = 3
"""Stars to be touched: one at each end and one in the middle of the panel."""


def step_of(view: View) -> str:
    """The step that is open."""
    step = str(view.pick("welcome-step") or "")
    return step if step in STEPS else STEPS[0]


def to_step(view: View, step: str) -> Put:
    """Go to a step; the dial's steps are counted from here."""
    fresh = {"box-from": None, "corners": None, "sites": None, "colours": None, "banner": None}
    return Put({"welcome-step": step, "welcome-turns": view.dial.turns if view.dial else None, **fresh})


def works(view: View, step: str) -> bool:
    """Nothing is left to do in this step."""
    match step:
        case "dial":
            return sensors.line_of(view, "firmware_bridge").level == "ok"
        case "camera":
            return sensors.instruction(view)[2] == "ok"
        case "phones":
            return view.join is not None
    return True


def draw(page: Page, view: View) -> None:
    """One step: what it is about, what works, and on."""
    t = page.theme
    step = step_of(view)
    height = band_height(page)
    page.piece("band", (0, 0, t.width, height), (step, t.width), lambda: _band(page, step, height))
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(12, 8), t.width - 2 * t.margin, t.height - height - foot - t.u(44, 24))
    {
        "language": _language,
        "screen": _screen,
        "dial": _dial,
        "camera": _camera,
        "phones": _phones,
        "box": _box,
    }[step](page, view, body)
    _foot(page, view, step, (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot))
    said = t.u(112, 84)  # over the foot of the body: the keys of a step stay free
    low = t.height - t.u(16, 8) - foot - t.gap - said
    draw_banner(page, view, (t.margin, low, t.width * 0.74, said), page.motion.now)


def _band(page: Page, step: str, height: int) -> None:
    """The question of this step, what it is for, and how far along it is."""
    t, c = page.theme, page.c
    r = t.u(9, 6)
    dots_w = len(STEPS) * 3.4 * r
    left = t.margin + t.u(12, 6)
    room = t.width - left - t.margin - dots_w - t.gap
    page.text(say_key(f"welcome/{step}"), (left, height * 0.06, room, height * 0.54), "prompt", lines=1, floor=0.4)
    page.text(
        say_key(f"welcome/{step}/help"), (left, height * 0.6, room, height * 0.36), "body", c.dim, lines=2, floor=0.5
    )
    now = STEPS.index(step)
    for i in range(len(STEPS)):
        x = t.width - t.margin - dots_w + (i + 0.5) * 3.4 * r
        size = r if i == now else r * 0.72
        fill = c.brass if i <= now else c.line
        slab(page, (x - size, height / 2 - size, 2 * size, 2 * size), fill, size, shadow=False)
    page.surface.fill(c.line, (0, height - 1, t.width, 2))


def _foot(page: Page, view: View, step: str, box: Rect) -> None:
    now = STEPS.index(step)
    keys = [Key("welcome-later", page.forms("display/welcome/later"), DONE, "ghost")]
    if now:
        keys.append(Key("welcome-back", say_key("back"), to_step(view, STEPS[now - 1]), sign="left"))
    if step == STEPS[-1]:
        keys.append(Key("welcome-on", say_key("welcome/play"), DONE, "brass", key="return", share=1.5))
    else:
        word = say_key("welcome/next") if works(view, step) else say_key("welcome/skip")
        on = to_step(view, STEPS[now + 1])
        keys.append(Key("welcome-on", word, on, "brass", key="return", share=1.5))
    key_row(page, view, box, keys)


# -- the steps -------------------------------------------------------------------------------------------------------


def _language(page: Page, view: View, box: Rect) -> None:
    t = page.theme
    now = view.settings.get("language")
    cells = split(inset(box, 0, box[3] * (0.1 if t.kind != "tall" else 0.2)), 3, t.u(20, 10), down=t.kind == "tall")
    for (code, name), cell in zip(LANGUAGE_NAMES.items(), cells, strict=True):
        page.part(f"language {code}", cell, code == now, _tongue, code, name, code == now, cell)


def _tongue(page: Page, code: str, name: str, chosen: bool, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"language={code}", box, Setting({"language": code}))
    fill = c.press if pressed else c.raised if chosen else c.surface
    slab(page, box, fill, t.u(20, 14), outline=c.brass if chosen else None, width=3)
    x, y, w, h = inset(box, t.u(16, 10))
    hello = {"en": "Welcome", "pl": "Witajcie", "fr": "Bienvenue"}[code]
    page.text(hello, (x, y + h * 0.2, w, h * 0.34), "title", align="center", floor=0.4)
    page.text(name, (x, y + h * 0.56, w, h * 0.22), "body", c.dim, align="center")
    if chosen:
        check_disc(page, box[0] + box[2] - t.u(34, 20), box[1] + t.u(34, 20), t.u(18, 11), c.brass)


def _screen(page: Page, view: View, box: Rect) -> None:
    """How words look, and three stars that show whether touches arrive where they should."""
    t = page.theme
    x, y, w, h = box
    touched = [int(i) for i in view.pick("welcome-touched") or ()]
    stars_h = max(t.touch + t.size("label") * 1.8, t.u(150, 104)) if t.kind != "tall" else t.u(200)
    names = ("text_size", "theme", "brightness", "reduced_motion", "volume")
    columns = 1 if t.kind == "tall" else 2
    rows = split((x, y, w, h - stars_h - t.gap), -(-len(names) // columns), t.gap, down=True)
    cells = [cell for row in rows for cell in split(row, columns, t.gap)]
    for name, cell in zip(names, cells, strict=False):
        cell = (cell[0], cell[1], cell[2], min(cell[3], t.u(110, 84)))  # noqa: PLW2901 - no row taller than it reads well
        page.part(f"set {name}", cell, view.settings.get(name), draw_setting, view, name, cell)
    low = (x, y + h - stars_h, w, stars_h)
    page.part("stars", low, touched, _stars, touched, low)


def _stars(page: Page, touched: list[int], box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(8, 5))
    label = t.size("label") * 1.5
    words = say_key("welcome/touch-works") if len(touched) == SPOTS else say_key("welcome/touch-the-stars")
    page.text(words, (x, y, w, label), "label", c.ok if len(touched) == SPOTS else c.dim, align="center", floor=0.6)
    side = max(float(t.touch), h - label)
    for i in range(SPOTS):
        cx = x + side / 2 + (w - side) * i / (SPOTS - 1)
        cy = y + label + (h - label) / 2
        after = sorted({*touched, i})
        pressed = page.touch(
            f"star {i}", (cx - side / 2, cy - t.touch / 2, side, t.touch), Put({"welcome-touched": after})
        )
        r = (h - label) * 0.4
        if i in touched:
            check_disc(page, cx, cy, r, c.ok)
        else:
            page.blit(star(r * (0.9 if pressed else 1.0), c.brass_text), cx, cy)


def _chooser(page: Page, view: View, room: str, offers: list[tuple[str, Text, dict[str, str]]], box: Rect) -> Rect:
    """Which one this table has: a touch keeps it and starts its room again. Returns the room that is left below."""
    t = page.theme
    high = max(t.touch, t.u(68, 52))
    for (name, text, values), cell in zip(offers, split((*box[:3], high), len(offers), t.gap), strict=True):
        now = all(view.settings.get(key) == value for key, value in values.items())
        act = Both((Setting(dict(values)), Order(room, "restart")))
        content = (text, now, view.pending == name)
        page.part(
            name, cell, content, button, name, cell, text, act, look="brass" if now else "raised", role="label", lines=2
        )
    return (box[0], box[1] + high + t.gap, box[2], box[3] - high - t.gap)


def dials() -> list[tuple[str, Text, dict[str, str]]]:
    """Where a dial can be: on the pins, on a Pico, or nowhere."""
    return [
        (f"dial-{source}", say_key(f"welcome/dial-{source}"), {"firmware_bridge": source})
        for source in ("gpio", "serial", "none")
    ]


def cameras(view: View) -> list[tuple[str, Text, dict[str, str]]]:
    """What the camera's room has found, at most three, and none; the Pi's own always has its place."""
    offers = [("camera-pi", say_key("welcome/camera-pi"), {"vision": "picamera2"})]
    for one in view.told.cameras.cameras if view.told.cameras is not None else ():
        if one.source == "v4l2":
            name = say_key("welcome/camera-usb", name=one.name or one.device)
            offers.append((f"camera-{one.device}", name, {"vision": "v4l2", "vision_device": one.device}))
    return [*offers[:3], ("camera-none", say_key("welcome/camera-none"), {"vision": "none"})]


def _dial(page: Page, view: View, box: Rect) -> None:
    box = _chooser(page, view, "firmware_bridge", dials(), box)
    content = (sensors.dial_content(view), view.pick("welcome-turns"), view.dial.turns if view.dial else 0, box)
    page.part("dial", box, content, _paint_dial, view, box)


def _paint_dial(page: Page, view: View, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(24, 12), t.u(14, 8))
    line = sensors.line_of(view, "firmware_bridge")
    there = view.dial is not None and view.dial.state != "no dial" and line.level != "off"
    if t.kind == "tall":
        r = min(w / 2.2, h * 0.22)
        sensors.put_dial(page, view, x + w / 2, y + r * 1.06, r)
        right = (x, y + 2.3 * r, w, h - 2.3 * r)
    else:
        r = min(h / 2.12, w * 0.2)
        sensors.put_dial(page, view, x + r * 1.05, y + h / 2, r)
        left = x + 2.35 * r
        right = (left, y, x + w - left, h)
    rx, ry, rw, rh = right
    words_h = rh * (0.34 if there else 0.6)
    say = line.say if line.level != "ok" else say_key("welcome/dial-there")
    do = line.do if line.level != "ok" else None
    sensors.put_words(page, say, do, line.level, (rx, ry, rw, words_h))
    if not there or view.dial is None:
        return
    start = view.pick("welcome-turns")
    felt = view.dial.turns - int(start) if isinstance(start, int) else 0
    middle = ry + words_h + t.gap
    keys_h = max(t.touch, rh * 0.24)
    room = rh - words_h - keys_h - 2 * t.gap
    number = f"{felt:+d}".replace("-", "−") if felt else "0"
    page.text(
        number, (rx, middle, rw * 0.3, room), "hero", c.brass_text if felt else c.faint, align="center", floor=0.4
    )
    told = say_key("welcome/felt", n=abs(felt)) if felt else say_key("welcome/turn-the-dial")
    page.text(told, (rx + rw * 0.32, middle, rw * 0.68, room), "body", lines=3, floor=0.5)
    keys = split((rx, ry + rh - keys_h, rw, keys_h), 2, t.gap)
    zero = Order("firmware_bridge", "set zero", {"position": 0})
    button(page, "set-zero", keys[0], say_key("calibration/zero"), zero, sign="dial")
    confirm = Order("firmware_bridge", "confirm")
    button(page, "confirm-dial", keys[1], say_key("calibration/confirm"), confirm, sign="check")


def _camera(page: Page, view: View, box: Rect) -> None:
    box = _chooser(page, view, "vision", cameras(view), box)

    def paint() -> None:
        t = page.theme
        slab(page, box, page.c.surface, t.u(14, 10))
        x, y, w, h = inset(box, t.u(20, 12), t.u(14, 8))
        off = sensors.line_of(view, "vision").level == "off"
        keys_w = 0.0 if off else max(t.u(230, 150), t.touch)
        keys_h = max(t.touch, t.u(84, 64))
        n = max(4, len(sensors.camera_keys(view)))
        if t.kind == "tall":
            room: Rect = (x, y, w, h - (0 if off else keys_h + t.gap))
            cells = split((x, y + h - keys_h, w, keys_h), n, t.gap)
        else:
            room = (x, y, w - keys_w - (t.gap if keys_w else 0), h)
            cells = split((x + w - keys_w, y, keys_w, h), n, t.gap, down=True)
        sensors.put_camera(page, view, room)
        if not off:
            sensors.put_camera_keys(page, view, cells)

    content = (sensors.camera_content(view), sensors.line_of(view, "vision").level, box)
    page.piece("camera", (box[0], box[1], box[2], box[3] + 5), content, paint)


def _phones(page: Page, view: View, box: Rect) -> None:
    def paint() -> None:
        t = page.theme
        slab(page, box, page.c.surface, t.u(14, 10))
        x, y, w, h = inset(box, t.u(20, 12), t.u(14, 10))
        if t.kind == "tall":
            side = min(w, h * 0.5)
            put_code(page, view, (x + (w - side) / 2, y, side, side), told=True)
            right: Rect = (x, y + side + t.gap, w, h - side - t.gap)
        else:
            side = h
            put_code(page, view, (x, y, side, side), told=True)
            right = (x + side + t.u(36, 18), y, w - side - t.u(36, 18), h)
        rx, ry, rw, rh = right
        if view.join is not None:
            put_address(page, view, (rx, ry, rw, rh * 0.6))
            words: tuple[Text, Text | None, str] = (say_key("welcome/phones-work"), say_key("welcome/phones-do"), "ok")
        else:
            words = (say_key("join/no-network"), say_key("welcome/no-network-do"), "warn")
        top = 0.64 if view.join is not None else 0.32
        sensors.put_words(page, *words, (rx, ry + rh * top, rw, rh * 0.36))

    page.piece("phones", (box[0], box[1], box[2], box[3] + 5), (view.join, box), paint)


def _box(page: Page, view: View, box: Rect) -> None:
    """The games with printed values to check; how many are open."""
    t = page.theme
    games = boxes(view)
    room = inset(box, 0, 0 if t.kind == "small" else box[3] * 0.1)
    cells = split(room, len(games), t.u(20, 10), down=t.kind == "tall") if games else []
    for game, cell in zip(games, cells, strict=True):
        left = view.lobby.box.get(game, 0)
        page.part(f"box {game}", cell, left, _game, game, left, cell)


def _game(page: Page, game: str, left: int, box: Rect) -> None:
    t, c = page.theme, page.c
    act: Act = Both((opened(game), Put({"box-from": "welcome"})))
    pressed = page.touch(f"check-{game}", box, act)
    slab(page, box, c.press if pressed else c.surface, t.u(20, 14), shine=True)
    x, y, w, h = inset(box, t.u(16, 10))
    r = min(t.u(34, 22), h * 0.14)
    if left:
        page.text(str(left), (x, y + h * 0.08, w, h * 0.32), "hero", c.brass_text, align="center", floor=0.4)
    else:
        check_disc(page, x + w / 2, y + h * 0.24, r, c.ok)
    page.text(Text(f"{game}/title"), (x, y + h * 0.44, w, h * 0.22), "strong", align="center", lines=2, floor=0.5)
    words = say_key("welcome/box-open", n=left) if left else say_key("welcome/box-done")
    page.text(words, (x, y + h * 0.68, w, h * 0.28), "label", c.dim, align="center", lines=3, floor=0.5)
