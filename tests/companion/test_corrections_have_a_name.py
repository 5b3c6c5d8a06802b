"""Newcomer B3: whoever corrects something, everybody reads whose value it is, what it was and what it is now."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.registry import pack as find_pack
from companion.wire.words import Words

NAMES = ("Ada", "Ben")
OPTIONS: dict[str, Any] = {"depth": "full", "names": NAMES, "colours": ["sun", "leaf"]}
READY = {"guilds": ["mechanics", "merchants", "artists"], "cities": [0, 1], "abilities": ["T1A", "T2A"]}


def said(game: str, *moves: dict[str, Any], options: dict[str, Any] | None = None) -> list[str]:
    """What the last of these moves makes everybody read."""
    pack = find_pack(game)
    state = pack.new({**OPTIONS, **(options or {})}, {})
    for move in moves[:-1]:
        state = pack.play(state, pack.decode(move)).state
    events = pack.play(state, pack.decode(moves[-1])).events
    return [Words("en", dict(enumerate(NAMES))).say(event.text) for event in events if event.text is not None]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ({"what": "coins", "seat": 1, "value": 15}, "Ben, coins: 5 → 15 (corrected)"),
        ({"what": "points", "seat": 0, "value": 7}, "Ada, points: 0 → 7 (corrected)"),
        ({"what": "dial", "value": 3}, "build value: 1 → 3 (corrected)"),
        ({"what": "deck", "tower": "red", "value": 4}, "cards left in the red deck: 8 → 4 (corrected)"),
        (
            {"what": "ability", "seat": 0, "value": "T1B"},
            "Ada, ability tile: Golem sent home pays → Help for the poor (corrected)",
        ),
        ({"what": "city", "seat": 1, "value": 2}, "Ben, city: airship → flame (corrected)"),
    ],
)
def test_skytopia_says_whose_value_and_from_what_to_what(move: dict[str, Any], sentence: str) -> None:
    found = said("skytopia", {"kind": "correct", **move}, options=READY)
    assert found[0] == sentence


def test_a_golem_put_right_is_named_with_its_card_and_faces() -> None:
    card = {"kind": "correct", "what": "card", "slot": "blue-1", "value": "B1a"}
    on = {"kind": "correct", "what": "die", "seat": 0, "slot": "blue-1", "face": 4}
    turned = {"kind": "correct", "what": "die", "seat": 0, "slot": "blue-1", "was": 4, "face": 5}
    assert said("skytopia", card, on, options=READY)[0] == "Ada’s golem 4 on blue, row 1 (corrected)"
    assert said("skytopia", card, on, turned, options=READY)[0] == "Ada’s golem on blue, row 1: 4 → 5 (corrected)"


def test_praga_and_the_score_pad_say_it_too() -> None:
    praga = said("praga", {"kind": "correct", "seat": 1, "values": {"gold": 9}})
    assert any("Ben" in line and "→ 9" in line for line in praga)
    pad = said("scorepad", {"kind": "points", "seat": 1, "points": 12}, {"kind": "correct", "entry": 0, "points": 21})
    assert pad == ["Ben: 12 → 21 (corrected)"]
