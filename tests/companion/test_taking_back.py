"""Undo past something that was shown: asked for by who may, agreed to by everybody, and never conjured by one phone."""

from __future__ import annotations

import pytest

from companion.wire.messages import Answer
from tests.companion import toy
from tests.companion.desk import Desk
from tests.views import view_of


@pytest.fixture
def open_cards(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A toy game in which every move shows something, and Ada's has just been made."""
    play = toy.pack.play
    monkeypatch.setattr(
        toy.pack, "play", lambda s, m: type(r := play(s, m))(r.state, r.events, reveals=True), raising=False
    )
    toys.new("toy")
    assert toys.move(kind="place", seat=0, face=4).ok
    return toys


def code(answer: Answer) -> str:
    """Why not; empty when it was carried out."""
    return answer.refusal.code if answer.refusal else ""


def stands(desk: Desk) -> bool:
    """Ada's die still lies there."""
    return view_of(desk.state)["die"] is not None


def test_consent_nobody_asked_for_takes_nothing_back(desk: Desk) -> None:
    """Ben's phone says "I agree" to an undo that exists in its message only."""
    desk.new()
    ada, ben = desk.sit(0), desk.sit(1)
    assert desk.move(ada, kind="points", seat=0, points=50).ok
    assert code(desk.request(ben, undo=True, consent=True)) == "table/not-your-move"
    assert desk.points() == [50, 0]
    assert desk.state.undo is not None
    assert not desk.state.undo.asked


def test_who_agrees_unasked_has_not_asked_either(open_cards: Desk) -> None:
    """Ben's word before Ada's does not count for Ada's wish afterwards."""
    ada, ben = open_cards.sit(0), open_cards.sit(1)
    assert code(open_cards.request(ben, undo=True, consent=True)) == "table/not-your-move"
    assert code(open_cards.request(ada, undo=True)) == "table/consent"
    assert stands(open_cards)
    assert open_cards.request(ben, undo=True, consent=True).ok
    assert not stands(open_cards)


def test_the_only_phone_does_not_take_back_what_others_have_seen(open_cards: Desk) -> None:
    """Whoever has no phone speaks through the screen: without its word nothing shown is unseen."""
    ada = open_cards.sit(0)
    for consent in (False, True, True):
        assert code(open_cards.request(ada, undo=True, consent=consent)) == "table/consent"
        assert stands(open_cards)
    assert open_cards.state.undo is not None
    assert open_cards.state.undo.asked
    assert open_cards.request(undo=True, consent=True).ok
    assert not stands(open_cards)


def test_agreement_is_to_one_move_and_ends_with_it(open_cards: Desk) -> None:
    """Ada asked for her die back, then the game went on: that nobody wants any more."""
    ada, ben = open_cards.sit(0), open_cards.sit(1)
    assert code(open_cards.request(ada, undo=True)) == "table/consent"
    assert open_cards.move(kind="turn").ok
    assert open_cards.move(kind="place", seat=1, face=5).ok
    assert open_cards.state.undo is not None
    assert not open_cards.state.undo.asked
    assert code(open_cards.request(ada, undo=True, consent=True)) == "table/not-your-move"
    assert code(open_cards.request(ben, undo=True)) == "table/consent"
    assert stands(open_cards)


def test_another_phone_at_the_seat_has_not_agreed_yet(open_cards: Desk) -> None:
    """Who sits down anew is asked anew."""
    ada, ben = open_cards.sit(0), open_cards.sit(1)
    assert code(open_cards.request(undo=True)) == "table/consent", "the screen asks"
    assert code(open_cards.request(ben, undo=True, consent=True)) == "table/consent"
    assert open_cards.admin("free seat", seat=1).ok
    again = open_cards.sit(1)
    assert code(open_cards.request(ada, undo=True, consent=True)) == "table/consent"
    assert stands(open_cards)
    assert open_cards.request(again, undo=True, consent=True).ok


def test_who_plays_alone_has_nobody_to_ask(desk: Desk) -> None:
    """One chair, one phone: everybody agrees."""
    desk.new("praga", "Ada", depth="full")
    ada = desk.sit(0)
    assert desk.move(ada, kind="correct", seat=0, values={"gold": 1}).ok
    assert desk.move(ada, kind="refresh", pay="gold", seat=0).ok
    assert desk.state.undo is not None
    assert desk.state.undo.consent
    assert desk.request(ada, undo=True).ok


def test_a_correction_made_on_the_screen_is_taken_back_there(desk: Desk) -> None:
    """What is the table's to say is the table's to take back; a round on the pad is everybody's."""
    desk.new("skytopia")
    phone = desk.sit(0)
    assert desk.move(kind="correct", what="dial", value=3).ok
    assert code(desk.request(phone, undo=True)) == "table/not-your-move"
    assert desk.request(undo=True).ok
    desk.new()
    ben = desk.sit(1)
    assert desk.move(kind="score", values={"p0": 3, "p1": 4}).ok
    assert desk.request(ben, undo=True).ok
