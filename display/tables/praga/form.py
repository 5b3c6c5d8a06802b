"""Praga's long forms in two columns, leaf by leaf, so that a final position takes few leaves."""

from __future__ import annotations

from companion.game import Field, Form, Option, Text
from companion.shown.praga import Owner, PragaView
from display.page import Page
from display.scenes.forms import draw_fields, draw_number, row_height, unsaid, value_of
from display.touch import Put
from display.view import View
from display.widgets import Rect

LEAF = "form-leaf"
"""The same memory as any form's leaf: it is forgotten with the form."""
LEAF_OF = "form-leaf-of"
SEEN = "form-leaf-seen"
"""The furthest leaf of it that was looked at."""


def columns(page: Page) -> int:
    """Two where the panel is broad and the words are not large."""
    return 2 if page.theme.kind != "tall" and page.theme.zoom < 1.3 else 1


Line = tuple[Field, ...]
"""One row of the form: a field that needs the whole of it, or numbers side by side."""


def leaves(page: Page, form: Form, box: Rect) -> list[list[Line]]:
    """What is picked or has a wide range first, a row each; then the numbers, two a row. Who corrects finds tiles last."""
    fit = max(1, int((box[3] + page.theme.gap) / (row_height(page) + page.theme.gap)))
    across = columns(page)
    last = [field for field in form.fields if field.kind != "number" and form.move.get("kind") == "correct"]
    wide = [field for field in form.fields if field not in last and (across == 1 or not _narrow(field))]
    rest = [field for field in form.fields if field not in wide and field not in last]
    rows: list[Line] = [(field,) for field in wide]
    rows += [tuple(rest[i : i + across]) for i in range(0, len(rest), across)]
    rows += [(field,) for field in last]
    return [rows[i : i + fit] for i in range(0, len(rows), fit)]


def _narrow(field: Field) -> bool:
    """Two of them stand in a row; one that is read off the board needs room to say where."""
    read = field.value is None and field.help is not None
    return field.kind == "number" and (field.high or 0) <= 60 and not read


def open_leaf(view: View, form: Form, pages: int) -> int:
    """The leaf that is open; another player's form begins at its first."""
    mine = view.pick(LEAF_OF) == form.move.get("seat")
    return int(view.pick(LEAF, 0)) % pages if mine else 0


def turn_leaf(view: View, form: Form, leaf: int) -> Put:
    """Go to a leaf of this form."""
    return Put({LEAF: leaf, LEAF_OF: form.move.get("seat"), SEEN: max(leaf, _seen(view, form))})


def _seen(view: View, form: Form) -> int:
    return int(view.pick(SEEN, 0)) if view.pick(LEAF_OF) == form.move.get("seat") else 0


def why_not(view: View, form: Form, pages: int) -> Text | None:
    """Why a final position cannot be sent yet: a printed number is missing, or a leaf nobody has looked at."""
    if form.move.get("kind") != "sheet":
        return None
    missing = next((field for field in form.fields if unsaid(view, field)), None)
    if missing is not None:
        return Text("praga/form/missing", {"field": missing.text})
    return Text("praga/form/leaves") if _seen(view, form) < pages - 1 else None


def draw_form(page: Page, view: View, form: Form, box: Rect) -> None:
    """The leaf that is open."""
    t = page.theme
    pages = leaves(page, form, box)
    each, across = row_height(page), columns(page)
    half = (box[2] - t.gap * (across - 1)) / across
    for row, line in enumerate(pages[open_leaf(view, form, len(pages))]):
        top = box[1] + row * (each + t.gap)
        if across == 1 or not _narrow(line[0]):
            draw_fields(page, view, line, (box[0], top, box[2], each), name=f"line {row}")
            continue
        for column, field in enumerate(line):
            cell = (box[0] + column * (half + t.gap), top, half, each)
            content = (field, value_of(view, field), repr(view.pick("form")))
            page.part(f"field {row} {column}", cell, content, draw_number, view, field, cell)


# -- putting things right --------------------------------------------------------------------------------------------


def _counted(player: Owner) -> dict[str, float | None]:
    """What may be put right, in the order it is shown; `None` where it is not followed."""
    return {
        "points": player.points,
        "gold": player.gold,
        "stone": player.stone,
        "eggs": player.eggs,
        "silver_windows": player.silver_windows,
        "gold_windows": player.gold_windows,
        "mines": player.mines,
        "quarries": player.quarries,
        "technology": player.technology,
        "university": player.university,
        "red": player.red,
        "blue": player.blue,
        "walls": player.walls,
        "upgrades": player.upgrades,
        "road": player.road,
        "cubes": player.cubes,
        "wall_row": player.wall_row,
        "wall_column": player.wall_column,
        "wall_level": player.wall_level,
        "cathedral_row": player.cathedral_row,
        "cathedral_column": player.cathedral_column,
        "cathedral_level": player.cathedral_level,
    }


def correction(view: View) -> Form | None:
    """The form behind a touched player or the touched crane."""
    kind, _, rest = str(view.pick("slot") or "").partition(" ")
    if kind == "player":
        return _of_player(view, rest)
    return _of_crane(view) if kind == "crane" else None


def _of_player(view: View, seat: str) -> Form | None:
    table = view.shown(PragaView)
    player = next((one for one in table.players if str(one.seat) == seat), None)
    limits = table.limits
    if player is None:
        return None
    fields = tuple(
        Field(
            name,
            Text(f"praga/field/{name}"),
            "number",
            round(value),
            low=limits[name][0],
            high=limits[name][1],
            seat=int(seat),
        )
        for name, value in _counted(player).items()
        if value is not None and name in limits
    )
    return Form((*fields, *_tiles(table, player)), {"kind": "correct", "seat": int(seat)}, Text("praga/send/correct"))


NAMED = {"technology": "technology", "token": "token", "seals": "seal", "v_tiles": "v"}
"""Kind of tile -> where its names are found."""


def _tiles(table: PragaView, player: Owner) -> tuple[Field, ...]:
    """What lies before a player and is no number: one tile of a kind, or several; and cubes at the plazas."""
    seat, made = player.seat, list[Field]()
    for name, ids in table.tiles.items():
        kind, _, of = str(name).partition("-")
        options = tuple(Option(one, Text(f"praga/{NAMED[kind]}/{one}")) for one in ids)
        if not of:
            held = player.seals if name == "seals" else player.v_tiles
            made.append(Field(name, Text(f"praga/field/{name}"), "many", held, options=options, seat=seat))
            continue
        what = {"level": Text(f"praga/level/{of}")} if kind == "technology" else {"track": Text(f"praga/track/{of}")}
        now = player.tiles.get(name, "none")
        options = (Option("none", Text("praga/choice/none")), *options)
        made.append(Field(name, Text(f"praga/field/{kind}-of", what), "pick", now, options=options, seat=seat))
    for number, plaza in enumerate(table.plazas if made else (), 1):
        if not plaza.done and not plaza.empty:
            text = Text("praga/field/claims", {"plaza": Text("praga/plaza", {"number": number})})
            most = table.limits["cubes"][1]
            made.append(Field(f"claims-{number}", text, "number", plaza.cubes[seat], 0, most, seat=seat))
    return tuple(made)


def _of_crane(view: View) -> Form:
    """The arrow, each hanging tile and its token of five points."""
    wheel = view.shown(PragaView).crane
    fields = [_station("box", Text("praga/field/box"), wheel.box, 2)]
    for one in wheel.stations:
        if one.tile:
            actions = tuple(Text(f"praga/action/{name}") for name in one.actions)
            known = Text("praga/field/tile-of", {"actions": actions})
            text = known if actions else Text("praga/field/tile", {"tile": one.tile})
            fields.append(_station(f"tile-{one.tile}", text, one.station, 1))
            flag = Text("praga/field/flag", {"station": Text(f"praga/station/{one.station}")})
            fields.append(Field(f"flag-{one.tile}", flag, "flag", one.flag))
    return Form(tuple(fields), {"kind": "correct"}, Text("praga/send/correct"))


def _station(name: str, text: Text, now: int, first: int) -> Field:
    """A station picked by what a person sees."""
    options = tuple(Option(station, Text(f"praga/station/{station}")) for station in range(first, 13))
    return Field(name, text, "pick", now, options=options)
