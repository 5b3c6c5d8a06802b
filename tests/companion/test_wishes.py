"""Newcomer B3 and B4: another's value is changed by nobody but them; who sees it wrong asks, and their yes or no decides."""

from __future__ import annotations

import pytest

from companion.wire.messages import Answer, Happened, Notice
from companion.wire.words import Words
from tests.companion.desk import Desk

RIGHT = {"kind": "correct", "entry": 0, "points": 21}
"""Ada's line, as Ben would have it."""


def code(answer: Answer) -> str:
    """Why not; empty when it was carried out."""
    return answer.refusal.code if answer.refusal else ""


def asked(desk: Desk) -> Notice | None:
    """The wish everybody can read."""
    return next((notice for notice in desk.state.notices if notice.seat is not None), None)


def reply(desk: Desk, client: str, *, yes: bool) -> Answer:
    """What somebody says to the wish that is shown."""
    wish = asked(desk)
    assert wish is not None
    return desk.move(client, kind="@wish", wish=wish.id, yes=yes)


@pytest.fixture
def pad(desk: Desk) -> Desk:
    """Ada has twelve points, Ben seven."""
    desk.new("scorepad", "Ada", "Ben", "Cleo")
    assert desk.move(kind="points", seat=0, points=12).ok
    assert desk.move(kind="points", seat=1, points=7).ok
    return desk


def test_whose_value_it_is_reads_who_wants_what_and_a_yes_changes_it(pad: Desk) -> None:
    ada, ben = pad.sit(0), pad.sit(1)
    assert pad.move(ben, **RIGHT).ok
    wish = asked(pad)
    assert pad.points() == [12, 7, 0], "asked is not yet changed"
    assert wish is not None
    assert wish.seat == 0
    assert Words("en", {0: "Ada", 1: "Ben"}).say(wish.text) == (
        "Ben would like this written down: “Ada: 12 → 21 (corrected)”"
    )
    assert reply(pad, ada, yes=True).ok
    assert pad.points() == [21, 7, 0]
    assert asked(pad) is None


def test_a_no_leaves_everything_and_everybody_hears_it(pad: Desk) -> None:
    ada, ben = pad.sit(0), pad.sit(1)
    assert pad.move(ben, **RIGHT).ok
    before = pad.state.seq
    assert reply(pad, ada, yes=False).ok
    assert (pad.points(), pad.state.seq, asked(pad)) == ([12, 7, 0], before, None)
    assert any(isinstance(message, Happened) and message.kind == "declined" for _, message in pad.heard)


def test_nobody_answers_for_another_but_the_screen_speaks_for_all(pad: Desk) -> None:
    _, ben, cleo = pad.sit(0), pad.sit(1), pad.sit(2)
    assert pad.move(ben, **RIGHT).ok
    for other in (ben, cleo):
        assert code(reply(pad, other, yes=True)) == "table/not-yours"
    assert pad.points() == [12, 7, 0]
    assert reply(pad, "display", yes=True).ok
    assert pad.points() == [21, 7, 0]


def test_where_there_is_nobody_to_ask_no_question_is_asked(pad: Desk) -> None:
    """Ada has no phone: then the screen, which is everybody's, is the place; and at the screen nobody is asked."""
    ben = pad.sit(1)
    assert code(pad.move(ben, **RIGHT)) == "table/not-yours"
    assert asked(pad) is None
    pad.sit(0)
    assert pad.move(**RIGHT).ok
    assert (pad.points(), asked(pad)) == ([21, 7, 0], None)
    assert pad.move(ben, kind="correct", entry=1, points=8).ok, "one's own needs nobody's yes"
    assert (pad.points(), asked(pad)) == ([21, 8, 0], None)


def test_what_the_rules_refuse_is_not_asked(pad: Desk) -> None:
    pad.sit(0)
    ben = pad.sit(1)
    assert code(pad.move(ben, kind="correct", entry=0, points=10**9)) == "table/not-a-move"
    assert code(pad.move(ben, kind="correct", entry=9, points=1, seat=0)).startswith("scorepad/")
    assert asked(pad) is None


def test_a_yes_is_to_the_figures_that_were_shown(pad: Desk) -> None:
    """The line changed while Ada was reading: what she touched is gone, and the new figures are asked."""
    ada, ben = pad.sit(0), pad.sit(1)
    assert pad.move(ben, **RIGHT).ok
    old = asked(pad)
    assert old is not None
    assert pad.move(kind="correct", entry=0, points=15).ok
    assert code(pad.move(ada, kind="@wish", wish=old.id, yes=True)) == "table/moved-on"
    now = asked(pad)
    assert now is not None
    assert "15 → 21" in Words("en", {0: "Ada", 1: "Ben"}).say(now.text)
    assert pad.move(kind="points", seat=2, points=1).ok, "play goes on meanwhile"
    assert reply(pad, ada, yes=True).ok
    assert pad.points() == [21, 7, 1]


def test_a_wish_ends_with_its_game_and_none_is_conjured(pad: Desk) -> None:
    ada, ben = pad.sit(0), pad.sit(1)
    assert code(pad.move(ada, kind="@wish", wish="wish-0", yes=True)) == "table/moved-on"
    assert pad.move(ben, **RIGHT).ok
    pad.new("scorepad", "Ada", "Ben")
    assert asked(pad) is None
    assert code(pad.move(ada, kind="@wish", wish="wish-1", yes=True)) == "table/moved-on"
    assert pad.points() == [0, 0]
