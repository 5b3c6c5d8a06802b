"""What else may have been decided without a trace, and is told beside the best story (docs/design.md §4)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game import Expected
from companion.senses.explain import ANSWERS, NEVER, explain
from tests.companion.fable import EMPTY, FOUR, Fable, ends, find, lies, seen, steps

PATHS = {"a": "b", "b": "c"}
TABLE = {"a": EMPTY, "b": EMPTY, "c": FOUR}


def told(paths: dict[str, str], table: dict[str, Expected], **about: Any) -> list[str]:
    """The stories told of a decision nobody saw and a die that everybody sees."""
    found = explain(Fable({**PATHS, **paths}, {**TABLE, **table}, hidden=True, **about), "a", seen(red=find()))
    assert (found.kind == "found") == (len(found.candidates) == 1), found.kind
    return [steps(found, i) for i in range(len(found.candidates))]


def test_a_decision_without_a_trace_may_have_been_another() -> None:
    """At its place or at a later one, by a longer way; what ends in the same position is the same story."""
    longer = {"d": EMPTY, "e": EMPTY, "f": FOUR}
    assert told({}, {}) == ["bc"]
    assert told({"a": "bd", "d": "e", "e": "f"}, longer) == ["bc", "def"]
    assert told({"b": "cd", "d": "e", "e": "f"}, longer) == ["bc", "bdef"]
    assert told({"a": "bd", "d": "e", "e": "c"}, longer) == ["bc"]
    assert told({"a": "bde", "d": "e", "e": "f"}, longer) == ["bc", "ef"]


def test_of_a_decision_only_who_made_it_can_have_made_another() -> None:
    """Another player's is no other story; what belongs to nobody may be."""
    paths, longer = {"a": "bd", "d": "e", "e": "f"}, {"d": EMPTY, "e": EMPTY, "f": FOUR}
    assert told(paths, longer, seats={"d": 1}) == ["bc"]
    assert told(paths, longer, seats={"e": 1}) == ["bc"]
    assert told(paths, longer, seats={"d": None}) == ["bc", "def"]
    assert told(paths, longer, seats=dict.fromkeys("bcdef", 2)) == ["bc", "def"]
    assert told(paths, longer, seats={"d": "?"}) == ["bc", "def"], "a move that does not say whose it is"


def test_every_other_end_of_one_decision_is_told() -> None:
    """Not only the first that fits."""
    others = {"d": EMPTY, **dict.fromkeys("fgh", FOUR)}
    assert told({"a": "bd", "d": "fgh"}, others) == ["bc", "df", "dg", "dh"]


def test_what_the_best_story_decides_is_tried_first_in_the_others() -> None:
    """After another beginning its own moves lead elsewhere; the many ends at one place do not crowd that out."""
    ways = "efghijkl"
    others = {**dict.fromkeys("dpm", EMPTY), "n": FOUR, **dict.fromkeys(ways, FOUR)}
    assert "dpbn" in told({"a": "bd", "d": "p", "p": ways + "b", "m": "n"}, others, turns={"pb": "m"})


def test_a_decision_that_would_have_left_a_trace_was_not_made() -> None:
    """Unless it is what is seen, or something else has come to lie there since."""
    paths = {**PATHS, "a": "bd", "d": "e", "e": "f"}
    table = {"a": lies(red=0, blue=2), "b": lies(red=0, blue=2), "c": lies(red=4, blue=2)}
    trace = {"d": lies(red=0, blue=5), "e": lies(red=0, blue=2), "f": lies(red=4, blue=2)}
    assert steps(explain(Fable(paths, table | trace, hidden=True), "a", seen(red=find(), blue=find(2)))) == "bc"
    assert ends(explain(Fable(paths, table | trace, hidden=True), "a", seen(red=find(), blue=find(2)))) == ["c"]
    assert ends(explain(Fable(paths, table | trace, hidden=True), "a", seen(red=find()))) == ["c", "f"]
    covered = {"a": EMPTY, "b": EMPTY, "c": FOUR, "d": lies(red=5), "e": lies(red=6), "f": FOUR}
    assert ends(explain(Fable(paths, covered, hidden=True), "a", seen(red=find()))) == ["c", "f"]


def test_a_dial_that_nobody_turned_leaves_a_trace_too() -> None:
    """A decision that moves it elsewhere is none; where the dial is away it might have been, and where it stands so, too."""
    paths = {**PATHS, "a": "bd", "d": "e", "e": "f"}
    table = {name: lies(0, red=4 if name in "cf" else 0) for name in "abcdef"}
    table["d"] = lies(3, red=0)
    assert ends(explain(Fable(paths, table, hidden=True), "a", seen(0, red=find()))) == ["c"]
    assert ends(explain(Fable(paths, table, hidden=True), "a", seen(None, red=find()))) == ["c", "f"]
    assert ends(explain(Fable(paths, {**table, "d": lies(None, red=0)}, hidden=True), "a", seen(0, red=find()))) == [
        "c",
        "f",
    ]
    table["a"], table["b"], table["c"], table["f"] = lies(0, red=0), lies(0, red=0), lies(2, red=4), lies(2, red=4)
    assert ends(explain(Fable(paths, table, hidden=True), "a", seen(2, red=find()))) == ["c"], (
        "neither before nor after"
    )
    table["d"] = lies(0, red=0)
    assert ends(explain(Fable(paths, table, hidden=True), "a", seen(2, red=find()))) == ["c", "f"]
    turned = {name: lies(0 if name == "a" else 3, red=4 if name in "cf" else 0) for name in "abcdef"}
    assert ends(explain(Fable(paths, turned, hidden=True), "a", seen(3, red=find()))) == ["c", "f"]


def test_a_place_that_was_not_there_before_leaves_a_trace_too() -> None:
    """Where it can be seen that nothing lies in it; next to impossible is impossible here, too."""
    paths = {**PATHS, "a": "bd", "d": "e", "e": "f"}
    table = {**dict.fromkeys("abe", EMPTY), **dict.fromkeys("cf", FOUR), "d": lies(red=0, gold=1)}
    fable = Fable(paths, table, hidden=True)
    assert ends(explain(fable, "a", seen(red=find(), gold=()))) == ["c"]
    assert ends(explain(fable, "a", seen(red=find(), gold=find(2, 0.9, also={1: NEVER})))) == ["c"]
    assert ends(explain(fable, "a", seen(red=find(), gold=find(1)))) == ["c", "f"]
    table |= {"a": lies(red=3), "b": lies(red=3), "d": lies(red=5)}
    hardly = find(4, 0.9, also={3: NEVER, 5: 0.0})
    assert ends(explain(Fable(paths, table, hidden=True), "a", seen(red=hardly))) == ["c", "f"]


def test_the_search_for_other_stories_tries_so_many_moves_and_no_more() -> None:
    """As many as the search for the first; what is left then proves nothing."""
    table = {**dict.fromkeys("abd", EMPTY), "c": FOUR}
    found = explain(Fable({"a": "bd", "b": "c", "d": "d"}, table, hidden=True), "a", seen(red=find()), nodes=9)
    alone = explain(Fable({"a": "bd", "b": "c", "d": "d"}, table), "a", seen(red=find()), nodes=9)
    assert (found.kind, alone.kind, found.nodes - alone.nodes) == ("question", "found", 9)


def test_so_many_other_stories_are_told_and_no_more() -> None:
    """Seven beside the best are more than anybody reads."""
    ways = "defghijkl"
    stories = told({"a": "b" + ways, **dict.fromkeys(ways, "")}, dict.fromkeys(ways, FOUR))
    assert len(stories) == 8
    table = {**TABLE, "m": EMPTY, "n": EMPTY, **dict.fromkeys(ways, FOUR)}
    found = explain(Fable({**PATHS, "a": "bm", "m": "n", "n": ways}, table, hidden=True), "a", seen(red=find()))
    assert [one.share for one in found.candidates] == pytest.approx([1 / 8] * 8), "more are not looked for"
    assert len(told({"b": "c" + ways}, dict.fromkeys(ways, FOUR), depth=2)) == 8
    assert ANSWERS == 7
