"""The core and its sensors: settled readings move the game, doubtful ones ask, hands are waited for (docs/design.md §2)."""

from __future__ import annotations

from companion.wire.messages import DialSeen, MarketSeen, SlotSeen
from tests.companion.desk import Desk, a_die, a_market
from tests.views import view_of


def test_a_settled_reading_is_committed(toys: Desk) -> None:
    """Camera and dial move the game by themselves."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=2.0, position=1))
    toys.display.publish("sensor/market", a_market(ts=3.0))
    assert view_of(toys.state)["die"] is None
    assert view_of(toys.state)["dial"]["position"] == 1
    causes = [row.cause for row in toys.journal.rows(toys.state.game_id)]
    assert causes == ["", "camera", "dial"]


def test_a_touched_move_waits_for_the_hand(toys: Desk) -> None:
    """Ada touches her choice first; the empty card is not taken for a change of mind, the die then confirms it."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market())
    assert toys.move(kind="place", seat=0, face=4).ok
    toys.display.publish("sensor/market", a_market(ts=2.0))
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}
    assert toys.state.notices == ()
    toys.display.publish("sensor/market", a_market(a_die("sun", 4), ts=3.0))
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}
    toys.display.publish("sensor/market", a_market(a_die("sun", 6), ts=4.0))
    assert [notice.id for notice in toys.state.notices] == ["differs-gold-1"]


def test_the_dial_alone_ends_the_turn_while_the_die_still_lies_there(toys: Desk) -> None:
    """What a move makes happen may take the hand a moment."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=2.0, position=1))
    assert view_of(toys.state)["dial"]["position"] == 1
    assert toys.state.notices == ()
    toys.display.publish("sensor/market", a_market(ts=3.0))
    assert view_of(toys.state)["dial"]["position"] == 1
    toys.display.publish("sensor/market", a_market(a_die("leaf", 5), ts=4.0))
    assert view_of(toys.state)["die"] == {"owner": 1, "face": 5}


def test_no_reading_is_acted_on_while_a_hand_is_over_the_table(toys: Desk) -> None:
    """Explicit states, never a guess."""
    toys.new("toy")
    for state in ("hand", "settling", "too dark", "no camera", "drifted", "starting"):
        toys.display.publish("sensor/market", a_market(a_die("sun", 4), state=state))
        assert view_of(toys.state)["die"] is None


def test_fiddling_with_the_die_just_placed_amends_the_move(toys: Desk) -> None:
    """Turned from 4 to 5 before anything else happened: it was the 5."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
    assert view_of(toys.state)["die"]["face"] == 4
    toys.display.publish("sensor/market", a_market(a_die("sun", 5), ts=2.0))
    assert view_of(toys.state)["die"]["face"] == 5
    assert toys.points() == [5, 0]


def test_a_die_taken_away_again_takes_the_move_back(toys: Desk) -> None:
    """The hand changed its mind."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
    toys.display.publish("sensor/market", a_market(ts=2.0))
    assert view_of(toys.state)["die"] is None


def test_an_illegal_table_is_said_with_what_to_do(toys: Desk) -> None:
    """Face 1 is forbidden: a notice, no move; put right, the notice goes."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 1)))
    assert [notice.id for notice in toys.state.notices] == ["differs-gold-1"]
    assert view_of(toys.state)["die"] is None
    toys.display.publish("sensor/market", a_market(ts=2.0))
    assert toys.state.notices == ()


def test_an_unsure_reading_is_one_question_answered_by_a_tap(toys: Desk) -> None:
    """Ranked answers; the chosen one is committed."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0)))
    question = toys.prompt.question
    assert question is not None
    assert view_of(toys.state)["die"] is None
    assert toys.request(move=question.answers[1].move).ok
    assert view_of(toys.state)["die"]["face"] == 4
    assert toys.prompt.question is None


def test_the_same_doubt_again_is_the_same_question(toys: Desk) -> None:
    """A finger already on its way to an answer is not told that the table has moved on."""
    toys.new("toy")
    for ts in (1.0, 2.0, 3.0):
        toys.display.publish("sensor/market", a_market(a_die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0), ts=ts))
        assert toys.prompt.question is not None
        assert toys.prompt.question.id == "q1"


def test_print_that_looks_a_little_like_a_die_blocks_nothing(toys: Desk) -> None:
    """A ghost beside the real die: no legal move explains both, the sure one alone makes sense."""
    toys.new("toy")
    ghost = a_die("leaf", 0.1, 0.1, 0.5, 0.1, 0.1, 0.1)
    toys.display.publish("sensor/market", a_market(ghost))
    assert toys.state.notices == ()
    toys.display.publish("sensor/market", a_market(ghost, a_die("sun", 4), ts=2.0))
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}


def test_what_was_said_to_differ_is_gone_with_the_move_that_explains_it(desk: Desk) -> None:
    """A first golem lay on a wrong card and is carried to the right one in one go: nobody is told off any more."""
    desk.new("skytopia")
    while (asked := desk.prompt.ask).text.key != "skytopia/ask/start":
        assert desk.move(**next(choice for choice in asked.choices if choice.off is None).move).ok
    right, seat = asked.choices[0].move["slot"], asked.choices[0].move["seat"]
    face = asked.text.params["face"]
    assert isinstance(face, int)
    wrong = next(
        slot for slot in ("blue-1", "gold-1", "red-1") if slot not in {one.move["slot"] for one in asked.choices}
    )
    colour = desk.state.seats[seat].colour
    for ts, place in enumerate((wrong, right), 1):
        seen = {slot: (a_die(colour, face),) if slot == place else () for slot in (wrong, right)}
        slots = tuple(SlotSeen(slot=slot, dice=dice) for slot, dice in seen.items())
        desk.display.publish("sensor/market", MarketSeen(state="ready", ts=float(ts), slots=slots))
        told_off = [notice.id for notice in desk.state.notices if notice.id.startswith("differs")]
        assert told_off == ([f"differs-{wrong}"] if place == wrong else [])
    assert desk.table.session is not None
    assert desk.table.session.done[-1].row.cause == "camera"
