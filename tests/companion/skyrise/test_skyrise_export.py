"""What leaves the table after the last scoring: a game that can be replayed, without cards that were never shown."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from skyrise_table import random_game

from companion.games.skyrise import pack
from companion.games.skyrise.wonders import WONDERS


@pytest.mark.parametrize("how", [{}, {"deal": "physical", "board": "table"}, {"auction": "quick", "board": "drawn"}])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_wonder_cards_nobody_chose_are_in_no_export(players: int, how: dict[str, Any]) -> None:
    """Section 3: unchosen cards go back to the box unseen; the export leads to the same tally without them."""
    steps = random_game(players, 17, **how)
    end = steps[-1][2].state
    told = pack.publish(end, [move for _, move, _ in steps])
    chosen = {card for player in end.players for card in player.cards}
    unseen = [card for card in WONDERS if card not in chosen]
    assert len(unseen) > 10
    said = json.dumps(told)
    assert not [card for card in unseen if f'"{card}"' in said]
    state = pack.new({"names": [player.name for player in end.players], **how}, {})
    for move in told:
        state = pack.play(state, pack.decode(json.loads(json.dumps(move)))).state
    assert msgspec.json.encode(pack.tally(state)) == msgspec.json.encode(pack.tally(end))


def test_who_changed_their_mind_before_the_reveal_shows_only_the_card_they_kept() -> None:
    """The first choice is left out of the export."""
    steps = random_game(3, 2)
    end = steps[-1][2].state
    other = next(card for card in WONDERS if not any(card in player.cards for player in end.players))
    changed = pack.decode({"kind": "choose", "seat": 0, "cards": [other]})
    kept = pack.decode({"kind": "choose", "seat": 0, "cards": list(end.players[0].cards)})
    assert pack.publish(end, [changed, kept]) == [pack.encode(kept)]


def test_a_game_in_which_two_had_chosen_one_card_can_be_replayed_from_its_export() -> None:
    """All began anew then; whoever had chosen before the clash must not count as having chosen after it."""
    how = {"deal": "physical", "auction": "quick"}
    steps = random_game(2, 5, **how)
    at = next(n for n, (before, _, _) in enumerate(steps) if before.phase == "choose")
    state, played = steps[at][0], [move for _, move, _ in steps[:at]]
    hands = {move.seat: list(move.wonders) for _, move, _ in steps if getattr(move, "wonders", ())}
    common = next(card for card in WONDERS if not any(card in hand for hand in hands.values()))
    for seat, hand in hands.items():
        told = {"kind": "enter", "seat": seat, "wonders": [common, *hand[1:]]}
        chosen = {"kind": "choose", "seat": seat, "cards": [common, hand[-1]]}
        for plain in (told, chosen):
            played.append(pack.decode(plain))
            state = pack.play(state, played[-1]).state
    assert [player.chosen for player in state.players] == [(), ()], "two have one card: all choose again"
    for _, move, _ in sorted(
        steps[at:], key=lambda step: -getattr(step[1], "seat", 0) if step[0].phase == "choose" else 0
    ):
        played.append(move)
        state = pack.play(state, move).state
    again = pack.new({"names": [player.name for player in state.players], **how}, {})
    for plain in pack.publish(state, played):
        again = pack.play(again, pack.decode(plain)).state
    assert msgspec.json.encode(pack.tally(again)) == msgspec.json.encode(pack.tally(state))
