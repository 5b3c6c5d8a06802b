"""One move carried out: who may do it, is it the moment, is it legal, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from companion.game import Event, Outcome, Text, seat_name
from companion.games.skytopia import abilities, correct, effects, market, phrases, setup, turn, why
from companion.games.skytopia.describe import describe
from companion.games.skytopia.moves import (
    Activate,
    Add,
    Buy,
    Correct,
    Finish,
    Move,
    OurBox,
    Place,
    Reveal,
    Rotate,
    Skip,
    Take,
    TurnDial,
    Use,
)
from companion.games.skytopia.printed import COLOURS, UNKNOWN
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.state import Pending, Player, SkytopiaState, Work, exchanged

_Answer = Callable[[Work, Pending, Move], None]
_BY_HAND = (Correct, OurBox)
_PLAIN = (Use, Buy)
"""Uses that say no more than the name of the effect."""


def play(state: SkytopiaState, move: Move) -> Outcome:
    """The new state, or `RuleBroken`; what happened is told by whoever plays the move once more."""
    work = Work(state)
    _carry_out(work, move)
    return Outcome(work.frozen(), partial(_events, state, move), work.reveals)


def _events(state: SkytopiaState, move: Move) -> tuple[Event, ...]:
    work = Work(state, telling=True)
    _carry_out(work, move)
    return tuple(work.events)


def _carry_out(work: Work, move: Move) -> None:
    if isinstance(move, _BY_HAND):
        correct.carry_out(work, move)
    elif not work.stack:
        raise refused("over")
    elif isinstance(move, Reveal):
        _reveal(work, move)
    else:
        _decide(work, work.stack[-1], move)
    if work.telling:
        _tell(work, move)
    turn.settle(work)


def _tell(work: Work, move: Move) -> None:
    """The move itself is the first thing that happened, in words."""
    if not work.events:
        kind = str(type(move).__struct_config__.tag)
        work.events.append(Event(kind, getattr(move, "seat", None), describe(move)))
    elif work.events[0].text is None:
        work.events[0] = msgspec.structs.replace(work.events[0], text=describe(move))


def _decide(work: Work, pending: Pending, move: Move) -> None:
    """The present decision is answered: by the whole table, or by the player in turn."""
    by_the_table = _BY_THE_TABLE.get(pending.kind)
    if by_the_table:
        by_the_table(work, pending, move)
        return
    seat = getattr(move, "seat", None)
    if seat != work.turn:
        raise refused("not-now") if seat is None else refused("not-your-turn", seat=seat_name(work.turn))
    _BY_A_PLAYER.get(pending.kind, _not_now)(work, pending, move)


def _not_now(work: Work, pending: Pending, move: Move) -> None:
    raise refused("not-now")


def _dial(work: Work, pending: Pending, move: Move) -> None:
    if not isinstance(move, TurnDial):
        raise refused("not-now")
    turn.turn_dial(work)


def _finish(work: Work, pending: Pending, move: Move) -> None:
    if not isinstance(move, Finish):
        raise refused("not-now")
    slot = market.card_slot(work, move.slot)
    if slot not in turn.finished(work):
        why.refuse_finish(work, slot)
    turn.finish_card(work, slot)


def _effect(work: Work, pending: Pending, move: Move) -> None:
    if isinstance(move, Skip):
        work.stack.pop()
        return
    if move not in effects.options(work, pending):
        why.refuse_use(work, pending, move)
    before = work.players[work.turn]
    effects.carry_out(work, pending, move)
    if work.telling:
        _tell_effect(work, pending, move, before)


def _tell_effect(work: Work, pending: Pending, move: Move, before: Player) -> None:
    after = work.players[work.turn]
    coins, points = after.coins - before.coins, after.points - before.points
    what = None if isinstance(move, _PLAIN) else describe(move)
    told = phrases.used(work.turn, pending.code, coins, points, what)
    work.happened("effect", work.turn, told, code=pending.code, coins=coins, points=points)


def _assign(work: Work, pending: Pending, move: Move) -> None:
    seat = work.turn
    if not work.players[seat].home:
        if not isinstance(move, Take):
            raise refused("no-golem-home") if isinstance(move, Place) else refused("not-now")
        slot = market.card_slot(work, move.slot)
        why.own_golem(work, slot, move.face)
        if (slot, move.face) not in market.take_backs(work, seat):
            raise refused("take-other", slot=phrases.slot(move.slot))
        work.lift(slot, seat, move.face)
        work.homecoming(seat)
        work.happened("taken", seat, slot=move.slot, face=move.face)
        return
    if not isinstance(move, Place):
        raise refused("not-now")
    slot = market.card_slot(work, move.slot)
    why.face_free(work, slot, move.face)
    why.payable(work, seat, move.face)
    turn.place(work, slot, move)


def _towers(work: Work, pending: Pending, move: Move) -> None:
    if isinstance(move, Skip):
        work.received = frozenset()
        return
    if not isinstance(move, Activate):
        raise refused("not-now")
    colour = COLOURS.index(move.tower)
    if colour not in work.received:
        raise refused("tower-not-ready", colour=Text(f"skytopia/colour/{move.tower}"))
    work.received -= {colour}
    work.stack.append(Pending("tower", colour=colour, height=len(work.players[work.turn].towers[colour])))
    work.happened("tower", work.turn, tower=move.tower)


def _add(work: Work, pending: Pending, move: Move) -> None:
    if not isinstance(move, Add):
        raise refused("not-now")
    slot = market.card_slot(work, move.slot)
    if work.slots[slot].dice:
        raise refused("occupied", slot=phrases.slot(move.slot))
    work.stack.pop()
    card = work.slots[slot].card
    effects.add_card(work, slot)
    work.happened("added", work.turn, slot=move.slot, card=card)


def _ability(work: Work, pending: Pending, move: Move) -> None:
    """T3B: a coin for a turn; or any other tile waiting for a card to be named, which cannot be skipped."""
    when = turn.WHEN[pending.kind]
    if not isinstance(move, (Rotate, Skip)) or abilities.to_identify(work, when) >= 0:
        raise refused("not-now")
    if isinstance(move, Rotate):
        if move not in abilities.options(work, when):
            why.refuse_turn(work, move, work.numbers.ability["T3B"]["steps"], "abilities.T3B.steps")
        work.give(work.turn, -work.numbers.ability["T3B"]["cost"], source="T3B")
        effects.turn_golem(work, market.find_slot(work, move.slot), move.face, move.steps)
        work.happened("rotated", work.turn, slot=move.slot, face=move.face, steps=move.steps)
    work.stack.pop()
    work.phase = "place" if pending.kind == "ability" else "refill"


_BY_THE_TABLE: dict[str, _Answer] = {"dial": _dial, **dict.fromkeys(setup.STEPS, setup.carry_out)}
_BY_A_PLAYER: dict[str, _Answer] = {
    "finish": _finish,
    "towers": _towers,
    "effect": _effect,
    "add": _add,
    "ability": _ability,
    "assign": _assign,
    "close": _ability,
}


def _reveal(work: Work, move: Reveal) -> None:
    """A new card in a gap, or a name for a card that lies there already."""
    if move.tower is not None:
        _name_in_tower(work, move)
        return
    slot = market.find_slot(work, move.slot)
    colour, lying = slot // work.rows, work.slots[slot].card
    if lying and lying != UNKNOWN:
        raise refused("card-known", slot=phrases.slot(move.slot), card=phrases.card(lying))
    if lying == UNKNOWN:
        if move.card is None:
            raise refused("slot-full", slot=phrases.slot(move.slot))
        market.check_card(work, move.card, colour)
        work.slots[slot] = msgspec.structs.replace(work.slots[slot], card=move.card)
        work.happened("named", slot=move.slot, card=move.card)
        return
    if not work.decks[colour] or work.stack[-1].kind in ("deal", "refill"):
        market.check_gap(work, slot)
    else:
        raise refused("not-now")
    if move.card is not None:
        market.check_card(work, move.card, colour)
    market.turn_up(work, slot, move.card or UNKNOWN)
    work.reveals = True
    work.happened("revealed", slot=move.slot, card=move.card)


def _name_in_tower(work: Work, move: Reveal) -> None:
    owner, colour = move.owner if move.owner is not None else work.turn, COLOURS.index(move.tower or "blue")
    if owner >= len(work.players) or not 0 < move.level <= len(work.players[owner].towers[colour]):
        raise refused("no-target")
    towers = work.players[owner].towers
    tower = towers[colour]
    if tower[move.level - 1] != UNKNOWN:
        raise refused(
            "card-known", slot=Text(f"skytopia/colour/{move.tower}"), card=phrases.card(tower[move.level - 1])
        )
    if move.card is None:
        raise refused("not-now")
    market.check_card(work, move.card, colour)
    work.change(owner, towers=exchanged(towers, colour, exchanged(tower, move.level - 1, move.card)))
    work.happened("named", owner, card=move.card)
