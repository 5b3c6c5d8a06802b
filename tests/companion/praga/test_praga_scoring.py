"""The final scoring, formula by formula, and the document it reads."""

from __future__ import annotations

import copy
from itertools import product

import msgspec
import pytest

from companion.box.printed import load
from companion.games.praga import scoring, sheet

PRINTED = load("companion.games.praga")


def a_player(**changes):
    """The example's player with some values changed."""
    return {**copy.deepcopy(sheet.EXAMPLE["players"][0]), **changes}


def score(*players):
    """The tally of these players."""
    return scoring.tally(PRINTED, sheet.read({"game": "praga", "players": list(players)}, PRINTED).players)


def line(player, name):
    """Points of one line."""
    return next(one.points for one in player.lines if one.id == name)


@pytest.mark.rule("14, full tally")
@pytest.mark.sentence(253, how="computed")
def test_the_full_tally_of_the_rules_gives_142():
    """Step 1 adds the eighth stone, so the pair seal pays five pairs."""
    player = score(a_player()).players[0]

    assert {one.id: one.points for one in player.lines} == {
        "track": 58,
        "plazas": 0,
        "science": 12,
        "wall_row": 6,
        "cathedral_row": 13,
        "blue_tokens": 8,
        "red_tokens": 9,
        "walls": 10,
        "v/walls": 8,
        "seals": 15,
        "eggs": 3,
    }
    assert player.total == 142


@pytest.mark.rule("14 T1, T2")
@pytest.mark.parametrize(("multiplier", "points"), [(3, 21), (0, 0)])
@pytest.mark.sentence(134, 191, 192, how="computed")
def test_T1_T2_science_is_technology_times_the_multiplier(multiplier, points):
    """Seven steps count three times or not at all."""
    player = score(a_player(technology=7, multiplier=multiplier)).players[0]

    assert line(player, "science") == points


@pytest.mark.rule("14 T3")
@pytest.mark.sentence(194, 196, 205, how="computed")
def test_T3_the_cathedral_row_and_its_red_tokens():
    """Row 13, column 3, three red tokens: 22 together."""
    player = score(a_player(cathedral_row=13, cathedral_column=3, red=3)).players[0]

    assert line(player, "cathedral_row") + line(player, "red_tokens") == 22


@pytest.mark.parametrize(
    ("seals", "gold", "stone", "points"),
    [
        pytest.param(["pair"], 5, 8, 15, id="T4"),
        pytest.param(["gold"], 9, 0, 18, id="T5"),
        pytest.param(["gold", "pair"], 5, 8, 15, id="T6"),
        pytest.param(["stone", "pair"], 5, 8, 21, id="T7"),
        (["gold", "stone"], 5, 8, 26),
        (["six"], 9, 9, 6),
        (["six", "pair"], 4, 6, 18),
        ([], 9, 9, 0),
    ],
)
@pytest.mark.sentence(201, 237, 238, 239, 240, how="computed")
def test_T4_to_T7_seals_take_the_best_split(seals, gold, stone, points):
    """No good is paid twice, and the split is the best one."""
    player = score(a_player(seals=seals, gold=gold, stone=stone, plazas={})).players[0]

    assert line(player, "seals") == points


def test_the_best_split_is_the_best_of_all_splits():
    """Every way to pay the goods is tried by hand for every pair of seals."""
    for gold, stone in product(range(10), repeat=2):
        for seals in (("gold", "pair"), ("stone", "pair"), ("gold", "stone"), ("pair", "six"), ("gold",), ("pair",)):
            best = 0
            for pairs in range(min(gold, stone) + 1 if "pair" in seals else 1):
                value = 3 * pairs + (6 if "six" in seals else 0)
                value += 2 * (gold - pairs) if "gold" in seals else 0
                value += 2 * (stone - pairs) if "stone" in seals else 0
                best = max(best, value)
            assert scoring.best_split(PRINTED, seals, gold, stone)[0] == best


@pytest.mark.rule("14 T8")
@pytest.mark.parametrize(("walls", "points"), [(0, 0), (2, 0), (3, 4), (4, 10), (5, 10), (6, 18), (9, 18)])
@pytest.mark.sentence(197, 198, 199, 200, how="computed")
def test_T8_city_walls(walls, points):
    """Three, four and six wall tiles are the steps."""
    assert line(score(a_player(walls=walls)).players[0], "walls") == points


@pytest.mark.rule("14 T9")
@pytest.mark.parametrize(("eggs", "points"), [(0, 0), (1, 0), (2, 3), (3, 6), (4, 10), (7, 10)])
@pytest.mark.sentence(202, how="computed")
def test_T9_eggs(eggs, points):
    """Two, three and four eggs are the steps."""
    assert line(score(a_player(eggs=eggs)).players[0], "eggs") == points


@pytest.mark.rule("14 T11")
@pytest.mark.sentence(153, 195, how="computed")
def test_T11_the_hunger_wall_column_counts_blue_tokens():
    """Six blue tokens in column 3: 18; red ones do not matter there."""
    player = score(a_player(blue=6, wall_column=3, red=0)).players[0]

    assert line(player, "blue_tokens") == 18
    assert line(player, "red_tokens") == 0


@pytest.mark.rule("14 T12, end")
@pytest.mark.sentence(118, how="computed")
def test_T12_the_mines_tile_counts_eight_mines():
    """One point for each gold mine."""
    assert line(score(a_player(v_tiles=["mines"], mines=8)).players[0], "v/mines") == 8


@pytest.mark.rule("14 T13")
@pytest.mark.sentence(252, how="computed")
def test_T13_covered_upgrades_count_too():
    """Three upgrade tiles, one covering another: nine points."""
    assert line(score(a_player(v_tiles=["upgrades"], upgrades=3)).players[0], "v/upgrades") == 9


@pytest.mark.sentence(256, how="computed")
def test_the_other_V_tiles():
    """University steps after step 1, quarries, walls, and the rows as entered."""
    player = score(a_player(v_tiles=["university", "rows"], v_rows_points=12, plazas={"university": 1})).players[0]
    assert (line(player, "v/university"), line(player, "v/rows")) == (7, 12)
    player = score(a_player(v_tiles=["quarries"], quarries=7)).players[0]
    assert line(player, "v/quarries") == 7


@pytest.mark.rule("14 T26")
@pytest.mark.sentence(204, how="computed")
def test_T26_the_later_seat_wins_a_tie():
    """Seats 1 and 3 at 151: seat 3 wins, and it is said why."""
    players = [a_player(name="A", seat=1, track=67), a_player(name="B", seat=3, track=67, v_tiles=[], seals=[])]
    players[1]["track"] += 8 + 15
    result = score(*players)

    assert [one.total for one in result.players] == [151, 151]
    assert result.winners == (2,)
    assert result.tie_break is not None


@pytest.mark.sentence(203, how="computed")
def test_without_a_tie_the_most_points_win_whatever_the_seat():
    """The earlier seat wins with one point more."""
    result = score(a_player(seat=1, track=59), a_player(seat=4, v_tiles=[], seals=[], track=58 + 23))

    assert result.winners == (0,)
    assert result.tie_break is None


@pytest.mark.parametrize(("track", "verdict"), [(56, "not above 140"), (57, "above 140")])
@pytest.mark.sentence(209, how="computed")
def test_alone_the_verdict_says_whether_it_is_above_140(track, verdict):
    """140 itself is not above 140."""
    result = score(a_player(track=track))

    assert result.players[0].total == track + 84
    assert result.winners == (0,)
    assert result.players[0].extra["verdict"] == verdict
    assert result.notes


@pytest.mark.rule("16.27")
def test_edge_27_goods_steps_and_tokens_of_step_one_count_for_the_later_steps():
    """Eggs, tokens, technology, university and goods of unfinished plazas feed steps 2, 3, 5 and 6."""
    gains = {"points": 4, "gold": 1, "stone": 2, "eggs": 2, "technology": 1, "university": 1, "red": 1, "blue": 1}
    player = score(a_player(plazas=gains, v_tiles=["university"], seals=["gold", "stone"])).players[0]

    assert line(player, "plazas") == 4
    assert line(player, "science") == 7 * 2
    assert line(player, "v/university") == 7
    assert line(player, "blue_tokens") == 5 * 2
    assert line(player, "red_tokens") == 4 * 3
    assert line(player, "seals") == 2 * 6 + 2 * 9
    assert line(player, "eggs") == 10


def test_step_one_stops_at_the_caps():
    """The tenth gold and the ninth university step do not exist; their points were entered apart."""
    player = score(
        a_player(gold=8, university=8, plazas={"gold": 3, "university": 2}, seals=["gold"], v_tiles=["university"])
    ).players[0]

    assert line(player, "seals") == 18
    assert line(player, "v/university") == 8


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"gold": 10}, "players[0].gold"),
        ({"stone": 10}, "players[0].stone"),
        ({"gold": -1}, "players[0].gold"),
        ({"university": 9}, "players[0].university"),
        ({"mines": 2}, "players[0].mines"),
        ({"mines": 9}, "players[0].mines"),
        ({"quarries": 1}, "players[0].quarries"),
        ({"quarries": 8}, "players[0].quarries"),
        ({"multiplier": 4}, "players[0].multiplier"),
        ({"seals": ["gold", "stone", "six"]}, "players[0].seals"),
        ({"seals": ["gold", "gold"]}, "players[0].seals"),
        ({"seals": ["silver"]}, "players[0].seals"),
        ({"v_tiles": ["walls", "mines", "rows"]}, "players[0].v_tiles"),
        ({"v_tiles": ["walls", "walls"]}, "players[0].v_tiles"),
        ({"v_tiles": ["castle"]}, "players[0].v_tiles"),
        ({"v_rows_points": 3}, "players[0].v_rows_points"),
        ({"seat": 0}, "players[0].seat"),
        ({"seat": 5}, "players[0].seat"),
        ({"plazas": {"silver": 1}}, "players[0].plazas.silver"),
        ({"plazas": {"gold": -2}}, "players[0].plazas.gold"),
        ({"crowns": 1}, "players[0].crowns"),
        ({"eggs": "two"}, "players[0].eggs"),
        ({"eggs": None}, "players[0].eggs"),
        ({"v_tiles": ["mines"], "mines": None}, "players[0].mines"),
    ],
)
def test_impossible_input_is_refused_with_the_fields_name(changes, field):
    """Nothing is scored that cannot lie on a table."""
    with pytest.raises(ValueError, match=r"^" + field.replace("[", r"\[").replace("]", r"\]")):
        score(a_player(**changes))


@pytest.mark.parametrize(
    ("second", "field"),
    [
        ({"seat": 1, "seals": [], "v_tiles": []}, "seat"),
        ({"seat": 2, "seals": ["pair"], "v_tiles": []}, "seals"),
        ({"seat": 2, "seals": [], "v_tiles": ["walls"]}, "v_tiles"),
    ],
)
def test_two_players_never_hold_the_same_thing(second, field):
    """One seat, one seal, one V tile: one owner."""
    with pytest.raises(ValueError, match=rf"^players\[1\]\.{field}:"):
        score(a_player(), a_player(**second))


def test_a_missing_number_is_named():
    """A number nobody entered is asked for, never taken as nought."""
    player = a_player()
    del player["eggs"]

    with pytest.raises(ValueError, match=r"^players\[0\]\.eggs:"):
        score(player)


def test_no_players_and_other_games_are_refused():
    """The document says which game it is and who played."""
    with pytest.raises(ValueError, match=r"^players"):
        sheet.read({"game": "praga", "players": []}, PRINTED)
    with pytest.raises(ValueError, match=r"^game"):
        sheet.read({"game": "skyrise", "players": [a_player()]}, PRINTED)
    with pytest.raises(ValueError, match=r"^players"):
        sheet.read({"game": "praga", "players": [a_player(seat=n) for n in (1, 2, 3, 4, 1)]}, PRINTED)


def test_one_egg_names_its_unconfirmed_value():
    """No source gives the points of one egg, so a tally that used them says so, until the owner has looked."""
    assert score(a_player(eggs=1)).unconfirmed == ("scoring.eggs.1",)
    confirmed = load("companion.games.praga", {"scoring.eggs.1": 1})
    player = scoring.tally(confirmed, sheet.read({"players": [a_player(eggs=1)]}, confirmed).players)
    assert player.unconfirmed == ()
    assert line(player.players[0], "eggs") == 1


def test_the_schema_describes_the_example():
    """Every field of the example is in the schema and the schema forbids others."""
    schema = sheet.schema()
    fields = schema["$defs"]["Sheet"]

    assert set(sheet.EXAMPLE["players"][0]) == set(fields["properties"])
    assert fields["additionalProperties"] is False
    assert msgspec.json.encode(schema)
