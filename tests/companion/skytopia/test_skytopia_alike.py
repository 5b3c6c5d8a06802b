"""One move is believed, and what makes the very same picture is told beside it: a touch takes the other story instead."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skytopia_table import play, table
from test_skytopia_edges import SKIP, finish, place
from test_skytopia_more_edges import activated
from test_skytopia_over_the_core import code, position, put

from benches.rules import VARIANTS, reading, steps
from companion.games.skytopia import pack
from companion.games.skytopia.state import SkytopiaState
from companion.senses.alike import NODES, alike
from companion.wire.messages import Answer, MarketSeen, Question
from companion.wire.words import Words
from tests.companion.desk import Desk

TURNED = {"kind": "rotate", "seat": 0, "slot": "gold-1", "face": 4, "steps": 1}
SET = {"kind": "set", "seat": 0, "slot": "blue-2"}
PLACED = place(0, "blue-2", 2)


def turning(*cards: str) -> SkytopiaState:
    """Magda's tower turns a golem by one step with each of these cards; the lowest is on offer."""
    return activated("R", list(cards), {"gold-1": [(0, 4)]}, coins=(9, 5))


def setting() -> SkytopiaState:
    """The red base may set a golem, and the card above it carry it on; or it is assigned for nothing afterwards."""
    state = table({"red-1": [(0, 1)]}, cards={"red-1": "R3a"}, coins=(9, 5))
    return play(state, finish(0, "red-1"), {"kind": "activate", "seat": 0, "tower": "red"})


def kinds(state: SkytopiaState, told: dict[str, Any]) -> list[tuple[list[str], bool]]:
    """The stories told beside a move, by the kinds of their moves."""
    found = alike(pack, state, pack.decode(told), told["seat"])
    return [([pack.encode(move)["kind"] for move in story.moves], story.whole) for story in found]


def test_the_same_done_by_the_next_card_is_told_whole() -> None:
    assert kinds(turning("R1a", "R1b"), TURNED) == [(["skip", "rotate"], True)]


def test_where_several_stories_begin_alike_their_beginning_is_told() -> None:
    assert kinds(turning("R1a", "R1b", "R1c"), TURNED) == [(["skip"], False)]


def test_a_golem_set_and_carried_on_is_told_beside_one_assigned() -> None:
    assert kinds(setting(), SET) == [(["skip", "place"], True), (["set", "move"], True)]


def test_what_comes_to_the_same_is_not_told() -> None:
    """One card that turns: nothing else looks so. Two cards that take a golem back: the second finds none, used or not."""
    assert kinds(turning("R1a"), TURNED) == []
    taken = {"kind": "take", "seat": 0, "slot": "gold-1", "face": 4}
    assert kinds(activated("B", ["B1a", "B1b"], {"gold-1": [(0, 4)]}), taken) == []


@settings(max_examples=20)
@given(st.integers(0, 6), st.integers(0, 2**32))
def test_every_story_told_looks_like_the_move_and_ends_elsewhere(variant: int, seed: int) -> None:
    """Anywhere in random games: the same picture for whole stories, another position always, one player's moves only; and
    what is told of the beginning of several leads on to the picture."""
    told = 0
    for before, move, after in steps(VARIANTS[variant], random.Random(seed)):
        seat = getattr(move, "seat", None)
        if seat is None or before.phase == "setup" or pack.expect(before) == pack.expect(after):
            continue
        for story in alike(pack, before, move, seat):
            here = before
            for one in story.moves:
                assert getattr(one, "seat", None) in (None, seat)
                here = pack.play(here, one).state
            assert here != after
            assert (pack.expect(here) == pack.expect(after)) == story.whole
        told += 1
        if told > 15:
            break


def test_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0
    real = type(pack).play

    def counting(self: Any, state: Any, move: Any) -> Any:
        nonlocal tried
        tried += 1
        return real(self, state, move)

    monkeypatch.setattr(type(pack), "play", counting)
    for before, move, after in steps(VARIANTS[2], random.Random(5)):
        seat = getattr(move, "seat", None)
        if before.phase != "setup" and seat is not None and before != after:
            tried = 0
            alike(pack, before, move, seat)
            assert tried <= NODES + 1


# at the table ----------------------------------------------------------------------------------------------------


def seen(desk: Desk, *moves: dict[str, Any], ts: float = 1.0) -> None:
    """The camera sees the table as these moves leave it."""
    look(desk, play(position(desk), *moves), ts)


def look(desk: Desk, state: SkytopiaState, ts: float) -> None:
    """A golem that a hand has turned lies a little elsewhere than before."""
    slots = tuple(
        msgspec.structs.replace(slot, dice=tuple(msgspec.structs.replace(die, x=0.1 * ts) for die in slot.dice))
        for slot in reading(pack.expect(state)).slots.values()
    )
    desk.display.publish("sensor/market", MarketSeen(state="ready", ts=ts, slots=slots))
    desk.pump()


def told(desk: Desk) -> Question | None:
    """What everybody reads about the last move."""
    return desk.state.undo.otherwise if desk.state.undo else None


def touch(desk: Desk, client: str = "display") -> Answer:
    other = told(desk)
    assert other is not None
    return desk.request(client, move=other.answers[0].move)


def at(desk: Desk, state: SkytopiaState) -> SkytopiaState:
    desk.new("skytopia", "Magda", "Louis")
    put(desk, state)
    seen(desk)
    return state


def test_the_move_is_believed_without_a_question_and_the_other_reading_told(desk: Desk) -> None:
    before = at(desk, turning("R1a", "R1b"))
    seen(desk, TURNED, ts=2.0)
    assert position(desk) == play(before, TURNED)
    assert desk.prompt.question is None
    assert desk.state.notices == ()
    other = told(desk)
    assert other is not None
    assert desk.state.undo is not None
    assert desk.state.undo.seat == 0
    say = Words("en", {0: "Magda", 1: "Louis"}).say
    assert say(other.text) == ("Read as: Magda turns golem 4 by 1 step: gold, row 1. If it was not, touch what it was:")
    assert say(other.answers[0].text) == "Magda does not use it and Magda turns golem 4 by 1 step: gold, row 1"


def test_one_touch_takes_it_back_and_plays_the_other_story(desk: Desk) -> None:
    """One touch, and the table lies as it lay: nothing is to be laid back, nothing differs, and the line is gone."""
    before = at(desk, turning("R1a", "R1b"))
    seen(desk, TURNED, ts=2.0)
    assert touch(desk).ok
    assert position(desk) == play(before, SKIP, TURNED)
    assert (told(desk), desk.state.notices, desk.prompt.question) == (None, (), None)
    seen(desk, ts=3.0)
    assert position(desk) == play(before, SKIP, TURNED)
    assert desk.state.notices == ()
    rows = desk.journal.rows(desk.state.game_id)
    assert [(row.kind, row.cause) for row in rows[-4:]] == [
        ("move", "camera"), ("undo", "touch"), ("move", "touch"), ("move", "touch")
    ]  # fmt: skip


def test_undo_works_as_ever(desk: Desk) -> None:
    before = at(desk, turning("R1a", "R1b"))
    seen(desk, TURNED, ts=2.0)
    assert desk.request(undo=True).ok
    assert position(desk) == before
    assert told(desk) is None
    seen(desk, ts=3.0)
    seen(desk, TURNED, ts=4.0)
    assert touch(desk).ok
    assert desk.request(undo=True).ok
    assert position(desk) == play(before, SKIP), "the last move of the other story"


def test_only_whose_move_it_was_or_the_screen_says_otherwise(desk: Desk) -> None:
    before = at(desk, turning("R1a", "R1b"))
    magda, louis = desk.sit(0), desk.sit(1)
    seen(desk, TURNED, ts=2.0)
    assert code(touch(desk, louis)) == "table/not-yours"
    assert position(desk) == play(before, TURNED)
    assert touch(desk, magda).ok
    assert position(desk) == play(before, SKIP, TURNED)


def test_it_is_gone_with_the_next_move_and_none_is_conjured(desk: Desk) -> None:
    at(desk, turning("R1a", "R1b"))
    seen(desk, TURNED, ts=2.0)
    other = told(desk)
    assert other is not None
    assert desk.move(**SKIP).ok
    assert told(desk) is None
    here = position(desk)
    for name in (other.id, "q0", "q9", None):
        stale = desk.move(kind="@answer", question=name, answer=0)
        assert code(stale) == "table/moved-on"
    assert desk.request(undo=True).ok
    assert told(desk) is None, "also when that next move is taken back"
    assert position(desk) != here


def test_an_answer_that_was_not_offered_changes_nothing(desk: Desk) -> None:
    before = at(desk, turning("R1a", "R1b"))
    seen(desk, TURNED, ts=2.0)
    other = told(desk)
    assert other is not None
    for number in (1, -1, "0", None):
        assert code(desk.move(kind="@answer", question=other.id, answer=number)) == "table/moved-on"
    assert position(desk) == play(before, TURNED)


def test_where_several_go_on_alike_the_table_is_looked_at_anew(desk: Desk) -> None:
    """Three cards that turn, the first was passed over: the second is believed, and the third told beside it."""
    before = at(desk, turning("R1a", "R1b", "R1c"))
    seen(desk, TURNED, ts=2.0)
    assert touch(desk).ok
    assert (position(desk), desk.prompt.question) == (play(before, SKIP, TURNED), None)
    assert touch(desk).ok
    assert position(desk) == play(before, SKIP, SKIP, TURNED)
    assert desk.state.notices == ()


def test_of_several_other_stories_which_one_is_asked_and_the_same_reading_does_not_settle_it(desk: Desk) -> None:
    before = at(desk, setting())
    seen(desk, SET, ts=2.0)
    other = told(desk)
    assert position(desk) == play(before, SET)
    assert other is not None
    assert other.answers[0].text.key == "otherwise/several"
    assert touch(desk).ok
    assert position(desk) == before
    question = desk.prompt.question
    assert question is not None
    assert len(question.answers) == 4, "as it was taken, two others, look again"
    look(desk, play(before, SET), 3.0)
    assert desk.prompt.question == question
    assert position(desk) == before
    assert desk.request(move=question.answers[1].move).ok
    assert position(desk) == play(before, SKIP, PLACED)
    assert (desk.prompt.question, desk.state.notices) == (None, ())


def test_pieces_laid_back_settle_the_question(desk: Desk) -> None:
    before = at(desk, setting())
    seen(desk, SET, ts=2.0)
    assert touch(desk).ok
    seen(desk, ts=3.0)
    assert (desk.prompt.question, position(desk)) == (None, before)


def test_a_move_made_by_touch_is_nobodys_guess(desk: Desk) -> None:
    at(desk, turning("R1a", "R1b"))
    assert desk.move(**TURNED).ok
    assert told(desk) is None
