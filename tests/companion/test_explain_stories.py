"""Which stories are tried, how they are weighed, and which are believed (docs/design.md §4)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game import Die, Expected
from companion.senses.explain import COMMIT, LAG, NEVER, NODES, PLAIN, Explanation, explain
from tests.companion.fable import EMPTY, FOUR, Fable, changed, ends, find, lies, place, seen, steps

# -- weighing --------------------------------------------------------------------------------------------------------


def test_shares_compare_stories_and_likelihoods_say_how_well_what_is_new_was_read() -> None:
    """Two faces of one die: two thirds to one, and the reading itself at most as good as the die was read."""
    fable = Fable({"a": "bc"}, {"a": EMPTY, "b": lies(red=4), "c": lies(red=3)})
    found = explain(fable, "a", seen(red=find(3, 0.6, share=0.9, also={4: 0.3})))
    assert (found.kind, ends(found)) == ("question", ["c", "b"])
    assert [one.share for one in found.candidates] == pytest.approx([2 / 3, 1 / 3])
    assert [one.likelihood for one in found.candidates] == pytest.approx([0.54, 0.27])
    assert [one.whole for one in found.candidates] == [True, True]
    assert [one.slot for one in found.differences] == ["red"]
    assert found.nodes == 2


def test_a_die_settled_long_ago_may_be_hard_to_read() -> None:
    """It lies as before in every story; what is news was read well enough, and the move is believed."""
    fable = Fable({"a": "b"}, {"a": lies(red=0, blue=2), "b": lies(red=4, blue=2)})
    found = explain(fable, "a", seen(red=find(4, 0.9), blue=find(2, 0.3)))
    assert found.kind == "found"
    assert found.candidates[0].likelihood == pytest.approx(0.9)
    assert found.candidates[0].share == 1.0


def test_a_story_that_moves_a_doubtful_die_is_weighed_by_what_it_makes_of_it() -> None:
    """The same red die in both; blue, untouched here, becomes a five there."""
    blue, before = find(2, 0.5, also={5: 0.2}), lies(red=0, blue=2)
    fable = Fable({"a": "bc"}, {"a": before, "b": changed(before, red=4), "c": changed(before, red=4, blue=5)})
    found = explain(fable, "a", seen(red=find(4, 0.6), blue=blue))
    assert ends(found) == ["b", "c"]
    assert [one.share for one in found.candidates] == pytest.approx([5 / 7, 2 / 7])
    assert [one.likelihood for one in found.candidates] == pytest.approx([0.6, 0.12])


def test_what_has_not_followed_yet_lags_and_costs_a_little() -> None:
    """Blue still lies as it did: that is the weaker story, not an impossible one."""
    fable = Fable({"a": "bc"}, {"a": lies(red=0, blue=0), "b": lies(red=4, blue=2), "c": lies(red=4, blue=0)})
    found = explain(fable, "a", seen(red=find(4, 0.9), blue=()))
    assert [(one.state, one.whole) for one in found.candidates] == [("c", True), ("b", False)]
    assert [one.share for one in found.candidates] == pytest.approx([1 / (1 + LAG), LAG / (1 + LAG)])
    assert found.candidates[1].likelihood == pytest.approx(0.9)


def test_each_place_that_lags_costs_again() -> None:
    """Two places behind are a hundred times less likely than one."""
    table = {"a": lies(red=0, blue=0, gold=0), "b": lies(red=4, blue=2, gold=0), "c": lies(red=4, blue=2, gold=1)}
    found = explain(Fable({"a": "bc"}, table), "a", seen(red=find(4, 0.9), blue=(), gold=()))
    assert [one.share for one in found.candidates] == pytest.approx([1 / (1 + LAG), LAG / (1 + LAG)])


def test_a_dial_and_a_place_that_lag_cost_both() -> None:
    """The dial is one place more."""
    fable = Fable({"a": "bc"}, {"a": lies(0, red=0, blue=0), "b": lies(0, red=4, blue=0), "c": lies(1, red=4, blue=2)})
    found = explain(fable, "a", seen(0, red=find(4, 0.9), blue=()))
    assert [one.share for one in found.candidates] == pytest.approx([1 / (1 + LAG**2), LAG**2 / (1 + LAG**2)])


def test_a_dial_that_has_not_been_turned_yet_lags() -> None:
    """One that stands somewhere else altogether contradicts; one that is away, or unknown to the game, says nothing."""
    fable = Fable({"a": "b"}, {"a": lies(0, red=0), "b": lies(1, red=4)})
    lagging = explain(fable, "a", seen(0, red=find()))
    assert (lagging.kind, lagging.candidates[0].whole) == ("found", False)
    turned = explain(fable, "a", seen(1, red=find()))
    assert (turned.kind, turned.candidates[0].whole) == ("found", True)
    away = explain(fable, "a", seen(None, red=find()))
    assert (away.kind, away.candidates[0].whole) == ("found", True)
    elsewhere = explain(fable, "a", seen(5, red=find()))
    assert [one.slot for one in elsewhere.differences] == ["red", "dial"]
    assert elsewhere.kind == "impossible"
    without = Fable({"a": "b"}, {"a": EMPTY, "b": FOUR})
    assert explain(without, "a", seen(3, red=find())).candidates[0].whole


def test_the_dial_alone_may_be_all_that_differs() -> None:
    """Turned to where the next move leads."""
    fable = Fable({"a": "bc"}, {"a": lies(0), "b": lies(2), "c": lies(1)})
    assert explain(fable, "a", seen(0)).kind == "same"
    assert ends(explain(fable, "a", seen(1))) == ["c"]
    assert explain(fable, "a", seen(4)).kind == "impossible"


def test_a_place_that_looks_like_neither_before_nor_after_contradicts() -> None:
    """It does not lag, and the move is not believed."""
    fable = Fable({"a": "b"}, {"a": lies(red=0, blue=1), "b": lies(red=4, blue=2)})
    assert explain(fable, "a", seen(red=find(), blue=find(6))).kind == "impossible"
    assert explain(fable, "a", seen(red=find(), blue=find(1))).kind == "found"


def test_what_was_out_of_place_before_and_still_is_contradicts() -> None:
    """Only what looks as it did before the move may lag; also where places come and go."""
    fable = Fable({"a": "bc"}, {"a": lies(red=0, blue=1), "b": lies(red=4, blue=2), "c": lies(red=4, blue=2, gold=0)})
    assert explain(fable, "a", seen(red=find(), blue=find(6))).kind == "impossible"


def test_where_places_come_and_go_all_of_them_are_weighed_anew() -> None:
    """The new place was not looked at, and counts for nothing; what lies as before is no news there either."""
    table = {"a": lies(red=0, blue=2), "b": lies(red=4, blue=2, gold=1), "c": lies(red=4, blue=5, gold=1)}
    found = explain(Fable({"a": "bc"}, table), "a", seen(red=find(4, 0.9), blue=find(2, 0.5, also={5: 0.25})))
    assert [one.share for one in found.candidates] == pytest.approx([2 / 3, 1 / 3])
    assert explain(Fable({"a": "b"}, table), "a", seen(red=find(), blue=find(3))).kind == "impossible"
    (gone,) = explain(Fable({"a": "b"}, {**table, "b": FOUR}), "a", seen(red=find(4, 0.9), blue=find(2))).candidates
    assert gone.likelihood == pytest.approx(0.9)


def test_a_story_with_more_places_is_weighed_like_the_others() -> None:
    """By all that was looked at, also what nobody touched and what was next to impossible before."""
    before = lies(blue=2, red=3)
    more = Expected((*changed(before, red=4).slots, *lies(gold=1).slots))
    fable = Fable({"a": "bc"}, {"a": before, "b": changed(before, red=4), "c": more})
    found = explain(fable, "a", seen(blue=find(2, 0.5), red=find(4, 0.9, also={3: NEVER})))
    assert (sorted(ends(found)), [one.share for one in found.candidates]) == (["b", "c"], pytest.approx([0.5, 0.5]))


def test_next_to_impossible_is_impossible() -> None:
    """Before a move as after it, and what was so before does not lag."""
    bound = find(4, 0.9, also={3: NEVER, 5: 0.0})
    assert explain(Fable({}, {"a": lies(red=3)}), "a", seen(red=bound)).kind == "impossible"
    assert explain(Fable({"a": "b"}, {"a": EMPTY, "b": lies(red=3)}), "a", seen(red=bound)).kind == "impossible"
    fable = Fable({"a": "b"}, {"a": lies(red=3, blue=0), "b": lies(red=5, blue=4)})
    assert explain(fable, "a", seen(red=bound, blue=find())).kind == "impossible"


def test_places_nobody_looked_at_are_passed_over() -> None:
    """Whatever stands behind them in the row is looked at all the same; so is what lies behind an untouched one."""
    before = lies(gold=1, blue=2, red=0)
    fable = Fable({"a": "b"}, {"a": before, "b": changed(before, red=4)})
    assert explain(fable, "a", seen(blue=find(2), red=find())).kind == "found"


def test_in_a_doubtful_reading_a_find_may_be_print() -> None:
    """Only where the table was told so."""
    fable = Fable({"a": "b"}, {"a": EMPTY, "b": FOUR})
    both = (find(4), find(2, 0.3))
    assert explain(fable, "a", seen(red=both)).kind == "impossible"
    assert explain(fable, "a", seen(red=both, lenient=True)).candidates[0].state == "b"


def test_what_a_hand_covers_neither_speaks_for_a_move_nor_against_it() -> None:
    """Not looked at is not seen."""
    fable = Fable({"a": "b"}, {"a": lies(red=0, blue=0), "b": lies(red=4, blue=2)})
    found = explain(fable, "a", seen(red=find(4, 0.9), blue=place(covered=True)))
    assert (found.kind, found.candidates[0].whole) == ("found", True)


# -- searching -------------------------------------------------------------------------------------------------------


def test_moves_that_explain_nothing_are_followed_as_deep_as_the_game_says() -> None:
    """Its own depth, unless another is given; whatever is against the rules leads nowhere and counts for nothing."""
    table = {"a": EMPTY, "b": EMPTY, "c": EMPTY, "d": FOUR}
    paths = {"a": "!b", "b": "c", "c": "d"}
    assert explain(Fable(paths, table, depth=3), "a", seen(red=find())).kind == "found"
    deep = explain(Fable(paths, table, depth=2), "a", seen(red=find()))
    assert (deep.kind, deep.nodes) == ("impossible", 2)
    assert steps(explain(Fable(paths, table, depth=2), "a", seen(red=find()), depth=3)) == "bcd"


def test_moves_that_each_explain_one_more_place_are_followed_to_the_end() -> None:
    """A table laid out at once, in a game whose moves are looked at one by one."""
    table = {"a": lies(x=0, y=0, z=0), "b": lies(x=1, y=0, z=0), "c": lies(x=1, y=2, z=0), "d": lies(x=1, y=2, z=3)}
    laid = seen(x=find(1), y=find(2), z=find(3))
    assert steps(explain(Fable({"a": "b", "b": "c", "c": "d"}, table, depth=1), "a", laid)) == "bcd"


def test_the_dial_counts_as_one_place_of_those_that_come_nearer() -> None:
    """Each gives a story one move more, and a move that brings nothing takes one."""
    table = {"a": lies(0, red=0), "b": lies(1, red=0), "w": lies(1, red=0), "c": lies(1, red=4)}
    there = seen(1, red=find())
    assert steps(explain(Fable({"a": "b", "b": "c"}, table, depth=1), "a", there)) == "bc"
    assert explain(Fable({"a": "b", "b": "w", "w": "c"}, table, depth=1), "a", there).kind == "impossible"


def test_of_two_as_near_the_shorter_is_followed_first() -> None:
    """Four tried moves are enough: the two first steps, one on the wrong way, one on the right."""
    table = {**dict.fromkeys("abcxy", EMPTY), "d": FOUR}
    fable = Fable({"a": "bc", "b": "x", "x": "y", "c": "d"}, table, depth=5)
    assert steps(explain(fable, "a", seen(red=find()), nodes=4)) == "cd"


def test_who_comes_nearer_is_followed_first_even_if_it_takes_longer() -> None:
    """The way that begins with nothing is left alone, although it stands first and is shorter."""
    table = {"a": lies(x=0, y=0, z=0), "b": lies(x=0, y=0, z=0), "c": lies(x=1, y=0, z=0), "d": lies(x=1, y=0, z=0)}
    table |= {"e": lies(x=1, y=2, z=0), "f": lies(x=1, y=2, z=3)}
    fable = Fable({"a": "bc", "b": "b", "c": "d", "d": "e", "e": "f"}, table)
    assert steps(explain(fable, "a", seen(x=find(1), y=find(2), z=find(3)), nodes=5)) == "cdef"


def test_once_a_story_is_found_no_longer_one_is_looked_for() -> None:
    """A way that was still to be followed would have become the story, and the shorter one forgotten."""
    fable = Fable({"a": "xy", "x": "z"}, {"a": EMPTY, "x": EMPTY, "y": FOUR, "z": FOUR})
    assert ends(explain(fable, "a", seen(red=find()))) == ["y"]


def test_a_move_away_from_what_is_seen_is_not_followed() -> None:
    """Blue is right, and the step that spoils it leads nowhere, whatever comes after it."""
    table = {"a": lies(red=0, blue=2), "b": lies(red=1, blue=5), "c": lies(red=4, blue=2)}
    fable = Fable({"a": "b", "b": "c"}, table)
    assert explain(fable, "a", seen(red=find(), blue=find(2))).kind == "impossible"


def test_a_story_of_several_moves_is_seen_whole() -> None:
    """A move that lags explains by itself, and neither begins a story nor ends one."""
    table = {"a": lies(red=0, blue=0, gold=0), "b": lies(red=4, blue=2, gold=0), "c": lies(red=4, blue=2, gold=1)}
    begins = Fable({"a": "b", "b": "c"}, table)
    assert explain(begins, "a", seen(red=find(), blue=(), gold=find(1))).kind == "impossible"
    table["b"] = lies(red=4, blue=0, gold=0)
    assert explain(begins, "a", seen(red=find(), blue=(), gold=find(1))).kind == "impossible"
    assert explain(begins, "a", seen(red=find(), blue=find(2), gold=find(1))).kind == "found"


def test_the_search_tries_so_many_moves_and_no_more() -> None:
    """Also in the midst of the moves of one position."""
    fable = Fable({"a": "bcd", "b": "d"}, {"a": EMPTY, "b": EMPTY, "c": EMPTY, "d": FOUR})
    short = explain(fable, "a", seen(red=find()), nodes=2)
    assert (short.kind, short.nodes) == ("impossible", 2)
    assert explain(fable, "a", seen(red=find()), nodes=3).kind == "found"
    assert ends(explain(Fable({"a": "!d"}, fable.table), "a", seen(red=find()), nodes=1)) == ["d"]
    turns = Fable({"a": "a"}, {"a": EMPTY}, depth=NODES * 2)
    assert explain(turns, "a", seen(red=find()), depth=NODES * 2).nodes <= NODES


def test_only_the_shortest_stories_are_told() -> None:
    """The longer one was found first, because each of its moves came nearer."""
    table = {
        "a": lies(x=0, y=0, z=0),
        "b": lies(x=1, y=2, z=0),
        "c": lies(x=1, y=2, z=0),
        "d": lies(x=1, y=2, z=3),
        "e": lies(x=1, y=0, z=0),
        "f": lies(x=1, y=2, z=3),
    }
    found = explain(Fable({"a": "eb", "b": "c", "c": "d", "e": "f"}, table), "a", seen(x=find(1), y=find(2), z=find(3)))
    assert [steps(found, i) for i in range(len(found.candidates))] == ["ef"]


def test_one_position_is_told_once_and_eight_at_most() -> None:
    """Two ways to it are one answer; of nine that look the same the last is left out, and has its share."""
    two = {"a": lies(x=0, y=0), "b": lies(x=1, y=0), "c": lies(x=0, y=2), "d": lies(x=1, y=2)}
    found = explain(Fable({"a": "bc", "b": "d", "c": "d"}, two), "a", seen(x=find(1), y=find(2)))
    assert [(one.state, one.share) for one in found.candidates] == [("d", 1.0)]
    many = "bcdefghij"
    found = explain(Fable({"a": many}, {"a": EMPTY, **dict.fromkeys(many, FOUR)}), "a", seen(red=find()))
    assert [one.share for one in found.candidates] == pytest.approx([1 / 9] * 8)


# -- believing -------------------------------------------------------------------------------------------------------


def lagging(others: int) -> Explanation:
    """One move that is seen whole, beside so many that lag."""
    names = "cdefg"[:others]
    table = {"a": lies(red=0, blue=0), "b": lies(red=4, blue=0), **dict.fromkeys(names, lies(red=4, blue=2))}
    return explain(Fable({"a": "b" + names}, table), "a", seen(red=find(), blue=()))


def test_a_story_is_believed_when_the_others_together_are_next_to_nothing() -> None:
    """Every state of those that lag is a position of its own."""
    assert lagging(2).kind == "found"
    assert lagging(3).kind == "question"
    assert 1 / (1 + 3 * LAG) < COMMIT < 1 / (1 + 2 * LAG)


def test_the_bounds_of_belief_belong_to_it() -> None:
    """Exactly as likely as that, and exactly that share."""
    fable = Fable({"a": "bc"}, {"a": EMPTY, "b": lies(red=4), "c": lies(red=3)})
    plain = explain(Fable({"a": "b"}, fable.table), "a", seen(red=find(4, PLAIN)))
    assert (plain.kind, plain.candidates[0].likelihood) == ("found", PLAIN)
    assert explain(Fable({"a": "b"}, fable.table), "a", seen(red=find(4, PLAIN - 0.01))).kind == "question"
    shared = explain(fable, "a", seen(red=find(4, 0.735, also={3: 0.015})))
    assert (shared.kind, shared.candidates[0].share) == ("found", COMMIT)


def test_a_story_of_two_players_is_asked_and_one_of_nobody_is_not() -> None:
    """What belongs to nobody decides nothing."""
    table = {"a": lies(x=0, y=0), "b": lies(x=1, y=0), "c": lies(x=1, y=2)}
    both = seen(x=find(1), y=find(2))
    paths = {"a": "b", "b": "c"}
    assert explain(Fable(paths, table, {"b": 0, "c": 1}), "a", both).kind == "question"
    assert explain(Fable(paths, table, {"b": 0, "c": None}), "a", both).kind == "found"
    assert explain(Fable(paths, table, {"b": None, "c": None}), "a", both).kind == "found"
    assert explain(Fable(paths, table, {"b": 1, "c": 1}), "a", both).kind == "found"
    assert explain(Fable(paths, table, {"b": 1, "c": "?"}), "a", both).kind == "found"


def test_of_a_story_of_two_players_no_others_are_told() -> None:
    """It is asked in any case."""
    table = {**dict.fromkeys("abde", EMPTY), "c": FOUR, "f": FOUR}
    fable = Fable({"a": "bd", "b": "c", "d": "e", "e": "f"}, table, {"c": 1}, hidden=True)
    found = explain(fable, "a", seen(red=find()))
    assert (found.kind, ends(found)) == ("question", ["c"])


def story(shorter: Expected, **about: Any) -> Explanation:
    """Two moves seen at once, where the first alone would have left the table like this."""
    table = {"a": lies(red=0, blue=0), "b": shorter, "c": lies(red=4, blue=4)}
    return explain(Fable({"a": "b", "b": "c"}, table, hidden=True, **about), "a", seen(red=find(), blue=find()))


def test_a_story_that_a_shorter_one_tells_but_for_one_die_is_asked() -> None:
    """One die misread would have made the second move. A die that is not there at all was not misread."""
    assert story(lies(red=4, blue=0)).kind == "found"
    assert story(lies(red=4, blue=5)).kind == "question"
    assert story(lies(red=4, blue=(Die(1, 4),))).kind == "question"


def test_the_table_as_it_lies_may_be_the_shorter_story() -> None:
    """Before any move it differs in one die: two moves that end in turning it may be a single misreading."""
    table = {"a": lies(red=5), "b": lies(red=5), "c": FOUR}
    assert explain(Fable({"a": "b", "b": "c"}, table, hidden=True), "a", seen(red=find())).kind == "question"
    table["a"] = table["b"] = EMPTY
    assert explain(Fable({"a": "b", "b": "c"}, table, hidden=True), "a", seen(red=find())).kind == "found"
    assert explain(Fable({"a": "c"}, {**table, "a": lies(red=5)}, hidden=True), "a", seen(red=find())).kind == "found"


def test_the_table_as_it_lies_may_tell_two_moves_or_one_that_lags() -> None:
    """A die picked up and put down again as another face, and a turned die beside a piece that is still missing."""
    table = {"a": lies(red=5, blue=0), "b": lies(red=0, blue=0), "c": lies(red=4, blue=0), "d": lies(red=4, blue=2)}
    again = Fable({"a": "b", "b": "c"}, table, hidden=True)
    assert explain(again, "a", seen(red=find(), blue=())).kind == "question"
    lags = Fable({"a": "d"}, table, hidden=True)
    assert explain(lags, "a", seen(red=find(), blue=())).kind == "question"
    table["a"] = lies(red=0, blue=0)
    assert explain(lags, "a", seen(red=find(), blue=())).kind == "found"


def test_what_is_as_long_is_no_shorter_story() -> None:
    """Another second move would have left one die otherwise: that is not what is seen."""
    table = {"a": lies(x=0, y=0), "b": lies(x=1, y=0), "c": lies(x=1, y=2), "d": lies(x=1, y=5)}
    fable = Fable({"a": "b", "b": "dc"}, table, hidden=True)
    assert explain(fable, "a", seen(x=find(1), y=find(2))).kind == "found"
