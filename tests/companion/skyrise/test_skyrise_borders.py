"""The borders of Skyrise's rules: boxes that cannot be, cards told twice, players who go home in mid-question."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from skyrise_table import NAMES, a_table, bid, era_two, only, play, refused, with_built

from companion.box.printed import load
from companion.games.skyrise import auction, pack
from companion.games.skyrise.ask import _off
from companion.games.skyrise.board import SLOTS
from companion.games.skyrise.state import PACKAGE, SkyriseState
from companion.games.skyrise.turn import Story, open_auction
from companion.games.skyrise.wonders import crypt_sites, prestige
from companion.shown.skyrise import FACTIONS

RED, GREEN, YELLOW, GREY = range(4)
EDGES = load(PACKAGE)["map.outer-1.edges"]


def printed(phase: str = "open", players: int = 3) -> SkyriseState:
    """A table of printed cards that has laid its islands."""
    state = pack.new({"names": NAMES[:players], "deal": "physical", "board": "table"}, {})
    return pack.play(state, pack.moves(state)[0]).state.but(phase=phase)


# the owner's box -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("buildings.red.era-1.small", [2, 24], "is also in"),
        ("tokens.wild", 0, "more tokens are removed"),
        ("map.central.factions", "YGW", "3 factions"),
        ("map.central.names", ["N", "E", "S", "W", "W"], "named twice"),
        ("map.ring.bridges", [["NW", "moon", "NE", "3"]], "unknown neighbourhood"),
    ],
)
def test_a_box_that_cannot_be_is_told_by_what_is_wrong(key: str, value: Any, what: str) -> None:
    """Numbers, cards, tokens, islands and bridges: before the first game and in the middle of one."""
    assert any(what in problem for problem in pack.problems({key: value}))
    with pytest.raises(ValueError, match=r"."):
        pack.new({"names": NAMES[:2]}, {key: value})
    assert refused(a_table(), {"kind": "box", "key": key, "value": value}).code == "skyrise/box-value"


def test_islands_of_another_shape_wait_for_the_next_game() -> None:
    """A copy with fifteen neighbourhoods may be played, but the running game has no token on the fifteenth."""
    larger = {"map.outer-1.factions": "YBWWGYBGYWGBGYG", "map.outer-1.edges": [*EDGES, ["15", "1"]]}
    assert pack.new({"names": NAMES[:2]}, larger)
    move = {"kind": "box", "key": "map.outer-1.factions", "value": larger["map.outer-1.factions"]}
    assert refused(a_table(), move).code == "skyrise/box-value"


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"names": ["A"]}, "2 to 4"),
        ({"names": ["A"] * 5}, "2 to 4"),
        ({"names": ["A"], "depth": "light"}, "2 to 4"),
        ({"names": ["A", "B"], "deal": "by hand"}, "deal"),
        ({"names": ["A", "B"], "board": "moon"}, "board"),
    ],
)
def test_options_that_are_none_are_refused_by_name(options: dict[str, Any], what: str) -> None:
    """Before a game begins."""
    with pytest.raises(ValueError, match=what):
        pack.new(options, {})


# laying out and putting right ----------------------------------------------------------------------------------


def test_the_opener_sits_at_the_table() -> None:
    """Seat four of three has not come."""
    state = pack.new({"names": NAMES[:3], "deal": "physical", "board": "table"}, {})
    laid = pack.encode(pack.moves(state)[0])
    assert refused(state, {**laid, "opener": 3}).code == "skyrise/no-seat"
    assert set(laid) & set(SLOTS)


def test_a_token_is_put_right_only_on_a_neighbourhood_there_is() -> None:
    """And not before the islands lie there."""
    assert refused(a_table(), {"kind": "correct", "site": "9.9", "token": "A"}).code == "skyrise/no-such-site"
    early = pack.new({"names": NAMES[:3], "deal": "physical", "board": "table"}, {})
    assert refused(early, {"kind": "correct", "site": "C.N", "token": "A"}).code == "skyrise/not-now"


# cards told in private -----------------------------------------------------------------------------------------


def test_a_wonder_is_chosen_from_a_hand_that_was_told() -> None:
    """The companion has not seen the printed cards."""
    assert refused(printed("choose"), {"kind": "choose", "seat": 0, "cards": ["hammer"]}).code == "skyrise/hand-unknown"


def test_nothing_told_is_nothing() -> None:
    """And what everybody has seen is not told again."""
    state = printed()
    assert refused(state, {"kind": "enter", "seat": 0}).code == "skyrise/nothing-told"
    shown = state.with_player(0, objective="brown", objective_shown=True)
    told = {"kind": "enter", "seat": 0, "objective": "white"}
    assert refused(shown, told).code == "skyrise/objective-shown"


def test_a_value_is_peeked_at_while_the_game_is_on() -> None:
    """Not before the islands lie there, nor from a chair nobody has."""
    peek = {"kind": "peek", "letter": "A", "value": 3}
    assert refused(printed("over"), {**peek, "seat": 0}).code == "skyrise/not-now"
    assert refused(printed(), {**peek, "seat": 3}).code == "skyrise/not-now"


def test_what_was_told_before_is_not_revealed_again() -> None:
    """At the end only what is missing is entered."""
    state = printed("reveal").with_player(0, objective="brown")
    assert refused(state, {"kind": "reveal", "objectives": {"0": "white"}}).code == "skyrise/already-told"


def test_kahns_ambition_asks_for_the_objective_it_pays_for() -> None:
    """Printed cards: the objective is told to the table's program before the wonder can be scored."""
    state = era_two(printed().but(deal="physical"), {"red-wonder": "kahns-ambition"}, RED)
    state = only(state, RED, "red-wonder")
    site = next(iter(auction.options(state, RED)["red-wonder"]))
    state = bid(state, "red-wonder", site)
    while state.phase in ("bid", "token"):
        state = pack.play(state, pack.moves(state)[-1]).state
    assert state.phase == "objective"
    assert [pack.encode(move)["objective"] for move in pack.moves(state)] == list(FACTIONS)
    assert refused(state, {"kind": "leave", "seat": RED}).code == "skyrise/answer-first"
    after = play(state, {"kind": "enter", "seat": RED, "objective": "brown"}).state
    assert after.phase != "objective"


# going home ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["lay", "deal", "reveal", "over"])
def test_nobody_leaves_a_game_that_is_not_played(phase: str) -> None:
    """There is nothing to pass."""
    assert refused(a_table().but(phase=phase), {"kind": "leave", "seat": RED}).code == "skyrise/not-now"


def test_nobody_leaves_twice_or_without_having_come() -> None:
    """A chair that is empty stays so."""
    state = play(a_table(), {"kind": "leave", "seat": GREEN}).state
    assert refused(state, {"kind": "leave", "seat": GREEN}).code == "skyrise/not-now"
    three = a_table(3)
    assert refused(three, {"kind": "leave", "seat": GREY}).code == "skyrise/not-now"


def test_the_game_ends_when_the_last_player_goes_home_while_choosing() -> None:
    """Nobody is left who could build a wonder."""
    state = a_table(2).but(phase="choose")
    state = play(state, {"kind": "leave", "seat": RED}).state
    assert not pack.over(state)
    state = play(state, {"kind": "leave", "seat": GREEN}).state
    assert state.phase in ("over", "reveal")
    assert pack.tally(state).players


def test_an_auction_nobody_is_left_for_ends_the_game() -> None:
    """All have built everything or gone home."""
    state = a_table(2)
    for seat in (RED, GREEN):
        state = state.with_player(seat, gone=True)
    assert open_auction(state, RED, Story()).phase in ("over", "reveal")


def test_in_era_two_the_lowest_wonder_opens_for_a_player_who_left() -> None:
    """Era I goes clockwise, era II by initiative."""
    cards = {"red-wonder": "summit", "green-wonder": "crypt", "yellow-wonder": "olmsted", "grey-wonder": "hammer"}
    state = era_two(a_table(), cards, RED).with_player(RED, gone=True)
    assert open_auction(state, RED, Story()).turn == GREY
    assert open_auction(state.but(era=1), RED, Story()).turn == GREEN


# the auction ---------------------------------------------------------------------------------------------------


def test_nobody_bids_from_a_chair_that_is_not_there() -> None:
    """Three play; the fourth colour is in the box."""
    assert refused(a_table(3), {"kind": "pass", "seat": GREY}).code == "skyrise/no-seat"


def test_a_piece_that_stands_already_is_not_played_again() -> None:
    """Built is built."""
    state = with_built(a_table(), ("red-24", "C.N"))
    assert not auction.playable(state, state.pieces["red-24"])
    assert auction.playable(a_table(), a_table().pieces["red-24"])


def test_with_no_free_neighbourhood_beside_everybody_passes_for_the_site() -> None:
    """The bid before stands where nothing else is free: pieces say so, and passing is all that is left."""
    state = bid(a_table(), "red-24", "C.N")
    beside = list(auction.bid_sites(state))
    others = [piece.id for piece in state.pieces.values() if piece.owner == GREY and piece.number]
    full = with_built(state, *zip(others, beside, strict=False))
    assert not auction.bid_sites(full)
    assert auction.stuck(full, GREEN) == "site"
    assert auction._what_else(full, GREEN).key == "skyrise/do/pass"
    higher = max(full.own(GREEN, "available"), key=lambda piece: piece.number)
    assert _off(full, higher).off.key == "skyrise/off/no-site"


# wonders -------------------------------------------------------------------------------------------------------


def test_the_crypt_reaches_as_far_as_our_copy_says() -> None:
    """Beside it, over its island, or anywhere; it gives no prestige of its own."""
    reached = {}
    for reach in ("adjacent", "island", "anywhere"):
        state = with_built(a_table(box={"wonders.crypt.reach": reach}), ("red-wonder", "1.1"))
        wonder = msgspec.structs.replace(state.pieces["red-wonder"], card="crypt")
        reached[reach] = set(crypt_sites(state, wonder))
        assert prestige(state, wonder) == 0
    assert reached["adjacent"] < reached["island"] | reached["adjacent"]
    assert {site.partition(".")[0] for site in reached["island"]} == {"1"}
    assert reached["island"] < reached["anywhere"]
    assert len(reached["anywhere"]) == len(a_table().tokens) - 1


# light play and the tally ----------------------------------------------------------------------------------------


def test_a_counted_game_takes_our_copy_and_ends_with_a_winner() -> None:
    """Light depth: printed values may be put right, the end names who won."""
    state = pack.new({"names": NAMES[:2], "depth": "light"}, {})
    key = next(name for name in a_table().box if name.endswith("city-hall-any-time"))
    value = not a_table().box[key]
    assert play(state, {"kind": "box", "key": key, "value": value}).state.box[key] is value
    assert refused(state, {"kind": "box", "key": key, "value": "perhaps"}).code == "skyrise/box-value"
    state = play(state, {"kind": "scoring"}).state
    while pack.moves(state):
        state = pack.play(state, pack.moves(state)[0]).state
    assert pack.over(state)
    assert pack.ask(state).text.key == "skyrise/ask/over"


def test_the_large_key_goes_to_whoever_finished_first() -> None:
    """A final position in which another has it is scored, and the oddity named."""
    example = pack.example()
    names = [player["name"] for player in example["players"]]
    keys = [{**player, "keys": ["large"] if i == 1 else []} for i, player in enumerate(example["players"])]
    odd = {**example, "players": keys, "finish_order": [names[0], names[1], *names[2:]]}
    notes = {note.key: note.params for note in pack.score(odd, {}).notes}
    assert notes["skyrise/note/large-key"] == {"name": names[0]}
    even = {**odd, "finish_order": [names[1], names[0], *names[2:]]}
    assert "skyrise/note/large-key" not in {note.key for note in pack.score(even, {}).notes}
