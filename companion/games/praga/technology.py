"""Technology tiles, and what windows buy: the extra action, a climb, a seal (rules, sections 6 to 8 and 10)."""

from __future__ import annotations

import msgspec

from companion.game import Text, seat_name
from companion.games.praga import copy, moves, plazas
from companion.games.praga.bounds import add
from companion.games.praga.gains import (
    TOKENS,
    amounts_in,
    free,
    gain,
    land,
    pay,
    produce,
    reach,
    replace_technology,
    road_open,
    technology_bonus,
)
from companion.games.praga.refuse import refused
from companion.games.praga.sheet import V_TILES
from companion.games.praga.state import Begun, Pending, PragaState, Technology, Work

EFFECTS: dict[int, tuple[str, ...]] = {
    1: ("wheel-gold", "wheel-stone", "steps-technology", "steps-university", "climb", "choice"),
    2: ("building-icon", "building-plain", "wall-icon", "token-red", "token-blue", "eggs"),
    3: ("road", "free-climb", "university", "upgrade", "produce-gold", "produce-stone"),
    4: ("building", "wall", "any", "upgrade-window", "plaza", "advance"),
}


def next_level(state: PragaState, seat: int) -> int | None:
    """The lowest technology level this player has neither kept nor drawn for."""
    known = {one.level for one in state.boards[seat].technologies}
    known |= {int(one.what) for one in state.pending if one.kind == "technology" and one.seat == seat}
    return next((level for level in range(1, 5) if level not in known), None)


def says_reached(play: Work, seat: int) -> None:
    """The player stands on a technology space whose step the box does not give, or has passed it unnoticed."""
    level, steps = next_level(play.state, seat), play.board(seat).technology
    if level is None or not steps or int(play.box[f"track.technology.{level}"]) > steps:
        raise refused("technology")
    if not int(play.box[f"track.technology.{level}"]):
        copy.learn(play, f"track.technology.{level}", steps)
    reach(play, seat, level, play.board(seat).stepped)


def learn(play: Work, seat: int, move: moves.Learn) -> None:
    """Keep one of the three drawn tiles."""
    waiting = [p for p in play.state.pending if p.kind == "technology" and p.seat == seat and p.what == str(move.level)]
    if not waiting or move.effect not in EFFECTS[move.level]:
        raise refused("technology")
    held = {one.effect for board in play.state.boards for one in board.technologies if one.level == move.level}
    if move.effect in held:
        raise refused("held")
    play.settle(waiting[0])
    play.reveals = True
    tile = Technology(move.level, move.effect, waiting[0].turn)
    play.put(seat, technologies=(*play.board(seat).technologies, tile))
    play.say("learned", seat, who=seat_name(seat), effect=Text(f"praga/technology/{move.effect}"))


def stored(state: PragaState, seat: int, level: int) -> Technology | None:
    """An unused technology of level III or IV."""
    found = (one for one in state.boards[seat].technologies if one.level == level and not one.used)
    return next(found, None)


def use(play: Work, seat: int, move: moves.Use) -> None:
    """Use a stored technology once; an action it grants is not the extra action."""
    tile = stored(play.state, seat, move.level)
    if tile is None or tile.effect == "free-climb":
        raise refused("technology")
    if play.state.begun is not None:
        raise refused("not-now")
    if tile.effect == "advance" and not (move.track and move.produce):
        raise refused("branch")
    replace_technology(play, seat, tile, used=True)
    play.say("used", seat, who=seat_name(seat), effect=Text(f"praga/technology/{tile.effect}"))
    simple = {
        "university": {"university": 4},
        "upgrade": {"points": 3},
        "upgrade-window": {"gold_windows": 1},
        "road": {"eggs": 1},
        "produce-gold": {"stone": 2},
        "produce-stone": {"gold": 2},
    }
    gain(play, seat, **simple.get(tile.effect, {}))
    if tile.effect.startswith("produce"):
        produce(play, seat, "mines" if tile.effect == "produce-gold" else "quarries")
    elif tile.effect == "advance":
        gain(play, seat, **{move.track: 1})
        produce(play, seat, "mines" if move.produce == "gold" else "quarries")
        _pays_at_once(play, seat, "mines" if move.produce == "gold" else "quarries")
    elif tile.effect == "plaza":
        for row in copy.ROWS:
            play.owe(Pending("plaza", seat, play.state.turn, f":{row}", both=True))
    elif tile.effect != "university":
        action = {"any": "", "upgrade-window": "upgrade"}.get(tile.effect, tile.effect)
        if action == "road":  # no egg came with the tile where the supply has none left
            road_open(play.state, seat)
        play.set(begun=Begun("technology", action, action if action in ("building", "wall") else ""))


def _pays_at_once(play: Work, seat: int, track: str) -> None:
    """A token reached by the step before a production counts for that production once it is picked."""
    pending = tuple(
        msgspec.structs.replace(one, both=True) if (one.kind, one.seat, one.what) == ("token", seat, track) else one
        for one in play.state.pending
    )
    play.set(pending=pending)


def extra(play: Work, seat: int, move: moves.Extra) -> None:
    """Buy the one extra action of the turn, even before choosing a tile."""
    if play.state.extra:
        raise refused("extra-twice")
    if play.state.begun is not None:
        raise refused("not-now")
    cost = {"gold_windows": 2} if move.pay == "gold" else {"gold_windows": 1, "silver_windows": 1}
    pay(play, seat, **cost)
    play.set(extra=True, begun=Begun("extra"))
    play.say("extra", seat, who=seat_name(seat))


def climb(play: Work, seat: int, move: moves.Climb) -> None:
    """One row up; entering a level costs its goods unless a technology waives them."""
    board = play.board(seat)
    level = getattr(board, f"{move.building}_level")
    if move.enters and move.enters != level + 1:
        raise refused("level", level=Text(f"praga/level/{level}"))
    if move.by == "technology":
        tile = stored(play.state, seat, 3)
        if tile is None or tile.effect != "free-climb":
            raise refused("technology")
        replace_technology(play, seat, tile, used=True)
    elif move.by == "arrow" and move.building not in play.state.moved:
        raise refused("no-arrow")
    elif move.by == "windows":
        pay(play, seat, silver_windows=int(play.box["climb.windows"]))
    if move.enters and move.by != "technology":
        pay(play, seat, **entry_price(play.state, move.building, move.enters))
    if not add(play, seat, f"{move.building}_row", 1):
        raise refused("top-row")
    play.put(seat, **{f"{move.building}_level": move.enters or level})
    if move.enters:
        copy.learn_level(play, move.building, getattr(play.board(seat), f"{move.building}_row"), move.enters)
    play.note_moved(seat, move.building)
    play.say("climbed", seat, who=seat_name(seat), building=Text(f"praga/building/{move.building}"))
    technology_bonus(play, seat, "climb", points=2)
    land(play, seat, move.building)
    finals_due(play, seat)


def lands(play: Work, seat: int, move: moves.Land) -> None:
    """What lies on the space just reached is told, taken, and known from now on."""
    if move.building not in play.state.landed:
        raise refused("nothing")
    board = play.board(seat)
    row, column = (getattr(board, f"{move.building}_{axis}") for axis in ("row", "column"))
    copy.learn_landing(play, move.building, row, column, move.points, move.arrow)
    land(play, seat, move.building)


def good(play: Work, seat: int, move: moves.Good) -> None:
    """The good of a lasting technology; printed on the tile it is known from now on."""
    waiting = next((one for one in play.state.pending if one.kind == "good" and one.seat == seat), None)
    if waiting is None:
        raise refused("nothing")
    play.settle(waiting)
    if f"technology.good.{waiting.what}" in play.box.printed:
        copy.learn(play, f"technology.good.{waiting.what}", move.good)
    gain(play, seat, **{move.good: 1})


def finals_due(play: Work, seat: int) -> None:
    """Whoever stands in section V of the road or on level III of the Cathedral is asked once for a V tile of that place."""
    board, state = play.board(seat), play.state
    if board.cathedral_level == 3 and "cathedral" not in board.asked:
        waiting = sum(one.kind == "final" and one.what == "cathedral" for one in state.pending)
        play.put(seat, asked=(*board.asked, "cathedral"))
        if state.cathedral_fives + waiting < int(state.box["limit.cathedral_fives"]):
            play.owe(Pending("final", seat, state.turn, "cathedral"))
    board = play.board(seat)
    if board.road == 5 and "bridge" not in board.asked:
        play.put(seat, asked=(*board.asked, "bridge"))
        if state.bridge_fives < int(state.box["limit.bridge_fives"]):
            play.set(bridge_fives=state.bridge_fives + 1)
            play.owe(Pending("final", seat, state.turn, "bridge"))


def entry_price(state: PragaState, building: str, level: int) -> dict[str, int]:
    """Goods to enter a level, as printed on the set of levels in play."""
    price: dict[str, int] = state.box[f"climb.{building}.{getattr(state, f'{building}_set')}-{level}"]
    return {name: max(0, int(price[name])) for name in ("gold", "stone")}


def tracks_done(state: PragaState, seat: int) -> int:
    """Production tracks whose end is reached."""
    board = state.boards[seat]
    return sum(getattr(board, track) >= int(state.box[f"track.{track}_top"]) for track in ("mines", "quarries"))


def seal(play: Work, seat: int, move: moves.Seal) -> None:
    """Claim a seal: one for each production track whose end is reached, each seal by one player only."""
    board = play.board(seat)
    if any(move.seal in other.seals for other in play.state.boards):
        raise refused("seal-taken")
    if len(board.seals) >= int(play.box["limit.seals"]):
        raise refused("seals-full")
    if len(board.seals) >= tracks_done(play.state, seat):
        raise refused("track-not-done")
    if board.cubes < 1:
        raise refused("no-cube")
    pay(play, seat, silver_windows=int(play.box[f"seal.cost.{move.seal}"]))
    board = play.board(seat)
    play.put(seat, seals=(*board.seals, move.seal), cubes=board.cubes - 1)
    play.say("sealed", seat, who=seat_name(seat), seal=Text(f"praga/seal/{move.seal}"))


def final(play: Work, seat: int, move: moves.Final) -> None:
    """Take a V tile from the bridge or the Cathedral; three of them pay points at once."""
    waiting = next((one for one in play.state.pending if one.kind == "final" and one.seat == seat), None)
    if waiting is None:
        raise refused("nothing")
    if move.tile != "none":
        if any(move.tile in board.v_tiles for board in play.state.boards) or len(play.board(seat).v_tiles) >= V_TILES:
            raise refused("final-taken")
        play.put(seat, v_tiles=(*play.board(seat).v_tiles, move.tile))
        if waiting.what == "cathedral":
            play.set(cathedral_fives=play.state.cathedral_fives + 1)
        play.say("final", seat, who=seat_name(seat), tile=Text(f"praga/v/{move.tile}"))
        if move.tile in ("university", "mines", "quarries"):
            gain(play, seat, points=int(play.box["scoring.v.now"]))
    play.settle(waiting)


def token(play: Work, seat: int, move: moves.Token) -> None:
    """The production token taken from the river."""
    waiting = next((one for one in play.state.pending if one.kind == "token" and one.seat == seat), None)
    if waiting is None or move.token not in TOKENS:
        raise refused("nothing")
    play.put(seat, tokens=(*play.board(seat).tokens, (waiting.what, move.token)))
    play.settle(waiting)
    if waiting.both:
        gain(play, seat, **TOKENS[move.token])


def reward(play: Work, seat: int, move: moves.Reward, values: dict[str, object]) -> None:
    """What a completed plaza or a first six or nine gave; both are printed, so both are known from now on."""
    waiting = next((p for p in play.state.pending if p.seat == seat and p.kind in ("plaza", "resource")), None)
    if waiting is None:
        raise refused("nothing")
    play.settle(waiting)
    gives = amounts_in(values)
    if waiting.kind == "plaza":
        plazas.reward(play, seat, waiting, move, gives)
        return
    copy.learn(play, f"resource.{waiting.what}", [gives] if gives else ["none"])
    if gives:
        free(play, seat, gives)
