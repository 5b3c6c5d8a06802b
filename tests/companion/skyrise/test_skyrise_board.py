"""The islands as data: counts, connectivity, validation and the owner's own map."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from skyrise_table import a_table, bid, play, refused, with_built

from companion.box.printed import load
from companion.games.skyrise import board, pack, setup
from companion.games.skyrise.auction import open_sites
from companion.games.skyrise.state import PACKAGE


def test_t16_openings_on_the_default_map() -> None:
    """T16: four openings at the start; after a build on the central north, its five neighbours in turn."""
    state = a_table()
    assert {"C.N", "C.E", "C.S", "C.W"} == open_sites(state)
    assert {"C.E", "C.S", "C.W", "1.14", "2.12"} == open_sites(with_built(state, ("red-24", "C.N")))


@pytest.mark.parametrize(("players", "sites"), [(2, 32), (3, 46), (4, 60)])
def test_one_token_for_every_neighbourhood(players: int, sites: int) -> None:
    """Section 2: the bag holds exactly as many tokens as there are neighbourhoods."""
    state = a_table(players)
    assert sites == len(state.islands.sites) == len(state.tokens)
    assert Counter(state.tokens.values()) == Counter(board.tokens_left(state.box, players))


def test_the_default_map_passes_every_check_and_is_marked_as_unconfirmed() -> None:
    """Connected for every choice and placement of islands, fifteen of each faction, nothing confirmed."""
    box = load(PACKAGE)
    assert setup.check(box) == ()
    assert {15} == set(Counter(site.faction for site in a_table().islands.sites.values()).values())
    printed = [key for key in box if key.startswith("map.")]
    assert printed == list(box.unconfirmed(printed))


def test_a_bridge_joins_its_two_ends_but_is_no_border() -> None:
    """Section 1.2 and edge case 7: bridge ends are adjacent; chains look at borders only."""
    islands = a_table().islands
    assert "1.14" in islands.beside("C.N")
    assert "1.14" not in islands.borders["C.N"]
    assert ("1.14", "C.N") in islands.bridges


EDGES = load(PACKAGE)["map.outer-1.edges"]
WRONG: dict[str, tuple[str, Any]] = {
    "map.outer-1.edges[26]: 2-1 is listed twice": ("map.outer-1.edges", [*EDGES, ["2", "1"]]),
    "map.outer-1.edges[26]: 1-99 names an unknown": ("map.outer-1.edges", [*EDGES, ["1", "99"]]),
    "map.outer-1.edges[26]: an edge joins two": ("map.outer-1.edges", [*EDGES, ["1", "1"]]),
    "map.outer-2.factions: X is not a faction": ("map.outer-2.factions", "XBWYWYBGYBWBWG"),
    "map.outer-3.lakes[0]: names an unknown": ("map.outer-3.lakes", [["6", "77"]]),
    "map.outer-3.airships[0]: it borders": ("map.outer-3.airships", [[]]),
    "map.outer-4.ports: two known": ("map.outer-4.ports", ["12", "77"]),
    "map.slots.NW: two known central": ("map.slots.NW", ["W", "X"]),
    "map.ring.bridges[0]: joins two different": ("map.ring.bridges", [["NW", "1", "NW", "2"]]),
    "map.ring.bridges[0]: slot, neighbourhood": ("map.ring.bridges", [["NW", 1, "NE", "2"]]),
    "map.outer-2.places: each place": ("map.outer-2.places", [[0, 0, 0]] * 14),
    "patrons.values: four values": ("patrons.values", [2, 3, 4]),
    "setup.2.wonders: two figures": ("setup.2.wonders", 1),
    "map: not every neighbourhood": ("map.outer-1.edges", [edge for edge in EDGES if "1" not in edge]),
    "buildings.red.era-1.small: 24 is also": ("buildings.red.era-1.small", [24, 24]),
    "buildings.red.era-1.small: 1 numbers": ("buildings.red.era-1.small", [24]),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_map_is_refused_with_its_key(what: str) -> None:
    """Every check of a saved box names the value that is wrong."""
    key, value = WRONG[what]
    with pytest.raises(ValueError) as refused_box:
        pack.new({"names": ("a", "b", "c", "d")}, {key: value})
    assert str(refused_box.value).startswith(what)
    assert pack.problems({key: value})[0].startswith(what)


def test_an_island_of_another_size_is_a_warning_not_a_refusal() -> None:
    """A copy may differ from what the counts suggest."""
    box = load(PACKAGE, {"map.outer-1.factions": "YBWWGYBGYWGBGYG", "map.outer-1.edges": [*EDGES, ["15", "1"]]})
    problems = board.check(box)
    assert problems and all(problem.warning for problem in problems)
    assert any("tokens" in problem.what for problem in problems)


def test_ring_bridges_of_the_owners_map_join_outer_islands() -> None:
    """A ring bridge counts when both its slots are occupied."""
    ring = {"map.ring.bridges": [["NW", "3", "NE", "1"]]}
    assert "2.1" in a_table(box=ring).islands.beside("1.3")
    assert "2.1" in a_table(2, box=ring).islands.beside("1.3")
    assert ("1.3", "3.1") not in a_table(2, box={"map.ring.bridges": [["NW", "3", "SE", "1"]]}).islands.bridges


def test_our_copy_says_otherwise_corrects_a_number_in_mid_game() -> None:
    """The correction is a move: the piece carries its real number from then on."""
    state = bid(a_table(), "red-24", "C.N")
    state = play(state, {"kind": "box", "key": "buildings.green.era-1.small", "value": [2, 25]}).state
    assert state.pieces["green-23"].number == 25
    assert state.box.confirmed("buildings.green.era-1.small")
    assert bid(state, "green-23", "C.E").last.site == "C.E"


def test_a_correction_that_cannot_be_is_refused() -> None:
    """A map that falls apart, or a number twice, does not enter the box."""
    state = a_table()
    for key, value in (("map.slots.NW", ["W", "X"]), ("buildings.red.era-1.tall", [24]), ("no.such", 1)):
        assert refused(state, {"kind": "box", "key": key, "value": value}).code == "skyrise/box-value"


def test_a_seats_colour_at_the_table_is_the_colour_of_its_pieces() -> None:
    """Coral is red, leaf green, sun yellow, snow grey; other colours take what is left."""
    for wanted, found in (
        (("sun", "coral"), ("yellow", "red")),
        (("plum", "leaf", "red"), ("yellow", "green", "red")),
        (("sky", "plum", "sun", "snow"), ("red", "green", "yellow", "grey")),
    ):
        state = pack.new({"names": "abcd"[: len(wanted)], "colours": wanted}, {})
        assert tuple(player.colour for player in state.players) == found
    with pytest.raises(ValueError, match="colours"):
        pack.new({"names": ("a", "b"), "colours": ("red",)}, {})
