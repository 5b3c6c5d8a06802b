"""Pieces at spots: what stands there, whose it is, and when that is a question."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benches.random_boards import board, piece
from benches.spots import FOUR, SpotCount, Watched, kinds, one_board
from companion.games.skyrise.mat import islands_mat
from companion.wire.messages import MarketSeen
from vision.reader import pieces

HAND = {"x": 0.4, "y": 0.5}


@pytest.fixture(scope="module")
def taught() -> Watched:
    """The islands with a token on every site, a camera that was taught the colours, and a game that watches."""
    found = Watched(board(islands_mat(), 3, colours=FOUR, shapes=("tower",), tokens=True))
    found.teach(np.random.default_rng(4))
    found.reader.stands("game", {})
    found.show(found.scene.bare, None, found.scene.light, 20)
    return found


@pytest.fixture
def table(taught: Watched) -> Watched:
    """As it was when its teaching ended."""
    return deepcopy(taught)


def with_pieces(table: Watched, **colours: str) -> dict[str, dict[str, Any]]:
    rng = np.random.default_rng(5)
    slots = {spot: dict(lies) for spot, lies in table.scene.bare.items()}
    for spot, colour in colours.items():
        slots[spot.replace("_", "-")]["piece"] = piece(rng, colour, "tower")
    return slots


def read(seen: MarketSeen | None) -> dict[str, str]:
    """Spots a piece surely stands on."""
    assert seen is not None and seen.state == "ready"
    best = {slot.slot: max(slot.pieces, key=lambda word: slot.pieces[word]) for slot in seen.slots}
    return {slot.slot: best[slot.slot] for slot in seen.slots if best[slot.slot] and slot.sure}


def test_pieces_are_seen_where_they_stand_and_gone_when_they_are(table: Watched) -> None:
    table.show(table.scene.bare, HAND, table.scene.light, 4)
    slots = with_pieces(table, nw_2="coral", c_n="leaf", se_11="snow", sw_4="sun")
    wanted = {"nw-2": "coral", "c-n": "leaf", "se-11": "snow", "sw-4": "sun"}
    assert read(table.show(slots, None, table.scene.light, 40)) == wanted
    table.show(slots, HAND, table.scene.light, 4)
    del slots["se-11"]["piece"]
    assert read(table.show(slots, None, table.scene.light, 40)) == {k: v for k, v in wanted.items() if k != "se-11"}


def test_a_hand_over_the_board_is_waited_for(table: Watched) -> None:
    assert table.show(with_pieces(table, c_n="leaf"), HAND, table.scene.light, 12) is None
    assert table.reader.state == "hand"


def test_another_lamp_and_its_mirror_image_put_no_piece_down(table: Watched) -> None:
    light = replace(table.scene.light, level=table.scene.light.level * 0.85, glare=0.4, glare_x=0.6, glare_y=0.4)
    table.show(table.scene.bare, HAND, light, 4)
    assert read(table.show(table.scene.bare, None, light, 60)) == {}


def test_print_that_faded_under_the_lamps_mirror_image_is_not_learnt_as_another() -> None:
    """A yellow token in the glare lost half its print; when the glare had gone it was taken for a yellow tower."""
    result = SpotCount()
    one_board("islands", 284000, result, changes=2)
    assert not result.mistakes


def test_a_token_that_is_taken_away_in_clear_light_leaves_another_bare_spot(table: Watched) -> None:
    slots = {spot: dict(lies) for spot, lies in table.scene.bare.items()}
    slots["c-n"].pop("token")
    table.show(table.scene.bare, HAND, table.scene.light, 4)
    assert read(table.show(slots, None, table.scene.light, 40)) == {}
    table.show(slots, HAND, table.scene.light, 4)
    assert read(table.show(slots, None, table.scene.light, 40)) == {}
    spots = table.reader.spots
    assert spots.bare is not None and spots._now is not None
    seen = pieces.looks(spots._now, spots.bare, table.reader.mat, ["c-n"], table.reader.taught)
    assert seen["c-n"].changed < 0.1, "it is known without its token now"


def test_a_board_first_seen_in_mid_game_is_read_by_colour_and_swears_to_nothing(table: Watched) -> None:
    slots = with_pieces(table, nw_2="coral", c_n="leaf")
    table.reader.stands("another game", {"nw-2": "coral"})
    seen = table.show(slots, None, table.scene.light, 40)
    assert seen is not None
    shares = {slot.slot: slot.pieces for slot in seen.slots}
    assert shares["nw-2"] == {"coral": 0.5, "": 0.5}, "a piece, or a print in its colour: the game decides"
    assert shares["c-n"][""] > 0.95, "the game said it was bare: that is how it looks without a piece"


def test_a_renderer_that_paints_another_colour_is_found_out(table: Watched) -> None:
    """Negative control: what is read comes from the picture."""
    table.show(table.scene.bare, HAND, table.scene.light, 4)
    assert read(table.show(with_pieces(table, c_n="sun"), None, table.scene.light, 40)) == {"c-n": "sun"}
    result = SpotCount()
    said = MarketSeen(state="ready", ts=0.0, slots=tuple(table.reader.slots.values()))
    result.compare({"c-n": {"piece": {"colour": "leaf"}}}, said, "")
    assert (result.right, result.wrong) == (0, 1)


@pytest.mark.parametrize("kind", kinds())
def test_boards_of_every_kind_are_read_right_with_hands_and_changing_light(kind: str) -> None:
    result = SpotCount()
    one_board(kind, 1, result, changes=2)
    spots = 2 * len(kinds()[kind].mat.spots)
    assert result.per == {kind: [spots, result.right, 0]}, result.mistakes
    assert result.right >= spots - 3
