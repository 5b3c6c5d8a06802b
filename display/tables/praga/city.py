"""The city on the screen: where each plaza lies, what it gives, who claims it.

Nobody knows where the plazas of a copy lie before its owner has touched their places once. A plaza that is not on the map yet
waits beside it; it goes to the place that is touched, and the box keeps it there.
"""

from __future__ import annotations

import msgspec

from companion.game import Ask, Choice, Text
from companion.shown.praga import COLUMNS, OLD_ROWS, PLACES, PragaView, Square
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import Radii, hexagon, mark
from display.paint.sprite import Pen, Point, sprite
from display.scenes.choices import act_for
from display.tables.praga.signs import action, gain
from display.theme import mix, rgb
from display.touch import Act, Both, Play, Put
from display.view import View
from display.widgets import Rect, dots, split

PIN = "plaza-pin"
"""The plaza that goes to the next place touched."""
OPEN = "plazas"
"""What `slot` is while the map is looked at outside a question."""
OLD, NEW = rgb("8E4A2F"), rgb("2A6B52")
IVORY, WATER, ROAD = rgb("FFF8EA"), rgb("2D5E9E"), rgb("C9963F")
ROWS = PLACES // COLUMNS


class Map(msgspec.Struct, frozen=True):
    """Where the places of the map lie on the screen."""

    box: Rect
    wide: float
    pitch: float
    strip: float
    left: float

    @property
    def r(self) -> Radii:
        """How far a place reaches to the side and up."""
        return self.wide * 0.485, self.pitch * 0.645

    def cell(self, place: int) -> Rect:
        """The area of a place, counted from one, row by row from the north."""
        row, column = divmod(place - 1, COLUMNS)
        x = self.left + (column + 0.5 * (row % 2)) * self.wide
        y = self.box[1] + self.pitch / 6 + row * self.pitch + (self.strip + self.pitch / 3 if row >= OLD_ROWS else 0)
        return x, y, self.wide, self.pitch

    @property
    def road(self) -> float:
        """The upper edge of the King's Road, between the two towns."""
        return self.cell(OLD_ROWS * COLUMNS + 1)[1] - self.pitch / 6 - self.strip


def _map(page: Page, box: Rect, strip: float) -> Map:
    river = min(page.theme.u(46, 26), box[2] * 0.09)
    return Map(
        box,
        (box[2] - river - page.theme.u(8, 5)) / (COLUMNS + 0.5),
        (box[3] - strip) / (ROWS + 2 / 3),
        strip,
        box[0] + river,
    )


def asked(ask: Ask | None) -> dict[int, Choice]:
    """The plazas that may be named now."""
    named = [choice for choice in (ask.choices if ask else ()) if choice.group == "plaza"]
    return {int(choice.picture["plaza"]): choice for choice in named}


def draw_city(page: Page, view: View, ask: Ask | None, box: Rect) -> None:
    """The map with its plazas; beside it those that have no place yet."""
    t = page.theme
    squares, choices = view.shown(PragaView).plazas, asked(ask)
    loose = [n for n, one in enumerate(squares, 1) if not one.at and not one.done and (n in choices or not choices)]
    held = _held(view, squares, choices, loose)
    land, rest = _parted(page, box, len(loose))
    plan = _map(page, land, t.u(34, 18) * min(1.3, t.zoom))
    page.piece("city", plan.box, (plan, t.light), lambda: _ground(page, plan))
    taken = {one.at: n for n, one in enumerate(squares, 1) if one.at}
    for place in range(1, PLACES + 1):
        number = taken.get(place, 0)
        if number:
            _plaza(page, view, plan, squares[number - 1], number, choices.get(number), held, ask)
        elif held:
            act = _placed(squares, held, place, choices.get(held), ask)
            _spot(page, plan, place, act)
    if loose:
        _loose(page, loose, squares, held, rest)


def _parted(page: Page, box: Rect, loose: int) -> tuple[Rect, Rect]:
    """Room for the map and for the plazas that wait: beside it, on upright panels below it."""
    t, (x, y, w, h) = page.theme, box
    each = max(t.touch, t.u(84, 66)) + t.gap
    if not loose:
        return box, box
    if t.kind == "tall":
        taken = (1 - -loose // int(w / each)) * each
        return (x, y, w, h - taken), (x, y + h - taken + t.gap, w, taken - t.gap)
    taken = -(-loose // (ROWS - 1)) * each
    return (x, y, w - taken, h), (x + w - taken + t.gap, y, taken - t.gap, h)


def draw_small(page: Page, view: View, box: Rect) -> None:
    """The same to look at, without words; a touch opens it."""
    table = view.shown(PragaView)
    lying = [(n, one) for n, one in enumerate(table.plazas, 1) if one.at]
    plan = _map(page, box, box[3] * 0.06)
    colours = tuple(view.colour(seat) for seat in range(len(table.players)))

    def paint() -> None:
        page.touch("city", box, Put({"slot": OPEN, "form": None}), grow=0)
        _land(page, plan)
        for n, one in lying:
            _dot(page, view, plan.cell(one.at), plan.r, n, one)
        if not lying:
            room = (plan.left, box[1], box[0] + box[2] - plan.left, plan.road - box[1])
            page.text(Text("praga/city"), room, "label", page.c.dim, align="center", floor=0.5)

    page.piece("city small", box, (plan, lying, colours, page.theme.light), paint)


def _held(view: View, squares: tuple[Square, ...], choices: dict[int, Choice], loose: list[int]) -> int:
    """The plaza that a touch on a free place puts there: the one picked, else the first that waits for a place."""
    picked = int(view.pick(PIN) or 0)
    if not choices:
        return picked if picked <= len(squares) else 0
    return picked if picked in loose else next((n for n in loose if not squares[n - 1].empty), 0)


def _placed(squares: tuple[Square, ...], number: int, place: int, choice: Choice | None, ask: Ask | None) -> Act:
    """The plaza lies there: said together with the building beside it, or alone."""
    if choice is not None and choice.off is not None:
        return act_for(choice, ask)
    if choice is not None:
        return Both((Play({**choice.move, "at": place}), Put({PIN: None})))
    places = [place if n == number else one.at for n, one in enumerate(squares, 1)]
    return Both((Play({"kind": "box", "key": "plazas.places", "value": places}), Put({PIN: None})))


# -- the ground ------------------------------------------------------------------------------------------------------


def _ground(page: Page, plan: Map) -> None:
    _land(page, plan)
    c, r = page.c, plan.strip * 0.3
    x, _, w, _ = plan.box
    parts = split((plan.left, plan.road, x + w - plan.left - r, plan.strip), 3, 0)
    for part, key, sign, align in zip(
        parts, ("town/old", "road-name", "town/new"), ("up", "", "down"), ("left", "center", "right"), strict=True
    ):
        left, top, wide, high = part
        if sign:
            page.blit(icon(sign, r, c.dim), left + (r if align == "left" else wide - r), top + high / 2)
            left, wide = left + (3 * r if align == "left" else 0), wide - 3 * r
        page.text(Text(f"praga/{key}"), (left, top, wide, high), "small", c.text, align=align, floor=0.5)


def _land(page: Page, plan: Map) -> None:
    """The river with the bridge in the west, the King's Road from there, a town on either side of it."""
    t, c = page.theme, page.c
    x, y, w, h = plan.box
    river, wave = (plan.left - x) * 0.8, (plan.left - x) * 0.05
    land = mix(c.surface, c.bg, 0.3)
    water, road = mix(land, WATER, 0.7), plan.road - y - h / 2

    def paint(pen: Pen) -> None:
        pen.rect(-w / 2, -h / 2, w, h, land, t.u(14, 10))
        pen.rect(-w / 2, -h / 2, river, h, water, t.u(14, 10))
        for i in range(8):
            level = -h / 2 + (i + 0.5) * h / 8
            line = [(-w / 2 + river * (0.2 + 0.1 * k), level + (-1) ** k * wave) for k in range(7)]
            pen.line(line, mix(land, rgb("8FD0FF"), 0.5), wave)
        pen.rect(-w / 2, road, w, plan.strip, mix(land, ROAD, 0.4))
        pen.rect(-w / 2, road, river, plan.strip, mix(land, IVORY, 0.7))
        for i in range(3):
            pen.circle(-w / 2 + river * (i + 0.5) / 3, road + plan.strip, river / 8, water)

    page.blit(sprite(("praga-city", plan, land), w, h, paint, 2), x + w / 2, y + h / 2)


def _grow(page: Page, plan: Map) -> float:
    """On a small panel a place reaches a little over its cell, to be as large as a finger."""
    return max(0.0, (page.theme.touch - plan.pitch) / 2 + 1)


def _around(cell: Rect) -> Rect:
    """A place reaches over its cell into the rows above and below."""
    return cell[0], cell[1] - cell[3] * 0.17, cell[2], cell[3] * 1.34


# -- plazas and free places ------------------------------------------------------------------------------------------


def _plaza(
    page: Page, view: View, plan: Map, square: Square, number: int, choice: Choice | None, held: int, ask: Ask | None
) -> None:
    """A plaza in its place: named by a touch while a building asks for it, else picked up to be put elsewhere."""
    cell, lit = plan.cell(square.at), held == number
    choosing = bool(asked(ask))
    act = act_for(choice, ask) if choice else None if choosing else Put({PIN: None if lit else number})
    off = choosing and (choice is None or choice.off is not None)
    pending = choice is not None and view.pending == choice.id

    def paint() -> None:
        pressed = act is not None and page.touch(f"plaza-{number}", cell, act, grow=_grow(page, plan))
        _drawn(page, view, cell, plan.r, number, square, lit=lit or pressed, off=off)
        if pending:
            dots(page, cell, IVORY)

    page.piece(f"plaza {number}", _around(cell), (cell, square, off, lit, pending, act), paint)


def _drawn(
    page: Page, view: View, cell: Rect, r: Radii, number: int, square: Square, *, lit: bool = False, off: bool = False
) -> None:
    """Its number, the buildings around it, whose cubes lie there, and its two rewards."""
    t, c = page.theme, page.c
    x, y = cell[0] + cell[2] / 2, cell[1] + cell[3] / 2
    quiet = off or square.done
    town = OLD if square.at <= OLD_ROWS * COLUMNS else NEW
    fill = mix(town, c.bg, 0.65) if quiet else town
    ink = mix(IVORY, fill, 0.45) if quiet else IVORY
    edge = c.brass_hi if lit else mix(fill, IVORY, 0.35)
    page.blit(
        hexagon(r, mix(c.bg, fill, 0.4) if square.empty else fill, edge, t.u(5, 3.5) if lit else t.u(2, 1.5)), x, y
    )
    beside = square.done or square.buildings
    unit = min(r)
    room = (x - (0.66 if beside else 0.3) * unit, y - 0.72 * unit, 0.6 * unit, 0.5 * unit)
    page.text(str(number), room, "figure", ink, align="center", size=0.48 * unit, floor=0.4)
    if square.done:
        page.blit(icon("check", 0.26 * unit, ink), x + 0.3 * unit, y - 0.46 * unit)
    elif square.buildings:
        page.blit(action("building", 0.17 * unit, ink), x + 0.16 * unit, y - 0.46 * unit)
        room = (x + 0.38 * unit, y - 0.72 * unit, 0.3 * unit, 0.5 * unit)
        page.text(str(square.buildings), room, "strong", ink, size=0.36 * unit, floor=0.4)
    cubes = [seat for seat, n in enumerate(square.cubes) for _ in range(n)][:6]
    for i, seat in enumerate(cubes):
        at = x + (i - (len(cubes) - 1) / 2) * 0.36 * unit
        _cube(page, view, seat, 0.13 * unit, (at, y + (0.0 if square.rewards else 0.2 * unit)))
    _rewards(page, square, (x, y + (0.46 if cubes else 0.3) * unit), unit, 0.45 if quiet else 1.0)


def _dot(page: Page, view: View, cell: Rect, r: Radii, number: int, square: Square) -> None:
    """On the small map: its number, and whose cubes lie there."""
    c = page.c
    x, y = cell[0] + cell[2] / 2, cell[1] + cell[3] / 2
    town = OLD if square.at <= OLD_ROWS * COLUMNS else NEW
    fill = mix(town, c.bg, 0.65) if square.done or square.empty else town
    page.blit(hexagon(r, fill, mix(fill, IVORY, 0.35), 1.5), x, y)
    seats = [seat for seat, n in enumerate(square.cubes) if n]
    room = (cell[0] + 2, cell[1], cell[2] * (0.5 if seats else 1.0) - 4, cell[3])
    page.text(str(number), room, "strong", IVORY, align="center", size=0.95 * r[1], floor=0.3)
    for i, seat in enumerate(seats):
        at = (x + (0.34 + 0.34 * (i // 2)) * r[0], y + ((i % 2) - 0.5 * (len(seats) > 1)) * 0.6 * r[1])
        _cube(page, view, seat, 0.2 * r[1], at)


def _cube(page: Page, view: View, seat: int, r: float, at: Point) -> None:
    """A claim: its owner's shape, on dark so that it stands out from either town."""
    dark = page.c.ink
    page.blit(
        sprite(("praga-claim", round(r * 4), dark), 3 * r, 3 * r, lambda pen: pen.circle(0, 0, 1.45 * r, dark)), *at
    )
    page.blit(mark(page.theme.player(view.colour(seat)), r, page.theme), *at)


def _rewards(page: Page, square: Square, at: Point, unit: float, fade: float) -> None:
    """The upper reward above the lower one, as they are printed."""
    rows = [[name for name, n in gives.items() for _ in range(min(3, n))][:4] for gives in square.rewards.values()]
    for line, shown in enumerate(rows):
        level = at[1] + (line - (len(rows) - 1) / 2) * 0.34 * unit
        for i, name in enumerate(shown):
            page.blit(gain(page, name, 0.15 * unit), at[0] + (i - (len(shown) - 1) / 2) * 0.36 * unit, level, fade)


def _spot(page: Page, plan: Map, place: int, act: Act) -> None:
    """A free place, to be touched where a plaza lies there."""
    cell = plan.cell(place)
    town, c = OLD if place <= OLD_ROWS * COLUMNS else NEW, page.c

    def paint() -> None:
        pressed = page.touch(f"place {place}", cell, act, grow=_grow(page, plan))
        land = mix(c.surface, c.bg, 0.3)
        fill = mix(land, town, 0.6 if pressed else 0.22)
        page.blit(hexagon(plan.r, fill, mix(land, town, 0.6), 1.5), cell[0] + cell[2] / 2, cell[1] + cell[3] / 2)

    page.piece(f"place {place}", _around(cell), (cell, act), paint)


def _loose(page: Page, loose: list[int], squares: tuple[Square, ...], held: int, box: Rect) -> None:
    """The plazas that have no place yet: one of them is put where the map is touched."""
    t, c = page.theme, page.c
    each = max(t.touch, t.u(84, 66)) + t.gap
    across = int((box[2] + t.gap + 1) / each)
    hint, *lines = split(box, 1 - -len(loose) // across if t.kind == "tall" else ROWS, t.gap, down=True)
    said = Text("praga/city/loose")
    page.piece("city loose", hint, hint, lambda: page.text(said, hint, "small", c.dim, lines=5, floor=0.5))
    cells = [cell for line in lines for cell in split(line, across, t.gap)]
    for number, cell in zip(loose, cells, strict=False):
        content = (number, held == number, squares[number - 1].empty)
        page.part(f"loose {number}", cell, content, _pin, number, squares[number - 1], cell, lit=held == number)


def _pin(page: Page, number: int, square: Square, cell: Rect, *, lit: bool) -> None:
    t, c = page.theme, page.c
    x, y, w, h = cell
    pressed = page.touch(f"pin {number}", cell, Put({PIN: number}))
    r = min(w, h) / 2
    radii = (0.9 * r, r)
    fill = c.bg if square.empty else c.press if pressed else c.raised
    page.blit(hexagon(radii, fill, c.brass_hi if lit else c.line, t.u(4, 3) if lit else 2), x + w / 2, y + h / 2)
    page.text(str(number), (x, y, w, h), "strong", align="center", size=0.8 * r, floor=0.4)
