"""The twenty wonders, one by one, on the default map."""

from __future__ import annotations

import pytest
from skyrise_table import a_table, bid, era_two, passes, play, refused, with_built

from companion.games.skyrise import pack
from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.wonders import EFFECTS, WONDERS, prestige

RED, GREEN, YELLOW, GREY = range(4)


def standing(card: str, site: str, *others: tuple[str, str], **table: object) -> SkyriseState:
    """Red's wonder with this card stands on the site, others' structures around it."""
    state = era_two(a_table(**table), {"red-wonder": card}, RED)  # type: ignore[arg-type]
    return with_built(state, ("red-wonder", site), *others)


def gained(state: SkyriseState) -> int:
    """What building red's wonder gives now."""
    return prestige(state, state.pieces["red-wonder"])


def test_every_wonder_has_its_effect_and_its_initiative() -> None:
    """Twenty cards, numbered one to twenty unless the owner's copy says otherwise."""
    state = a_table()
    assert len(WONDERS) == len(set(WONDERS)) == 20
    assert set(EFFECTS) == set(WONDERS)
    assert [state.box[f"wonders.{card}.initiative"] for card in WONDERS] == list(range(1, 21))


@pytest.mark.parametrize("card", ["hammer", "city-hall", "atelier"])
def test_wonders_1_2_14_print_no_prestige_until_the_owner_says_so(card: str) -> None:
    """The text on building is lost: nothing is assumed, the box may say more."""
    assert gained(standing(card, "1.5")) == 0
    assert gained(standing(card, "1.5", box={f"wonders.{card}.prestige": 3})) == 3


def test_wonder_3_pavilion_counts_numbered_bids_of_all() -> None:
    """Edge case 13: a lone opening gains nothing; four bids gain eight."""
    assert gained(standing("lacherts-pavilion", "1.5").but(placed=0)) == 0
    assert gained(standing("lacherts-pavilion", "1.5").but(placed=4)) == 8


def test_wonder_4_atlantis_needs_three_lakes() -> None:
    """The wonder itself borders one; two more make three."""
    two = standing("atlantis", "1.5", ("red-24", "1.1"))
    assert gained(two) == 0
    assert gained(with_built(two, ("red-33", "2.8"))) == 8


def test_wonder_5_zeppelin_rock_needs_four_airships() -> None:
    """Two on island 1, the central one, and one on island 2."""
    three = standing("zeppelin-rock", "1.5", ("red-24", "1.6"), ("red-33", "C.N"))
    assert gained(three) == 0
    assert gained(with_built(three, ("red-54", "2.1"))) == 8


def test_wonder_6_lynchs_image_counts_built_neighbours_of_any_owner() -> None:
    """Two for each structure beside it."""
    assert gained(standing("lynchs-image", "1.5", ("green-52", "1.1"), ("red-24", "1.6"), ("grey-22", "1.14"))) == 4


def test_wonder_7_futurist_counts_unbuilt_neighbours_after_bids_return() -> None:
    """Edge case 14: bridges count, and the sites freed by losing bids."""
    state = era_two(a_table(), {"red-wonder": "futurist"}, GREY)
    state = bid(state, "grey-22", "C.E")
    state = bid(state, "red-wonder", "C.N")
    assert state.players[RED].prestige == 2 * 4


def test_wonder_8_kahns_ambition_reveals_and_scores_once_more_at_the_end() -> None:
    """Edge case 25: the objective is shown to all; eight if met now."""
    philosophers = [("red-24", "1.1"), ("red-33", "1.6"), ("red-54", "1.9")]
    state = era_two(a_table(), {"red-wonder": "kahns-ambition"}, GREY)
    state = with_built(state, *philosophers, ("grey-91", "1.13"))
    assert pack.view(state, None).players[RED].objective == ""
    opened = bid(state, "grey-22", "1.10")
    missed = play(opened, {"kind": "bid", "seat": RED, "piece": "red-wonder", "site": "1.11"})
    assert missed.reveals
    assert missed.state.players[RED].prestige == 0
    assert pack.view(missed.state, None).players[RED].objective == "yellow"
    met = bid(bid(state, "grey-22", "C.N"), "red-wonder", "1.14")
    assert met.players[RED].prestige == 8


def test_wonder_9_gardens_count_colours_of_own_tokens() -> None:
    """Three for each colour in a row, at most twelve; wilds are in the row of their colour."""
    state = standing("jane-jacobs-gardens", "1.5")
    assert gained(state.with_player(RED, rows=(1, 0, 4, 0), surplus=2)) == 6
    assert gained(state.with_player(RED, rows=(1, 1, 4, 2))) == 12


def test_wonder_10_intelligencium_and_t17_bridges() -> None:
    """T17: with central north, 1.14 and 2.12 Bridges scores twice; the Intelligencium on 1.14 scores it once."""
    state = standing("intelligencium", "1.14", ("red-24", "C.N"), ("red-33", "2.12"), panorama=("bridges", "chains"))
    assert gained(state) == 4
    chained = with_built(state, ("red-54", "1.13"), ("red-62", "1.12"))
    assert gained(chained) == 4 + 5


def test_wonder_11_olmsted_counts_the_central_island_wherever_it_stands() -> None:
    """Structures of any owner; itself if it is central."""
    assert gained(standing("olmsted", "1.5", ("green-52", "C.N"), ("red-24", "C.E"))) == 4
    assert gained(standing("olmsted", "C.N", ("green-52", "C.E"))) == 4


def test_wonder_12_munchs_harbour_counts_different_letters() -> None:
    """Three each, at most twelve."""
    state = standing("munchs-harbour", "1.5")
    assert gained(state.with_player(RED, patrons=("A", "A", "C"))) == 6
    assert gained(state.with_player(RED, patrons=("A", "B", "C", "D", "D"))) == 12


def test_wonder_13_sullivans_spire_counts_tall_buildings_of_its_island() -> None:
    """Any owner, the Atelier included, other islands not."""
    state = era_two(a_table(), {"red-wonder": "sullivans-spire", "grey-wonder": "atelier"}, RED)
    state = with_built(state, ("red-wonder", "1.5"), ("grey-wonder", "1.7"), ("green-93", "1.1"), ("red-92", "2.1"))
    assert gained(state) == 4


def test_wonder_14_atelier_is_a_tall_building_for_control() -> None:
    """Edge case 27: other wonders do not count for control, the Atelier does."""
    from companion.games.skyrise.scoring import control, heights

    state = standing("atelier", "1.5", ("green-52", "1.1"))
    assert heights(state, "1")[RED] == (1, 0, 0)
    assert control(state, "1") == (RED,)
    assert heights(standing("summit", "1.5"), "1")[RED] == (0, 0, 0)


def test_wonder_15_splinter_counts_patron_tokens() -> None:
    """A flat rate keeps the tile values secret."""
    assert gained(standing("splinter", "1.5").with_player(RED, patrons=("A", "A", "C"))) == 6


def test_wonder_16_la_boca_counts_colours_on_its_island() -> None:
    """Own structures only, at most twelve for all four."""
    state = standing("la-boca", "1.5", ("red-24", "1.1"), ("green-52", "1.2"), ("red-33", "2.1"))
    assert gained(state) == 6
    assert gained(with_built(state, ("red-54", "1.3"), ("red-62", "1.7"))) == 12


def test_wonder_17_le_baron_counts_after_being_built() -> None:
    """Edge case 29: itself is no longer unbuilt."""
    state = standing("le-baron", "1.5")
    rest = [piece.id for piece in state.own(RED, "available")]
    sites = [site for site in state.islands.sites if site not in state.occupants()]
    three = with_built(state, *zip(rest[3:], sites, strict=False))
    assert gained(three) == 0
    assert gained(with_built(three, (rest[0], "4.1"))) == 8


def test_wonder_17_which_way_le_baron_falls_is_the_owners_to_say() -> None:
    """The rulebook's digit is damaged; the direction is data like any printed value."""
    state = standing("le-baron", "1.5").but(overrides={"wonders.le-baron.given": "at-least"})
    rest = [piece.id for piece in state.own(RED, "available")]
    sites = [site for site in state.islands.sites if site not in state.occupants()]
    three = with_built(state, *zip(rest[3:], sites, strict=False))
    assert gained(three) == 8
    assert gained(with_built(three, (rest[0], "4.1"))) == 0


def crypt(tokens: dict[str, str]) -> SkyriseState:
    """Red builds the Crypt on the central north, from where four sites are in reach."""
    state = bid(era_two(a_table(tokens=tokens), {"red-wonder": "crypt"}, GREY), "grey-22", "C.E")
    return bid(state, "red-wonder", "C.N")


def test_wonder_18_crypt_takes_a_second_token_and_leaves_an_empty_site() -> None:
    """Edge case 15: the site may still be bid on, building there gives no token."""
    state = crypt({"C.N": "green", "C.W": "brown", "1.14": "white"})
    assert (state.phase, state.players[RED].rows) == ("crypt", (0, 1, 0, 0))
    assert {choice.id for choice in pack.ask(state).choices} == {"C.W", "C.E", "1.14", "2.12"}
    assert refused(state, {"kind": "crypt", "seat": RED, "site": "3.1"}).code == "skyrise/crypt-reach"
    state = play(state, {"kind": "crypt", "seat": RED, "site": "C.W"}).state
    assert state.players[RED].rows == (0, 1, 0, 1)
    assert "C.W" not in state.tokens
    state = bid(state, "red-92", "C.W")
    while state.phase == "bid":
        state = passes(state, state.turn)
    assert (state.players[RED].rows, state.turn) == ((0, 1, 0, 1), RED)


def test_wonder_18_crypt_with_wilds_asks_each_colour_at_once() -> None:
    """Edge cases 15 and 16: a second token that is a wild needs its colour; any colour is allowed."""
    state = crypt({"C.N": "wild", "C.W": "wild"})
    assert state.phase == "colour"
    state = play(state, {"kind": "colour", "seat": RED, "faction": "white"}).state
    state = play(state, {"kind": "crypt", "seat": RED, "site": "C.W"}).state
    assert state.phase == "colour"
    state = play(state, {"kind": "colour", "seat": RED, "faction": "white"}).state
    assert (state.phase, state.players[RED].rows) == ("open", (0, 0, 2, 0))


def test_wonder_18_crypt_finds_nothing() -> None:
    """Edge case 15: without a token in reach nothing is taken."""
    state = era_two(a_table(tokens={"C.N": "green"}), {"red-wonder": "crypt"}, GREY)
    bare = {site: token for site, token in state.tokens.items() if site not in ("C.E", "C.W", "1.14", "2.12")}
    state = bid(bid(state.but(tokens=bare), "grey-22", "C.E"), "red-wonder", "C.N")
    assert (state.phase, state.players[RED].rows) == ("open", (0, 1, 0, 0))


def test_wonder_19_summit_counts_shared_control() -> None:
    """Edge case 26: five for each island controlled alone or together."""
    state = standing("summit", "1.5", ("red-24", "C.N"), ("grey-22", "C.E"), ("red-92", "2.1"), ("grey-91", "3.1"))
    assert gained(state) == 10


def test_wonder_20_niemeyer_walks_the_longest_chain() -> None:
    """Each site once, no turning back, bridges join, the wonder need not be in it."""
    chain = [("red-24", "1.1"), ("red-33", "1.2"), ("red-54", "1.3"), ("red-62", "1.7")]
    state = standing("niemeyers-legacy", "3.1", *chain, ("red-72", "1.5"))
    assert gained(state) == 5
    across = standing("niemeyers-legacy", "3.1", ("red-24", "1.14"), ("red-33", "C.N"), ("red-54", "2.12"))
    assert gained(across) == 3
