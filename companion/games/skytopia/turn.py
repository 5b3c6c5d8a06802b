"""A turn: finish projects, activate towers, assign one golem, refill; and the end of round and game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Text, seat_name
from companion.games.skytopia import abilities, chronometer, effects, market, setup
from companion.games.skytopia.moves import Activate, Finish, Move, Place, Reveal, Skip, Take, TurnDial
from companion.games.skytopia.printed import COLOURS, UNKNOWN
from companion.games.skytopia.state import DICE, Pending, Position, Slot, Work, own_golems, slot_names

TURN = tuple(Pending(kind) for kind in ("end", "refill", "close", "assign", "ability", "towers", "finish"))
"""The steps of a turn, the first one last: a stack."""
WHEN = {"ability": "end_phase_1", "close": "end_phase_2"}
AFTER_FINISHING = ("place", "refill", "dial")
"""Phases in which no golem of the active player may show the build value any more."""


def finished(position: Position) -> list[int]:
    """The market slots the active player's golems have finished."""
    done = DICE[position.turn][position.build]
    return [i for i, slot in enumerate(position.slots) if done in slot.dice]


def unnamed(position: Position) -> tuple[int, int, int] | None:
    """The first card of any city nobody has identified: seat, colour, level."""
    for seat, player in enumerate(position.players):
        for colour, tower in enumerate(player.towers):
            for level, card in enumerate(tower, 1):
                if card == UNKNOWN:
                    return seat, colour, level
    return None


def settle(work: Work) -> None:
    """Carry out everything that needs no decision."""
    while work.stack:
        pending = work.stack[-1]
        step = _STEP.get(pending.kind, _set_up)
        if step(work, pending):
            return


def _set_up(work: Work, pending: Pending) -> bool:
    if setup.waits(work, pending):
        return True
    if pending.kind == "start":
        _begin_round(work)
    return False


def _begin_round(work: Work) -> None:
    work.round += 1
    begin_turn(work, work.first)


def begin_turn(work: Work, seat: int) -> None:
    work.owed = tuple(one for one in work.owed if one.by == work.turn)
    work.turn, work.phase = seat, "finish"
    work.received, work.added, work.paid = frozenset(), 0, -1
    work.stack += TURN


def _finish(work: Work, pending: Pending) -> bool:
    if finished(work):
        return True
    work.stack.pop()
    return False


def _towers(work: Work, pending: Pending) -> bool:
    if work.received:
        return True
    work.stack.pop()
    return False


def _tower(work: Work, pending: Pending) -> bool:
    """The next card of the tower being activated, bottom to top; cards added meanwhile are reached last."""
    work.stack.pop()
    height = len(work.players[work.turn].towers[pending.colour])
    if pending.level <= (height if work.numbers.reach_added else min(height, pending.height)):
        following = replace(pending, level=pending.level + 1)
        work.stack += (following, effects.in_city(work, pending.colour, pending.level))
    return False


def _effect(work: Work, pending: Pending) -> bool:
    if pending.code == UNKNOWN:
        pending = work.stack[-1] = effects.named(work, pending)
    if effects.usable(work, pending):
        return True
    work.stack.pop()
    return False


def _add(work: Work, pending: Pending) -> bool:
    if any(slot.card and not slot.dice for slot in work.slots):
        return True
    work.stack.pop()
    return False


def _ability(work: Work, pending: Pending) -> bool:
    when = WHEN[pending.kind]
    if abilities.to_identify(work, when) >= 0 or next(abilities.options(work, when), None):
        return True
    coins, points = abilities.pays(work, when)
    if coins or points:
        work.give(work.turn, coins, points, work.players[work.turn].ability)
    work.stack.pop()
    work.phase = "place" if pending.kind == "ability" else "refill"
    return False


def _assign(work: Work, pending: Pending) -> bool:
    seat = work.turn
    work.phase = "place"
    if finished(work):
        finish_late(work)
        return False
    if not work.players[seat].home and own_golems(work, seat):
        return True
    if work.players[seat].home and market.can_place(work, seat):
        return True
    work.happened("no-placement", seat, Text("skytopia/event/no-placement", {"seat": seat_name(seat)}))
    work.stack.pop()
    return False


def finish_late(work: Work) -> None:
    """A dial or golem set right by hand shows a finished card: it is taken first, as it should have been.

    Its tower may be activated and its gap is filled; then the turn goes on where it was.
    """
    again = () if any(pending.kind == "refill" for pending in work.stack) else (Pending("refill"),)
    work.stack += (Pending("resume", work.phase), *again, Pending("towers"), Pending("finish"))
    work.phase = "finish"


def _resume(work: Work, pending: Pending) -> bool:
    work.stack.pop()
    work.phase = pending.code
    return False


def _refill(work: Work, pending: Pending) -> bool:
    if market.gaps(work):
        return True
    if not work.last and not all(work.decks):
        work.last = work.round + work.numbers.extra_rounds
        work.happened("last-round", text=Text("skytopia/event/last-round", {"n": work.numbers.extra_rounds}))
    work.stack.pop()
    return False


def _end(work: Work, pending: Pending) -> bool:
    work.stack.pop()
    count = len(work.players)
    if work.turn != (work.first - 1) % count:
        begin_turn(work, (work.turn + 1) % count)
        return False
    work.chart = (*work.chart, tuple(player.points for player in work.players))
    work.stack.append(Pending("final" if work.last and work.round >= work.last else "dial"))
    return False


def _dial(work: Work, pending: Pending) -> bool:
    work.phase = "dial"
    return True


def _final(work: Work, pending: Pending) -> bool:
    if unnamed(work):
        return True
    work.stack.pop()
    work.phase = "over"
    work.happened("over", text=Text("skytopia/event/over"))
    return False


_STEP = {
    "finish": _finish,
    "towers": _towers,
    "tower": _tower,
    "effect": _effect,
    "add": _add,
    "ability": _ability,
    "assign": _assign,
    "resume": _resume,
    "close": _ability,
    "refill": _refill,
    "end": _end,
    "dial": _dial,
    "final": _final,
}


def options(position: Position) -> list[Move]:
    """The legal moves of the present decision; empty only when the game is over."""
    if not position.stack:
        return []
    pending, seat, names = position.stack[-1], position.turn, slot_names(position.rows)
    kind = pending.kind
    if kind == "effect":
        return [*effects.options(position, pending), Skip(seat)]
    if kind == "assign":
        if position.players[seat].home:
            return list(market.placements(position, seat))
        return [Take(seat, names[slot], face) for slot, face in market.take_backs(position, seat)]
    if kind == "finish":
        return [Finish(seat, names[slot]) for slot in finished(position)]
    if kind == "towers":
        ready = [colour for k, colour in enumerate(COLOURS) if k in position.received]
        return [*(Activate(seat, colour) for colour in ready), Skip(seat)]
    if kind == "add":
        return list(effects.addable(position))
    if kind == "refill":
        gap = market.gaps(position)[0]
        return [Reveal(card, names[gap]) for card in market.unseen(position, gap // position.rows)]
    if kind == "dial":
        return [TurnDial()]
    return setup.options(position, pending) if kind in setup.STEPS else _naming(position, kind)


def _naming(position: Position, kind: str) -> list[Move]:
    """An ability that waits for a golem to turn, or a card that must be named."""
    if kind in WHEN:
        slot = abilities.to_identify(position, WHEN[kind])
        if slot >= 0:
            cards = market.unseen(position, slot // position.rows)
            return list(abilities.identify_moves(position, slot, cards))
        return [*abilities.options(position, WHEN[kind]), Skip(position.turn)]
    found = unnamed(position)
    if found is None:
        return []
    seat, colour, level = found
    tower = COLOURS[colour]
    return [Reveal(card, "", seat, tower, level) for card in market.unseen(position, colour)]


def finish_card(work: Work, slot: int) -> None:
    """The card goes on its tower; every golem on it goes home, others with compensation."""
    seat, build, old = work.turn, work.build, work.slots[slot]
    colour = slot // work.rows
    work.slots[slot] = Slot()
    work.build_on(seat, colour, old.card)
    effects.offer_anew(work)
    count = len(work.players)
    for k in range(count):
        owner = (seat + k) % count
        for die in old.dice:
            if die.owner != owner:
                continue
            work.homecoming(owner)
            if owner != seat:
                work.give(owner, work.numbers.compensation, source="compensation")
                abilities.came_back(work, owner)
            elif die.face != build and work.numbers.own_second:
                work.give(seat, work.numbers.own_second, source="compensation")
    work.received |= {colour}
    work.added += 1
    name = slot_names(work.rows)[slot]
    work.happened("finished", seat, slot=name, card=old.card)


def place(work: Work, slot: int, move: Place) -> None:
    """The assignment of the turn: pay, lay the golem, then the card may be activated."""
    seat, price = work.turn, work.numbers.price[work.build][move.face]
    work.stack.pop()
    abilities.arrives(work, slot, seat)
    work.homecoming(seat, -1)
    if price:
        work.give(seat, -price, source=f"price/{work.numbers.steps[work.build][move.face]}")
    work.put(slot, seat, move.face)
    work.paid = price
    work.happened("placed", seat, slot=move.slot, face=move.face, coins=price)
    work.stack.append(effects.in_market(work, slot))


def turn_dial(work: Work) -> None:
    """One notch clockwise; the marker goes to the player on the right."""
    work.stack.pop()
    work.build = chronometer.next_build(work.build, work.numbers.direction)
    work.first = (work.first - 1) % len(work.players)
    work.happened("dial", text=Text("skytopia/event/dial", {"face": work.build}), build=work.build)
    _begin_round(work)
