"""What a Skytopia position promises: points, coins, and the cards one's golems will finish in time."""

from __future__ import annotations

from typing import Any

from companion.game import Game
from companion.games.skytopia import guilds
from companion.games.skytopia.printed import BASES, UNKNOWN, Numbers
from companion.games.skytopia.state import Player, SkytopiaState

WORTH = {
    "B1": 2.2, "B2": 1.0, "B3": 1.6, "B4": 1.1, "G1": 1.1, "G2": 0.6, "G3": 0.7, "G4": 0.7,
    "R1": 0.8, "R2": 1.0, "R3": 0.3, "R4": 0.8, "V1": 2.6, "V2": 0.9, "V3": 0.0, "V4": 0.9,
    "base-blue": 0.6, "base-gold": 0.3, "base-red": 0.8, "base-violet": 0.5, UNKNOWN: 0.8,
}  # fmt: skip
"""What one use of an effect is worth in points, by experience."""
COIN = 0.26
LIKELY = 0.6
"""Share of an effect on offer that is counted before it is used."""
KEPT_PER_ROUND = 0.93
"""How much of its worth a golem keeps for each round it still has to work."""


def rounds_left(state: SkytopiaState) -> float:
    """A guess at the rounds still to come."""
    if state.last:
        return max(0, state.last - state.round)
    shortest = min(state.decks)
    return 1 + shortest / (0.35 * len(state.players)) * 0.9


def _purse(coins: int) -> float:
    return COIN * min(coins, 14) + 0.2 * max(0, coins - 14)


def _raise(numbers: Numbers, player: Player, colour: int, card: str, revealed: tuple[str, ...]) -> float:
    """What one more card on a tower brings: guild masters, the laboratory, and the tower's activation."""
    towers = player.towers
    more = (*towers[:colour], (*towers[colour], card), *towers[colour + 1 :])
    before = guilds.skyline(numbers, max(player.city, 0), towers)
    after = guilds.skyline(numbers, max(player.city, 0), more)
    gain = sum(guilds.praise(numbers, g, after).points - guilds.praise(numbers, g, before).points for g in revealed)
    gain += numbers.laboratory_points if card[:2] == "V3" else 0
    effects = [BASES[colour], *(numbers.effect_of(one) for one in more[colour])]
    return gain + sum(WORTH[code] for code in effects)


def _on_offer(state: SkytopiaState, player: Player) -> float:
    """What the towers and effects still to come in this turn are likely to bring."""
    numbers, codes = state.numbers, []
    for colour, tower in enumerate(player.towers):
        if colour in state.received:
            codes += [BASES[colour], *(numbers.effect_of(card) for card in tower)]
    for pending in state.stack:
        if pending.kind == "effect":
            codes.append(pending.code)
        elif pending.kind == "tower":
            codes += [numbers.effect_of(card) for card in player.towers[pending.colour][max(0, pending.level - 1) :]]
    return LIKELY * sum(WORTH[code] for code in codes)


def value(state: SkytopiaState, seat: int) -> float:
    """The promise of a position to one player, in points."""
    numbers, player = state.numbers, state.players[seat]
    left = rounds_left(state)
    city = guilds.skyline(numbers, max(player.city, 0), player.towers)
    worth = player.points + _purse(player.coins) + sum(guilds.praise(numbers, g, city).points for g in state.guilds)
    worth += numbers.laboratory_points * sum(card.effect == "V3" for tower in city.towers for card in tower)
    if state.turn == seat:
        worth += _on_offer(state, player)
    if state.last and state.round >= state.last:
        on = sum(die.owner == seat for slot in state.slots for die in slot.dice)
        return worth + on * numbers.golem_points
    for i, slot in enumerate(state.slots):
        mine = [numbers.steps[state.build][die.face] or 6 for die in slot.dice if die.owner == seat]
        if not mine:
            continue
        soonest = min(numbers.steps[state.build][die.face] or 6 for die in slot.dice)
        steps = min(mine)
        if steps > left:
            worth += len(mine) * numbers.golem_points * 0.8
        elif steps == soonest:
            gain = _raise(numbers, player, i // state.rows, slot.card, state.guilds)
            worth += gain * KEPT_PER_ROUND**steps + 0.2 * (5 - steps)
        else:
            worth += (numbers.compensation * COIN + 0.3) * KEPT_PER_ROUND**soonest
    return worth


def outlook(pack: Game, state: Any, seat: int) -> float:
    """One's own promise against that of the others."""
    if not isinstance(state, SkytopiaState):
        return float(pack.tally(state).players[seat].total)
    others = [value(state, other) for other in range(len(state.players)) if other != seat]
    return value(state, seat) - 0.5 * max(others)
