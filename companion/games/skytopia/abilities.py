"""The ability tiles: seven pay out by themselves, one lets a player turn a golem for a coin."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.skytopia import chronometer
from companion.games.skytopia.moves import Reveal, Rotate
from companion.games.skytopia.printed import UNKNOWN
from companion.games.skytopia.state import Position, Work, own_golems, slot_names


def came_back(work: Work, owner: int) -> None:
    """T1A: a golem came home through another player or a card."""
    if work.players[owner].ability == "T1A":
        work.give(owner, points=work.numbers.ability["T1A"]["pp"], source="T1A")


def arrives(work: Work, slot: int, mover: int) -> None:
    """T2B: others with a golem on the card are paid when one arrives."""
    count = len(work.players)
    for k in range(1, count):
        other = (mover + k) % count
        if work.players[other].ability == "T2B" and any(die.owner == other for die in work.slots[slot].dice):
            work.give(other, coins=work.numbers.ability["T2B"]["coins"], source="T2B")


def can_turn(position: Position, slot: int, face: int, by: int) -> bool:
    """A golem may turn so far: short of the build symbol, onto a face nobody shows on its card."""
    numbers = position.numbers
    if by >= numbers.steps[position.build][face]:
        return False
    faces = position.slots[slot].faces
    way = range(by, by + 1) if numbers.over_occupied else range(1, by + 1)
    return not any(chronometer.rotated(face, k, numbers.direction) in faces for k in way)


def crest_cards(position: Position, seat: int) -> tuple[int, list[int]]:
    """The most market cards of one crest that carry this player's golems, and the slots not yet identified."""
    counts: dict[str, int] = {}
    unknown = []
    for i in sorted({slot for slot, _ in own_golems(position, seat)}):
        card = position.slots[i].card
        if card == UNKNOWN:
            unknown.append(i)
        else:
            crest = position.numbers.cards[card].crest
            counts[crest] = counts.get(crest, 0) + 1
    return max(counts.values(), default=0), unknown


def options(position: Position, when: str) -> Iterator[Rotate]:
    """T3B: the golems that may be turned at this moment."""
    seat = position.turn
    player, rule = position.players[seat], position.numbers.ability["T3B"]
    if player.ability != "T3B" or rule["timing"] != when or player.coins < rule["cost"]:
        return
    names = slot_names(position.rows)
    for slot, face in own_golems(position, seat):
        if can_turn(position, slot, face, rule["steps"]):
            yield Rotate(seat, names[slot], face, rule["steps"])


def to_identify(position: Position, when: str) -> int:
    """T3A: the slot whose card must be named before it is clear whether the tile pays, or -1."""
    seat = position.turn
    rule = position.numbers.ability["T3A"]
    if position.players[seat].ability != "T3A" or rule["timing"] != when:
        return -1
    most, unknown = crest_cards(position, seat)
    if most >= rule["cards"] or most + len(unknown) < rule["cards"]:
        return -1
    return unknown[0]


def pays(position: Position, when: str) -> tuple[int, int]:
    """Coins and points the active player's tile gives by itself at the end of this phase."""
    seat = position.turn
    player = position.players[seat]
    ability = player.ability
    rule = position.numbers.ability.get(ability)
    if rule is None or rule["timing"] != when:
        return 0, 0
    if ability == "T1B" and player.coins == 0:
        return rule["coins"], 0
    if ability == "T2A" and position.paid == rule["price"]:
        return 0, rule["pp"]
    if ability == "T3A" and crest_cards(position, seat)[0] >= rule["cards"]:
        return 0, rule["pp"]
    if ability == "T4A" and position.added >= rule["cards"]:
        return 0, rule["pp"]
    if ability == "T4B" and player.home == position.numbers.dice:
        return rule["coins"], 0
    return 0, 0


def identify_moves(position: Position, slot: int, cards: list[str]) -> list[Reveal]:
    """Naming the card in a slot, one move per card it can be."""
    name = slot_names(position.rows)[slot]
    return [Reveal(card, name) for card in cards]
