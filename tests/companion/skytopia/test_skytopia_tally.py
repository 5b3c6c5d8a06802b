"""A final position written by hand is scored like a played one, and a wrong one is refused by its field."""

import copy
import re

import pytest
from skytopia_table import NAMES, random_game, read_off
from skytopia_written import of_state, values_of

from companion.games.skytopia import form, pack
from companion.games.skytopia.printed import numbers

ONE = {
    "game": "skytopia",
    "guilds": ["mechanics", "builders", "merchants"],
    "players": [
        {
            "name": "P1",
            "city": 0,
            "track": 45,
            "coins": 22,
            "market_golems": 2,
            "towers": {"blue": ["B1a", "B2a", "B3a"], "gold": ["G2a"], "red": [], "violet": ["V3a"]},
        }
    ],
}


def changed(**changes):
    """The worked example with one thing different in the first player, or at the top."""
    made = copy.deepcopy(ONE)
    for key, value in changes.items():
        if key in made:
            made[key] = value
        elif key in ("blue", "gold", "red", "violet"):
            made["players"][0]["towers"][key] = value
        else:
            made["players"][0][key] = value
    return made


@pytest.mark.rule("X5")
def test_the_worked_example_is_72():
    tally = pack.score(ONE, {})
    player = tally.players[0]
    lines = [(line.id, line.points) for line in player.lines]
    assert lines == [
        ("track", 45),
        ("guild/mechanics", 6),
        ("guild/builders", 4),
        ("guild/merchants", 6),
        ("laboratories", 5),
        ("coins", 4),
        ("golems", 2),
    ]
    assert player.total == 72
    assert player.extra == {"leftover_coins": 2, "cards": 5}
    assert tally.winners == (0,)


def test_the_tally_names_what_nobody_confirmed_and_forgets_what_the_owner_did():
    assert {"cards.G2a.crest", "cities.0.gold"} <= set(pack.score(ONE, {}).unconfirmed)
    sure = pack.score(ONE, {"cards.G2a.crest": "C3", "cities.0.gold": "C2"})
    assert "cards.G2a.crest" not in sure.unconfirmed
    assert sure.players[0].total == 72
    same = pack.score(ONE, {"cards.G2a.crest": "C2"})
    assert same.players[0].total == 69, "with equal crests the merchants see only one"


def test_a_card_may_be_given_by_effect_and_crest():
    assert pack.score(changed(gold=[{"effect": "G2", "crest": "C3"}]), {}).players[0].total == 72
    assert pack.score(changed(gold=[{"effect": "G2", "crest": "C2"}]), {}).players[0].total == 69


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (changed(guilds=["mechanics", "bakers", "merchants"]), "guilds[1]"),
        (changed(guilds=["aeronauts", "merchants", "priests"]), "guilds[1]"),
        (changed(guilds=["builders", "builders", "priests"]), "guilds[1]"),
        (changed(guilds=["builders", "architects", "priests"]), "guilds[1]"),
        (changed(guilds=["builders"]), "guilds"),
        (changed(blue=["R1a"]), "players[0].towers.blue[0]"),
        (changed(blue=["B1a", "B1a"]), "players[0].towers.blue[1]"),
        (changed(blue=["B9a"]), "players[0].towers.blue[0]"),
        (changed(gold=[{"effect": "G9", "crest": "C1"}]), "players[0].towers.gold[0].effect"),
        (changed(gold=[{"effect": "G1", "crest": "C5"}]), "players[0].towers.gold[0].crest"),
        (changed(gold=[{"effect": "B1", "crest": "C1"}]), "players[0].towers.gold[0]"),
        (changed(gold=["G2a", "G2b", "G2c", {"effect": "G2", "crest": "C1"}]), "players[0].towers.gold[3]"),
        (changed(market_golems=6), "players[0].market_golems"),
        (changed(market_golems=-1), "players[0].market_golems"),
        (changed(coins=-1), "players[0].coins"),
        (changed(coins="many"), "players[0].coins"),
        (changed(coins=True), "players[0].coins"),
        (changed(city=4), "players[0].city"),
        (changed(track=None), "players[0].track"),
        (changed(players=[]), "players"),
        (changed(players=[{**ONE["players"][0], "name": f"P{i}", "towers": {}} for i in range(7)]), "players"),
        (changed(players=[{**ONE["players"][0], "towers": {}}] * 2), "players[1].name"),
        (changed(game="chess"), "game"),
        ({**ONE, "dice": 3}, "dice"),
        ([], "document"),
    ],
)
def test_wrong_input_is_refused_by_its_field(wrong, field):
    with pytest.raises(ValueError, match=re.escape(field)) as refused:
        pack.score(wrong, {})
    message = str(refused.value)
    assert "\n" not in message
    assert len(message) < 300


def test_the_example_and_the_schema_agree():
    schema = pack.schema()
    player = schema["$defs"]["PlayerGiven"]
    example = pack.example()
    assert set(example["players"][0]) == set(player["properties"])
    assert set(example) == set(schema["$defs"]["Document"]["properties"])
    assert schema["$defs"]["Document"]["properties"]["players"]["maxItems"] == 4
    assert pack.score(example, {}).players[0].total == 72


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_three_depths_give_the_same_total(players):
    final = random_game(players, {"names": NAMES[:players]})[-1][2]
    full = read_off(pack.tally(final))
    written = of_state(final)
    assert pack.score(written, {}) == full
    values = values_of(written)
    for depth in ("light", "tally"):
        state = pack.new({"names": NAMES[:players], "depth": depth}, {})
        state = pack.play(state, pack.decode({"kind": "final", "values": values})).state
        assert pack.over(state)
        assert pack.tally(state) == full


def ends(*players):
    """Positions with these tracks, coins and gold cards, otherwise alike."""
    given = [
        {"name": f"P{i}", "city": i, "track": track, "coins": coins, "market_golems": 0, "towers": {"gold": cards}}
        for i, (track, coins, cards) in enumerate(players)
    ]
    return pack.score({"game": "skytopia", "guilds": ["engineers", "scientists", "artists"], "players": given}, BARE)


BARE = {f"guilds.{key}": 0 for key in ("others_pp", "builders_pp", "architects_pp")}


@pytest.mark.rule("§9.2")
def test_ties_go_to_fewer_cards_then_more_leftover_coins_then_are_shared():
    fewer = ends((20, 3, ["G1a", "G2a"]), (20, 1, ["G3a"]))
    assert (fewer.winners, fewer.tie_break.key) == ((1,), "skytopia/tie/cards")
    coins = ends((20, 6, ["G1a"]), (20, 7, ["G3a"]), (19, 9, []))
    assert (coins.winners, coins.tie_break.key) == ((1,), "skytopia/tie/coins")
    shared = ends((20, 6, ["G1a"]), (21, 1, ["G3a"]), (20, 6, ["G4a"]))
    assert [player.total for player in shared.players] == [21, 21, 21]
    assert (shared.winners, shared.tie_break.key) == ((0, 1, 2), "skytopia/tie/shared")
    clear = ends((22, 0, ["G1a"]), (21, 0, []))
    assert (clear.winners, clear.tie_break) == ((0,), None)


def test_the_printed_numbers_refuse_nonsense():
    for wrong in (
        {"setup.initial_die_value": 1},
        {"effects.B4.tiers": [[1, 2, 3]]},
        {"effects.V2.colours": ["pink"]},
        {"chronometer.start_value": 9},
        {"no.such": 1},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong)).split(".", maxsplit=1)[0]):
            numbers(wrong)


@pytest.mark.parametrize("depth", ["light", "tally"])
def test_players_of_one_name_are_told_apart_and_their_game_comes_to_its_end(depth):
    names = ["Ana", "Ana", "Ana (2)", "Ola"]
    state = pack.new({"names": names, "depth": depth}, {})
    given = form.usual(numbers({}), names, (3, 9, 4, 1), (5, 5, 5, 5))
    state = pack.play(state, pack.decode({"kind": "final", "values": given})).state
    assert pack.over(state)
    told = pack.tally(state).players
    assert [player.name for player in told] == ["Ana (1)", "Ana (2) (2)", "Ana (2) (3)", "Ola"]
    assert [player.lines[0].points for player in told] == [3, 9, 4, 1]
