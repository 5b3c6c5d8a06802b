"""Gaining and paying: limits, track ends and what a first arrival sets off (rules, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Text
from companion.games.praga import clock
from companion.games.praga.bounds import add
from companion.games.praga.copy import landing
from companion.games.praga.refuse import refused
from companion.games.praga.state import Pending, PragaState, Work

GOODS = ("gold", "stone")
COUNTS = ("eggs", "silver_windows", "gold_windows", "red", "blue")
TRACKS = ("technology", "university")
PRODUCTION = ("mines", "quarries")
SIDEWAYS = ("wall_steps", "cathedral_steps")
FIELDS = ("points", *GOODS, *COUNTS, *TRACKS, *SIDEWAYS)
"""What a tile, a bonus or a reward can give."""


def thing(name: str, n: int) -> Text:
    """ "3 gold", "1 egg" in the language of whoever says it."""
    return Text(f"praga/gain/{name}", {"n": n})


def gain(play: Work, seat: int, **amounts: int) -> None:
    """Give a player these things; surplus is lost where the rules say so, and the events tell what arrived."""
    got: list[Text] = []
    for name, amount in amounts.items():
        if amount < 0:
            pay(play, seat, **{name: -amount})
        elif amount:
            arrived = _one(play, seat, name, amount)
            if arrived:
                got.append(thing(name, arrived))
    if got:
        play.say("gained", seat, who=Text("seat", {"n": seat}), things=tuple(got))


def _one(play: Work, seat: int, name: str, amount: int) -> int:
    if name in GOODS:
        return _goods(play, seat, name, amount)
    if name in TRACKS:
        return _steps(play, seat, name, amount)
    if name in PRODUCTION:
        return _dig(play, seat, name, amount)
    if name in SIDEWAYS:
        return _sideways(play, seat, name.removesuffix("_steps"), amount)
    arrived = more(play, seat, name, amount)
    if name == "eggs" and arrived and awake(play, seat, "eggs"):
        _technology_bonus(play, seat, "eggs", points=arrived, stone=arrived)
    if name in ("red", "blue") and arrived and f"token-{name}" not in play.state.technology_used:
        second_level(play, seat, f"token-{name}")
    return arrived


def second_level(play: Work, seat: int, effect: str) -> None:
    """A lasting technology of level II that gives a point and a good, if it is awake; those of the tokens once a turn.

    Which good the others give is printed on them and known once somebody has said it.
    """
    if not awake(play, seat, effect):
        return
    if effect.startswith("token"):
        play.set(technology_used=(*play.state.technology_used, effect))
    good = "unknown" if effect.startswith("token") else str(play.box[f"technology.good.{effect}"])
    _technology_bonus(play, seat, effect, points=1, **({good: 1} if good in GOODS else {}))
    if good not in GOODS:
        play.owe(Pending("good", seat, play.state.turn, effect))


def more(play: Work, seat: int, name: str, amount: int) -> int:
    """So much more of something, as far as board and box hold any; what does not fit is lost, and said."""
    arrived = add(play, seat, name, amount)
    if arrived < amount:
        play.say("lost", seat, who=Text("seat", {"n": seat}), thing=thing(name, amount - arrived))
    return arrived


def _goods(play: Work, seat: int, name: str, amount: int) -> int:
    """At most nine; what does not fit is lost, but the first six and the first nine count even when passed in one jump."""
    held = int(getattr(play.board(seat), name))
    arrived = more(play, seat, name, amount)
    first_arrivals(play, seat, name, held)
    return arrived


def first_arrivals(play: Work, seat: int, name: str, held: int = 0) -> None:
    """The first six and the first nine of a good that had been fewer, each asked for once."""
    for mark in (6, 9):
        key, board = f"{name}-{mark}", play.board(seat)
        if not held < mark <= getattr(board, name) or key in board.firsts:
            continue
        waiting = sum(one.kind == "resource" and one.seat == seat for one in play.state.pending)
        play.put(seat, firsts=(*board.firsts, key))
        if board.freed + waiting >= int(play.box["limit.resource_bonuses"]):
            continue
        known = play.box[f"resource.{key}"]
        if not known:
            play.owe(Pending("resource", seat, play.state.turn, key))
        elif isinstance(known[0], Mapping):
            free(play, seat, {what: int(n) for what, n in known[0].items() if what in FIELDS})


def free(play: Work, seat: int, gives: Mapping[str, int]) -> None:
    """The cube of a resource bonus is free, and the bonus is taken."""
    play.put(seat, freed=play.board(seat).freed + 1)
    add(play, seat, "cubes", 1)
    gain(play, seat, **gives)


def _steps(play: Work, seat: int, name: str, amount: int) -> int:
    """Steps on technology or university; every step past the top is points instead."""
    board, top = play.board(seat), int(play.box[f"track.{name}_top"])
    held = int(getattr(board, name))
    new = min(top, held + amount)
    past = held + amount - new
    play.put(seat, **{name: new})
    if name == "technology" and new > held:
        play.put(seat, stepped=play.state.when)
    if awake(play, seat, f"steps-{name}"):
        _technology_bonus(play, seat, f"steps-{name}", points=2 * amount)
    if past:
        worth = past * int(play.box["track.past_the_top"])
        play.rests_on(seat, f"track.{name}_top")
        gain(play, seat, points=worth)
        play.say("past-the-top", seat, track=Text(f"praga/track/{name}"), n=worth)
    if name == "technology":
        reach_known(play, seat)
    return new - held


def reach_known(play: Work, seat: int) -> None:
    """Every technology space whose step is known and reached has its tile, or is asked for it."""
    steps = play.board(seat).technology
    for level in range(1, 5):
        if 0 < int(play.box[f"track.technology.{level}"]) <= steps:
            reach(play, seat, level)


def reach(play: Work, seat: int, level: int, since: int | None = None) -> None:
    """A technology space was reached, now or in an earlier turn: three tiles are drawn and one is kept, perhaps later."""
    known = {one.level for one in play.board(seat).technologies}
    known |= {int(one.what) for one in play.state.pending if one.kind == "technology" and one.seat == seat}
    if level not in known:
        play.owe(Pending("technology", seat, play.state.when if since is None else since, str(level)))
        play.say("reached", seat, who=Text("seat", {"n": seat}), level=Text(f"praga/level/{level}"))


def _dig(play: Work, seat: int, name: str, amount: int) -> int:
    top, held = int(play.box[f"track.{name}_top"]), int(getattr(play.board(seat), name))
    arrived = add(play, seat, name, amount)
    token_due(play, seat, name)
    if held < top == held + arrived:
        play.say("track-done", seat, who=Text("seat", {"n": seat}), track=Text(f"praga/track/{name}"))
    return arrived


def token_due(play: Work, seat: int, track: str) -> None:
    """Whoever stands at or past the space of a track's production token has it, or is asked for it."""
    board, space = play.board(seat), int(play.box[f"track.{track}_token"])
    asked = any(one.kind == "token" and (one.seat, one.what) == (seat, track) for one in play.state.pending)
    if 0 < space <= getattr(board, track) and not board.token(track) and not asked:
        play.owe(Pending("token", seat, play.state.turn, track))


def _sideways(play: Work, seat: int, building: str, amount: int) -> int:
    """Steps along a row; past the last column they are lost."""
    arrived = 0
    for _ in range(amount):
        if not add(play, seat, f"{building}_column", 1):
            break
        arrived += 1
        play.note_moved(seat, building)
        land(play, seat, building)
    return arrived


def land(play: Work, seat: int, building: str) -> None:
    """A cube stands on another space: what is known to lie there is taken; an arrow sideways is followed."""
    board = play.board(seat)
    space = landing(play.state, building, getattr(board, f"{building}_row"), getattr(board, f"{building}_column"))
    landed = [one for one in play.state.landed if one != building]
    play.set(landed=tuple(landed) if space is not None or seat != play.state.active else (*landed, building))
    if space is None:
        return
    gain(play, seat, points=int(space.get("points", 0)))
    if space.get("arrow") == "side":
        gain(play, seat, **{f"{building}_steps": 1})


def pay(play: Work, seat: int, **amounts: int) -> None:
    """Take these things from a player; nothing may be enjoyed before it is paid for."""
    board = play.board(seat)
    missing = [
        thing(name, amount - getattr(board, name))
        for name, amount in amounts.items()
        if getattr(board, name, 0) < amount
    ]
    if missing:
        raise refused("cannot-pay", missing=tuple(missing), who=Text("seat", {"n": seat}))
    play.put(seat, **{name: getattr(board, name) - amount for name, amount in amounts.items() if amount})


def road_open(state: PragaState, seat: int) -> None:
    """The King's Road goes on, and its egg can be paid."""
    board = state.boards[seat]
    if board.road >= 5:
        raise refused("road-end")
    if board.road >= 3 and board.eggs < 1:
        raise refused("no-egg")


def awake(play: Work, seat: int, effect: str) -> bool:
    """The player holds this lasting technology and an own turn has begun since it was gained."""
    state = play.state
    return any(
        one.effect == effect
        and one.level <= 2
        and state.when >= clock.next_own_turn(state.seats, seat, one.turn, state.first)
        for one in play.board(seat).technologies
    )


def _technology_bonus(play: Work, seat: int, effect: str, **amounts: int) -> None:
    play.say("technology", seat, who=Text("seat", {"n": seat}), effect=Text(f"praga/technology/{effect}"))
    gain(play, seat, **amounts)


def technology_bonus(play: Work, seat: int, effect: str, **amounts: int) -> None:
    """Give the reward of a lasting technology if it is awake; one of them only once in a turn."""
    if not awake(play, seat, effect) or effect in play.state.technology_used:
        return
    if effect == "choice":
        play.set(technology_used=(*play.state.technology_used, effect))
    _technology_bonus(play, seat, effect, **amounts)


def produce(play: Work, seat: int, track: str) -> None:
    """Goods equal to mines or quarries, plus every production bonus left of the cube."""
    board = play.board(seat)
    count = getattr(board, track)
    good = "gold" if track == "mines" else "stone"
    gain(play, seat, **{good: count, "points": _printed_bonus(play, seat, f"production.{track}.{count}")})
    technology = f"production.technology.{count}"
    if track == "quarries" and technology in play.box.printed:
        play.rests_on(seat, technology, what="studied")
        gain(play, seat, technology=int(play.box[technology]))
    token = board.token(track)
    if token:
        gain(play, seat, **TOKENS[token])


def _printed_bonus(play: Work, seat: int, key: str) -> int:
    """A production bonus as printed; a copy whose track starts or ends elsewhere has none recorded there."""
    if key not in play.box.printed:
        return 0
    play.rests_on(seat, key)
    return int(play.box[key])


TOKENS: Mapping[str, dict[str, int]] = {
    "gold": {"gold": 1},
    "stone": {"stone": 1},
    "points": {"points": 2},
    "point-gold": {"points": 1, "gold": 1},
    "point-stone": {"points": 1, "stone": 1},
}


def amounts_in(values: Mapping[str, object]) -> dict[str, int]:
    """The gains among the values of a form."""
    return {name: amount for name in FIELDS if isinstance(amount := values.get(name, 0), int) and amount}


def replace_technology(play: Work, seat: int, old: object, **changes: object) -> None:
    """Change one technology tile of a player."""
    tiles = tuple(
        msgspec.structs.replace(one, **changes) if one == old else one for one in play.board(seat).technologies
    )
    play.put(seat, technologies=tiles)
