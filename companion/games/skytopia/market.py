"""The market: which cards may turn up, which faces are free and which an assignment can pay for."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from companion.games.skytopia import phrases
from companion.games.skytopia.chronometer import FACES
from companion.games.skytopia.moves import Place
from companion.games.skytopia.printed import COLOURS, UNKNOWN
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.state import (
    Position,
    Slot,
    Work,
    exchanged,
    own_golems,
    slot_index,
    slot_names,
)


def find_slot(position: Position, name: str) -> int:
    """The index of a slot by its name."""
    found = slot_index(position.rows).get(name)
    if found is None:
        raise refused("no-such-slot", slot=name[:40])
    return found


def card_slot(position: Position, name: str) -> int:
    """The index of a slot that must hold a card."""
    found = find_slot(position, name)
    if not position.slots[found].card:
        raise refused("empty-slot", slot=phrases.slot(name))
    return found


def in_play(position: Position, colour: int) -> list[str]:
    """What lies in the places and towers of a colour: cards, unidentified ones, and empty places as `""`."""
    rows = position.rows
    cards = [slot.card for slot in position.slots[colour * rows : (colour + 1) * rows]]
    for player in position.players:
        cards += player.towers[colour]
    return cards


def unseen(position: Position, colour: int) -> list[str]:
    """The cards of a colour that may turn up next: those of this player count, unless more are counted than there are."""
    lying, numbers = in_play(position, colour), position.numbers
    seen = set(lying)
    fitting = [card for card in numbers.in_deck[len(position.players)][colour] if card not in seen]
    if len(fitting) >= position.decks[colour] + lying.count(UNKNOWN):
        return fitting
    return [card for card in numbers.of_colour[colour] if card not in seen]


def check_free(position: Position, card: str, colour: int) -> None:
    """Refuse a card that is none, is of another colour or lies somewhere; its player-count mark is the owner's to judge."""
    known = position.numbers.cards.get(card)
    if known is None:
        raise refused("no-such-card")
    if known.colour != colour:
        raise refused("wrong-colour", card=phrases.card(card), colour=COLOURS[known.colour], wanted=COLOURS[colour])
    if card in in_play(position, colour):
        raise refused("card-elsewhere", card=phrases.card(card))


def check_card(position: Position, card: str, colour: int) -> None:
    """Refuse a card that cannot lie in a place of this colour in this game."""
    check_free(position, card, colour)
    if card not in unseen(position, colour):
        key = f"cards.{card}.min_players"
        box = "" if position.numbers.box.confirmed(key) else key
        raise refused("card-not-in-game", box=box, card=phrases.card(card), n=position.numbers.cards[card].min_players)


def gaps(position: Position) -> list[int]:
    """Empty places that can still be filled: as many as its deck has cards, those nearest the deck first."""
    empty = [i for i, slot in enumerate(position.slots) if not slot.card]
    if not empty:
        return empty
    left, found = list(position.decks), []
    for gap in empty:
        if left[gap // position.rows]:
            left[gap // position.rows] -= 1
            found.append(gap)
    return found


def check_gap(position: Position, slot: int) -> None:
    """Refuse to lay a card where the deck no longer reaches."""
    colour, reached = slot // position.rows, gaps(position)
    if not position.decks[colour]:
        raise refused("deck-empty", colour=phrases.colour(colour))
    if slot not in reached:
        nearest = next(gap for gap in reached if gap // position.rows == colour)
        raise refused("nearer-gap", slot=phrases.slot(slot_names(position.rows)[nearest]))


def turn_up(work: Work, slot: int, card: str) -> None:
    """The top card of the column's deck is laid in an empty place."""
    colour = slot // work.rows
    work.slots[slot] = Slot(card)
    work.decks = exchanged(work.decks, colour, work.decks[colour] - 1)


def payable(position: Position, seat: int) -> frozenset[int]:
    """The faces this player can pay for now; the build value is never among them."""
    by_coins = position.numbers.payable[position.build]
    return by_coins[min(position.players[seat].coins, len(by_coins) - 1)]


def placements(position: Position, seat: int) -> list[Place]:
    """Every legal assignment."""
    can, every = payable(position, seat), _placings(seat, position.rows)
    found: list[Place] = []
    for slot, by_faces in zip(position.slots, every, strict=True):
        if slot.card:
            found += by_faces[can - slot.faces]
    return found


@cache
def _placings(seat: int, rows: int) -> tuple[dict[frozenset[int], tuple[Place, ...]], ...]:
    """Per slot and set of free faces: the assignments; made once, they never change."""
    free = [frozenset(some) for n in range(7) for some in combinations(FACES, n)]
    return tuple(
        {some: tuple(Place(seat, name, f) for f in sorted(some)) for some in free} for name in slot_names(rows)
    )


def can_place(position: Position, seat: int) -> bool:
    """Some assignment is legal, a golem at hand."""
    can = payable(position, seat)
    return any(slot.card and not can <= slot.faces for slot in position.slots)


def take_backs(position: Position, seat: int) -> list[tuple[int, int]]:
    """With an empty reserve: the golems that may come back, those that open a legal assignment if any does."""
    golems = own_golems(position, seat)
    if can_place(position, seat):
        return golems
    can = payable(position, seat)
    return [(slot, face) for slot, face in golems if face in can] or golems
