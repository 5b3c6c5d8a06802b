"""Praga's long forms in two columns, leaf by leaf, so that a final position takes few leaves."""

from __future__ import annotations

from typing import Any

from companion.game import Field, Form, Option, Text
from display.page import Page
from display.scenes.forms import draw_fields, draw_number, row_height, value_of
from display.touch import Put
from display.view import View
from display.widgets import Rect

LEAF = "form-leaf"
"""The same memory as any form's leaf: it is forgotten with the form."""
LEAF_OF = "form-leaf-of"


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
    return field.kind == "number" and (field.high or 0) <= 60


def open_leaf(view: View, form: Form, pages: int) -> int:
    """The leaf that is open; another player's form begins at its first."""
    mine = view.pick(LEAF_OF) == form.move.get("seat")
    return int(view.pick(LEAF, 0)) % pages if mine else 0


def turn_leaf(form: Form, leaf: int) -> Put:
    """Go to a leaf of this form."""
    return Put({LEAF: leaf, LEAF_OF: form.move.get("seat")})


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
            page.piece(
                f"field {row} {column}",
                (cell[0] - 2, cell[1] - 2, cell[2] + 4, each + 8),
                (field, value_of(view, field), repr(view.pick("form")), cell),
                lambda field=field, cell=cell: draw_number(page, view, field, cell),  # type: ignore[misc]
            )


# -- putting things right --------------------------------------------------------------------------------------------

CORRECTED = (
    *("points", "gold", "stone", "eggs", "silver_windows", "gold_windows", "mines", "quarries", "technology"),
    *("university", "red", "blue", "walls", "upgrades", "road", "cubes", "wall_row", "wall_column", "wall_level"),
    *("cathedral_row", "cathedral_column", "cathedral_level"),
)


def correction(view: View) -> Form | None:
    """The form behind a touched player or the touched crane."""
    kind, _, rest = str(view.pick("slot") or "").partition(" ")
    if kind == "player":
        return _of_player(view, rest)
    return _of_crane(view) if kind == "crane" else None


def _of_player(view: View, seat: str) -> Form | None:
    player = next((one for one in view.table.get("players") or [] if str(one.get("seat")) == seat), None)
    limits: dict[str, list[int]] = view.table.get("limits") or {}
    if player is None:
        return None
    fields = tuple(
        Field(
            name,
            Text(f"praga/field/{name}"),
            "number",
            int(player[name]),
            low=limits[name][0],
            high=limits[name][1],
            seat=int(seat),
        )
        for name in CORRECTED
        if name in player and name in limits
    )
    return Form((*fields, *_tiles(view, player)), {"kind": "correct", "seat": int(seat)}, Text("praga/send/correct"))


NAMED = {"technology": "technology", "token": "token", "seals": "seal", "v_tiles": "v"}
"""Kind of tile -> where its names are found."""


def _tiles(view: View, player: dict[str, Any]) -> tuple[Field, ...]:
    """What lies before a player and is no number: one tile of a kind, or several; and cubes at the plazas."""
    seat, made = int(player["seat"]), list[Field]()
    for name, ids in (view.table.get("tiles") or {}).items():
        kind, _, of = str(name).partition("-")
        options = tuple(Option(one, Text(f"praga/{NAMED[kind]}/{one}")) for one in ids)
        if not of:
            made.append(
                Field(name, Text(f"praga/field/{name}"), "many", tuple(player[name]), options=options, seat=seat)
            )
            continue
        what = {"level": Text(f"praga/level/{of}")} if kind == "technology" else {"track": Text(f"praga/track/{of}")}
        now = (player.get("tiles") or {}).get(name, "none")
        options = (Option("none", Text("praga/choice/none")), *options)
        made.append(Field(name, Text(f"praga/field/{kind}-of", what), "pick", now, options=options, seat=seat))
    for number, plaza in enumerate(view.table.get("plazas") or [] if made else [], 1):
        if not plaza["done"]:
            text = Text("praga/field/claims", {"plaza": Text("praga/plaza", {"number": number})})
            most = int(view.table["limits"]["cubes"][1])
            made.append(Field(f"claims-{number}", text, "number", int(plaza["cubes"][seat]), 0, most, seat=seat))
    return tuple(made)


def _of_crane(view: View) -> Form | None:
    wheel: dict[str, Any] = view.table.get("crane") or {}
    if not wheel:
        return None
    fields = [Field("box", Text("praga/field/box"), "number", int(wheel["box"]), 2, 12)]
    for one in wheel["stations"]:
        if one["tile"]:
            tile = int(one["tile"])
            actions = tuple(Text(f"praga/action/{name}") for name in one["actions"])
            text = (
                Text("praga/field/tile-of", {"actions": actions})
                if actions
                else Text("praga/field/tile", {"tile": tile})
            )
            fields.append(Field(f"tile-{tile}", text, "number", int(one["station"]), 1, 12))
    return Form(tuple(fields), {"kind": "correct"}, Text("praga/send/correct"))
