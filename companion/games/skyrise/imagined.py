"""The game as one player may think it is: what that player cannot see is dealt anew, everything else is as it lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.wonders import WONDERS
from companion.shown.skyrise import FACTIONS


def imagined(state: SkyriseState, seat: int, shuffle: Callable[[Sequence[str]], Sequence[str]]) -> SkyriseState:
    """Objectives and wonder cards of the others, and patron values this player has no token of, in some order."""
    others = [other for other in range(len(state.players)) if other != seat]
    own = state.players[seat]
    told = {player.objective for player in state.players if player.objective_shown} | {own.objective}
    objectives = iter(shuffle([faction for faction in FACTIONS if faction not in told]))
    shown = {*own.hand, *own.chosen, *(card for player in state.players for card in player.cards)}
    wonders = iter(shuffle([card for card in WONDERS if card not in shown]))
    for other in others:
        player = state.players[other]
        hand = tuple(next(wonders) for _ in player.hand)
        chosen = tuple(hand[: len(player.chosen)]) or ()
        hidden = bool(player.objective) and not player.objective_shown
        objective = next(objectives) if hidden else player.objective
        state = state.with_player(other, hand=hand, chosen=chosen, objective=objective)
    unseen = [letter for letter in state.patrons if letter not in own.patrons]
    values = shuffle([str(value) for value in sorted(state.patrons[letter] for letter in unseen)])
    return state.but(patrons={**state.patrons, **dict(zip(unseen, map(int, values), strict=True))})
