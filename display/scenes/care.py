"""Care by touch: a backup to a stick and back, a bundle for asking for help, another version and the way back; what is being
done, and how far it is."""

from __future__ import annotations

from typing import Any

from companion.game import Text
from companion.wire.messages import Notice
from companion.wire.replies import Backup, CareTold, Newer, Stick
from display.keys import Key, key_row
from display.page import Page
from display.scenes.forms import row_height
from display.touch import Act, Both, Go, Put, Tell
from display.view import View
from display.widgets import Rect, button, day_of, heading, inset, say_key, slab, split

LOOK = Tell("care", {"do": "look"})
OPENED: Act = Both((Put({"care-sure": None, "care-leaf": None}), LOOK, Go("care")))


def draw(page: Page, view: View) -> None:
    """The stick and its keys above, its backups below."""
    t = page.theme
    height = heading(page, say_key("menu/care"), Go(""))
    told = view.told.care or CareTold()
    at = int(view.pick("care-stick", 0)) % max(1, len(told.sticks))
    stick = told.sticks[at] if told.sticks else None
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(10, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(40, 22))
    head = max(t.touch * 1.2, t.u(110, 84))
    said = _said(view)
    top, version = (body[0], body[1], body[2], head), told.code.version
    page.part("care", top, (stick, said, version), _top, stick, said, version, top)
    if stick is not None:
        below = (body[0], body[1] + head + t.gap, body[2], body[3] - head - t.gap)
        _archives(page, view, stick, told.code.able, below)
    keys = [Key("care-look", say_key("care/look"), Both((Put({"care-stick": at + 1, "care-sure": None}), LOOK)))]
    if stick is not None:
        where = {"stick": stick.path}
        keys.append(Key("care-bundle", say_key("care/bundle"), Tell("care", {"do": "bundle", **where})))
        keys.append(
            Key("care-backup", say_key("care/backup"), Tell("care", {"do": "backup", **where}), "brass", share=1.5)
        )
    if told.code.before:
        words = say_key("care/back", version=told.code.before)
        keys.insert(1, Key("care-back", *_twice(view, "back", words, {"do": "back"})))
    key_row(page, view, (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), keys)


def _said(view: View) -> Notice | None:
    notices = view.state.notices if view.state else ()
    return next((one for one in reversed(notices) if one.id.startswith("care")), None)


def _top(page: Page, stick: Stick | None, said: Notice | None, version: str, box: Rect) -> None:
    """Which stick, and what is being done with it; a bar while it is."""
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(10, 6))
    name = say_key("care/none")
    if stick is not None:
        name = say_key("care/stick", name=stick.name, free=stick.free_mb)
    page.text(name, (x, y, w * 0.66, h * 0.45), "strong", floor=0.5)
    if version:
        here = say_key("care/version", version=version)
        page.text(here, (x + w * 0.68, y, w * 0.32, h * 0.45), "label", c.dim, align="right", floor=0.6)
    if said is None:
        page.text(say_key("care/help"), (x, y + h * 0.45, w, h * 0.55), "label", c.dim, lines=2, floor=0.6)
        return
    page.text(said.text, (x, y + h * 0.45, w, h * 0.35), "body", c.warn if said.kind == "warn" else c.text, floor=0.5)
    percent = said.text.params.get("percent")
    if isinstance(percent, int):
        slab(page, (x, y + h * 0.86, w, h * 0.14), c.raised, t.u(6, 4), shadow=False)
        slab(page, (x, y + h * 0.86, max(t.u(8, 6), w * percent / 100), h * 0.14), c.brass, t.u(6, 4), shadow=False)


def _twice(view: View, name: str, words: Text, args: dict[str, Any]) -> tuple[Text, Act, str]:
    """What changes everything is touched twice: the key's words, its act and its look."""
    if view.pick("care-sure") != name:
        return words, Put({"care-sure": name}), "raised"
    return say_key("care/sure"), Both((Tell("care", args), Put({"care-sure": None}))), "brass"


def _archives(page: Page, view: View, stick: Stick, able: bool, box: Rect) -> None:
    """A newer version first, then the backups, the newest first; each with the key that brings it here."""
    t = page.theme
    kept: list[Backup | Newer] = [*stick.updates[: 1 if able else 0], *stick.backups]
    rows = max(1, int((box[3] + t.gap) / (row_height(page) + t.gap)))
    for number, (one, row) in enumerate(zip(kept, split(box, rows, t.gap, down=True), strict=False)):
        what, words = "restore", say_key("care/restore")
        if isinstance(one, Newer):
            what, words = "update", say_key("care/update", version=one.version)
        key = _twice(view, one.name, words, {"do": what, "stick": stick.path, "archive": one.name})
        page.part(f"kept {number}", row, (one, key), _archive, one, row, what, key)


def _archive(page: Page, one: Backup | Newer, box: Rect, what: str, key: tuple[Text, Act, str]) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10), shadow=False)
    x, y, w, h = inset(box, t.u(16, 10), t.u(4, 3))
    words, act, look = key
    when = f"Tableside {one.version}" if isinstance(one, Newer) else day_of(one.ts)
    page.text(when, (x, y, w * 0.24, h), "strong", floor=0.5)
    page.text(one.name, (x + w * 0.25, y, w * 0.4, h), "label", c.dim, lines=2, floor=0.6, typed=True)
    button(page, f"{what} {one.name}", (x + w * 0.66, y, w * 0.34, h), words, act, look=look, role="label")
