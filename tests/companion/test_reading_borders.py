"""Readings at their borders: a die that was too many, a card the camera names, a dial and a list that is ticked off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core import registry
from companion.game import Die, Expected, SlotExpected, Text
from companion.senses.explain import Difference, Seen
from companion.senses.notices import _picture, difference_notices, rebuild_notices, restore_notices, ticked
from companion.wire.messages import CardSeen, DialSeen, MarketSeen, Notice, SlotSeen
from tests.companion import toy
from tests.companion.desk import Desk, a_die
from tests.views import view_of


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """A desk where the toy game can be played, with a game begun."""
    monkeypatch.setattr(registry, "usable", lambda: {"toy": toy.guarded})
    monkeypatch.setattr("companion.core.session.find_pack", lambda name: toy.guarded)
    desk = Desk(tmp_path)
    desk.new("toy")
    return desk


def look(desk: Desk, *dice: Any, ts: float = 1.0, slot: str = "gold-1", **more: Any) -> None:
    """The camera reports one place."""
    slots = (SlotSeen(slot=slot, dice=dice, **more),)
    desk.display.publish("sensor/market", MarketSeen(state="ready", ts=ts, slots=slots))
    desk.pump()


def test_a_die_that_was_too_many_counts_when_it_comes_back_as_a_move(toys: Desk) -> None:
    """Put down out of turn and taken away again; in its owner's turn the same die on the same card is the move."""
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=0.5, position=0))
    look(toys, a_die("leaf", 4))
    assert view_of(toys.state)["die"] is None
    look(toys, ts=2.0)
    look(toys, a_die("sun", 3), ts=3.0)
    toys.display.publish("sensor/market", MarketSeen(state="hand", ts=3.5))
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=4.0, position=1))
    look(toys, ts=4.0)
    assert (view_of(toys.state)["die"], view_of(toys.state)["dial"]["position"]) == (None, 1)
    look(toys, a_die("leaf", 4), ts=5.0)
    assert view_of(toys.state)["die"] == {"owner": 1, "face": 4}


def test_a_die_taken_back_at_once_takes_its_move_back(toys: Desk) -> None:
    """People fiddle: what the camera committed and nothing followed is undone when the die goes."""
    look(toys, a_die("sun", 4))
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}
    look(toys, ts=2.0)
    assert view_of(toys.state)["die"] is None


def test_a_dial_still_where_it_was_waits_for_the_hand(toys: Desk) -> None:
    """A turn told by touch: the dial lags behind, then follows, or goes where nobody wanted it."""
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=1.0, position=0))
    assert toys.move(kind="place", seat=0, face=3).ok
    assert toys.move(kind="turn").ok
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=2.0, position=0))
    assert not [notice for notice in toys.state.notices if notice.id.startswith("differs")]
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=3.0, position=4))
    assert [notice.id for notice in toys.state.notices if notice.id.startswith("differs")] == ["differs-dial"]
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=4.0, position=1))
    assert not [notice for notice in toys.state.notices if notice.id.startswith("differs")]


def test_an_answer_the_disk_refuses_leaves_the_question_standing(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer counts as soon as there is room: nobody has to move a die to be asked again."""
    look(toys, a_die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0))
    question = toys.prompt.question
    assert question is not None

    def full(*row: Any, **more: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(toys.journal._spare, "append", full)
        assert not toys.request(move=question.answers[0].move).ok
    assert toys.request(move=question.answers[0].move).ok
    assert view_of(toys.state)["die"]["face"] == 3


def test_an_answer_to_a_question_nobody_asks_is_refused(toys: Desk) -> None:
    """The table has moved on; and before a game there is nothing to move."""
    late = toys.request(move={"kind": "@answer", "question": "q7", "answer": 0})
    assert not late.ok
    assert late.refusal is not None
    assert late.refusal.code.endswith("moved-on")


def test_a_move_without_a_game_is_refused(tmp_path: Path) -> None:
    """It says so; the screen offers a new one."""
    desk = Desk(tmp_path)
    refused = desk.move(kind="points", seat=0, points=1)
    assert not refused.ok
    assert refused.refusal is not None
    assert refused.refusal.code.endswith("no-game")


def test_none_of_the_answers_leaves_everything_as_it_was(toys: Desk) -> None:
    """ "Look again": the die that lies there is what it was; it is not asked about twice."""
    unsure = a_die("sun", 0.01, 0.01, 0.48, 0.48, 0.01, 0.01)
    look(toys, unsure)
    question = toys.prompt.question
    assert question is not None
    assert toys.request(move=question.answers[-1].move).ok
    assert view_of(toys.state)["die"] is None


# what differs, and how it is put right ---------------------------------------------------------------------------


def test_what_differs_is_told_by_its_kind() -> None:
    """Dial, dice, or a card that is another."""
    state = toy.pack.new({"names": ["A", "B"]}, {})
    found = (
        Difference("dial", expected_dial=1, seen_dial=3),
        Difference("gold-1", (), (Die(0, 4),)),
        Difference("red-1", (Die(1, 2),), (Die(1, 2),)),
    )
    notices = difference_notices(toy.pack, state, found)
    assert [notice.text.key for notice in notices] == ["differs/dial", "differs/dice", "differs/card"]
    assert notices[0].text.params == {"n": 2}
    assert all(notice.do is not None for notice in notices)


def test_a_list_is_ticked_off_by_what_the_sensors_see() -> None:
    """The dial by its notch, a slot by its dice; what no sensor sees people tick themselves."""
    expected = Expected((SlotExpected("gold-1", (Die(0, 4),)),), 2, 6)
    notices = (
        Notice(id="a", text=Text("restore/dial"), kind="todo", slot="dial"),
        Notice(id="b", text=Text("restore/slot"), kind="todo", slot="gold-1"),
        Notice(id="c", text=Text("restore/coins"), kind="todo", slot=""),
        Notice(id="d", text=Text("differs/dial"), kind="warn", slot="dial"),
    )
    seen = Seen({"gold-1": SlotSeen(slot="gold-1", dice=(a_die("sun", 4),))}, {"sun": 0}, 2)
    assert [notice.done for notice in ticked(notices, expected, seen)] == [True, True, False, False]
    wrong = msgspec.structs.replace(seen, dial=3, slots={"gold-1": SlotSeen(slot="gold-1")})
    assert [notice.done for notice in ticked(notices, expected, wrong)] == [False, False, False, False]


def test_a_pack_with_words_of_its_own_places_them() -> None:
    """A component move that names a slot can be ticked off there, one about the dial at the dial."""

    class Worded(toy.Toy):
        def restore(self, now: Any, wanted: Any) -> tuple[Text, ...]:
            return (
                Text("toy/dial"),
                Text("toy/put", {"slot": Text("slot/name", {"slot": "gold-1"})}),
                Text("toy/coins"),
            )

    state = toy.pack.new({"names": ["A", "B"]}, {})
    listed = restore_notices(Worded(), state, state, ())
    assert [notice.slot for notice in listed] == ["dial", "gold-1", ""]
    plain = restore_notices(toy.pack, state, msgspec.structs.replace(state, dial=2, die=Die(0, 3)), ())
    assert [notice.id for notice in plain] == ["restore-gold-1", "restore-dial"]
    assert [notice.id for notice in rebuild_notices(toy.pack, state, state, ())] == ["rebuild-dial"]


def test_only_a_die_has_a_picture() -> None:
    """A question shows the die it is about; a turn of the dial has none."""
    assert _picture(toy.pack, (toy.Place(0, 4),))["die"] == {"owner": 0, "face": 4}
    assert _picture(toy.pack, (toy.Turn(),)) == {}


# cards the camera names ------------------------------------------------------------------------------------------


def test_a_card_the_camera_knows_is_named_once_it_may_lie_there(tmp_path: Path) -> None:
    """Skytopia: an unidentified card is named by a sure reading; one that lies elsewhere is people's to name."""
    desk = Desk(tmp_path)
    desk.new("skytopia", "Ada", "Ben")
    assert desk.move(kind="deal").ok
    named = (
        SlotSeen(slot="gold-1", card=CardSeen(card="B1a", share=0.99)),
        SlotSeen(slot="gold-2", card=CardSeen(card="G1a", share=0.99)),
        SlotSeen(slot="blue-1", card=CardSeen(card="B2a", share=0.2)),
    )
    desk.display.publish("sensor/market", MarketSeen(state="ready", ts=5.0, slots=named))
    cards = {slot["slot"]: slot["card"] for slot in view_of(desk.state)["market"]["slots"]}
    assert (cards["gold-1"], cards["gold-2"], cards["blue-1"]) == (None, "G1a", None)
