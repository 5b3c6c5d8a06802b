"""At the table: readings explained, corrections, undo and rebuild lists, statistics, a game by hand alone."""

import random

import pytest
from skytopia_table import NAMES, check, faces, play, random_game, read_off, slot, table, variants
from skytopia_words import assert_said
from skytopia_written import of_state, values_of

from benches.rules import reading
from companion.game import Die, Text
from companion.games.skytopia import pack
from companion.games.skytopia.moves import Finish, Place, Reveal, Rotate, Set, Shift, Start, Take
from companion.games.skytopia.restore import restore
from companion.games.skytopia.state import slot_names
from companion.senses.explain import Difference, explain
from companion.shown.skytopia import Dial, Golem

SEEN = (Place, Take, Rotate, Shift, Set, Start, Finish, Reveal)
"""Moves a camera can see."""


def test_expect_tells_golems_cards_and_dial():
    state = table({"gold-2": [(1, 4), (0, 3)]}, build=5, cards={"gold-2": "G2a"})
    expected = pack.expect(state)
    assert [place.slot for place in expected.slots] == list(slot_names(2))
    place = next(place for place in expected.slots if place.slot == "gold-2")
    assert place.dice == (Die(0, 3), Die(1, 4))
    assert place.card == "G2a"
    assert (expected.dial, expected.dial_positions) == (2, 6)
    hidden = table(cards={"gold-2": "?"})
    assert next(place.card for place in pack.expect(hidden).slots if place.slot == "gold-2") is None
    other = table(build=3, box={"chronometer.dir": 1})
    assert pack.expect(other).dial == 2


@pytest.mark.parametrize("options", variants(), ids=str)
def test_a_clean_reading_is_explained_as_the_move_that_made_it(options):
    chance = random.Random(str(options))
    for seed in range(2):
        for before, _, _ in random_game(seed, options)[::5]:
            legal = [move for move in pack.moves(before) if isinstance(move, SEEN)]
            for move in chance.sample(legal, min(3, len(legal))):
                after = pack.play(before, move).state
                if pack.expect(after) == pack.expect(before):
                    continue
                found = explain(pack, before, reading(pack.expect(after)))
                assert found.kind == "found", f"{move} was not explained: {found.kind}"
                assert pack.expect(found.candidates[0].state) == pack.expect(after)
                assert len(found.candidates[0].moves) == 1
                assert found.candidates[0].state == after


def test_a_golem_of_somebody_else_misread_with_confidence_is_never_committed():
    chance, tried = random.Random(4), 0
    for seed in range(3):
        for before, move, after in random_game(seed, {"names": NAMES[:3]}):
            if not isinstance(move, Place):
                continue
            others = [(i, die) for i, place in enumerate(after.slots) for die in place.dice if die.owner != before.turn]
            if not others:
                continue
            i, die = chance.choice(others)
            free = [face for face in range(1, 7) if face not in after.slots[i].faces]
            name = slot_names(after.rows)[i]
            wrong = {"kind": "correct", "what": "die", "seat": die.owner, "slot": name, "was": die.face}
            misread = play(after, {**wrong, "face": chance.choice(free)})
            found = explain(pack, before, reading(pack.expect(misread)))
            assert found.kind in ("impossible", "question"), f"committed {found.candidates[0].moves}"
            tried += 1
    assert tried > 30


def test_an_illegal_face_seen_with_confidence_is_a_mistake_at_the_table_and_said_so():
    state = table({"gold-1": [(1, 4)]}, players=2)
    lying = play(state, {"kind": "correct", "what": "die", "seat": 0, "slot": "red-1", "face": 1})
    found = explain(pack, state, reading(pack.expect(lying)))
    assert found.kind == "impossible"
    say, do = pack.differs(state, found.differences[0])
    assert_said([say, do])
    assert (say.key, say.params["face"]) == ("skytopia/describe/build-value", 1)


@pytest.mark.parametrize(
    ("where", "seen", "key"),
    [
        ("gold-1", (Die(0, 4), Die(1, 4)), "twice"),
        ("red-1", (Die(1, 3),), "not-their-turn"),
        ("red-1", (Die(0, 6),), "too-dear"),
        ("red-1", (Die(0, 1),), "build-value"),
        ("red-1", (Die(1, 1),), "not-their-turn"),
    ],
)
def test_a_difference_is_told_precisely(where, seen, key):
    state = table({"gold-1": [(1, 4)]})
    expected = tuple(slot(state, where).dice)
    say, do = pack.differs(state, Difference(where, expected, seen))
    assert_said([say, do])
    assert say.key == f"skytopia/describe/{key}"
    assert pack.differs(state, Difference("dial")) is None
    assert pack.differs(state, Difference("gold-1", expected, ())) is None


@pytest.mark.parametrize(
    ("where", "face", "key", "belongs"),
    [("violet-2", 1, "first-card", 5), ("violet-2", 5, "first-card", 5), ("right", 2, "first-face", 5)],
)
def test_a_first_golem_is_told_its_card_before_its_face(where, face, key, belongs):
    """Newcomer B7: what is expected is named; no face is right on the wrong card."""
    ready = {"guilds": ["mechanics", "merchants", "artists"], "cities": [0, 1], "abilities": ["T1A", "T2A"]}
    state = pack.new({"depth": "full", "names": ("Ada", "Ben"), "colours": ["sun", "leaf"], **ready}, {})
    state = play(state, {"kind": "deal"})
    (start,) = [move for move in pack.moves(state) if pack.encode(move).get("seat") == 0]
    place = pack.encode(start)["slot"] if where == "right" else where
    say, do = pack.differs(state, Difference(place, (), (Die(0, face),)))
    assert_said([say, do])
    assert (say.key, say.params["face"]) == (f"skytopia/describe/{key}", belongs)
    assert say.params["slot"] == pack.slot_text(pack.encode(start)["slot"])


def test_a_dial_turned_the_wrong_way_is_told_what_belongs_at_the_symbol():
    """Newcomer B8: what it shows and what it should show, not how many notches lie between."""
    from skytopia_table import skip_to

    state = skip_to(table(), "dial")
    say, do = pack.differs(state, Difference("dial", expected_dial=0, seen_dial=5))
    assert_said([say, do])
    assert say.key == "skytopia/describe/dial-differs"
    assert say.params["seen"] != say.params["face"] == play(state, {"kind": "turn_dial"}).build


def test_a_turn_of_the_dial_is_explained():
    from skytopia_table import skip_to

    state = skip_to(table(), "dial")
    after = play(state, {"kind": "turn_dial"})
    found = explain(pack, state, reading(pack.expect(after)))
    assert [pack.encode(move) for move in found.candidates[0].moves] == [{"kind": "turn_dial"}]


CORRECTIONS = [
    ({"what": "coins", "seat": 1, "value": 12}, lambda state: state.players[1].coins == 12),
    ({"what": "points", "seat": 1, "value": 31}, lambda state: state.players[1].points == 31),
    ({"what": "die", "seat": 0, "slot": "gold-1", "face": 3, "was": 4}, lambda s: faces(s, "gold-1") == [(0, 3)]),
    ({"what": "die", "seat": 0, "slot": "gold-1", "was": 4}, lambda state: state.players[0].home == 5),
    ({"what": "die", "seat": 1, "slot": "gold-1", "face": 6}, lambda state: state.players[1].home == 4),
    ({"what": "card", "slot": "gold-1", "value": "G4b"}, lambda state: slot(state, "gold-1").card == "G4b"),
    ({"what": "card", "slot": "gold-1", "value": "?"}, lambda state: slot(state, "gold-1").card == "?"),
    (
        {"what": "tower", "seat": 0, "tower": "red", "cards": ["R3a", "R4b"]},
        lambda state: state.players[0].towers[2] == ("R3a", "R4b"),
    ),
    ({"what": "dial", "value": 4}, lambda state: state.build == 4),
    ({"what": "deck", "tower": "red", "value": 2}, lambda state: state.decks[2] == 2),
    ({"what": "turn", "seat": 1}, lambda state: state.turn == 1),
    ({"what": "round", "value": 7}, lambda state: state.round == 7),
    ({"what": "city", "seat": 0, "value": 3}, lambda state: state.players[0].city == 3),
    ({"what": "ability", "seat": 0, "value": "T3B"}, lambda state: state.players[0].ability == "T3B"),
    (
        {"what": "guilds", "cards": ["artists", "engineers", "scientists"]},
        lambda state: state.guilds == ("engineers", "scientists", "artists"),
    ),
]


@pytest.mark.parametrize(("wrong", "right"), CORRECTIONS, ids=lambda one: str(one) if isinstance(one, dict) else "")
def test_a_value_is_set_by_hand_and_the_game_goes_on(wrong, right):
    state = table({"gold-1": [(0, 4)]})
    state = play(state, {"kind": "correct", **wrong})
    assert right(state)
    check(state)
    assert pack.moves(state)
    chance = random.Random(1)
    while not pack.over(state):
        state = pack.play(state, chance.choice(pack.moves(state))).state
        check(state)


@pytest.mark.parametrize("options", variants(), ids=str)
def test_a_game_set_by_hand_alone_reaches_the_same_tally(options):
    played = random_game(8, options)[-1][2]
    state = pack.new(options, {})

    def correct(**values):
        nonlocal state
        state = play(state, {"kind": "correct", **values})

    correct(what="guilds", cards=list(played.guilds))
    for seat, player in enumerate(played.players):
        correct(what="city", seat=seat, value=player.city)
        correct(what="ability", seat=seat, value=player.ability)
        correct(what="coins", seat=seat, value=player.coins)
        correct(what="points", seat=seat, value=player.points)
        for colour, tower in zip(("blue", "gold", "red", "violet"), player.towers, strict=True):
            correct(what="tower", seat=seat, tower=colour, cards=list(tower))
    for name, place in zip(slot_names(played.rows), played.slots, strict=True):
        correct(what="card", slot=name, value=place.card)
        for die in place.dice:
            correct(what="die", seat=die.owner, slot=name, face=die.face)
    for k, colour in enumerate(("blue", "gold", "red", "violet")):
        correct(what="deck", tower=colour, value=played.decks[k])
    correct(what="dial", value=played.build)
    correct(what="end")
    assert pack.over(state)
    assert pack.tally(state) == read_off(pack.tally(played)), "a track set by hand rests on nothing printed"
    assert restore(state, played) == (() if state.first == played.first else restore(state, played)[:1])


def test_a_card_set_right_while_it_is_on_offer_offers_what_it_really_does():
    state = table(cards={"gold-1": "G2a"})
    state = play(state, {"kind": "place", "seat": 0, "slot": "gold-1", "face": 2})
    assert state.stack[-1].code == "G2"
    state = play(state, {"kind": "correct", "what": "card", "slot": "gold-1", "value": "G3b"})
    assert state.stack[-1].code == "G3"
    city = table({"blue-1": [(0, 1)]}, cards={"blue-1": "B2a"}, coins=(9, 5))
    city = play(city, {"kind": "finish", "seat": 0, "slot": "blue-1"}, {"kind": "activate", "seat": 0, "tower": "blue"})
    city = play(city, {"kind": "skip", "seat": 0})
    assert city.stack[-1].code == "B2"
    assert play(city, {"kind": "correct", "what": "tower", "seat": 0, "tower": "blue"}).stack[-1].kind == "assign"


def test_every_printed_value_can_be_corrected_by_a_move():
    state = table()
    for key, leaf in state.numbers.box.printed.items():
        after = play(state, {"kind": "box", "key": key, "value": leaf.value})
        assert after.numbers.box.confirmed(key)


def test_a_dial_set_right_before_the_assignment_finishes_what_is_due():
    state = play(table({"gold-1": [(0, 4)]}), {"kind": "correct", "what": "dial", "value": 4})
    assert [pack.encode(move) for move in pack.moves(state)] == [{"kind": "finish", "seat": 0, "slot": "gold-1"}]
    state = play(state, {"kind": "finish", "seat": 0, "slot": "gold-1"}, {"kind": "skip", "seat": 0})
    assert state.stack[-1].kind == "assign"


def test_light_play_counts_and_ends_with_the_same_tally():
    played = random_game(21, {"names": NAMES[:3]})[-1][2]
    state = pack.new({"names": NAMES[:3], "depth": "light"}, {})
    for row in range(len(played.chart)):
        for _ in range(3):
            seat = state.turn
            before = played.chart[row - 1][seat] if row else 0
            gained = played.chart[row][seat] - before
            if gained:
                state = play(state, {"kind": "count", "seat": seat, "points": gained})
            if row == len(played.chart) - 2 and not state.last:
                state = play(state, {"kind": "last_round"})
            state = play(state, {"kind": "end_turn", "seat": seat})
        if state.step == "dial":
            assert pack.expect(state).dial == row % 6
            state = play(state, {"kind": "turn_dial"})
    assert state.step == "final"
    assert state.points == tuple(player.points for player in played.players)
    assert state.chart == played.chart
    values = values_of(of_state(played))
    state = play(state, {"kind": "final", "values": values})
    assert pack.tally(state) == read_off(pack.tally(played))
    assert pack.view(state, None).chart == pack.view(played, None).chart


def test_undo_lists_the_component_moves_that_restore_the_table():
    state = table({"gold-1": [(0, 1), (1, 3)]}, cards={"gold-1": "G2a"})
    after = play(state, {"kind": "finish", "seat": 0, "slot": "gold-1"})
    lines = restore(after, state)
    keys = [line.key.removeprefix("skytopia/restore/") for line in lines]
    assert keys == ["card-on", "golem-on", "golem-on", "tower-empty", "coins-back"], (
        "golems on a card need no second line"
    )
    assert_said(lines)
    assert restore(state, state) == ()


def test_a_dial_turned_too_far_goes_back_the_short_way():
    state = table(build=1)
    forward = play(state, {"kind": "correct", "what": "dial", "value": 5})
    assert restore(state, forward)[0] == Text("skytopia/restore/dial", {"n": 2, "face": 5})
    assert restore(forward, state)[0] == Text("skytopia/restore/dial-back", {"n": 2, "face": 1})


def test_a_game_put_away_is_laid_out_again_from_a_list():
    options = {"names": NAMES[:3]}
    steps = random_game(3, options)
    middle = steps[len(steps) // 2][0]
    lines = restore(steps[0][0], middle)
    assert_said(lines)
    golems = sum(len(place.dice) for place in middle.slots)
    assert sum(line.key.endswith("golem-on") for line in lines) == golems
    cards = sum(bool(place.card) for place in middle.slots)
    assert sum(line.key.endswith("card-on") for line in lines) == cards


def test_the_statistics_add_up():
    final = random_game(6, {"names": NAMES[:4]})[-1][2]
    told = pack.statistics(final)
    assert told["rounds"] == final.round
    for seat, player in enumerate(told["players"]):
        assert sum(player["rounds"]) == final.players[seat].points == sum(player["sources"].values())
        assert player["track"][-1] == final.players[seat].points
        assert len(player["rounds"]) == final.round


def test_reminders_tell_what_others_get_in_my_turn():
    state = table({"gold-1": [(0, 1), (1, 3)]}, abilities=("T4A", "T1A"))
    state = play(state, {"kind": "finish", "seat": 0, "slot": "gold-1"})
    told = [(one.params["seat"].params["n"], one.params["what"]) for one in pack.ask(state).reminders]
    assert told == [(1, Text("skytopia/coins", {"n": 3})), (1, Text("skytopia/points", {"n": 1}))]


def test_a_reminder_outlives_the_turn_it_came_from_by_one_turn():
    state = table({"gold-1": [(1, 3)]}, cards={"gold-1": "G1a"}, abilities=("T4A", "T2B"))
    state = play(state, {"kind": "place", "seat": 0, "slot": "gold-1", "face": 2})
    assert state.turn == 1, "nothing to use: the turn has passed on at once"
    assert [one.params["what"] for one in pack.ask(state).reminders] == [Text("skytopia/coins", {"n": 2})]


def test_every_effect_on_offer_says_what_hands_will_do():
    silent = set()
    for options in variants():
        for before, _, _ in random_game(2, options):
            ask = pack.ask(before)
            if not ask.change and before.stack[-1].kind not in ("guild", "city", "tile", "side", "towers", "start"):
                silent.add(before.stack[-1].code)
    assert silent <= {"V2", "base-violet"}, "these only name another card, which then says its own"


def test_unidentified_cards_are_asked_for_when_they_first_matter():
    state = table(cards={"gold-1": "?", "red-1": "?"})
    state = play(state, {"kind": "place", "seat": 0, "slot": "gold-1", "face": 2})
    ask = pack.ask(state)
    assert ask.text.key == "skytopia/ask/which"
    skipped = play(state, {"kind": "skip", "seat": 0})
    assert skipped.turn == 1, "passed over, it stays unnamed"
    named = play(state, {"kind": "reveal", "slot": "gold-1", "card": "G2b"})
    assert named.stack[-1].code == "G2"
    assert play(named, {"kind": "use", "seat": 0}).players[0].coins == 7
    built = table({"gold-1": [(0, 1)]}, cards={"gold-1": "?"})
    built = play(built, {"kind": "finish", "seat": 0, "slot": "gold-1"}, {"kind": "skip", "seat": 0})
    assert built.players[0].towers[1] == ("?",)
    ended = play(built, {"kind": "correct", "what": "end"})
    assert not pack.over(ended)
    ended = play(ended, {"kind": "reveal", "owner": 0, "tower": "gold", "level": 1, "card": "G3a"})
    assert pack.over(ended)


def test_the_view_shows_the_chronometer_and_the_golems():
    view = pack.view(table({"gold-2": [(0, 4)]}), None)
    assert view.dial == Dial(0, (1, 2, 3, 4, 5, 6), (None, 0, 1, 3, 6, 10), (0, 5, 4, 3, 2, 1))
    cell = next(one for one in view.market.slots if one.slot == "gold-2")
    assert cell.dice == (Golem(0, 4, finishes=False),)
    assert "chronometer.start_value" in view.unconfirmed
    assert {"B1", "V4", "base-red"} <= set(view.effects)
