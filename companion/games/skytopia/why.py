"""Why a choice is not legal: the most precise reason that can be given."""

from __future__ import annotations

from typing import NoReturn

from companion.games.skytopia import chronometer, effects, market, phrases
from companion.games.skytopia.moves import Buy, Move, Rotate, Set, Shift, Take, Trigger
from companion.games.skytopia.printed import COLOURS, Effect
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.state import MARKET, Pending, Player, Position, Work, slot_names

DIAL = ("chronometer.start_value", "chronometer.dir")


def unconfirmed(position: Position, *keys: str) -> str:
    """The first of these printed values nobody has confirmed, or nothing."""
    return next(iter(position.numbers.box.unconfirmed(keys)), "")


def dial_keys(position: Position) -> tuple[str, ...]:
    """The printed values today's build value rests on: whichever way it runs, a dial at its start or across shows the same."""
    notch = chronometer.notch(position.build, *position.numbers.dial)
    return DIAL if notch % 3 else DIAL[:1]


def face_free(position: Position, slot: int, face: int, *keys: str) -> None:
    """Refuse the build value and a face another golem shows on the card; `keys` are the values `face` comes from."""
    if face == position.build:
        raise refused("face-build", box=unconfirmed(position, *dial_keys(position), *keys), face=face)
    if face in position.slots[slot].faces:
        place = phrases.slot(slot_names(position.rows)[slot])
        raise refused("face-taken", box=unconfirmed(position, *keys), face=face, slot=place)


def payable(position: Position, seat: int, face: int) -> None:
    """Refuse a face the player has not the coins for."""
    price = position.numbers.price[position.build][face]
    key = f"chronometer.price_by_steps.{position.numbers.steps[position.build][face]}"
    _has_coins(position, seat, price, key, face=face)


def _has_coins(position: Position, seat: int, price: int, key: str, face: int = 0, page: str = "10") -> None:
    short = price - position.players[seat].coins
    if short > 0:
        raise refused("too-dear", box=unconfirmed(position, key), page=page, price=price, n=short, face=face)


def own_golem(position: Position, slot: int, face: int) -> None:
    """Refuse a golem that does not lie there."""
    if not any(die.owner == position.turn and die.face == face for die in position.slots[slot].dice):
        raise refused("not-there", slot=phrases.slot(slot_names(position.rows)[slot]), face=face)


def refuse_finish(position: Position, slot: int) -> NoReturn:
    """Refuse a card none of whose golems of this player shows the build value."""
    own = any(die.owner == position.turn for die in position.slots[slot].dice)
    box = unconfirmed(position, *dial_keys(position)) if own else ""
    raise refused("not-finished", box=box, slot=phrases.slot(slot_names(position.rows)[slot]), face=position.build)


def refuse_use(work: Work, pending: Pending, move: Move) -> NoReturn:
    """Refuse a use of an effect that is not among its options."""
    effect = work.numbers.effects.get(pending.code)
    if isinstance(move, Take | Rotate | Shift):
        _check_golem(work, pending, move.slot, move.face)
    if effect is None:
        raise refused("not-now")
    if isinstance(move, Take) and effect.shape == "take":
        raise refused("half-use")
    if isinstance(move, Rotate) and effect.shape == "rotate":
        refuse_turn(work, move, effect.steps, effect.box, pending.turned)
    if isinstance(move, Shift) and effect.shape == "move":
        to = market.card_slot(work, move.to)
        if move.to == move.slot:
            raise refused("same-card")
        face_free(work, to, move.face)
    if isinstance(move, Set) and effect.shape == "set":
        _refuse_set(work, pending, move, effect)
    if isinstance(move, Buy) and effect.shape == "tiers":
        if move.tier > len(effect.tiers):
            raise refused("no-such-tier", box=unconfirmed(work, effect.box), n=len(effect.tiers))
        _has_coins(work, work.turn, effect.tiers[move.tier - 1][0], effect.box, page="14")
    if isinstance(move, Trigger) and effect.shape in ("repeat", "row", "crest"):
        _refuse_target(work, pending, move, effect)
    raise refused("cannot-use")


def _check_golem(work: Work, pending: Pending, where: str, face: int) -> None:
    """Refuse a golem that is not there or that the effect must leave alone; on its own card that is certain."""
    slot = market.card_slot(work, where)
    own_golem(work, slot, face)
    if slot in effects.protected(work, pending):
        box = "" if slot == pending.here else unconfirmed(work, "rules.chain_protection")
        raise refused("protected", box=box, slot=phrases.slot(where))


def refuse_turn(work: Work, move: Rotate, most: int, key: str, turned: tuple[tuple[int, int], ...] = ()) -> NoReturn:
    """Refuse to turn a golem of this player so; `key` is the printed value `most` comes from."""
    slot = market.find_slot(work, move.slot)
    own_golem(work, slot, move.face)
    if (slot, move.face) in turned:
        raise refused("turned-already")
    if move.steps >= work.numbers.steps[work.build][move.face]:
        raise refused("face-build", box=unconfirmed(work, *DIAL), face=work.build)
    if move.steps <= most:
        way = range(move.steps, 0, -1) if not work.numbers.over_occupied else (move.steps,)
        for by in way:
            face_free(work, slot, chronometer.rotated(move.face, by, work.numbers.direction), DIAL[1])
    raise refused("too-far", box=unconfirmed(work, key), n=most)


def _refuse_set(work: Work, pending: Pending, move: Set, effect: Effect) -> NoReturn:
    printed = effect.box.rpartition(".")[0]
    slot, face = market.card_slot(work, move.slot), effects.set_face(work, effect)
    if move.source and move.face and effect.from_market:
        _check_golem(work, pending, move.source, move.face)
    elif not work.players[work.turn].home:
        raise refused("no-golem-home", box=unconfirmed(work, f"{printed}.source"))
    face_free(work, slot, face, effect.box, DIAL[1])
    raise refused("cannot-use", box=unconfirmed(work, f"{printed}.source"))


def _refuse_target(work: Work, pending: Pending, move: Trigger, effect: Effect) -> NoReturn:
    """Refuse a card that cannot be activated so; what is printed is named only where another value would allow it."""
    if move.slot:
        slot = market.card_slot(work, move.slot)
        if (MARKET, slot) in pending.path:
            raise refused("in-chain")
        in_row = effect.shape == "row" and pending.here >= 0 and slot % work.rows == pending.here % work.rows
        raise refused("wrong-target", box=unconfirmed(work, effect.box) if in_row else "")
    player, colour = work.players[work.turn], COLOURS.index(move.tower) if move.tower else -1
    if colour < 0 or move.level > len(player.towers[colour]):
        raise refused("no-target")
    if (COLOURS[colour], move.level) in pending.path:
        raise refused("in-chain")
    keys: tuple[str, ...] = ()
    if effect.shape == "crest":
        keys = _crest_keys(work, player, colour, move.level)
    elif effect.shape == "repeat" and move.level == len(player.towers[colour]):
        no_base = not move.level and not effect.base_if_empty
        keys = (effect.box, "effects.V2.base_if_empty") if no_base else (effect.box,)
    elif effect.shape == "row" and pending.here < 0 and move.level == pending.level:
        keys = (effect.box,)
    raise refused("wrong-target", box=unconfirmed(work, *keys))


def _crest_keys(work: Work, player: Player, colour: int, level: int) -> tuple[str, ...]:
    """The violet base wants another crest than this card shows, or no base at all."""
    wanted = ("bases.violet.crest", f"cities.{player.city}.violet")
    if not level:
        return "rules.violet_base_may_pick_base", *wanted, f"cities.{player.city}.{COLOURS[colour]}"
    card = player.towers[colour][level - 1]
    return (*wanted, f"cards.{card}.crest") if card in work.numbers.cards else wanted
