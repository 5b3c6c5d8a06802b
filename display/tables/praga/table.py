"""The Praga table: the crane, the clock, what not to forget, everybody's means, and the tiles to choose from."""

from __future__ import annotations

import msgspec

from companion.game import Ask, Choice, Form, Grid, Text
from companion.shown.praga import Eras, PragaView
from display.layout import TablePlan, foot, table_plan
from display.page import Page
from display.scenes.choices import draw_choices
from display.scenes.common import ask_of, draw_band, draw_banner
from display.scenes.forms import send_choice, unsaid
from display.scenes.grids import CLOSED, draw_grid
from display.scenes.grids import EDIT as GRID
from display.scenes.grids import opened as grid_opened
from display.scenes.sheet import draw_sheet
from display.tables.praga import city, crane, entry, hooks, offers, parts
from display.tables.praga.form import correction, draw_form, leaves, open_leaf, turn_leaf, why_not
from display.touch import Act, Both, Play, Put
from display.view import View
from display.widgets import Rect, band_height, button, say_key

FORMS = ("form", "reward", "action")
"""Phases whose form takes the place of crane and clock."""


def draw(page: Page, view: View) -> None:
    """The whole table."""
    ask = ask_of(view)
    table = view.shown(PragaView)
    plan = table_plan(page.theme, band_height(page), middle_share=0.48)
    drawn = next((grid for grid in table.grids if grid.id == (view.pick(GRID) or {}).get("id")), None)
    if drawn is not None:
        _building(page, view, ask, drawn, plan)
        return
    draw_band(page, view, _titled(view, ask))
    form = _form(view, ask)
    mapped = form is None and (bool(city.asked(ask)) or view.pick("slot") == city.OPEN)
    telling = ask is not None and ask.phase == "layout" and page.theme.kind != "tall"
    covered = form is not None or mapped or bool(offers.laid_out(view, ask))
    tall = page.theme.kind == "tall"
    wheel = form is not None and view.pick("slot") == "crane" and not tall
    beside = page.theme.kind == "wide" and not telling and not wheel
    if tall and covered and not mapped:  # there is room above whatever is asked
        _crane(page, view, plan.left, ask, opens=False)
    if not covered or beside or (tall and not mapped):
        parts.players(page, view, table, plan.right, ask.seat if ask and ask.seat is not None else table.active)
    picked = offers.laid_out(view, ask) if correction(view) is None else ()
    if form is not None:
        if wheel:  # its places are named, and seen beside their names
            _crane(page, view, plan.left, ask)
        _drawn_form(page, view, form, _past_the_crane(plan) if wheel else _body(page, plan))
    elif mapped:
        city.draw_city(page, view, ask, _whole(page, plan))
    elif picked and _beside(page, view, ask, plan):
        _known_or_new(page, view, ask, picked, _body(page, plan))
    elif picked:
        if telling:
            _crane(page, view, plan.left, ask)
        offers.draw_grid(page, view, ask, picked, _past_the_crane(plan) if telling else _body(page, plan))
    else:
        _crane(page, view, plan.left, ask)
        _middle(page, view, ask, plan.middle)
    _answers(page, view, ask, plan)
    asides = (foot(page.theme, plan.middle),) if not covered else ()
    draw_banner(page, view, plan.banner, page.motion.now, *asides)
    draw_sheet(page, view)


def _building(page: Page, view: View, ask: Ask | None, grid: Grid, plan: TablePlan) -> None:
    """Hunger Wall or Cathedral alone: what is printed on it, and where everybody's cube stands."""
    draw_band(page, view, Ask(ask.seat if ask else None, grid.text, help=Text("praga/grid/edit")))
    x, y, _, h = plan.left
    room = _whole(page, plan) if page.theme.kind == "tall" else (x, y, plan.right[0] + plan.right[2] - x, h)
    building = grid.id.partition(".")[0]

    def stand(seat: int, row: int, column: int) -> Act:
        values = {f"{building}_row": row, f"{building}_column": column}
        if all(grid.borders):
            values[f"{building}_level"] = 1 + sum(border <= row for border in grid.borders)
        return Play({"kind": "correct", "seat": seat, "values": values})

    draw_grid(page, view, grid, room, plan.choices, lambda move: Both((Play(move), CLOSED)), stand)
    draw_banner(page, view, plan.banner, page.motion.now)
    draw_sheet(page, view)


def _titled(view: View, ask: Ask | None) -> Ask | None:
    """What is put right or looked at has its own title."""
    fixing = correction(view)
    if fixing is not None:
        return Ask(fixing.move.get("seat"), Text("praga/ask/put-right"))
    if view.pick("slot") == city.OPEN and not city.asked(ask):
        return Ask(ask.seat if ask else None, Text("praga/city"), help=Text("praga/city/edit"))
    return ask


def _past_the_crane(plan: TablePlan) -> Rect:
    """All that is right of the crane."""
    x, y, _, h = plan.middle
    return x, y, plan.right[0] + plan.right[2] - x, h


def _drawn_form(page: Page, view: View, form: Form, box: Rect) -> None:
    if entry.serves(form):
        entry.draw_entry(page, view, form, box)
    else:
        draw_form(page, view, form, box)


def _beside(page: Page, view: View, ask: Ask | None, plan: TablePlan) -> bool:
    """There is room for what was seen before and, below it, for the keys that enter something new."""
    t = page.theme
    if ask is None or ask.form is None or not entry.serves(ask.form) or view.pick("slot") == offers.SEEN:
        return False
    return t.zoom < 1.2 and _body(page, plan)[3] + t.gap >= (entry.rows(ask.form) + 1) * (t.touch + t.gap)


def _known_or_new(page: Page, view: View, ask: Ask | None, picked: tuple[Choice, ...], box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    below = entry.rows(ask.form) if ask is not None and ask.form is not None else 0
    lines = int((h + t.gap) / (t.touch + t.gap))
    each = (h - t.gap * (lines - 1)) / lines
    above = (lines - below) * (each + t.gap) - t.gap
    offers.draw_seen(page, view, ask, picked, (x, y, w, above), lines - below)
    if ask is not None and ask.form is not None:
        entry.draw_entry(page, view, ask.form, (x, y + above + t.gap, w, h - above - t.gap))


def _form(view: View, ask: Ask | None) -> Form | None:
    """The form that lies over crane and clock: a correction somebody opened, else the ask's own."""
    fixing = correction(view)
    if fixing is not None:
        return fixing
    return ask.form if ask is not None and ask.form is not None and _form_open(view, ask) else None


def _form_open(view: View, ask: Ask) -> bool:
    if offers.laid_out(view, ask):
        return False
    begun = ask.phase in FORMS and ask.form is not None and ask.form.move.get("kind") != "note"
    return begun or view.pick("slot") in ("note", offers.ENTRY)


def _body(page: Page, plan: TablePlan) -> Rect:
    """The left and middle columns as one, on small panels the players' too; upright panels keep the middle."""
    if page.theme.kind == "tall":
        return plan.middle
    x, y, _, h = plan.left
    last = plan.right if page.theme.kind == "small" else plan.middle
    return x, y, last[0] + last[2] - x, h


def _whole(page: Page, plan: TablePlan) -> Rect:
    """The map takes on upright panels what crane and players leave free, too."""
    if page.theme.kind != "tall":
        return _body(page, plan)
    x, y, w, h = plan.middle
    return x, plan.left[1], w, y + h - plan.left[1]


# -- the crane -------------------------------------------------------------------------------------------------------


def turned(page: Page, view: View, box: int) -> float:
    """How many notches the real wheel stands from where the table has it."""
    seen = view.dial
    offset, by_hand = 0.0, False
    if seen is not None and seen.positions == 12 and seen.state in ("ready", "turning", "settling"):
        offset = (seen.position + seen.angle - (box - 1) + 6) % 12 - 6
        by_hand = seen.state == "turning"
    place = box + offset
    known = float(page.motion.memory.get("crane", place))
    unrolled = known + (place - known + 6) % 12 - 6
    page.motion.memory["crane"] = unrolled
    shown = page.motion.toward("crane", unrolled, 0 if by_hand or page.theme.reduced_motion else 300)
    return offset + shown - unrolled


def _crane(page: Page, view: View, box: Rect, ask: Ask | None, *, opens: bool = True) -> None:
    """The wheel as it stands; a touch opens its correction where nothing that is being typed would be lost."""
    t = page.theme
    table = view.shown(PragaView)
    wheel, clock = table.crane, table.clock
    x, y, w, h = box
    r = min(w, h) / 2 / 1.02
    cx, cy = x + w / 2, y + h / 2
    off = turned(page, view, wheel.box)
    goal = wheel.next if ask and ask.phase in ("wheel", "action", "dummy") else wheel.asked
    if abs(off) > 0.4 and not goal:
        goal = wheel.box
    content = (wheel, round(off, 2), goal, clock.turn, clock.length, round(r), opens)

    def paint() -> None:
        if opens:
            page.touch("crane", (cx - r, cy - r, 2 * r, 2 * r), Put({"slot": "crane", "form": None}), grow=0)
        page.blit(crane.ring(r, wheel.stations, t), cx, cy)
        crane.put_prices(page.surface, cx, cy, r, wheel.stations)
        for one in wheel.stations:
            if one.zone == "blue":
                spot = crane.points_box(cx, cy, r, one.station)
                page.text(str(one.points), spot, "strong", crane.IVORY, size=0.1 * r, floor=0.4)
        crane.put_wheel(page.surface, cx, cy, r, wheel.stations, wheel.box, off, cube=wheel.cube)
        if goal:
            crane.put_goal(page.surface, cx, cy, r, goal, page.c.brass_hi if not t.light else crane.IVORY)
        _hub(page, clock, cx, cy, r)

    page.piece("crane", (cx - 1.03 * r, cy - 1.03 * r, 2.06 * r, 2.06 * r), content, paint)


def _hub(page: Page, clock: Eras, cx: float, cy: float, r: float) -> None:
    ivory, dim = (248, 239, 224), (210, 194, 171)
    w = 0.5 * r
    lines = (
        (Text("praga/screen/turn"), "small", dim, -0.26, 0.14, 0.1),
        (str(clock.turn), "figure", ivory, -0.13, 0.26, 0.26),
        (Text("praga/screen/of", {"n": clock.length}), "small", dim, 0.12, 0.14, 0.1),
    )
    for said, role, ink, top, height, size in lines:
        box = (cx - w / 2, cy + top * r, w, height * r)
        page.text(said, box, role, ink, align="center", size=size * r, floor=0.4)


def _middle(page: Page, view: View, ask: Ask | None, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    needed = offers.strip_height(page, offers.strip_of(ask))
    clock_h = min(h - needed - (t.u(16, 8) if needed else 0), t.u(186, 112) * (1 + 0.25 * (t.zoom - 1)))
    parts.clock_card(page, view, (x, y, w, clock_h))
    rest = y + clock_h + t.u(16, 8)
    keys = offers.strip_of(ask)
    strip = offers.strip_height(page, keys)
    if keys:
        offers.draw_strip(page, view, ask, keys, (x, rest, w, strip))
        rest += strip + t.u(16, 8)
    rest += parts.note_cards(page, view, ask, (x, rest, w, y + h - rest))
    if view.shown(PragaView).plazas and y + h - rest >= t.u(120, 84):
        city.draw_small(page, view, (x, rest, w, y + h - rest))


# -- answers ---------------------------------------------------------------------------------------------------------


def _answers(page: Page, view: View, ask: Ask | None, plan: TablePlan) -> None:
    box = plan.choices
    form = _form(view, ask)
    if form is None and ask is not None and offers.laid_out(view, ask) and _beside(page, view, ask, plan):
        form = ask.form
    if form is not None:
        _form_answers(page, view, ask, form, plan)
        return
    if ask is None:
        draw_choices(page, view, box, ())
        return
    if view.pick("slot") == city.OPEN and not city.asked(ask):
        back = Choice("back", Text("praga/choice/back"), {})
        draw_choices(page, view, box, (back,), local={"back": Put({"slot": None, city.PIN: None})})
        return
    tiles = [choice for choice in ask.choices if choice.group == "tile"]
    if tiles and view.pick("slot") != "also":
        _tiles(page, view, ask, tiles, box)
        return
    choices, local = _shown(view, ask, bool(tiles))
    draw_choices(page, view, box, choices, local=local)


def _form_answers(page: Page, view: View, ask: Ask | None, form: Form, plan: TablePlan) -> None:
    """Turn the leaf, send, and what else may be answered; a form somebody opened can be put away."""
    local: dict[str, Act] = {}
    pages = 1 if entry.serves(form) else len(leaves(page, form, _body(page, plan)))
    leaf = open_leaf(view, form, pages)
    found = list(entry.sends(view, form))
    if not entry.serves(form):
        found = [msgspec.structs.replace(send_choice(view, form), off=why_not(view, form, pages))]
    if pages > 1:
        more = Choice("leaf", say_key("leaf", leaf=leaf + 1, leaves=pages), {}, picture={"icon": "right"})
        found.insert(0, more)
        local["leaf"] = turn_leaf(view, form, leaf + 1)
    for grid in view.shown(PragaView).grids if form.move.get("kind") == "sheet" else ():
        building = grid.id.partition(".")[0]
        if any(field.id.startswith(f"{building}_") and unsaid(view, field) for field in form.fields):
            found.append(Choice(f"grid-{grid.id}", grid.text, {}))
            local[f"grid-{grid.id}"] = grid_opened(grid.id)
    if view.pick("slot"):
        found.append(Choice("back", Text("praga/choice/back"), {}))
        local["back"] = Put({"slot": None, "form": None})
    elif ask is not None:
        found += [choice for choice in ask.choices if choice.group not in offers.GRID]
    known = [choice for choice in found if choice.group == "last" and choice.primary]
    if known:  # as last time: one touch, before the key that sends what was filled in
        rest = [choice for choice in found if choice not in known]
        found = [*known, *(msgspec.structs.replace(choice, primary=False) for choice in rest)]
    draw_choices(page, view, plan.choices, tuple(found), local=local)


def _shown(view: View, ask: Ask, tiles: bool) -> tuple[tuple[Choice, ...], dict[str, Act]]:
    """The answers beside the tiles: the one that ends the turn first, then actions, then the rest."""
    local: dict[str, Act] = {}
    drawn = {"tile", "half", *offers.STRIP, *offers.GRID}
    rest = [choice for choice in ask.choices if choice.group not in drawn]
    found = sorted(rest, key=lambda choice: (not choice.primary, choice.group != "action"))
    if tiles:
        found.insert(0, Choice("back", Text("praga/choice/back"), {}))
        local["back"] = Put({"slot": None})
        if view.shown(PragaView).plazas:
            found.append(Choice("city", Text("praga/city"), {}))
            local["city"] = Put({"slot": city.OPEN})
        for grid in view.shown(PragaView).grids:
            found.append(Choice(f"grid-{grid.id}", grid.text, {}))
            local[f"grid-{grid.id}"] = grid_opened(grid.id)
    if ask.form is not None and offers.laid_out(view, ask):
        found.insert(0, Choice("entry", Text("praga/choice/entry"), {}))
        local["entry"] = Put({"slot": offers.ENTRY})
    elif ask.form is not None:
        first = sum(choice.primary or choice.group == "action" for choice in found)
        found.insert(min(3, max(1, first)), Choice("note", Text("praga/choice/note"), {}))
        local["note"] = Put({"slot": "note"})
    return tuple(found), local


def _tiles(page: Page, view: View, ask: Ask, tiles: list[Choice], box: Rect) -> None:
    """Six tiles in a row (two rows upright), undo at their left, other things at their right."""
    t = page.theme
    halves = [choice for choice in ask.choices if choice.group == "half"]
    others = len(tiles) + len(halves) < len(ask.choices)
    side = max(t.touch, t.u(104, 76))
    draw_choices(page, view, (box[0], box[1], side, box[3]), (), narrow=True)
    cells = _tile_cells(page, (box[0] + side + t.gap, box[1], box[2] - side - t.gap, box[3]), len(tiles), others)
    for i, choice in enumerate(tiles):
        cell = cells[i]
        own = tuple(half for half in halves if half.picture["tile"] == choice.picture["tile"])
        page.part(f"tile {i}", cell, (choice, own, view.pending), hooks.draw_tile, view, choice, own, cell, i + 1)
    if others:
        cell = cells[len(tiles)]
        page.part(
            "also",
            cell,
            "also",
            button,
            "also",
            cell,
            Text("praga/choice/also"),
            Put({"slot": "also"}),
            look="ghost",
            role="label",
            lines=3,
        )


def _tile_cells(page: Page, box: Rect, tiles: int, others: bool) -> list[Rect]:
    """A place for each tile, wide enough for a finger on either half of it, and a narrower one for the rest."""
    t = page.theme
    x, y, w, h = box
    last = max(t.touch, t.u(112, 70)) if others else 0.0
    if t.kind == "tall" or (w - last) / tiles < t.touch + t.gap:
        per = -(-(tiles + others) // 2)
        width, height = (w - t.gap * (per - 1)) / per, (h - t.gap) / 2
        return [(x + i % per * (width + t.gap), y + i // per * (height + t.gap), width, height) for i in range(2 * per)]
    width = (w - last - t.gap * (tiles - 1 + others)) / tiles
    cells: list[Rect] = [(x + i * (width + t.gap), y, width, h) for i in range(tiles)]
    return [*cells, (x + w - last, y, last, h)]
