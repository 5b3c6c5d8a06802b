"""What must hold in every position, whatever was played (docs/rules/skytopia.md §17)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.skytopia.printed import UNKNOWN
from companion.games.skytopia.state import SkytopiaState
from companion.games.skytopia.turn import AFTER_FINISHING

CARDS_OF_A_COLOUR = 12


def violations(state: SkytopiaState) -> Iterator[str]:
    """Every invariant this position breaks, in words."""
    yield from _golems(state)
    yield from _cards(state)
    for player in state.players:
        if player.coins < 0:
            yield f"{player.name} has {player.coins} coins"
        if player.points != sum(points for _, _, points in player.gained):
            yield f"{player.name}'s points do not add up"


def _golems(state: SkytopiaState) -> Iterator[str]:
    on_market = [0] * len(state.players)
    working = state.stack and state.phase in AFTER_FINISHING
    for slot in state.slots:
        shown = [die.face for die in slot.dice]
        if len(shown) != len(set(shown)):
            yield f"two golems show the same face on {slot.card}"
        if slot.faces != set(shown):
            yield f"the faces of {slot.card} are noted wrongly"
        if slot.dice and not slot.card:
            yield "a golem lies where no card is"
        for die in slot.dice:
            on_market[die.owner] += 1
            if working and die.owner == state.turn and die.face == state.build:
                yield f"a finished golem was left on {slot.card}"
    for player, out in zip(state.players, on_market, strict=True):
        if player.home + out != state.numbers.dice:
            yield f"{player.name} has {player.home + out} golems"


def _cards(state: SkytopiaState) -> Iterator[str]:
    known = [slot.card for slot in state.slots if slot.card and slot.card != UNKNOWN]
    known += [card for p in state.players for tower in p.towers for card in tower if card != UNKNOWN]
    if len(known) != len(set(known)):
        yield "a card lies in two places"
    for colour in range(4):
        lying = sum(bool(slot.card) for slot in state.slots[colour * state.rows : (colour + 1) * state.rows])
        built = sum(len(player.towers[colour]) for player in state.players)
        deck, removed = state.decks[colour], state.removed[colour]
        if min(deck, removed) < 0 or deck + lying + built + removed != CARDS_OF_A_COLOUR:
            yield f"the cards of colour {colour} do not add up"
