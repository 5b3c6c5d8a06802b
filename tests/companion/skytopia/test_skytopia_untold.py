"""What a player decided without a trace is not left out of a story: it is asked about, all stories told side by side."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from skytopia_table import offered, play, table
from test_skytopia_edges import SKIP, USE, finish, place, with_effect
from test_skytopia_more_edges import activated
from test_skytopia_readings import Game

from benches.rules import reading
from companion.games.skytopia import pack
from companion.games.skytopia.state import SkytopiaState
from companion.senses.explain import Explanation, explain

ACTIVATE = {"kind": "activate", "seat": 0, "tower": "blue"}
BUY = {"kind": "buy", "seat": 0, "tier": 1}
DIAL = {"kind": "turn_dial"}


def tower_to_activate() -> SkytopiaState:
    """Magda has finished a blue card that sells prestige; she may activate the tower."""
    state = table({"blue-1": [(0, 1)]}, cards={"blue-1": "B4a"}, coins=(9, 5))
    return play(state, finish(0, "blue-1"))


def card_to_use() -> SkytopiaState:
    """Louis, last of the round, has placed on a coin card and may use it; then the dial is turned."""
    state = table(turn_of=1, cards={"gold-1": "G2a"})
    return play(state, place(1, "gold-1", 2))


def card_to_activate() -> SkytopiaState:
    """Magda has placed on the row card: it gives her another card's effect, or she leaves it."""
    return with_effect("V4a", {"gold-2": [(0, 4)]}, cards={"gold-1": "G2a"}, first=1)


def seen_after(state: SkytopiaState, *moves: dict[str, Any]) -> tuple[Explanation, SkytopiaState]:
    """What is made of the table after these moves, told by nobody."""
    after = play(state, *moves)
    return explain(pack, state, reading(pack.expect(after))), after


def stories(found: Explanation) -> list[list[str]]:
    """The answers, each by the kinds of its moves."""
    return [[pack.encode(move)["kind"] for move in way.moves] for way in found.candidates]


LOUIS_SKIPS, LOUIS_USES = {**SKIP, "seat": 1}, {**USE, "seat": 1}
PLACED = place(0, "red-2", 2)
PLAYED = {
    "a tower activated, a point bought": (tower_to_activate, (ACTIVATE, SKIP, BUY, PLACED)),
    "a tower activated, the base used": (tower_to_activate, (ACTIVATE, BUY, SKIP, PLACED)),
    "a tower left alone": (tower_to_activate, (SKIP, PLACED)),
    "a card used before the dial": (card_to_use, (LOUIS_USES, DIAL)),
    "a card left before the dial": (card_to_use, (LOUIS_SKIPS, DIAL)),
    "another card reached and used": (card_to_activate, ({"kind": "trigger", "seat": 0, "slot": "gold-1"}, USE, DIAL)),
}


@pytest.mark.parametrize("played", PLAYED)
def test_a_silent_decision_is_asked_about_and_what_was_played_is_among_the_answers(played):
    """The shortest story that looks so leaves the decision out; nobody's coins are lost by believing it."""
    make, moves = PLAYED[played]
    found, after = seen_after(make(), *moves)
    assert found.kind == "question"
    assert len(found.candidates) > 1
    assert after in [way.state for way in found.candidates]


def test_the_shortest_story_is_the_first_answer():
    """Whoever did nothing special finds it at the top."""
    found, _ = seen_after(tower_to_activate(), ACTIVATE, BUY, SKIP, PLACED)
    told = stories(found)
    assert told[0] == ["skip", "place"]
    assert sorted(map(len, told)) == list(map(len, told))


def test_a_tower_in_which_nothing_can_be_used_leaves_no_question():
    """Activated or not, it comes to the same: believed."""
    state = table({"violet-1": [(0, 1)]}, cards={"violet-1": "V3a"})
    state = play(state, finish(0, "violet-1"))
    assert offered(state) == "towers"
    found, after = seen_after(state, SKIP, PLACED)
    assert (found.kind, found.candidates[0].state) == ("found", after)


def test_an_offer_that_would_have_been_seen_was_left():
    """A golem turned would show another face; none does, so it was passed over: the placing is believed."""
    state = activated("R", ["R1a"], {"gold-1": [(0, 4)]})
    assert offered(state) == "R1"
    found, after = seen_after(state, SKIP, PLACED)
    assert (found.kind, found.candidates[0].state) == ("found", after)


def test_a_golem_placed_is_not_taken_for_one_that_the_card_moved():
    """R3 is on offer and a second golem appears with the face of the first, which has not left its card."""
    state = activated("R", ["R3a"], {"gold-1": [(0, 4)]}, coins=(9, 5))
    assert offered(state) == "R3"
    found, after = seen_after(state, SKIP, place(0, "blue-2", 4))
    assert found.kind == "question"
    assert found.candidates[0].state == after


def test_a_golem_set_and_turned_before_anybody_looked_is_not_taken_for_one_that_was_placed():
    """The tower's base sets it, its card turns it: the same picture as leaving the tower alone and placing."""
    state = play(table({"red-1": [(0, 1)]}, cards={"red-1": "R1a"}, coins=(9, 5)), finish(0, "red-1"))
    assert offered(state) == "towers"
    tower = {"kind": "activate", "seat": 0, "tower": "red"}
    turned = {"kind": "rotate", "seat": 0, "slot": "gold-2", "face": 2, "steps": 1}
    found, after = seen_after(state, tower, {"kind": "set", "seat": 0, "slot": "gold-2"}, turned)
    assert found.kind == "question"
    assert after in [way.state for way in found.candidates]


def test_a_take_back_and_a_placing_seen_together_are_still_believed():
    """Both leave a trace and nothing else could be decided between them."""
    dice = {"blue-1": [(0, 2)], "gold-2": [(0, 5)], "red-1": [(0, 3)], "red-2": [(0, 3)], "violet-1": [(0, 3)]}
    state = table(dice, coins=(9, 5))
    take = {"kind": "take", "seat": 0, "slot": "blue-1", "face": 2}
    found, after = seen_after(state, take, place(0, "gold-1", 4))
    assert (found.kind, found.candidates[0].state) == ("found", after)


def test_the_table_asks_and_the_answer_is_played_whole():
    """The camera sees the placing only; the question stands, and nothing is committed before it is answered."""
    game = Game(tower_to_activate())
    assert game.look().kind == "same"
    verdict = game.look(expected=pack.expect(play(game.state, SKIP, PLACED)))
    assert verdict.kind == "question"
    assert verdict.moves == ()
    for move in verdict.explanation.candidates[1].moves:
        game.play(pack.encode(move))
    assert offered(game.state) != "towers"
    assert game.look().kind == "same"


def soak() -> Any:
    """The search for wrong stories, as a module."""
    path = Path(__file__).parents[3] / "scripts" / "soak" / "skytopia_untold.py"
    spec = importlib.util.spec_from_file_location("skytopia_untold", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_in_random_games_no_story_of_several_moves_is_believed_wrongly():
    """A game of two, three and four, from every state: what is seen alone is believed, what was decided before is asked."""
    search = soak()
    counts = Counter(search.judge(run)[0] for number in range(3) for run in search.runs(number))
    assert not any("WRONG" in name for name in counts)
    assert {name for name in counts if name.startswith("visible")} == {"visible: believed and right"}
    assert sum(n for name, n in counts.items() if name.startswith("untold")) > 100
