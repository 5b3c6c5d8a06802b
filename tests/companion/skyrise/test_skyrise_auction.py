"""Auctions: the rulebook's example, every refusal, dead ends, wonders, the Hammer and who opens next."""

from __future__ import annotations

import msgspec
import pytest
from skyrise_table import a_table, bid, era_two, only, passes, play, refused, refused_bid, with_built

from companion.games.skyrise import pack
from companion.games.skyrise.auction import open_sites, options
from companion.games.skyrise.state import SkyriseState
from companion.shown.skyrise import PassedShown

RED, GREEN, YELLOW, GREY = range(4)


def rulebook_example() -> SkyriseState:
    """T1 up to grey's 64: red 24, green passes, yellow 32, grey 64."""
    state = with_built(a_table(tokens={"1.7": "white"}), ("green-52", "C.N"))
    state = bid(state, "red-24", "1.14")
    state = passes(state, GREEN)
    state = bid(state, "yellow-32", "1.13")
    return bid(state, "grey-64", "1.10")


def test_t1_the_auction_of_the_rulebook() -> None:
    """T1 and edge case 1: grey wins with 91, takes the white token, all other bids go home, grey opens next."""
    state = bid(rulebook_example(), "red-72", "1.6")
    assert state.turn == YELLOW, "green has passed and is skipped"
    state = passes(state, YELLOW)
    state = bid(state, "grey-91", "1.7")
    state = passes(state, RED)

    assert state.pieces["grey-91"].where == "built"
    assert state.players[GREY].rows == (0, 0, 1, 0)
    assert {state.pieces[p].where for p in ("red-24", "red-72", "yellow-32", "grey-64")} == {"available"}
    assert (state.phase, state.turn) == ("open", GREY)
    assert "1.7" not in state.tokens


def test_t2_refusals_in_the_rulebooks_auction() -> None:
    """T2 and edge case 3: placed, lower, beside an earlier bid only, passed: each says why and what would be legal."""
    state = rulebook_example()
    assert refused_bid(state, "red-24", "1.9").code == "skyrise/piece-bid"
    low = refused_bid(state, "red-54", "1.9")
    assert low.code == "skyrise/too-low"
    assert low.do.params["numbers"] == "72, 92"
    assert low.box == "buildings.red.era-1.medium"
    far = refused_bid(state, "red-72", "1.12")
    assert far.code == "skyrise/not-beside"
    assert [site.params["site"] for site in far.do.params["sites"]] == ["6", "9", "11"]  # type: ignore[union-attr]
    assert refused_bid(state, "green-93", "1.9").code == "skyrise/passed"
    assert refused_bid(state, "yellow-94", "1.9").code == "skyrise/out-of-turn"


def test_other_refusals_name_their_reason() -> None:
    """Occupied, not open, locked, built, somebody else's, unknown, and the opener who would pass."""
    state = with_built(a_table(), ("green-52", "C.N"))
    assert refused_bid(state, "red-24", "C.N").code == "skyrise/occupied"
    far = refused_bid(state, "red-24", "3.1")
    assert (far.code, far.box) == ("skyrise/not-open", "map.outer-3.edges")
    assert refused_bid(state, "red-13", "C.E").code == "skyrise/piece-locked"
    assert refused_bid(with_built(state, ("red-24", "C.S")), "red-24", "C.E").code == "skyrise/piece-built"
    theirs = {"kind": "bid", "seat": RED, "piece": "green-23", "site": "C.E"}
    assert refused(state, theirs).code == "skyrise/not-yours"
    assert refused(state, {**theirs, "piece": "blue-7"}).code == "skyrise/not-yours"
    assert refused_bid(state, "red-24", "9.9").code == "skyrise/no-such-site"
    assert refused(state, {"kind": "pass", "seat": RED}).code == "skyrise/opener-passes"


def test_a_confirmed_value_carries_no_offer_to_correct_it() -> None:
    """Our copy says otherwise is offered only where nobody has confirmed the printed value."""
    state = a_table(box={"buildings.green.era-1.small": [2, 23]})
    state = bid(state, "red-24", "C.N")
    assert refused_bid(state, "green-23", "C.E").box == ""


def test_edge_2_a_player_may_bid_several_times_and_each_bid_blocks_its_site() -> None:
    """Edge cases 2 and 4: the chain may wrap back near its start, only occupied sites are barred."""
    state = bid(a_table(2), "red-24", "C.N")
    state = bid(state, "green-34", "C.E")
    state = bid(state, "red-54", "C.S")
    assert refused_bid(state, "green-61", "C.E").code == "skyrise/occupied"
    state = bid(state, "green-61", "C.W")
    assert refused_bid(state, "red-62", "C.N").code == "skyrise/occupied"
    assert "1.12" in options(state, RED)["red-62"]


@pytest.mark.parametrize("opening", [False, True])
def test_t7_a_bid_into_a_dead_end_wins_at_once(opening: bool) -> None:
    """T7 and edge case 5: no unbuilt neighbour, no further turns, whatever the number."""
    around = [("red-33", "1.1"), ("red-54", "1.3"), ("red-62", "1.6")]
    state = with_built(a_table(), *around)
    if opening:
        state = bid(with_built(state, ("green-52", "1.5")), "red-1", "1.2")
        assert state.pieces["red-1"].where == "built"
    else:
        state = bid(state, "red-1", "1.5")
        state = bid(state, "green-2", "1.2")
        assert state.pieces["green-2"].where == "built"
    assert (state.phase, state.bids) == ("open", ())


def test_nobody_outbids_themselves_and_those_without_a_higher_number_are_passed() -> None:
    """Section 5.3: a player with no higher number is passed by the table, and the view says why."""
    state = only(a_table(2), GREEN, "green-2", "green-11")
    state = bid(state, "red-24", "C.N")
    assert state.phase == "open", "green cannot answer, red wins"
    state = only(a_table(3), GREEN, "green-2", "green-11")
    state = bid(state, "red-24", "C.N")
    assert state.turn == YELLOW
    assert pack.view(state, None).auction.passed == (PassedShown(seat=GREEN, why="number"),)


def test_the_opening_form_offers_only_legal_pieces_and_sites() -> None:
    """The screen lights the legal sites, the phone shows the available numbers."""
    ask = pack.ask(a_table())
    assert ask.form is not None
    assert [field.id for field in ask.form.fields] == ["piece", "site"]
    assert {option.value for option in ask.form.fields[1].options} == {"C.N", "C.E", "C.S", "C.W"}
    state = play(a_table(), {**ask.form.move, "values": {"piece": "red-24", "site": "C.N"}}).state
    assert state.last.piece == "red-24"
    off = {choice.id: choice.off for choice in pack.ask(state).choices if choice.off}
    assert {key: why.key for key, why in off.items()} == {
        "green-2": "skyrise/off/too-low",
        "green-23": "skyrise/off/too-low",
    }


def wonder_table(cards: dict[str, str], opener: int = RED) -> SkyriseState:
    """Era II with a structure on the central north."""
    return era_two(with_built(a_table(), ("green-52", "C.N")), cards, opener)


FOUR = {
    "red-wonder": "futurist",
    "green-wonder": "summit",
    "yellow-wonder": "olmsted",
    "grey-wonder": "lacherts-pavilion",
}


def four_bids(state: SkyriseState) -> SkyriseState:
    """24, 32, 64, 72 on a chain of sites, grey to answer."""
    state = bid(state, "red-24", "1.14")
    state = passes(state, GREEN)
    state = bid(state, "yellow-32", "1.13")
    state = bid(state, "grey-64", "1.10")
    state = bid(state, "red-72", "1.6")
    return passes(state, YELLOW)


def test_t8_a_wonder_closes_the_auction() -> None:
    """T8: four numbered bids lie on the islands when grey places the Pavilion: it ends, grey gains 8."""
    state = bid(four_bids(wonder_table(FOUR)), "grey-wonder", "1.7")
    assert state.pieces["grey-wonder"].where == "built"
    assert state.players[GREY].prestige == 8
    assert (state.phase, state.turn) == ("open", GREY)


def test_t9_the_hammer_beats_a_wonder() -> None:
    """T9: red, still in, is asked; placing the Hammer sends grey's wonder home without points."""
    state = bid(four_bids(wonder_table(FOUR | {"red-wonder": "hammer"})), "grey-wonder", "1.7")
    assert (state.phase, state.turn) == ("bid", RED)
    assert pack.ask(state).text.key == "skyrise/ask/hammer"
    assert refused_bid(state, "red-92", "1.11").code == "skyrise/only-hammer"
    beaten = bid(state, "red-wonder", "1.11")
    assert beaten.pieces["grey-wonder"].where == "available"
    assert beaten.players[GREY].prestige == 0
    assert beaten.pieces["red-wonder"].where == "built"
    assert passes(state, RED).players[GREY].prestige == 8


def test_t9_a_hammer_holder_who_passed_is_not_asked() -> None:
    """T9, last line: if red had passed before, the auction ends at grey's wonder."""
    state = wonder_table(FOUR | {"green-wonder": "hammer"})
    state = bid(four_bids(state), "grey-wonder", "1.7")
    assert state.pieces["grey-wonder"].where == "built"


def test_edge_8_no_wonder_in_era_one() -> None:
    """Edge case 8: figures are locked until era II."""
    state = bid(a_table(), "red-24", "C.N")
    assert refused_bid(state, "green-wonder", "C.E").code == "skyrise/piece-locked"


def test_edge_9_a_wonder_opens_only_as_the_last_thing_left() -> None:
    """Edge case 9: never while a building is available, City Hall excepted."""
    state = wonder_table(FOUR)
    no = refused_bid(state, "red-wonder", "C.E")
    assert no.code == "skyrise/wonder-opens"
    alone = only(state, RED, "red-wonder")
    assert bid(alone, "red-wonder", "C.E").pieces["red-wonder"].where == "built"


def test_city_hall_opens_anywhere_at_any_time() -> None:
    """Wonder 2: any unbuilt neighbourhood, unless the owner's table reads the card otherwise."""
    state = wonder_table(FOUR | {"red-wonder": "city-hall"})
    assert "3.1" not in open_sites(state)
    assert bid(state, "red-wonder", "3.1").pieces["red-wonder"].where == "built"
    strict = era_two(a_table(box={"settings.city-hall-any-time": False}), {"red-wonder": "city-hall"}, RED)
    assert refused_bid(strict, "red-wonder", "3.1").code == "skyrise/wonder-opens"


def test_edge_10_the_hammer_beats_a_wonder_that_opened_as_the_last_structure() -> None:
    """Edge case 10: the beaten opener keeps the wonder; the Hammer's owner opens next."""
    state = only(wonder_table(FOUR | {"green-wonder": "hammer"}), RED, "red-wonder")
    state = bid(state, "red-wonder", "C.E")
    assert state.turn == GREEN
    state = bid(state, "green-wonder", "C.S")
    assert state.pieces["red-wonder"].where == "available"
    assert (state.phase, state.turn) == ("open", GREEN)


def hammer_stands(site: str = "1.5", **box: str) -> SkyriseState:
    """Red's Hammer is built, green opens."""
    state = era_two(a_table(box={f"settings.{k}": v for k, v in box.items()}), {"green-wonder": "atelier"}, GREEN)
    state = with_built(state, ("red-wonder", site), ("green-52", "C.N"))
    hammer = msgspec.structs.replace(state.pieces["red-wonder"], card="hammer")
    return state.with_pieces({"red-wonder": hammer})


def test_edge_11_no_tall_piece_beside_an_opponents_hammer() -> None:
    """Edge case 11: the ban binds openings and outbids of opponents, and the Atelier."""
    state = hammer_stands()
    no = refused_bid(state, "green-93", "1.1")
    assert no.code == "skyrise/hammer-bars"
    assert bid(state, "green-71", "1.1").last.site == "1.1"
    own = era_two(hammer_stands(), {}, RED)
    own = own.with_pieces({"red-wonder": state.pieces["red-wonder"]})
    assert bid(own, "red-92", "1.1").last.site == "1.1"
    atelier = only(state, GREEN, "green-wonder")
    assert refused_bid(atelier, "green-wonder", "1.1").code == "skyrise/hammer-bars"


def test_edge_11_the_ban_is_released_when_no_other_site_is_open() -> None:
    """Edge case 11: for an opener when every open site is beside the Hammer; for an outbid only if the table says so."""
    state = hammer_stands("1.14")
    near = state.islands.beside("1.14")
    walls = {
        f"wall-{site}": msgspec.structs.replace(state.pieces["red-24"], id=f"wall-{site}", where="built", site=site)
        for site in state.islands.sites
        if site not in near and site not in state.occupants() and site != "4.1"
    }
    state = state.with_pieces(walls)
    assert refused_bid(state, "green-93", "1.13").code == "skyrise/hammer-bars"
    last = msgspec.structs.replace(state.pieces["red-24"], id="wall-4.1", where="built", site="4.1")
    state = state.with_pieces({"wall-4.1": last})
    assert open_sites(state) <= near
    assert bid(state, "green-93", "1.13").last.site == "1.13"


def test_edge_11_an_outbid_stays_barred_unless_the_table_releases_it() -> None:
    """`hammer-release` any: released when every site beside the last bid is beside the Hammer."""
    for release, free in (("opening-only", False), ("any", True)):
        state = hammer_stands("1.2", **{"hammer-release": release})
        state = with_built(state, ("yellow-21", "1.5"), ("yellow-32", "1.7"), ("yellow-51", "1.10"))
        state = with_built(state, ("yellow-63", "1.4"))
        state = bid(only(state, GREY, "grey-91"), "green-71", "1.6")
        lit = {site for sites in options(state, YELLOW).values() for site in sites}
        assert lit == {"1.3"}
        tall = "yellow-94" in options(state, YELLOW)
        assert tall is free


def test_edge_12_a_hammer_in_hand_bars_nothing() -> None:
    """Edge case 12: only the built Hammer bars."""
    state = wonder_table(FOUR | {"green-wonder": "hammer"})
    assert bid(state, "red-92", "1.14").last.site == "1.14"


def test_t12_initiative_of_two_players() -> None:
    """T12: sums 15 and 15; the single lowest card opens."""
    hands = ("lacherts-pavilion", "munchs-harbour", "hammer", "crypt", "summit")
    hands += ("futurist", "kahns-ambition", "atelier", "splinter", "la-boca")
    state = a_table(2, opener=1, hands=hands).but(phase="choose")
    state = play(state, {"kind": "choose", "seat": 1, "cards": ["futurist", "kahns-ambition"]}).state
    assert state.phase == "choose"
    state = play(state, {"kind": "choose", "seat": 0, "cards": ["lacherts-pavilion", "munchs-harbour"]}).state
    assert (state.phase, state.era, state.turn) == ("open", 2, 0)
    assert state.pieces["red-wonder"].card == "lacherts-pavilion"
    assert state.pieces["yellow-wonder"].card == "munchs-harbour"
    assert state.pieces["red-111"].where == "available"


def test_t13_finishing() -> None:
    """T13 and edge case 21: keys to the first two finishers; lowest initiative of the others opens."""
    cards = {"red-wonder": "summit", "green-wonder": "crypt", "yellow-wonder": "olmsted", "grey-wonder": "hammer"}
    state = era_two(a_table(), cards, GREY)
    for seat, last in ((GREY, "grey-91"), (RED, "red-92"), (YELLOW, "yellow-94")):
        state = only(state, seat, last)
    state = only(state, GREEN, "green-2", "green-23", "green-34")
    state = bid(state, "grey-91", "C.N")
    for seat in (RED, YELLOW):
        if state.phase == "bid" and state.turn == seat:
            state = passes(state, seat)
    assert state.players[GREY].keys == ("large",)
    assert (state.phase, state.turn) == ("open", YELLOW), "olmsted 11 before crypt 18 and summit 19"
    state = bid(state, "yellow-94", "C.E")
    assert state.players[YELLOW].keys == ("small",)
    assert state.turn == GREEN
    state = bid(state, "green-34", "C.S")
    state = bid(state, "red-92", "C.W")
    assert state.players[RED].keys == ()
    assert state.finished == (GREY, YELLOW, RED)
    assert refused(state, {"kind": "pass", "seat": GREY}).code == "skyrise/finished"


def test_a_lone_player_opens_and_wins_by_the_opening_rules() -> None:
    """Section 5.7: every auction is an opening that wins at once; the site rules still hold."""
    state = only(era_two(a_table(2), {}, RED), GREEN).but(finished=(GREEN,))
    assert refused_bid(state, "red-24", "1.1").code == "skyrise/not-open"
    state = bid(state, "red-24", "C.N")
    assert (state.pieces["red-24"].where, state.turn) == ("built", RED)


def test_edge_20_era_two_starts_with_the_lowest_initiative() -> None:
    """Edge cases 18, 19 and 20: one builds the last undotted building; others keep theirs; initiative opens."""
    hands = ("summit", "crypt", "splinter", "hammer", "city-hall", "atlantis", "olmsted", "atelier", "la-boca")
    state = only(a_table(3, hands=hands), RED, *[p.id for p in a_table(3).own(RED) if p.era == 2], "red-92")
    state = bid(state, "red-92", "C.N")
    while state.phase == "bid":
        state = passes(state, state.turn)
    assert state.phase == "choose"
    for seat, card in enumerate(("summit", "hammer", "olmsted")):
        state = play(state, {"kind": "choose", "seat": seat, "cards": [card]}).state
    assert (state.era, state.turn) == (2, GREEN)
    assert state.pieces["green-2"].where == "available"
    assert state.pieces["green-104"].where == "available"


def test_edge_31_a_player_who_leaves_passes_and_opens_nothing() -> None:
    """Edge case 31: the next player opens; the others play on."""
    state = play(a_table(), {"kind": "leave", "seat": RED}).state
    assert (state.phase, state.turn, state.auction) == ("open", GREEN, 1)
    state = bid(state, "green-23", "C.N")
    state = play(state, {"kind": "leave", "seat": YELLOW}).state
    assert state.turn == GREY
    assert passes(state, GREY).pieces["green-23"].where == "built"


def test_edge_7_openings_and_outbids_cross_a_bridge() -> None:
    """Edge case 7: a structure at one end opens the other, a bid at one end is beaten at the other."""
    state = with_built(a_table(), ("green-52", "C.N"))
    state = bid(state, "red-24", "2.12")
    state = bid(with_built(a_table(), ("green-52", "2.13")), "red-24", "2.12")
    assert "C.N" in options(state, GREEN)["green-34"]
    assert bid(state, "green-34", "C.N").last.site == "C.N"
