"""Forms: what is entered for an action, a gain and the final position, and how it is checked (rules, section 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.game import Field, Option, Text
from companion.games.praga import plazas
from companion.games.praga.copy import ROWS
from companion.games.praga.gains import COUNTS, FIELDS
from companion.games.praga.refuse import refused
from companion.games.praga.state import ACTIONS, Begun, PragaState


def _number(name: str, value: int = 0, low: int = 0, high: int = 20, text: str = "") -> Field:
    return Field(name, Text(text or f"praga/field/{name}"), "number", value, low, high)


def gain_fields(low: int = 0) -> tuple[Field, ...]:
    """What may be gained; with a negative `low` also paid."""
    short = {"points": 50, "wall_steps": 6, "cathedral_steps": 6}
    fields = []
    for name in FIELDS:
        paid = low if name in ("gold", "stone", *COUNTS, "points") else 0
        fields.append(_number(name, 0, paid, short.get(name, 20)))
    return tuple(fields)


def row_field() -> Field:
    """Which of a plaza's two rewards is taken."""
    options = tuple(Option(row, Text(f"praga/row/{row}")) for row in ROWS)
    return Field("row", Text("praga/field/row"), "pick", "upper", options=options)


def reward_fields() -> tuple[Field, ...]:
    """A reward: which of the two it is, where one is chosen, and what it gives."""
    return row_field(), *gain_fields()


def note_fields(state: PragaState) -> tuple[Field, ...]:
    """What can be noted at any time: points alone in light depth, everything in full."""
    fields = gain_fields(-20)
    return tuple(field for field in fields if field.id == "points") if state.depth == "light" else fields


def special_open(state: PragaState, begun: Begun) -> bool:
    """The special hex tile may be taken: only with the tile's own action and the special wheel bonus."""
    hand = state.hand
    if begun.source == "missed":
        slot = state.boards[state.active].missed[begun.which].slot
        return str(state.box[f"crane.bonus.{slot}"]).startswith("special")
    if begun.source != "tile" or hand is None or not hand.bonus:
        return False
    return str(state.box[f"crane.bonus.{hand.slot}"]).startswith("special")


def detail(state: PragaState, seat: int, action: str, begun: Begun) -> tuple[Field, ...]:
    """The form of one action."""
    fields: list[Field] = []
    if action in ("upgrade", "wall", "building") and special_open(state, begun):
        fields.append(Field("special", Text("praga/field/special"), "flag", False))
    if action in ("wall", "building"):
        fields += [_number("cost_stone", 0, 0, 9), _number("cost_gold", 0, 0, 9)]
    if action == "upgrade":
        options = tuple(Option(name, Text(f"praga/action/{name}")) for name in ACTIONS)
        none = Option("none", Text("praga/field/on/none"))
        fields.append(Field("on", Text("praga/field/on"), "pick", "none", options=(none, *options)))
    fields += _by_use(action, gain_fields(-9 if action == "road" else 0))
    return (*fields, *_where(state, seat)) if action == "building" else tuple(fields)


RARE = ("gold_windows", "red", "blue")
"""What tiles themselves seldom give: corners give tokens."""


def _by_use(action: str, fields: Sequence[Field]) -> tuple[Field, ...]:
    """The commonest gains of a tile first, so that most tiles need one leaf."""
    other = {"wall": "cathedral_steps", "building": "wall_steps"}.get(action, "")
    step = {"wall": "wall_steps", "building": "cathedral_steps"}.get(action, "")
    return tuple(sorted(fields, key=lambda field: (field.id in (*RARE, other), field.id != step)))


def building_fields(state: PragaState, begun: Begun) -> tuple[Field, ...]:
    """What a building tile shows; where it stands is asked afterwards."""
    special = (Field("special", Text("praga/field/special"), "flag", False),) if special_open(state, begun) else ()
    options = tuple(Option(name, Text(f"praga/place/{name}")) for name in ("claim", "points"))
    place = Field("place", Text("praga/field/place"), "pick", "claim", options=options)
    costs = _number("cost_stone", 0, 0, 9), _number("cost_gold", 0, 0, 9)
    return (*special, place, *costs, *_by_use("building", gain_fields()))


def _where(state: PragaState, seat: int) -> tuple[Field, ...]:
    """What a building's place on the board says."""
    fields = [_number("site_gold", 0, 0, 9), _number("site_points", 0, 0, 20)]
    free = [i for i, plaza in enumerate(state.plazas, 1) if not plaza.done]
    options = (Option(0, Text("praga/plaza/none")), *(Option(i, plazas.name(state, i)) for i in free))
    fields.append(Field("plaza", Text("praga/field/plaza"), "pick", 0, options=options))
    places = ("claim", "points", "none") if state.boards[seat].cubes else ("points", "none")
    options = tuple(Option(name, Text(f"praga/place/{name}")) for name in places)
    fields.append(Field("place", Text("praga/field/place"), "pick", "none", options=options))
    return (*fields, *_filled(state))


def _filled(state: PragaState) -> tuple[Field, ...]:
    set_up = (_number("set_up", 0, 0, 8),) if state.players < 4 else ()
    return (*set_up, Field("completes", Text("praga/field/completes"), "flag", False))


def site_fields(state: PragaState) -> tuple[Field, ...]:
    """A site nobody has built on yet: what it asks and gives."""
    return _number("site_gold", 0, 0, 9), _number("site_points", 0, 0, 20), *_filled(state)


def checked(fields: Sequence[Field], values: Mapping[str, object]) -> dict[str, object]:
    """The entered values over the form's own; refused with the field's name when one cannot be."""
    known = {field.id: field for field in fields}
    found: dict[str, object] = {field.id: field.value for field in fields}
    for name, value in values.items():
        field = known.get(name)
        if name == "special" and field is None and value is True:
            raise refused("special")
        if field is None or not _fits(field, value):
            text = field.text if field else Text("praga/field/unknown", {"name": name})
            if type(value) not in (int, str):  # nothing a player could have typed: its name is enough
                raise refused("sheet", field=text)
            raise refused("form", field=text, name=name, value=str(value))
        found[name] = value
    return found


def _fits(field: Field, value: object) -> bool:
    if field.kind == "flag":
        return isinstance(value, bool)
    if field.kind == "number":
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return (field.low is None or value >= field.low) and (field.high is None or value <= field.high)
    allowed = [option.value for option in field.options]
    if field.kind == "many":
        return isinstance(value, tuple) and all(one in allowed for one in value)
    return not isinstance(value, bool) and value in allowed
