"""The menu: everything that is not the game itself."""

from __future__ import annotations

from companion.game import Text
from display.page import Page
from display.touch import Act, Both, Go, Put, Tell
from display.view import View
from display.widgets import Rect, band_height, button, say_key, split, title_bar


def draw(page: Page, view: View) -> None:
    """Large buttons, two columns, the way back in brass."""
    t = page.theme
    height = band_height(page)
    page.piece("band", (0, 0, t.width, height), "menu", lambda: title_bar(page, say_key("menu"), back=Go("")))
    playing = bool(view.game)
    sure = bool(view.pick("sure"))
    rows: list[tuple[str, str, Text, Act]] = [
        ("join", "phone", say_key("menu/join"), Go("join")),
        ("health", "check", say_key("menu/health"), Go("health")),
        ("calibration", "camera", say_key("menu/calibration"), Go("calibration")),
        ("settings", "settings", say_key("menu/settings"), Go("settings")),
    ]
    if playing:
        again: Act = Both((Tell("rebuild"), Put({"rebuild": True}), Go("rebuild")))
        end: Act = Both((Tell("end game"), Put({"sure": None}), Go(""))) if sure else Put({"sure": True})
        rows.append(("rebuild", "towers", say_key("menu/rebuild"), again))
        rows.append(("end", "power", say_key("menu/end-sure") if sure else say_key("menu/end"), end))
    body = (t.margin, height + t.u(16, 8), t.width - 2 * t.margin, t.height - height - t.u(32, 16))
    columns = 1 if t.kind == "tall" else 2
    lines = split(body, -(-len(rows) // columns) + 1, t.gap, down=True)
    cells: list[Rect] = [cell for line in lines[:-1] for cell in split(line, columns, t.gap)]
    for (name, sign, text, act), cell in zip(rows, cells, strict=False):
        page.piece(
            f"menu {name}",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 8),
            (text, cell, repr(act)),
            lambda name=name, sign=sign, text=text, act=act, cell=cell: button(
                page, f"menu-{name}", cell, text, act, sign=sign
            ),  # type: ignore[misc]
        )
    last = lines[-1]
    page.piece(
        "menu on",
        (last[0] - 2, last[1] - 2, last[2] + 4, last[3] + 8),
        (last, playing),
        lambda: button(
            page,
            "menu-on",
            last,
            say_key("menu/on") if playing else say_key("back"),
            Go(""),
            look="brass",
            role="primary",
            key="return",
        ),
    )
