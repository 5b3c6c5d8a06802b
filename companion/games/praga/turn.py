"""One turn: choose a tile, take its wheel bonus, turn the wheel (rules, sections 3 and 4)."""

from __future__ import annotations

import msgspec

from companion.game import Text, seat_name
from companion.games.praga import clock, crane, moves
from companion.games.praga.bounds import add, within
from companion.games.praga.ending import end
from companion.games.praga.gains import gain, pay, technology_bonus
from companion.games.praga.refuse import refused
from companion.games.praga.state import Begun, Hand, Missed, Pending, PragaState, Work


def choose(play: Work, seat: int, move: moves.Choose) -> None:
    """Take a tile from the crane: pay on red, score on blue."""
    state = play.state
    if state.hand is not None:
        raise refused("tile-chosen")
    station = state.crane.where(move.tile)
    if station is None:
        raise refused("no-such-tile", tile=move.tile)
    waiting = next((one for one in state.pending if one.seat == seat and one.turn < state.turn), None)
    if waiting is not None:
        raise refused("pending", what=Text(f"praga/pending/{waiting.kind}"))
    if state.late:
        _spare_windows(play, seat)
        state = play.state
    cost = crane.price(state.box, station)
    if state.depth != "full" and (move.action or move.bonus):
        raise refused("depth")
    if state.depth == "full":
        check_gold(state, seat, move.tile)
        pay(play, seat, gold=cost)
    scored = crane.worth(state.box, state.crane, move.tile)
    keys = crane.read_keys(state.crane, move.tile)
    slot = state.crane.slot(station)
    play.set(hand=Hand(move.tile, station, slot, scored), crane=crane.take(state.crane, move.tile))
    play.say("chosen", seat, who=seat_name(seat), station=crane.place(station), cost=cost, points=scored)
    if scored:
        gain(play, seat, points=scored)
        play.rests_on(seat, *keys)
        technology_bonus(play, seat, "choice", points=1)
    if move.bonus:
        bonus(play, seat, moves.Bonus())


FREE = {"gold": "gold", "stone": "stone", "silver-window": "silver_windows"}
"""Wheel bonuses that cost nothing and leave nothing to decide, and what they give."""


def pays_at_once(state: PragaState, seat: int, slot: int) -> bool:
    """The bonus of this hook is taken with the tile: it is free, and all of it has room (a technology may double it)."""
    name = FREE.get(str(state.box[f"crane.bonus.{slot}"]))
    if name is None:
        return False
    doubled = getattr(state.boards[seat], name) + 2
    return bool(within(state, name, doubled) == doubled)


def check_gold(state: PragaState, seat: int, tile: int) -> None:
    """The red station's gold must be there before the action; the refusal names the printed price it rests on."""
    station = state.crane.where(tile) or 1
    cost = crane.price(state.box, station)
    if state.boards[seat].gold < cost:
        key = f"crane.red.{station}"
        doubt = "" if state.box.confirmed(key) else key
        raise refused("too-dear", box=doubt, n=cost, gold=state.boards[seat].gold, station=crane.place(station))


def bonus_kind(state: PragaState) -> str:
    """The wheel bonus of the chosen tile, if it can still be taken."""
    if state.hand is None or not state.hand.bonus:
        return ""
    return str(state.box[f"crane.bonus.{state.hand.slot}"])


def bonus(play: Work, seat: int, move: moves.Bonus) -> None:
    """Take the wheel bonus, at once or later in the turn."""
    kind = bonus_kind(play.state)
    if not kind or play.state.hand is None:
        raise refused("no-bonus")
    key = f"crane.bonus.{play.state.hand.slot}"
    if kind == "step":
        if not move.track:
            raise refused("branch")
        gain(play, seat, **{move.track: 1})
    elif kind.startswith("egg"):
        pay(play, seat, **{kind.removeprefix("egg-for-"): 1})
        gain(play, seat, eggs=1)
    elif kind.startswith("special"):
        gain(play, seat, points=int(kind.removeprefix("special-")))
        play.rests_on(seat, key)
        technology_bonus(play, seat, "choice", points=1)
    elif kind == "silver-window":
        gain(play, seat, silver_windows=1)
    else:
        gain(play, seat, **{kind: 1})
        technology_bonus(play, seat, f"wheel-{kind}", **{"points": 1, kind: 1})
    play.set(hand=msgspec.structs.replace(play.state.hand, bonus=False))


def turn(play: Work, move: moves.Turn) -> None:
    """The wheel was turned: the used tile goes to station 1 and the clock moves. An action not yet told holds the turn."""
    state = play.state
    wanted = state.crane.next_box
    if not state.dummy and state.hand is None:
        raise refused("no-tile-turned", station=crane.place(state.crane.box))
    if move.to is not None and move.to != wanted:
        raise refused("wheel", n=state.crane.notches, station=crane.place(wanted), seen=crane.place(move.to))
    if state.held:
        raise refused("held-back")
    if unrecorded(state):
        play.set(held=True)
        play.say("held", state.active, who=seat_name(state.active))
        return
    if state.dummy:
        tile = crane.dummy_choice(state.crane)
        play.set(crane=crane.take(state.crane, tile))
        play.say("dummy", None, station=crane.place(state.crane.where(tile) or 0))
        _go_on(play, tile)
    else:
        _end_turn(play)


def unrecorded(state: PragaState) -> bool:
    """The turn's action, or one paid for besides, is still to be told."""
    hand = state.hand
    return state.depth == "full" and hand is not None and (not hand.acted or state.begun is not None)


def finish_held(play: Work) -> None:
    """The wheel had turned already: with its last action told, and the space it led to, the turn is over."""
    if play.state.held and not unrecorded(play.state) and not play.state.landed:
        _end_turn(play)


def later(play: Work, seat: int) -> None:
    """The wheel has turned and nobody wants to tell now: the turn ends, and its action can be told later."""
    if not play.state.held:
        raise refused("not-now")
    _end_turn(play)


def recall(play: Work, seat: int, which: int) -> None:
    """Tell the action of a turn that was not recorded."""
    state = play.state
    if which >= len(state.boards[seat].missed):
        raise refused("nothing")
    if state.begun is not None:
        raise refused("not-now")
    play.set(begun=Begun("missed", which=which))


def recorded_late(play: Work, seat: int, which: int, *, special: bool) -> None:
    """What was missing is told: points booked for a special bonus that bought a tile go back."""
    missed = play.board(seat).missed
    play.put(seat, missed=(*missed[:which], *missed[which + 1 :]))
    if special:
        add(play, seat, "points", -missed[which].booked)


def _end_turn(play: Work) -> None:
    hand = play.state.hand
    if hand is None:
        raise AssertionError("a turn ends with a tile in hand")
    _leave_turn(play, play.state.active)
    _go_on(play, hand.tile)


def _go_on(play: Work, tile: int) -> None:
    """The used tile hangs on the first red place, and the next turn begins."""
    state = play.state
    wheel, lost = crane.turn(state.box, state.crane, tile)
    play.set(
        crane=wheel,
        turn=state.turn + 1,
        hand=None,
        begun=None,
        held=False,
        extra=False,
        refreshed=False,
        did=(),
        late=(),
        built=(),
        moved=(),
        landed=(),
        technology_used=(),
    )
    play.say("turned", None if state.dummy else state.active, station=crane.place(wheel.box))
    if lost:
        play.say(
            "ran-past",
            None,
            station=crane.place(wheel.where(lost) or 0),
            points=int(state.box["crane.overflow.points"]),
        )
    tick(play)


def _leave_turn(play: Work, seat: int) -> None:
    """Free wheel bonuses nobody recorded are booked, spare windows go back, an unrecorded action is remembered."""
    state = play.state
    if state.depth != "full" or state.hand is None:
        return
    kind, booked = bonus_kind(state), 0
    if kind in ("gold", "stone", "silver-window") or kind.startswith("special"):
        before = play.board(seat).points
        bonus(play, seat, moves.Bonus())
        booked = play.board(seat).points - before if kind.startswith("special") else 0
        play.say("bonus-booked", seat, who=seat_name(seat), bonus=Text(f"praga/bonus/{kind}"))
    if not state.hand.acted:
        one = Missed(state.turn, state.hand.tile, state.hand.slot, booked, state.did, state.technology_used)
        play.put(seat, missed=(*play.board(seat).missed, one))
        play.say("unlogged", seat, who=seat_name(seat))
    _spare_windows(play, seat)


def _spare_windows(play: Work, seat: int) -> None:
    """At most two windows are kept; which go back is asked only where both colours are held."""
    state, board, limit = play.state, play.board(seat), int(play.box["limit.windows"])
    spare = board.windows - limit
    if spare <= 0 or any(one.kind == "windows" and one.seat == seat for one in state.pending):
        return
    if board.gold_windows and board.silver_windows:
        play.owe(Pending("windows", seat, state.turn, str(spare)))
        return
    give_windows(play, seat, min(spare, board.gold_windows), min(spare, board.silver_windows), spare)


def owed_windows(state: PragaState, due: Pending) -> int:
    """Windows that were too many when the turn ended; those gained since, in another's turn, wait for the next end."""
    return min(int(due.what), max(0, state.boards[due.seat].windows - int(state.box["limit.windows"])))


def give_windows(play: Work, seat: int, gold: int, silver: int, spare: int) -> None:
    """Windows beyond two go back at the end of the turn; which ones is the player's choice."""
    board = play.board(seat)
    if gold + silver != spare or gold > board.gold_windows or silver > board.silver_windows:
        raise refused("give-windows", n=spare)
    play.put(seat, gold_windows=board.gold_windows - gold, silver_windows=board.silver_windows - silver)
    play.say("windows", seat, who=seat_name(seat), n=spare)


def tick(play: Work) -> None:
    """What the turn counter says: the cube drops, the era changes, the game ends."""
    state = play.state
    box, seats, now = state.box, state.seats, state.turn
    if now % seats == 0:
        play.set(chart=(*state.chart, tuple(board.points for board in state.boards)))
    if clock.drops(box, seats, now):
        play.say("dropped", None, left=clock.platform(box, seats, now))
    if now == clock.era_turn(box, seats):
        play.reveals = True
        play.say("era", None)
    if clock.announces_last_revolution(box, seats, now):
        left = clock.turns_left(box, seats, now, state.first)[: state.players]
        each = tuple(Text("praga/turns-of", {"who": seat_name(seat), "n": n}) for seat, n in enumerate(left))
        play.say("last-turns", None, each=each)
    if now >= state.length:
        end(play)
        play.say("end", None)
