"""The chronometer and the final score figure by figure: each number, its reason and the printed values it rests on."""

import pytest
from skytopia_table import NAMES, play, table

from companion.game import Text
from companion.games.skytopia import chronometer, guilds, pack, scoring
from companion.games.skytopia.guilds import Built, Skyline, example_pair, praise, same_group, skyline
from companion.games.skytopia.printed import numbers

PRINTED = numbers({})
FACES = range(1, 7)


def test_faces_follow_each_other_round_the_dial():
    assert chronometer.FACES == (1, 2, 3, 4, 5, 6)
    assert [chronometer.wrap(n) for n in range(-1, 9)] == [5, 6, 1, 2, 3, 4, 5, 6, 1, 2]
    assert [chronometer.next_build(face, 1) for face in FACES] == [2, 3, 4, 5, 6, 1]
    assert [chronometer.next_build(face, -1) for face in FACES] == [6, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("direction", [1, -1])
def test_steps_are_the_turns_of_the_dial_until_a_face_is_built(direction):
    for build in FACES:
        for face in FACES:
            dial, turns = build, 0
            while dial != face:
                dial, turns = chronometer.next_build(dial, direction), turns + 1
            assert chronometer.steps(face, build, direction) == turns
            assert chronometer.value_for(turns, build, direction) == face
            assert chronometer.notch(face, build, direction) == turns


@pytest.mark.parametrize("direction", [1, -1])
def test_a_turned_golem_is_built_so_many_rounds_sooner(direction):
    for build in FACES:
        for face in FACES:
            left = chronometer.steps(face, build, direction)
            for by in range(left + 1):
                assert chronometer.steps(chronometer.rotated(face, by, direction), build, direction) == left - by


def city(*towers, bases=("C1", "C2", "C3", "C4")):
    """A skyline of these cards, given as (effect, crest); missing towers are bare bases."""
    built = tuple(tuple(Built(effect, crest, f"key/{effect}{crest}") for effect, crest in tower) for tower in towers)
    return Skyline(bases, tuple(f"base/{crest}" for crest in bases), built + ((),) * (4 - len(towers)))


BLUE = (("B1", "C1"), ("B2", "C3"))
GOLD = (("G1", "C2"), ("G2", "C2"), ("G3", "C4"))
MIXED = city(BLUE, GOLD, (("R1", "C4"),))
ALL_KEYS = (
    *("base/C1", "key/B1C1", "key/B2C3", "base/C2", "key/G1C2", "key/G2C2", "key/G3C4"),
    *("base/C3", "key/R1C4", "base/C4"),
)


def test_a_skyline_counts_bases_as_cards_and_keeps_where_its_crests_come_from():
    assert [MIXED.size(colour) for colour in range(4)] == [3, 4, 2, 1]
    assert MIXED.crests(1) == ["C2", "C2", "C2", "C4"]
    assert MIXED.crests(3) == ["C4"]
    assert MIXED.crest_keys(0) == ["base/C1", "key/B1C1", "key/B2C3"]
    assert city(((("B1", "C1")),)).crest_keys(0) == ["base/C1", "key/B1C1"]
    nameless = Skyline(("C1",), ("base/C1",), ((Built("B1", "C1"),),))
    assert nameless.crest_keys(0) == ["base/C1"], "a card given without its value rests on none"


def test_a_skyline_is_made_of_the_city_board_and_its_cards():
    made = skyline(PRINTED, 2, (("B1a", "?"), (), (), ("V3a",)))
    assert made.bases == PRINTED.base_crest[2]
    assert made.base_keys == ("cities.2.blue", "cities.2.gold", "cities.2.red", "cities.2.violet")
    assert made.towers[0] == (Built("B1", PRINTED.cards["B1a"].crest, "cards.B1a.crest"), Built("?", ""))
    assert made.towers[3] == (Built("V3", PRINTED.cards["V3a"].crest, "cards.V3a.crest"),)
    assert made.crest_keys(0) == ["cities.2.blue", "cards.B1a.crest"]


def n(reason: str, count: int, **more: object) -> Text:
    return Text(f"skytopia/reason/{reason}", {"n": count, **more})


def colour(name: str) -> Text:
    return Text(f"skytopia/colour/{name}")


def each_guild():
    """What every guild master pays for the mixed city, with reason and values."""
    box = PRINTED.box
    one, high, many = box["guilds.others_pp"], box["guilds.builders_pp"], box["guilds.architects_pp"]
    least = box["guilds.architects_threshold"]
    tall = sum(size >= least for size in (3, 4, 2, 1))
    yield "builders", high * 4, n("builders", 4), ("guilds.builders_pp",)
    told = ("guilds.architects_threshold", "guilds.architects_pp")
    yield "architects", many * tall, n("architects", tall, least=least), told
    sizes = {"blue": 3, "gold": 4, "red": 2, "violet": 1}
    for guild in ("mechanics", "engineers"):
        a, b = box[f"guilds.pair_colours.{guild}"]
        sets = min(sizes[a], sizes[b])
        reason = n("pairs", sets, a=colour(a), b=colour(b))
        yield guild, one * sets, reason, ("guilds.others_pp", f"guilds.pair_colours.{guild}")
    kinds = {"blue": 2, "gold": 2, "red": 2, "violet": 1}
    keys = {
        "blue": ("base/C1", "key/B1C1", "key/B2C3"),
        "gold": ("base/C2", "key/G1C2", "key/G2C2", "key/G3C4"),
        "red": ("base/C3", "key/R1C4"),
        "violet": ("base/C4",),
    }
    for guild in ("aeronauts", "merchants", "scientists", "chroniclers"):
        name = box[f"guilds.crest_set_colour.{guild}"]
        rests = ("guilds.others_pp", f"guilds.crest_set_colour.{guild}", *keys[name])
        yield guild, one * kinds[name], n("crests", kinds[name], colour=colour(name)), rests
    shown = {"C1": 2, "C2": 3, "C3": 2, "C4": 3}
    for guild in ("priests", "craftsmen", "artists", "alchemists"):
        crest = box[f"guilds.crest_count.{guild}"]
        reason = n("crest", shown[crest], crest=Text(f"skytopia/crest/{crest}"))
        yield guild, one * shown[crest], reason, ("guilds.others_pp", f"guilds.crest_count.{guild}", *ALL_KEYS)


@pytest.mark.parametrize(("guild", "points", "reason", "keys"), list(each_guild()), ids=lambda one: str(one)[:12])
def test_every_guild_master_pays_says_why_and_names_what_it_rests_on(guild, points, reason, keys):
    paid = praise(PRINTED, guild, MIXED)
    assert (paid.points, paid.reason, paid.keys) == (points, reason, keys)
    assert points > 0 or guild == "architects"


def test_architects_count_a_tower_that_just_reaches_the_height():
    least = PRINTED.box["guilds.architects_threshold"]
    reaching = city(*[(("B1", "C1"),) * (least - 1 - short) for short in (0, 0, 1)])
    paid = praise(PRINTED, "architects", reaching)
    assert paid.points == 2 * PRINTED.box["guilds.architects_pp"]
    assert paid.reason == n("architects", 2, least=least)


def test_an_unidentified_card_shows_no_crest():
    paid = praise(PRINTED, "merchants", city((), (("?", ""), ("G1", "C1"))))
    name = PRINTED.box["guilds.crest_set_colour.merchants"]
    assert name == "gold"
    assert paid.reason.params["n"] == 2


def test_of_one_group_only_the_pair_of_the_worked_example_may_be_in_play():
    together = tuple(PRINTED.box["guilds.seen_together"])
    first, second = together
    assert same_group(PRINTED, together) is None
    assert same_group(PRINTED, (second, "priests", first)) is None
    assert same_group(PRINTED, ("builders", "merchants", "architects")) == ("builders", "architects")
    assert same_group(PRINTED, ("merchants", "priests", "priests")) == ("priests", "priests")
    assert same_group(PRINTED, (first, "priests", first)) == (first, first)
    assert same_group(PRINTED, ("builders", "merchants", "priests")) is None
    assert same_group(PRINTED, ()) is None


def test_a_pair_of_one_group_rests_on_the_worked_example():
    together = tuple(PRINTED.box["guilds.seen_together"])
    assert example_pair(PRINTED, together) == ("guilds.seen_together",)
    assert example_pair(PRINTED, ("builders", "merchants", "priests")) == ()


def ending(name="Magda", track=0, coins=0, golems=0, built=None):
    return scoring.Ending(name, track, coins, golems, built or city())


def test_a_position_becomes_what_each_player_has_at_the_end():
    state = table({"gold-1": [(1, 4), (1, 3)], "red-1": [(0, 2), (1, 2)]}, coins=(7, 3), towers={1: {"blue": ["B1a"]}})
    first, second = scoring.endings(state)
    assert (first.name, first.track, first.coins, first.golems) == (NAMES[0], 0, 7, 1)
    assert (second.name, second.coins, second.golems) == (NAMES[1], 3, 3)
    assert second.city == guilds.skyline(state.numbers, 1, (("B1a",), (), (), ()))
    nowhere = pack.new({"names": NAMES[:2]}, {})
    assert scoring.endings(nowhere)[0].city.base_keys[0] == "cities.0.blue", "before a board is taken: the first"


def test_every_line_of_the_score_with_its_reason_and_its_values():
    built = city((("B1", "C1"), ("V3", "C2")), (), (), (("V3", "C3"), ("V1", "C1")))
    told = scoring.player_tally(PRINTED, ("builders",), 2, ending("Ola", 31, 23, 3, built))
    lab, coins, each = PRINTED.laboratory_points, PRINTED.coins_per_point, PRINTED.golem_points
    assert (told.seat, told.name) == (2, "Ola")
    assert [(line.id, line.text.key, line.points, line.reason) for line in told.lines] == [
        ("track", "skytopia/line/track", 31, n("track", 31)),
        ("guild/builders", "skytopia/line/guild/builders", 3 * PRINTED.box["guilds.builders_pp"], n("builders", 3)),
        ("laboratories", "skytopia/line/laboratories", 2 * lab, n("laboratories", 2, each=lab)),
        ("coins", "skytopia/line/coins", 23 // coins, n("coins", 23, each=coins)),
        ("golems", "skytopia/line/golems", 3 * each, n("golems", 3)),
    ]
    assert told.total == sum(line.points for line in told.lines)
    assert told.extra == {"leftover_coins": 23 % coins, "cards": 4}


OPEN_VALUES = {
    "coins": "endgame.coins_per_pp",
    "golems": "endgame.pp_per_market_golem",
    "laboratories": "endgame.pp_per_laboratory",
}


@pytest.mark.parametrize(("line", "key"), OPEN_VALUES.items())
def test_a_line_names_the_printed_value_nobody_confirmed(line, key, monkeypatch):
    """As if our copy of the rules had not told: the line that rests on the value must say so, and no other."""
    printed = numbers({})
    leaf = printed.box.printed[key]
    monkeypatch.setitem(printed.box.printed, key, type(leaf)(**{**as_dict(leaf), "certain": False}))
    told = scoring.player_tally(printed, (), 0, ending(coins=5))
    assert {one.id: one.unconfirmed for one in told.lines if one.unconfirmed} == {line: (key,)}


def as_dict(leaf):
    return {name: getattr(leaf, name) for name in leaf.__struct_fields__}


def winners(*players):
    """Winner seats and tie-break of endings given as (track, coins, cards)."""
    bare = numbers({f"guilds.{key}": 0 for key in ("others_pp", "builders_pp", "architects_pp")})
    built = [tuple(bare.of_colour[0][:cards]) for _, _, cards in players]
    ends = [
        ending(f"P{i}", track, coins, 0, skyline(bare, 0, (built[i], (), (), ())))
        for i, (track, coins, _) in enumerate(players)
    ]
    told = scoring.tally(bare, ("builders", "merchants", "priests"), ends)
    return told.winners, told.tie_break


def test_who_wins_and_what_broke_the_tie():
    assert winners((20, 0, 3), (21, 0, 9)) == ((1,), None)
    assert winners((20, 1, 3), (20, 0, 2), (19, 4, 0)) == ((1,), Text("skytopia/tie/cards", {"n": 2}))
    assert winners((20, 1, 2), (20, 3, 2), (20, 4, 3)) == ((1,), Text("skytopia/tie/coins", {"n": 3}))
    assert winners((20, 2, 2), (20, 2, 2), (20, 2, 3)) == ((0, 1), Text("skytopia/tie/shared"))
    assert winners((20, 4, 3), (20, 1, 2), (20, 1, 2)) == ((1, 2), Text("skytopia/tie/shared"))


def test_the_tally_names_every_value_it_rests_on_and_nobody_confirmed():
    together = tuple(PRINTED.box["guilds.seen_together"])
    cities = [skyline(PRINTED, seat, (("B1a",), (), (), ())) for seat in range(2)]
    told = scoring.tally(PRINTED, together, [ending(built=one) for one in cities])
    open_in_lines = {key for player in told.players for line in player.lines for key in line.unconfirmed}
    pair = {"guilds.seen_together"} if not PRINTED.box.confirmed("guilds.seen_together") else set()
    assert set(told.unconfirmed) == open_in_lines | pair
    assert pair, "the pair is the one printed exception nobody has confirmed"
    assert [player.seat for player in told.players] == [0, 1]


def track_doubts(state, seat=0):
    """The unconfirmed values the track line of a player names."""
    return doubts_of(state, "track", seat)


def doubts_of(state, name, seat=0):
    return next(line.unconfirmed for line in pack.tally(state).players[seat].lines if line.id == name)


def test_points_on_the_track_name_the_unconfirmed_cards_bases_and_tiles_they_came_from():
    used = {"kind": "place", "seat": 0, "face": 2}
    sure = play(table(cards={"blue-1": "B2a"}), {**used, "slot": "blue-1"}, {"kind": "use", "seat": 0})
    assert (sure.players[0].points, track_doubts(sure)) == (1, ()), "both rulebooks show the one point of B2"
    bought = play(table(cards={"blue-1": "B4a"}), {**used, "slot": "blue-1"}, {"kind": "buy", "seat": 0, "tier": 2})
    assert (bought.players[0].points, track_doubts(bought)) == (2, ("effects.B4.tiers",))
    assert track_doubts(bought, 1) == (), "only whose points they are"
    assert "effects.B4.tiers" in pack.tally(bought).unconfirmed
    told = play(bought, {"kind": "box", "key": "effects.B4.tiers", "value": [[1, 1], [3, 2], [5, 3]]})
    assert track_doubts(told) == (), "the owner looked"
    base = table({"blue-1": [(0, 1)]}, cards={"blue-1": "B2a"})
    base = play(base, {"kind": "finish", "seat": 0, "slot": "blue-1"}, {"kind": "activate", "seat": 0, "tower": "blue"})
    base = play(base, {"kind": "buy", "seat": 0, "tier": 1})
    assert track_doubts(base) == ("bases.blue.tiers",)
    three = {f"{colour}-1": [(0, 4)] for colour in ("blue", "gold")}
    tile = table(three, cards={"blue-1": "B1a", "gold-1": "G4a", "red-1": "R3a"}, abilities=("T3A", "T2A"))
    tile = play(tile, {"kind": "place", "seat": 0, "slot": "red-1", "face": 2}, {"kind": "skip", "seat": 0})
    assert (tile.players[0].points, track_doubts(tile)) == (1, ("abilities.T3A.cards",))


def test_a_track_set_right_by_hand_was_read_off_the_table():
    state = play(table(cards={"blue-1": "B4a"}), {"kind": "place", "seat": 0, "slot": "blue-1", "face": 2})
    state = play(state, {"kind": "buy", "seat": 0, "tier": 1})
    assert track_doubts(state) == ("effects.B4.tiers",)
    state = play(state, {"kind": "correct", "what": "points", "seat": 0, "value": 2})
    assert track_doubts(state) == ()


def test_coins_name_the_unconfirmed_prices_and_cards_they_were_paid_and_received_by():
    place = {"kind": "place", "seat": 0, "slot": "gold-1"}
    state = table(cards={"gold-1": "G3a"}, coins=(9, 9))
    free = play(state, {**place, "face": 2}, {"kind": "skip", "seat": 0})
    assert doubts_of(free, "coins") == (), "nothing was paid and nothing came"
    known = play(state, {**place, "face": 5}, {"kind": "skip", "seat": 0})
    assert (known.players[0].coins, doubts_of(known, "coins")) == (3, ()), "both rulebooks show the six"
    dear = play(state, {**place, "face": 4}, {"kind": "use", "seat": 0})
    assert doubts_of(dear, "coins") == ("chronometer.price_by_steps.3", "effects.G3.coins")
    assert doubts_of(dear, "coins", 1) == (), "what others get from it is known"
    told = play(dear, {"kind": "box", "key": "chronometer.price_by_steps.3", "value": 3})
    assert doubts_of(told, "coins") == ("effects.G3.coins",)
    counted = play(dear, {"kind": "correct", "what": "coins", "seat": 0, "value": 8})
    assert doubts_of(counted, "coins") == (), "counted by hand"
    assert doubts_of(play(counted, {"kind": "correct", "what": "coins", "seat": 1, "value": 3}), "coins", 1) == ()


def test_coins_of_bases_and_of_prestige_bought_are_named_too():
    state = table({"gold-1": [(0, 1)], "blue-1": [(0, 1), (1, 4)]}, cards={"gold-1": "G2a", "blue-1": "B2a"})
    state = play(state, *({"kind": "finish", "seat": 0, "slot": slot} for slot in ("gold-1", "blue-1")))
    assert doubts_of(state, "coins", 1) == (), "three coins of compensation are known"
    state = play(state, {"kind": "activate", "seat": 0, "tower": "gold"}, {"kind": "use", "seat": 0})
    assert doubts_of(state, "coins") == ("bases.gold.coins",)
    state = play(state, {"kind": "use", "seat": 0}, {"kind": "activate", "seat": 0, "tower": "blue"})
    state = play(state, {"kind": "buy", "seat": 0, "tier": 1})
    assert set(doubts_of(state, "coins")) == {"bases.gold.coins", "bases.blue.tiers"}


def test_coins_others_gave_rest_on_what_their_card_gives_the_others():
    numbers = table().numbers
    assert scoring.coin_keys(numbers, ("B3/others", "price/2", "compensation")) == (
        "chronometer.price_by_steps.2",
        "effects.B3.others_coins",
    )
    assert scoring.coin_keys(numbers, ("G2/others",)) == (), "this card gives the others nothing"
    own = scoring.coin_keys(numbers, ("B3",))
    assert len(own) == len(set(own)) > 0, "each number is named once"
