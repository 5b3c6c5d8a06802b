"""Why a choice is not legal: the most precise reason that can be given."""

from __future__ import annotations

from typing import NoReturn

from companion.games.skytopia import chronometer, effects, market
from companion.games.skytopia.moves import Buy, Move, Rotate, Set, Shift, Take, Trigger
from companion.games.skytopia.printed import COLOURS
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.state import Pending, Position, Work, slot_names, slot_text


def unconfirmed(position: Position, *keys: str) -> str:
    """The first of these printed values nobody has confirmed, or nothing."""
    return next(iter(position.numbers.box.unconfirmed(keys)), "")


def face_free(position: Position, slot: int, face: int) -> None:
    """Refuse the build value and a face another golem shows on the card."""
    if face == position.build:
        dial = unconfirmed(position, "chronometer.start_value", "chronometer.dir")
        raise refused("face-build", box=dial, face=face)
    if position.slots[slot].faces >> face & 1:
        raise refused("face-taken", face=face, slot=slot_text(slot_names(position.rows)[slot]))


def payable(position: Position, seat: int, face: int) -> None:
    """Refuse a face the player has not the coins for."""
    price, coins = position.numbers.price[position.build][face], position.players[seat].coins
    if price > coins:
        steps = position.numbers.steps[position.build][face]
        box = unconfirmed(position, f"chronometer.price_by_steps.{steps}")
        raise refused("too-dear", box=box, price=price, n=price - coins, face=face)


def own_golem(position: Position, slot: int, face: int) -> None:
    """Refuse a golem that does not lie there."""
    if not any(die.owner == position.turn and die.face == face for die in position.slots[slot].dice):
        raise refused("not-there", slot=slot_text(slot_names(position.rows)[slot]), face=face)


def refuse_use(work: Work, pending: Pending, move: Move) -> NoReturn:
    """Refuse a use of an effect that is not among its options."""
    effect = work.numbers.effects.get(pending.code)
    if isinstance(move, Take | Rotate | Shift):
        slot = market.card_slot(work, move.slot)
        own_golem(work, slot, move.face)
        if pending.guard >> slot & 1:
            raise refused("protected", box=unconfirmed(work, "rules.chain_protection"), slot=slot_text(move.slot))
    if effect is None:
        raise refused("not-now")
    if isinstance(move, Take) and effect.shape == "take":
        raise refused("half-use")
    if isinstance(move, Rotate) and effect.shape == "rotate":
        _check_turn(work, pending, move, effect.steps)
    if isinstance(move, Shift) and effect.shape == "move":
        to = market.card_slot(work, move.to)
        if move.to == move.slot:
            raise refused("same-card")
        face_free(work, to, move.face)
    if isinstance(move, Set) and effect.shape == "set":
        slot, face = market.card_slot(work, move.slot), effects.set_face(work, effect)
        if not work.players[work.turn].home and not move.source:
            raise refused("no-golem-home")
        if face:
            face_free(work, slot, face)
    if isinstance(move, Buy) and effect.shape == "tiers":
        if move.tier > len(effect.tiers):
            raise refused("no-such-tier", n=len(effect.tiers))
        price = effect.tiers[move.tier - 1][0]
        short = price - work.players[work.turn].coins
        raise refused("too-dear", box=unconfirmed(work, effect.box), price=price, n=short, face=0)
    if isinstance(move, Trigger) and effect.shape in ("repeat", "row", "crest"):
        _check_target(work, pending, move)
    raise refused("cannot-use")


def _check_turn(work: Work, pending: Pending, move: Rotate, most: int) -> NoReturn:
    slot = market.find_slot(work, move.slot)
    if (slot, move.face) in pending.turned:
        raise refused("turned-already")
    left = work.numbers.steps[work.build][move.face]
    if move.steps >= left:
        dial = unconfirmed(work, "chronometer.start_value", "chronometer.dir")
        raise refused("face-build", box=dial, face=work.build)
    if move.steps > most:
        raise refused("too-far", n=most)
    face_free(work, slot, chronometer.rotated(move.face, move.steps, work.numbers.direction))
    raise refused("too-far", n=most)


def _check_target(work: Work, pending: Pending, move: Trigger) -> NoReturn:
    box = unconfirmed(work, work.numbers.effects[pending.code].box)
    if move.slot:
        slot = market.card_slot(work, move.slot)
        if slot in pending.path:
            raise refused("in-chain")
        raise refused("wrong-target", box=box)
    colour = COLOURS.index(move.tower) if move.tower else -1
    if colour < 0 or move.level > len(work.players[work.turn].towers[colour]):
        raise refused("no-target")
    if effects.reference(colour, move.level) in pending.path:
        raise refused("in-chain")
    raise refused("wrong-target", box=box)
