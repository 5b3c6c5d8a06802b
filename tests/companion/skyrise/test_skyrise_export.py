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
    told = [plain for _, move, _ in steps if (plain := pack.publish(end, move)) is not None]
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
    changed = pack.decode(
        {"kind": "choose", "seat": 0, "cards": [next(c for c in WONDERS if c not in end.players[0].cards)]}
    )
    kept = pack.decode({"kind": "choose", "seat": 0, "cards": list(end.players[0].cards)})
    taken = {card for player in end.players for card in player.cards}
    if changed.cards[0] not in taken:
        assert pack.publish(end, changed) is None
    assert pack.publish(end, kept) == pack.encode(kept)
