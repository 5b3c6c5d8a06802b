"""Quick auctions: people bid at the table, and the device is told which number won and where."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from skyrise_table import NAMES, era_two, only, play, random_game, refused, with_built

from companion.games.skyrise import pack
from companion.games.skyrise.board import OUTER, SLOTS, tokens_left
from companion.games.skyrise.moves import Won
from companion.games.skyrise.quick import options
from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.wonders import WONDERS
from companion.shown.skyrise import FACTIONS

RED, GREEN, YELLOW, GREY = range(4)


def a_quick_table(players: int = 4, **how: Any) -> SkyriseState:
    """A digital deal with islands 1, 2, 3, 4 at NW, NE, SE, SW, tokens drawn, auctions told by their results; Red opens."""
    state = pack.new({"names": NAMES[:players], "auction": "quick", "board": "drawn", **how}, {})
    bag = [token for token, count in tokens_left(state.box, players).items() for _ in range(count)]
    piles = {
        "slots": list(SLOTS),
        "islands": list(OUTER),
        "panorama": ["airships", "windmills", "lakes", "bridges", "chains"],
        "opener": list(range(players)),
        "tokens": bag,
        "objectives": list(FACTIONS),
        "wonders": list(WONDERS),
        "patrons": [2, 3, 4, 5],
    }
    return play(state, {"kind": "deal", **piles}).state


def won(state: SkyriseState, piece: str, site: str) -> SkyriseState:
    """The table tells how an auction ended."""
    return play(state, {"kind": "won", "piece": piece, "site": site}).state


def test_one_word_ends_an_auction_and_its_winner_opens_the_next() -> None:
    """The number says who won; the piece is built, the token taken, everything else is as before the auction."""
    state = a_quick_table()
    ask = pack.ask(state)
    assert (ask.seat, ask.phase) == (None, "quick")
    after = won(state, "grey-91", "C.N")
    assert (after.pieces["grey-91"].where, after.pieces["grey-91"].site) == ("built", "C.N")
    assert sum(after.players[GREY].rows) == 1
    assert (after.opener, after.auction) == (GREY, 2)
    assert all(piece.where != "bid" for piece in after.pieces.values())


def test_what_no_auction_could_lead_to_is_refused_with_a_reason() -> None:
    """A locked piece, a site out of reach, an occupied one, somebody who is finished."""
    state = won(a_quick_table(), "grey-91", "C.N")
    for piece, site, code in (
        ("red-101", "C.E", "piece-locked"),
        ("grey-91", "C.E", "piece-built"),
        ("red-24", "C.N", "occupied"),
        ("red-1", "4.1", "no-way-there"),
        ("blue-1", "C.E", "not-yours"),
        ("red-24", "9.9", "no-such-site"),
    ):
        assert refused(state, {"kind": "won", "piece": piece, "site": site}).code == f"skyrise/{code}", piece
    assert refused(state, {"kind": "bid", "seat": RED, "piece": "red-24", "site": "C.E"}).code == "skyrise/no-auction"


def test_a_chain_of_lower_bids_must_have_been_able_to_reach_the_site() -> None:
    """From the centre to 1.12 or 1.14 takes one bid before, to 1.13 two: the lowest number of all can only have opened."""
    state = a_quick_table()
    legal = options(state)
    assert set(legal["red-1"]) == {"C.N", "C.E", "C.S", "C.W"}
    assert {"1.12", "1.14"} <= set(legal["green-2"])
    assert "1.13" not in legal["green-2"]
    assert "1.13" in legal["yellow-4"]


def test_the_sites_of_every_bid_of_a_full_auction_may_be_told_as_a_result() -> None:
    """Whatever full auctions end with, in whole games, quick auctions take."""
    told = 0
    for state, move, outcome in random_game(3, 21):
        ended = [event for event in outcome.events if event.kind == "built"]
        if not ended or not isinstance(state, SkyriseState) or state.phase not in ("open", "bid"):
            continue
        home = {
            bid.piece: msgspec.structs.replace(state.pieces[bid.piece], where="available", site="")
            for bid in state.bids
        }
        before = state.with_pieces(home).but(bids=(), passed=(), phase="quick", quick=True)
        built = next(p for p in outcome.state.pieces.values() if p.site == ended[0].params["at"])
        assert built.site in options(before).get(built.id, ()), (built, move)
        told += 1
    assert told > 30


def test_a_wonder_opens_only_as_the_last_piece_but_may_have_outbid_anywhere() -> None:
    """Era II: with buildings left, a wonder's site must have had room for a bid beside it."""
    state = era_two(a_quick_table(), {"red-wonder": "summit", "green-wonder": "city-hall"}, RED)
    assert state.phase == "quick"
    assert "C.N" in options(state)["red-wonder"]
    assert "4.1" in options(state)["green-wonder"]
    lonely = only(only(only(state, GREEN), YELLOW), GREY, "grey-wonder")
    lonely = only(lonely, RED, "red-wonder")
    assert set(options(lonely)["red-wonder"]) == {"C.N", "C.E", "C.S", "C.W"}


def test_tall_pieces_stay_away_from_a_hammer_in_quick_auctions_too() -> None:
    """The ban is about the islands, not about bids."""
    state = era_two(with_built(a_quick_table(), ("red-wonder", "C.N")), {"red-wonder": "hammer"}, GREEN)
    state = state.with_pieces({"red-wonder": msgspec.structs.replace(state.pieces["red-wonder"], card="hammer")})
    assert "C.E" not in options(state)["green-93"]
    assert "C.E" in options(state)["green-71"]
    assert "C.E" in options(state)["red-92"]


def test_lacherts_pavilion_asks_how_much_because_nobody_recorded_the_bids() -> None:
    """Its owner says it in one touch, in steps of what each bid gives."""
    state = era_two(a_quick_table(), {"red-wonder": "lacherts-pavilion"}, RED)
    state = won(state, "red-wonder", "C.N")
    while state.phase == "colour":
        state = play(state, {"kind": "colour", "seat": RED, "faction": "green"}).state
    ask = pack.ask(state)
    assert (ask.seat, ask.phase, [choice.id for choice in ask.choices][:4]) == (RED, "gives", ["0", "2", "4", "6"])
    before = state.players[RED].prestige
    state = play(state, ask.choices[3].move).state
    assert state.players[RED].prestige == before + 6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_of_quick_auctions_needs_one_word_each(players: int) -> None:
    """As many results as structures, and the last scoring stands."""
    steps = random_game(players, 4, auction="quick")
    assert sum(isinstance(move, Won) for _, move, _ in steps) == {2: 28, 3: 39, 4: 52}[players]
    assert pack.over(steps[-1][2].state)


def test_the_full_auction_stays_for_who_wants_every_bid_checked() -> None:
    """It is a choice at the set-up; robots must be heard bidding; a game begun before there was a choice goes on as it began."""
    field = next(field for field in pack.options() if field.id == "auction")
    assert (field.value, [option.value for option in field.options]) == ("quick", ["quick", "full"])
    assert next(field for field in pack.options() if field.id == "board").value == "table"
    for options_ in ({"auction": "full"}, {"auction": "quick", "robots": [1]}, {}):
        state = pack.new({"names": NAMES[:2], "board": "drawn", **options_}, {})
        assert not state.quick
