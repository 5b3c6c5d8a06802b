"""What can be chosen of the crane: its tiles, the two actions of each, and the ways to carry one out."""

from __future__ import annotations

from companion.game import Choice, Picture, RuleBroken, Text
from companion.games.praga import crane, moves, turn
from companion.games.praga.actions import tile_of
from companion.games.praga.gains import road_open
from companion.games.praga.state import ACTIONS, Begun, PragaState


def tile_choice(state: PragaState, tile: int) -> Choice:
    """One tile of the crane with its price, its points and, where it cannot be paid, why."""
    station = state.crane.where(tile) or 0
    cost, points = crane.price(state.box, station), crane.worth(state.box, state.crane, tile)
    off = None
    if state.depth == "full":
        try:
            turn.check_gold(state, state.active, tile)
        except RuleBroken as dear:
            off = dear.say
    notes = {(True, True): "both", (True, False): "pay", (False, True): "score", (False, False): "free"}
    note = Text(f"praga/note/{notes[cost > 0, points > 0]}", {"cost": cost, "points": points})
    slot = state.crane.slot(station)
    picture: Picture = {
        "tile": tile,
        "station": station,
        "zone": crane.zone(station),
        "cost": cost,
        "worth": points,
        "flag": tile in state.crane.flagged,
        "actions": list(state.actions_of(tile)),
        "bonus": str(state.box[f"crane.bonus.{slot}"]),
    }
    actions = tuple(Text(f"praga/action/{name}") for name in state.actions_of(tile))
    text = Text("praga/choice/tile", {"station": crane.place(station)})
    if actions:
        text = Text("praga/choice/tile-of", {"station": crane.place(station), "actions": actions})
    at_once = state.depth == "full" and turn.pays_at_once(state, state.active, slot)
    move = moves.encode(moves.Choose(tile, bonus=at_once, seat=state.active))
    return Choice(f"tile-{tile}", text, move, note, off, "tile", picture)


def halves(state: PragaState, whole: Choice) -> tuple[Choice, ...]:
    """A tile together with one of its two actions, where both are known."""
    tile = int(whole.picture["tile"])
    if state.depth != "full" or not state.pair_known(tile):
        return ()
    found = []
    for name in state.actions_of(tile):
        shut = whole.off or (_road_off(state, state.active) if name == "road" else None)
        picture: Picture = {**whole.picture, "action": name}
        move = {**whole.move, "action": name}
        found.append(
            Choice(f"{whole.id}-{name}", Text(f"praga/action/{name}"), move, whole.note, shut, "half", picture)
        )
    return tuple(found)


def action_choices(state: PragaState, seat: int, source: Begun) -> tuple[Choice, ...]:
    """The actions open now: those of the tile, or any."""
    tile = tile_of(state, source)
    known = state.actions_of(tile) if tile else ()
    names = known if tile and len(known) == 2 else (*known, *(name for name in ACTIONS if name not in known))
    found: list[Choice] = []
    for name in names:
        picture: Picture = {"action": name}
        if name in ("mines", "quarries"):
            found += branches(state, seat, name)
            continue
        off = _road_off(state, seat) if name == "road" else None
        move = moves.encode(moves.Begin(name, seat=seat))  # type: ignore[arg-type]
        found.append(Choice(name, Text(f"praga/action/{name}"), move, off=off, group="action", picture=picture))
    return tuple(found)


def branches(state: PragaState, seat: int, track: str) -> tuple[Choice, ...]:
    """One more mine or quarry, or production."""
    found = []
    for branch in ("dig", "produce"):
        move = moves.encode(moves.Act(track, branch, seat=seat))  # type: ignore[arg-type]
        text = Text(f"praga/choice/{track}/{branch}", {"n": getattr(state.boards[seat], track)})
        picture: Picture = {"action": track, "branch": branch}
        found.append(Choice(f"{track}-{branch}", text, move, group="action", picture=picture))
    return tuple(found)


def _road_off(state: PragaState, seat: int) -> Text | None:
    try:
        road_open(state, seat)
    except RuleBroken as closed:
        return closed.say
    return None
