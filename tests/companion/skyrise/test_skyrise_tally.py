"""The final tally from a document: worked examples, and input that could never lie on a table."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.skyrise import pack
from companion.games.skyrise.final import controllers

Document = dict[str, Any]


def example() -> Document:
    """A fresh copy of the shipped example."""
    return copy.deepcopy(pack.example())


def points(document: Document, seat: int = 0) -> dict[str, int]:
    """Line id -> points of one player."""
    return {line.id: line.points for line in pack.score(document, {}).players[seat].lines}


def test_the_shipped_example_gives_133_and_113() -> None:
    """Both totals, every line id in the rulebook's order, and the winner."""
    tally = pack.score(example(), {})

    assert [player.total for player in tally.players] == [133, 113]
    assert tally.winners == (0,)
    assert [line.id for line in tally.players[0].lines] == [
        "prestige",
        "control/central",
        "control/north",
        "control/east",
        "panorama/airships",
        "panorama/windmills",
        "objective",
        "patrons",
        "surplus",
        "keys",
        "commissions",
        "structures/yellow",
        "structures/green",
        "structures/white",
        "structures/brown",
    ]
    assert tally.notes == tally.unconfirmed == ()


def change(*path: str | int, to: Any) -> Callable[[Document], None]:
    """Set one value deep in the document."""

    def apply(document: Document) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return apply


def drop(*path: str | int) -> Callable[[Document], None]:
    """Remove one value deep in the document."""

    def apply(document: Document) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return apply


IMPOSSIBLE = {
    "players[0].tokens.yellow": change("players", 0, "tokens", "yellow", to=5),
    "players[1].keys": change("players", 1, "keys", to=["large"]),
    "players[0].keys": change("players", 0, "keys", to=["large", "small"]),
    "players[0].buildings": change("players", 0, "buildings", "north", "tall", to=3),
    "players[0].buildings.west": change("players", 0, "buildings", "west", to={"tall": 1}),
    "islands[1]": change("islands", 1, to="moon"),
    "islands": change("islands", to=["central", "north"]),
    "panorama[0].reward": drop("panorama", 0, "reward"),
    "players[1].objective.reward": drop("players", 1, "objective", "reward"),
    "players[0].name": drop("players", 0, "name"),
    "players[1].name": change("players", 1, "name", to="grey"),
    "patron_values.D": drop("patron_values", "D"),
    "players[0].prestige": change("players", 0, "prestige", to=True),
    "players[0].structures": change("players", 0, "structures", "yellow", to=9),
    "players[0].panorama": change("players", 0, "panorama", to=[1]),
    "players[1].patrons.D": change("players", 1, "patrons", "D", to=3),
    "players[1].surplus": change("players", 1, "surplus", to=40),
    "players[0].panorama[0]": change("players", 0, "panorama", 0, to=500),
    "players[1].objective.met": lambda document: document["players"][1].update(
        objective={"met": True, "reward": 10}, structures=dict.fromkeys(("yellow", "green", "white", "brown"), 3)
    ),
    "players[0].commissions": change("players", 0, "commissions", to=3),
    "finish_order[1]": change("finish_order", 1, to="nobody"),
    "row_values": change("row_values", to=[2, 3, 4]),
    "game": change("game", to="praga"),
    "moon": change("moon", to=1),
}


@pytest.mark.parametrize("field", IMPOSSIBLE)
def test_impossible_input_is_refused_with_the_name_of_its_field(field: str) -> None:
    """A fifth token, two keys, a fifth tall building, an unknown island, a missing reward and the rest."""
    document = example()
    IMPOSSIBLE[field](document)

    with pytest.raises(ValueError) as refused:
        pack.score(document, {})

    assert str(refused.value).startswith(f"{field}:")


def test_the_small_key_stays_in_the_box_with_two_players() -> None:
    """Two players have the large key only."""
    document = example()
    change("players", 1, "keys", to=["small"])(document)

    with pytest.raises(ValueError, match=r"players\[1\]\.keys: the small key"):
        pack.score(document, {})


def test_an_unfinished_position_is_scored_with_a_note() -> None:
    """Fewer structures than a whole game are counted as they stand, and said so."""
    document = example()
    change("players", 0, "structures", "yellow", to=1)(document)

    tally = pack.score(document, {})

    assert tally.players[0].total == 133 - 3 * 3
    assert {"skyrise/note/unfinished", "skyrise/note/more-buildings"} == {note.key for note in tally.notes}


def test_without_row_values_the_box_is_used_and_its_unconfirmed_values_are_named() -> None:
    """The values at two and four tokens come from no source until the owner confirms them."""
    document = example()
    drop("row_values")(document)

    tally = pack.score(document, {})
    assert [player.total for player in tally.players] == [133, 113]
    assert tally.unconfirmed == ("rows.2", "rows.4")

    confirmed = pack.score(document, {"rows.2": 5, "rows.4": 4})
    assert confirmed.players[0].total == 133 + 3
    assert confirmed.unconfirmed == ()


def test_the_atelier_is_its_owners_fourth_tall_building() -> None:
    """One player may show four tall buildings and thirteen pieces, a second such player may not."""
    document = example()
    change("players", 0, "buildings", "north", "tall", to=2)(document)
    assert points(document)["control/north"] == 5

    change("players", 1, "buildings", "central", "tall", to=1)(document)
    with pytest.raises(ValueError, match="one Atelier"):
        pack.score(document, {})


def test_t3_artists_at_six() -> None:
    """T3: three white tokens, four structures in white: 4 times 6."""
    assert points(example())["structures/white"] == 24


def test_t5_control_by_one_tall_building_or_by_a_full_tie() -> None:
    """T5: the only tall building controls; equal in all three heights, both do."""
    assert controllers({0: (1, 0, 0), 1: (0, 3, 3)}) == (0,)
    assert controllers({0: (1, 2, 1), 1: (0, 4, 0), 3: (1, 2, 1)}) == (0, 3)


def test_t6_control_without_tall_buildings() -> None:
    """T6: red (0,2,0), green (0,1,4), grey (0,2,1): grey."""
    assert controllers({0: (0, 2, 0), 1: (0, 1, 4), 3: (0, 2, 1)}) == (3,)


def test_an_island_without_buildings_is_controlled_by_nobody_unless_the_owner_says_so() -> None:
    """Section 7, last line: a setting."""
    empty = {0: (0, 0, 0), 1: (0, 0, 0)}
    assert controllers(empty) == ()
    assert controllers(empty, empty_scores=True) == (0, 1)


def test_t10_surplus_tokens_do_not_move_the_row() -> None:
    """T10: two surplus tokens give 20, green structures stay at the value of four tokens."""
    document = example()
    change("players", 0, "tokens", "green", to=4)(document)
    change("players", 0, "surplus", to=2)(document)
    lines = points(document)
    assert lines["surplus"] == 20
    assert lines["structures/green"] == 3 * 4


def test_t11_commissions_count_every_item_on_the_picture() -> None:
    """T11 and edge cases 23, 24: two commissions, three patrons, one surplus, the large key: 2 times 7."""
    document = example()
    change("players", 0, "commissions", to=2)(document)
    change("players", 0, "patrons", to={"A": 2, "B": 1})(document)
    change("players", 0, "surplus", to=1)(document)
    assert points(document)["commissions"] == 14


def test_t14_a_tie_goes_to_whoever_finished_first() -> None:
    """T14: equal totals, the finish order decides; without it both win and a note says why."""
    document = example()
    change("players", 1, "prestige", to=48)(document)
    change("finish_order", to=["red", "grey"])(document)
    change("players", 0, "keys", to=[])(document)
    change("players", 1, "keys", to=["large"])(document)
    change("players", 0, "prestige", to=52)(document)
    tally = pack.score(document, {})
    assert tally.players[0].total == tally.players[1].total
    assert tally.winners == (1,)
    assert tally.tie_break is not None and tally.tie_break.key == "skyrise/tie/finish"

    drop("finish_order")(document)
    assert pack.score(document, {}).winners == (0, 1)


def test_t15_full_tally() -> None:
    """T15: control 10, panorama 8, objective 10, patrons 10, surplus 10, key 4, commission 6, structures 49: 107."""
    document = example()
    change("islands", to=["central", "north", "east", "south"])(document)
    other = document["players"][1]
    document["players"].append({**copy.deepcopy(other), "name": "green", "patrons": {}, "tokens": {}})
    for player in document["players"][1:]:
        player["structures"] = {"yellow": 3, "green": 4, "white": 3, "brown": 3}
        player["buildings"] = {"north": {"tall": 1, "medium": 1}}
    document["patron_values"] = {"A": 4, "B": 3, "C": 2, "D": 5}
    document["players"][0] = {
        "name": "grey",
        "prestige": 0,
        "buildings": {"central": {"small": 1}, "east": {"tall": 3}, "north": {"medium": 5, "small": 3}},
        "panorama": [2, 1],
        "objective": {"met": True, "reward": 10},
        "patrons": {"A": 2, "C": 1},
        "surplus": 1,
        "keys": ["small"],
        "commissions": 1,
        "tokens": {"yellow": 3, "green": 4, "white": 0, "brown": 1},
        "structures": {"yellow": 3, "green": 3, "white": 2, "brown": 5},
    }

    lines = points(document)

    assert sum(value for line, value in lines.items() if line.startswith("control/")) == 10
    assert lines["panorama/airships"] + lines["panorama/windmills"] == 8
    assert tuple(lines[k] for k in ("objective", "patrons", "surplus", "keys", "commissions")) == (10, 10, 10, 4, 6)
    assert sum(value for line, value in lines.items() if line.startswith("structures/")) == 49
    assert sum(lines.values()) == 107


def test_the_schema_names_every_field_and_accepts_what_is_optional() -> None:
    """Each field of the example is in the schema; what may be left out is not required."""
    schema = pack.schema()
    assert set(example()) <= set(schema["properties"])
    assert "row_values" not in schema["required"]
    assert "players" in schema["required"]
    player = schema["$defs"]["PlayerPosition"]
    assert set(example()["players"][0]) == set(player["properties"])
    assert msgspec.json.encode(schema)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 600) | st.text(max_size=6) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value in a document, containers included."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        found += leaves(inner, (*path, step))
    return found


@settings(max_examples=250, deadline=None)
@given(where=st.sampled_from(leaves(pack.example())), what=JSON)
def test_any_change_of_the_document_is_scored_or_refused_by_name(where: tuple[str | int, ...], what: Any) -> None:
    """No input makes the tally crash: it gives totals that add up, or a sentence that begins with a field."""
    document = example()
    change(*where, to=what)(document)
    try:
        tally = pack.score(document, {})
    except ValueError as refused:
        assert ": " in str(refused)
        top = str(refused).partition(":")[0].partition("[")[0].partition(".")[0]
        assert top in {*document, "document"}
    else:
        for player in tally.players:
            assert player.total == sum(line.points for line in player.lines)
