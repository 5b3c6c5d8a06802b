"""The sixteen card effects and the four bases: what may be chosen, and what it does."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.skytopia import abilities, chronometer, market
from companion.games.skytopia.moves import Add, Buy, Move, Reveal, Rotate, Set, Shift, Take, Trigger, Use
from companion.games.skytopia.printed import BASES, COLOURS, UNKNOWN, Effect
from companion.games.skytopia.state import MARKET, Pending, Position, Slot, Work, own_golems, slot_names


def in_market(position: Position, slot: int, before: Pending | None = None) -> Pending:
    """The activation of a market card, alone or reached from another."""
    path = before.path if before else ()
    code = position.numbers.effect_of(position.slots[slot].card)
    return Pending("effect", code, slot, path=(*path, (MARKET, slot)))


def in_city(position: Position, colour: int, level: int, before: Pending | None = None) -> Pending:
    """The activation of a card or base (level 0) of the own city."""
    tower = position.players[position.turn].towers[colour]
    code = BASES[colour] if level == 0 else position.numbers.effect_of(tower[level - 1])
    path = before.path if before else ()
    return Pending("effect", code, -1, colour, level, path=(*path, (COLOURS[colour], level)))


def protected(position: Position, pending: Pending) -> tuple[int, ...]:
    """The market cards whose golems an activation leaves alone: its own, and all of its chain where the box says so."""
    if position.numbers.chain_protection:
        return tuple([number for where, number in pending.path if where == MARKET])
    return (pending.here,) if pending.here >= 0 else ()


def lying(position: Position, pending: Pending) -> str:
    """The card an activation carries out as it lies now: `""` when none does, the colour's base at level 0."""
    if pending.here >= 0:
        return position.slots[pending.here].card
    if not pending.level:
        return BASES[pending.colour]
    tower = position.players[position.turn].towers[pending.colour]
    return tower[pending.level - 1] if pending.level <= len(tower) else ""


def named(position: Position, pending: Pending) -> Pending:
    """The same activation with the effect of the card that really lies there."""
    if pending.here < 0 and not pending.level:
        return pending
    code = position.numbers.effect_of(lying(position, pending))
    if code == pending.code:
        return pending
    return Pending("effect", code, pending.here, pending.colour, pending.level, path=pending.path)


def offer_anew(work: Work) -> None:
    """Effects on offer are those of the cards that really lie there; without a card there is none."""
    offers = []
    for pending in work.stack:
        if pending.kind != "effect":
            offers.append(pending)
        elif lying(work, pending):
            offers.append(named(work, pending))
    work.stack = offers


def options(position: Position, pending: Pending) -> Iterator[Move]:
    """Every way to use the effect; none means it is unusable and passes by itself."""
    if pending.code == UNKNOWN:
        return _identify(position, pending)
    effect = position.numbers.effects[pending.code]
    return _OPTIONS[effect.shape](position, pending, effect)


def usable(position: Position, pending: Pending) -> bool:
    """There is at least one way to use it."""
    return next(options(position, pending), None) is not None


def _identify(position: Position, pending: Pending) -> Iterator[Move]:
    if pending.here >= 0:
        name = slot_names(position.rows)[pending.here]
        for card in market.unseen(position, pending.here // position.rows):
            yield Reveal(card, name)
    else:
        for card in market.unseen(position, pending.colour):
            yield Reveal(card, "", position.turn, COLOURS[pending.colour], pending.level)


def _gain(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    home = effect.per_home and position.players[position.turn].home
    if effect.points or effect.coins or effect.others or home:
        yield Use(position.turn)


def _take(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    seat, names = position.turn, slot_names(position.rows)
    free = not effect.add or any(slot.card and not slot.dice for slot in position.slots)
    for slot, face in own_golems(position, seat, protected(position, pending)):
        if free or len(position.slots[slot].dice) == 1:
            yield Take(seat, names[slot], face)


def _tiers(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    coins = position.players[position.turn].coins
    for tier, (pay, gain) in enumerate(effect.tiers, 1):
        if coins >= pay and (pay or gain):
            yield Buy(position.turn, tier)


def _rotate(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    seat, names = position.turn, slot_names(position.rows)
    ways = (effect.steps,) if effect.many else tuple(range(1, effect.steps + 1))
    for slot, face in own_golems(position, seat, protected(position, pending)):
        if (slot, face) not in pending.turned:
            for by in ways:
                if abilities.can_turn(position, slot, face, by):
                    yield Rotate(seat, names[slot], face, by)


def _move(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    seat, names, build = position.turn, slot_names(position.rows), position.build
    for slot, face in own_golems(position, seat, protected(position, pending)):
        if face != build:
            for to, there in enumerate(position.slots):
                if to != slot and there.card and face not in there.faces:
                    yield Shift(seat, names[slot], face, names[to])


def set_face(position: Position, effect: Effect) -> int:
    """The face an effect sets a golem to now; 0 when no frame position has its price."""
    return chronometer.value_for(effect.steps, position.build, position.numbers.direction) if effect.steps else 0


def _set(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    seat, names, face = position.turn, slot_names(position.rows), set_face(position, effect)
    player = position.players[seat]
    if not face or player.coins < effect.pay:
        return
    open_slots = [i for i, slot in enumerate(position.slots) if slot.card and face not in slot.faces]
    if player.home:
        for slot in open_slots:
            yield Set(seat, names[slot])
    if effect.from_market:
        for source, shown in own_golems(position, seat, protected(position, pending)):
            # lifted, a golem that shows the face itself no longer blocks its own card
            for slot in (source, *open_slots) if shown == face else open_slots:
                yield Set(seat, names[slot], names[source], shown)


def _repeat(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    seat = position.turn
    for colour in effect.colours:
        level = len(position.players[seat].towers[colour])
        if (level or effect.base_if_empty) and (COLOURS[colour], level) not in pending.path:
            yield Trigger(seat, "", COLOURS[colour], level)


def _row(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    seat, rows = position.turn, position.rows
    for colour in effect.colours:
        if pending.here >= 0:
            slot = colour * rows + pending.here % rows
            if position.slots[slot].card and (MARKET, slot) not in pending.path:
                yield Trigger(seat, slot_names(rows)[slot])
        elif (
            len(position.players[seat].towers[colour]) >= pending.level > 0
            and (COLOURS[colour], pending.level) not in pending.path
        ):
            yield Trigger(seat, "", COLOURS[colour], pending.level)


def _crest(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    """Cards not identified must be named first: only then is it known whether they show the crest."""
    seat, numbers = position.turn, position.numbers
    player = position.players[seat]
    wanted, unknown = numbers.violet_crest[player.city], None
    for colour, tower in enumerate(player.towers):
        pickable = numbers.base_pickable and numbers.base_crest[player.city][colour] == wanted
        if pickable and (COLOURS[colour], 0) not in pending.path:
            yield Trigger(seat, "", COLOURS[colour])
        for level, card in enumerate(tower, 1):
            if card == UNKNOWN:
                unknown = unknown or (colour, level)
            elif numbers.cards[card].crest == wanted and (COLOURS[colour], level) not in pending.path:
                yield Trigger(seat, "", COLOURS[colour], level)
    if unknown:
        for card in market.unseen(position, unknown[0]):
            yield Reveal(card, "", seat, COLOURS[unknown[0]], unknown[1])


def _laboratory(position: Position, pending: Pending, effect: Effect) -> Iterator[Move]:
    return iter(())


_OPTIONS = {
    "gain": _gain,
    "take": _take,
    "tiers": _tiers,
    "rotate": _rotate,
    "move": _move,
    "set": _set,
    "repeat": _repeat,
    "row": _row,
    "crest": _crest,
    "laboratory": _laboratory,
}


def carry_out(work: Work, pending: Pending, move: Move) -> None:
    """The effect on top of the stack is used as chosen; the choice is known to be legal."""
    work.stack.pop()
    seat, effect = work.turn, work.numbers.effects[pending.code]
    if isinstance(move, Use):
        others_gain(work, effect)
        coins = effect.coins + effect.per_home * work.players[seat].home
        work.give(seat, coins, effect.points, effect.code)
    elif isinstance(move, Take):
        _take_back(work, effect, market.find_slot(work, move.slot), move.face)
    elif isinstance(move, Buy):
        pay, gain = effect.tiers[move.tier - 1]
        work.give(seat, -pay, gain, effect.code)
    elif isinstance(move, Rotate):
        _turn(work, pending, effect, move)
    elif isinstance(move, Shift):
        slot, to = market.find_slot(work, move.slot), market.find_slot(work, move.to)
        work.lift(slot, seat, move.face)
        if work.numbers.ability["T2B"]["on_move"]:
            abilities.arrives(work, to, seat)
        work.put(to, seat, move.face)
    elif isinstance(move, Set):
        _set_golem(work, effect, move)
    elif isinstance(move, Trigger):
        others_gain(work, effect)
        if move.slot:
            work.stack.append(in_market(work, market.find_slot(work, move.slot), pending))
        else:
            work.stack.append(in_city(work, COLOURS.index(move.tower or "blue"), move.level, pending))


def others_gain(work: Work, effect: Effect) -> None:
    """Every opponent takes the coins this effect gives them."""
    count = len(work.players)
    for k in range(1, count if effect.others else 0):
        work.give((work.turn + k) % count, effect.others, source=effect.code)


def _take_back(work: Work, effect: Effect, slot: int, face: int) -> None:
    seat = work.turn
    work.lift(slot, seat, face)
    work.homecoming(seat)
    abilities.came_back(work, seat)
    if effect.coins or effect.points:
        work.give(seat, effect.coins, effect.points, effect.code)
    work.stack += [Pending("add", effect.code)] * effect.add


def _turn(work: Work, pending: Pending, effect: Effect, move: Rotate) -> None:
    slot = market.find_slot(work, move.slot)
    turn_golem(work, slot, move.face, move.steps)
    if effect.many:
        shown = chronometer.rotated(move.face, move.steps, work.numbers.direction)
        turned = (*pending.turned, (slot, shown))
        work.stack.append(msgspec.structs.replace(pending, turned=turned))


def turn_golem(work: Work, slot: int, face: int, by: int) -> None:
    """An own golem turns toward the build symbol."""
    work.lift(slot, work.turn, face)
    work.put(slot, work.turn, chronometer.rotated(face, by, work.numbers.direction))


def _set_golem(work: Work, effect: Effect, move: Set) -> None:
    seat, slot = work.turn, market.find_slot(work, move.slot)
    if move.source and move.face:
        work.lift(market.find_slot(work, move.source), seat, move.face)
    else:
        work.homecoming(seat, -1)
    if effect.pay:
        work.give(seat, -effect.pay, source=effect.code)
    abilities.arrives(work, slot, seat)
    work.put(slot, seat, set_face(work, effect))


def addable(position: Position) -> list[Add]:
    """The unoccupied market cards."""
    names = slot_names(position.rows)
    return [Add(position.turn, names[i]) for i, slot in enumerate(position.slots) if slot.card and not slot.dice]


def add_card(work: Work, slot: int) -> None:
    """An unoccupied card joins the city without being activated."""
    card = work.slots[slot].card
    work.slots[slot] = Slot()
    work.build_on(work.turn, slot // work.rows, card)
    work.added += 1
