"""The box check: printed values nobody has confirmed, each with what it may be; as shown, or as our copy has it."""

from __future__ import annotations

from typing import Any

from companion.game import Field, Grid, Option, Text
from companion.wire.replies import BoxValue
from display.box_names import name_of, shown, value_name
from display.keys import Key, key_row
from display.leaves import leaf_of
from display.page import Page
from display.scenes.box_lists import draw_list, edited, untold
from display.scenes.common import draw_banner
from display.scenes.forms import draw_control, row_height, value_of
from display.scenes.grids import CLOSED, draw_grid
from display.scenes.grids import EDIT as GRID
from display.scenes.grids import opened as grid_opened
from display.scenes.keyboard import draw_keyboard
from display.scenes.picker import draw_picker
from display.tables import screen_of
from display.touch import Act, Both, Go, Play, Put, Tell
from display.view import View
from display.widgets import Rect, button, heading, inset, say_key, slab

EDIT = "box-edit"
"""Values changed here and not yet kept."""
FILTERS = ("first", "open", "all")


class GridValue(BoxValue, frozen=True, kw_only=True):
    """A grid among the other values."""

    grid: Grid
    told: int
    """Of how many places something was said."""


def opened(game: str) -> Act:
    """Go to the box of a game."""
    fresh = {"box-game": game, EDIT: None, "box-leaf": None, "box-open": None, "box-filter": None, GRID: None}
    return Both((Put(fresh), Tell("box list", {"game": game}), Go("box")))


def boxes(view: View) -> tuple[str, ...]:
    """The games whose printed numbers can be checked now: all that have any, or the one that is played."""
    return (view.game,) if view.game else tuple(view.lobby.box)


def game_of(view: View) -> str:
    """The game whose box is checked: the one on the table, the one picked, or the first there is."""
    known, picked = boxes(view), view.pick("box-game")
    return str(picked) if picked in known else next(iter(known), "")


def values(view: View, game: str) -> list[BoxValue] | None:
    """What the core told about this box; `None` before it has."""
    told = view.told.box
    if told is None or told.game != game:
        return None
    kept = {key for grid in told.grids for key in grid.keys}
    return [v for v in told.values if v.key not in kept] + [_of_grid(grid) for grid in told.grids]


def grids(view: View, game: str) -> tuple[Grid, ...]:
    """The parts of this game's board that are told on their picture."""
    return view.told.box.grids if view.told.box is not None and view.told.box.game == game else ()


def _of_grid(grid: Grid) -> GridValue:
    """Open until every number beside and below it was told."""
    said = {(one.row, one.column) for one in grid.spaces}
    beside = [(row, 0) for row in range(1, grid.rows + 1)] if grid.ends else []
    below = [(0, column) for column in range(1, grid.columns + 1)] if grid.feet else []
    whole = not grid.grows or said.issuperset(beside + below)
    return GridValue(key=f"grid {grid.id}", value=[], confirmed=whole, grid=grid, told=len(said))


def _tell(view: View, game: str, move: dict[str, Any]) -> Act:
    """Keep what a grid shows: in a game as a move that can be taken back, else straight in the box."""
    if view.game == game:
        return Both((Play(move), Tell("box list", {"game": game}), CLOSED))
    return Both((Tell("box", {"game": game, "tell": move}), CLOSED))


def listed(found: list[BoxValue], chosen: str) -> list[BoxValue]:
    """The values to look at: those that matter from the first turn, all open ones, or all; a map has its own editor."""
    found = [v for v in found if not v.key.startswith("map.")]
    if chosen == "all":
        return found
    return [v for v in found if not v.confirmed and (chosen == "open" or v.first)]


def filter_of(view: View, found: list[BoxValue]) -> str:
    """Which of the values are shown: as picked, else the important ones while any is open."""
    chosen = str(view.pick("box-filter") or "")
    if chosen in FILTERS:
        return chosen
    return "first" if listed(found, "first") or not found else "open"


def field_of(page: Page, game: str, value: BoxValue) -> Field | None:
    """A value as a form field; `None` for lists and tables, which have a leaf of their own."""
    key, now = value.key, value.value
    text = name_of(page, game, key)
    options = screen_of(game).box_options(key)
    if value.options and not isinstance(now, (list, tuple, dict)):
        options = tuple(Option(o, _text(value_name(page, game, o))) for o in value.options)
    if options:
        return Field(key, text, "pick", now, options=options)
    if isinstance(now, bool):
        return Field(key, text, "flag", now)
    if isinstance(now, int):
        return Field(key, text, "number", now, value.low, value.high)
    return Field(key, text, "words", now) if isinstance(now, str) else None


def _text(word: Text | str) -> Text:
    return word if isinstance(word, Text) else Text(word)


def entered(view: View, value: BoxValue) -> Any:
    """The value as it stands on the screen."""
    return (view.pick(EDIT) or {}).get(value.key, value.value)


def keep(view: View, game: str, kept: dict[str, Any]) -> Act:
    """Keep these values: in a game as moves that can be taken back, else straight in the box."""
    left = {key: value for key, value in (view.pick(EDIT) or {}).items() if key not in kept}
    forget = Put({EDIT: left or None, "box-open": None, "box-leaf": None})
    if view.game == game:
        plays = tuple(Play({"kind": "box", "key": key, "value": value}) for key, value in kept.items())
        return Both((*plays, Tell("box list", {"game": game}), forget))
    return Both((Tell("box", {"game": game, "values": kept}), forget))


def draw(page: Page, view: View) -> None:
    """Rows with their controls; as shown in one touch."""
    t = page.theme
    game = game_of(view)
    found = values(view, game)
    chosen = filter_of(view, found or [])
    open_now = len(listed(found or [], "open" if chosen == "all" else chosen))
    title = say_key("box/check", game=Text(f"{game}/title"), n=open_now)
    others = boxes(view)
    wide = t.u(240, 150) if len(others) > 1 else 0
    back = Go("welcome") if view.pick("box-from") == "welcome" else Go("")
    height = heading(page, title, back, right=wide)
    if wide:
        following = others[(others.index(game) + 1) % len(others)] if game in others else others[0]
        side = max(t.touch, height * 0.72)
        spot = (t.width - wide - t.margin, (height - side) / 2, wide, side)
        key_row(page, view, spot, [Key("box-game", say_key("box/another"), opened(following), "ghost", role="label")])
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(10, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(40, 20))
    bottom = (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot)
    one = next((v for v in found or [] if v.key == view.pick("box-open")), None)
    drawn = next((grid for grid in grids(view, game) if grid.id == (view.pick(GRID) or {}).get("id")), None)
    if drawn is not None:
        _draw_grid(page, view, game, drawn, body, bottom)
    elif one is not None:
        key = one.key
        draw_list(page, view, game, one, body, bottom, lambda now: keep(view, game, {key: now}))
    else:
        _draw_rows(page, view, game, found, body, bottom)
    draw_banner(page, view, (t.width * 0.15, height + t.u(6, 4), t.width * 0.7, t.u(84, 64)), page.motion.now)


def _draw_grid(page: Page, view: View, game: str, grid: Grid, body: Rect, bottom: Rect) -> None:
    """One grid under its name."""
    head = page.theme.size("body") * 1.6
    line = (body[0], body[1], body[2], head)
    page.piece("box name", line, (grid.text, line), lambda: page.text(grid.text, line, "body", page.c.dim, floor=0.5))
    room = (body[0], body[1] + head, body[2], body[3] - head)
    draw_grid(page, view, grid, room, bottom, lambda move: _tell(view, game, move))


def _draw_rows(page: Page, view: View, game: str, found: list[BoxValue] | None, body: Rect, bottom: Rect) -> None:
    t = page.theme
    chosen = filter_of(view, found or [])
    wanted = listed(found or [], chosen)
    columns = 2 if t.kind == "wide" and t.zoom < 1.2 else 1
    each = row_height(page)
    per = max(1, int((body[3] + t.gap) / (each + t.gap))) * columns
    leaf = leaf_of(view, "box-leaf", len(wanted), per)
    seen = leaf.of(wanted)
    if not seen:
        words = say_key("box/asking") if found is None else say_key("box/nothing-open")
        page.piece("box none", body, (words, body), lambda: _none(page, words, body))
    for i, value in enumerate(seen):
        row, column = divmod(i, columns)
        width = (body[2] - t.gap * (columns - 1)) / columns
        cell = (body[0] + column * (width + t.gap), body[1] + row * (each + t.gap), width, each)
        content = (value, repr(view.pick(EDIT)), view.pending)
        page.part(f"box {i}", cell, content, _row, view, game, value, cell)
    fields = tuple(f for f in (field_of(page, game, v) for v in seen) if f is not None)
    draw_keyboard(page, view)
    draw_picker(page, view, fields, EDIT, {f.id: value_of(view, f, EDIT) for f in fields})
    keys = [
        Key("box-filter", say_key(f"box/show-{chosen}"), _next_filter(chosen), "ghost"),
        *leaf.keys("box-leaf", "raised"),
    ]
    told = [v for v in seen if not v.confirmed and not untold(entered(view, v))]
    doubtful = {v.key: entered(view, v) for v in told}
    if doubtful:
        keys.append(
            Key("box-all", say_key("box/as-shown", n=len(doubtful)), keep(view, game, doubtful), "brass", "check")
        )
    else:
        on = Go("welcome") if view.pick("box-from") == "welcome" else Go("")
        keys.append(Key("box-done", say_key("setup/done"), on, "brass"))
    key_row(page, view, bottom, keys)


def _next_filter(chosen: str) -> Put:
    return Put({"box-filter": FILTERS[(FILTERS.index(chosen) + 1) % len(FILTERS)], "box-leaf": None})


def _none(page: Page, words: Text, box: Rect) -> None:
    page.text(words, box, "prompt", page.c.dim, align="center", lines=3, floor=0.4)


def bounds(value: BoxValue) -> Text | None:
    """What the value may be."""
    if value.low is None or value.high is None:
        return None
    return say_key("box/bounds", low=value.low, high=value.high)


def _row(page: Page, view: View, game: str, value: BoxValue, box: Rect) -> None:
    """What it is, the control with its bounds, and the tick that keeps it."""
    t, c = page.theme, page.c
    sure = value.confirmed and value.key not in (view.pick(EDIT) or {})
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(14, 9), t.u(4, 3))
    tick = max(t.touch, h)
    field = field_of(page, game, value)
    share = 0.42 if t.kind != "tall" else 0.36
    label = w * share
    span = None if field is None or field.kind == "pick" else bounds(value)
    name = value.grid.text if isinstance(value, GridValue) else name_of(page, game, value.key)
    r = min(h * 0.42, t.u(30, 22))
    now = entered(view, value)
    if screen_of(game).box_sign(page, value.key, now, x + r, y + h / 2, r):
        x, label, w = x + 2 * r + t.gap, label - 2 * r - t.gap, w - 2 * r - t.gap
    if span is not None and t.zoom < 1.25:
        page.text(name, (x, y, label, h * 0.64), "body", lines=2, floor=0.5)
        page.text(span, (x, y + h * 0.66, label, h * 0.34), "small", c.dim, floor=0.6)
    else:
        page.text(name, (x, y, label, h), "body", lines=3, floor=0.45)
    control = (x + label + t.gap, y, w - label - tick - 2 * t.gap, h)
    if field is not None:
        draw_control(page, view, field, control, EDIT)
    else:
        words: str | Text = shown(page, game, entered(view, value))
        open_it: Act | None = Put({"box-open": value.key}) if edited(value) else None
        if isinstance(value, GridValue):
            words, open_it = say_key("grid/told", n=value.told), grid_opened(value.grid.id)
        if open_it is None:
            page.text(words, control, "label", c.dim, align="center", lines=2, floor=0.5)
        else:
            button(page, f"box-open {value.key}", control, words, open_it, role="label", sign="settings", align="left")
    if untold(entered(view, value)):  # nobody's word: there is nothing to confirm
        return
    spot = (x + w - tick + t.u(6, 4), y, tick, h)
    act = keep(view, game, {value.key: entered(view, value)})
    button(page, f"box-keep {value.key}", spot, None, act, sign="check", look="chosen" if sure else "raised")


def draw_one(page: Page, view: View, key: str, box: Rect) -> None:
    """Our copy says otherwise: the one value a refusal rests on, with what it is now and may be."""
    t, c = page.theme, page.c
    game = view.game
    value = next((v for v in values(view, game) or [] if v.key == key), None)
    x, y, w, h = box
    page.text(say_key("box/title"), (x, y, w, h * 0.24), "title", lines=2, floor=0.4)
    page.text(name_of(page, game, key), (x, y + h * 0.24, w, h * 0.18), "body", c.dim, lines=2, floor=0.5)
    if value is None:
        page.text(say_key("box/asking"), (x, y + h * 0.5, w, h * 0.4), "body", c.dim, align="center", floor=0.5)
        return
    span = bounds(value)
    if span is not None:
        page.text(span, (x, y + h * 0.42, w, h * 0.1), "small", c.dim, floor=0.6)
    field = field_of(page, game, value)
    low, room = y + h * 0.56, h * 0.42
    control = (x, low, w * 0.62, room)
    if field is not None:
        draw_control(page, view, field, control, EDIT)
    elif edited(value):
        change = Both((Put({"sheet": None, "box-game": game, "box-open": key}), Go("box")))
        button(page, "box-change", control, shown(page, game, value.value), change, sign="settings", align="left")
    else:
        page.text(shown(page, game, value.value), control, "label", lines=2, floor=0.5)
    act = Both((keep(view, game, {key: entered(view, value)}), Put({"sheet": None})))
    button(
        page, "box-keep", (x + w * 0.64 + t.gap, low, w * 0.36 - t.gap, room), say_key("box/keep"), act, look="brass"
    )
