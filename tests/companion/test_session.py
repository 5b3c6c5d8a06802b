"""One game in play, row by row: what is written, and what is told anew from it (docs/design.md §2)."""

from __future__ import annotations

import re

import msgspec
import pytest

from companion.core.guard import PackFailedError
from companion.core.session import Session, seated
from companion.game import RuleBroken
from companion.journal.rows import Row
from companion.journal.store import Journal
from companion.wire.messages import SeatInfo
from tests.companion.ledger import SEATS, Ledger, Page, anew, begin, facts, kinds, plain, rows, write

pytestmark = pytest.mark.usefixtures("ledger")


# -- beginning -------------------------------------------------------------------------------------------------------


def test_the_first_row_holds_everything_needed_to_begin_again(journal: Journal) -> None:
    """Game, options, names, printed values and chairs; who asked for it; a name that sorts by its time."""
    session = begin(journal, first=1)
    (row,) = rows(session)
    assert (row.kind, row.seq, row.sender) == ("new", 0, "display")
    assert row.body == {
        "pack": "ledger",
        "options": {"depth": "full", "first": 1, "names": ["Ada", "Ben"]},
        "box": {"cards.B1": 3, "cards.B2": 4},
        "seats": plain(SEATS),
    }
    assert Session.start(journal, "ledger", {}, {}, SEATS).first.sender == "", "nobody's order"
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}", session.game)
    assert (session.seq, session.seats, session.state) == (1, SEATS, Page(("Ada", "Ben")))
    assert facts(anew(session)) == facts(session)
    assert (session.hints, session.untaught, session.ended, session.left_out) == ([0, 0], False, False, 0)
    assert (session.mat, session.dial) == (None, None)


def test_what_cannot_be_begun_leaves_nothing_on_disk(journal: Journal, ledger: Ledger) -> None:
    """Wrong options, a mat that cannot be said, a first position of which nothing can be told."""
    with pytest.raises(ValueError, match="first"):
        begin(journal, first="nobody")
    ledger.unmade = True
    with pytest.raises(PackFailedError):
        begin(journal)
    assert journal.games() == []


def test_one_game_for_another_is_one_step(journal: Journal) -> None:
    """The end of the one before is written with it, in the name of who asked; a game at rest gets no second end."""
    before = begin(journal)
    write(before, "one")
    begin(journal, after=before)
    assert kinds(before) == "new move end"
    end = rows(before)[-1]
    assert (end.sender, end.body["moves"]) == ("display", 1)
    assert (before.ended, before.seq) == (True, 3)
    begin(journal, after=before)
    assert kinds(before) == "new move end"


# -- moves -----------------------------------------------------------------------------------------------------------


def test_a_move_is_on_disk_as_it_was_made(journal: Journal) -> None:
    """With who made it, by what, and the request it answers, so that a second delivery is known."""
    session = begin(journal)
    move = {"kind": "write", "word": "one", "seat": 1, "reveals": True}
    outcome = session.play(move, sender="phone-s1", cause="camera", request="r7")
    row = rows(session)[-1]
    assert (row.kind, row.seq, row.sender, row.cause, row.request) == ("move", 1, "phone-s1", "camera", "r7")
    assert row.body == {**move, "learnt": {}}
    assert outcome.state == session.state == Page(("Ada", "Ben"), ("one",))
    (done,) = session.done
    assert (done.row, done.before, done.seat, done.reveals) == (row, Page(("Ada", "Ben")), 1, True)
    assert [text.params["words"] for text in done.said] == ["one"]
    assert session.requests == {"phone-s1:r7": 1}
    assert session.moment.ask.text.params["words"] == "one"
    write(session, "two")
    assert session.requests == {"phone-s1:r7": 1}, "who asks nothing is not waited for"
    assert facts(anew(session)) == facts(session)


@pytest.mark.parametrize(("seat", "whose"), [(0, 0), (1, 1), (2, None), (-1, None), (None, None)])
def test_a_move_belongs_to_a_seat_of_this_table(journal: Journal, seat: int | None, whose: int | None) -> None:
    """Any other is nobody's."""
    session = begin(journal)
    write(session, "one", seat=seat)
    assert session.done[0].seat == whose


def test_what_the_rules_refuse_changes_nothing(journal: Journal, ledger: Ledger) -> None:
    """Nor does a word nobody knows, a position of which nothing can be told, something that happens to a seat nobody has, or
    a move that could not be read back."""
    session = begin(journal)
    write(session, "one")
    before, present = facts(session), session.moment
    ledger.forbidden, ledger.unsayable = {"unknown"}, {"bad"}
    for word, wrong in (
        ("no", RuleBroken),
        ("unknown", msgspec.ValidationError),
        ("bad", PackFailedError),
        ("stray", PackFailedError),
        ("lost", PackFailedError),
    ):
        with pytest.raises(wrong) as failed:
            write(session, word)
        assert (facts(session), kinds(session)) == (before, "new move")
        assert session.moment is present
    assert isinstance(failed.value, PackFailedError)
    assert failed.value.how == "nonsense"
    assert failed.value.brief.startswith("a move it cannot read back: Object missing required field `word`")
    assert failed.value.brief.endswith("(in encode)")


def test_printed_values_put_right_or_shown_are_this_games_box(journal: Journal) -> None:
    """The newest counts, over what the game began with; taken back it counts no more. A key that is no word says nothing."""
    session = begin(journal)
    write(session, "one", learnt={"cards.B1": 5})
    session.play({"kind": "box", "key": "cards.B2", "value": 6}, sender="display", cause="")
    assert session.box == {"cards.B1": 5, "cards.B2": 6}
    session.play({"kind": "box", "key": 7, "value": 8}, sender="display", cause="")
    session.play({"kind": "box", "key": "cards.B1"}, sender="display", cause="")
    assert [dict(done.learnt) for done in session.done] == [{"cards.B1": 5}, {"cards.B2": 6}, {}, {}]
    write(session, "cards.B1", learnt={"cards.B2": 9}, seat=0)
    assert facts(anew(session)) == facts(session)
    for _ in range(4):
        session.undo(sender="display", cause="")
    assert session.box == {"cards.B1": 5, "cards.B2": 4}


def test_an_undo_is_a_row_that_names_what_it_takes_back(journal: Journal) -> None:
    """The move is returned, the position before it stands, and nothing on disk is changed."""
    session = begin(journal)
    write(session, "one")
    write(session, "two")
    taken = session.undo(sender="phone-s0", cause="touch", request="r9")
    assert taken.row.body["word"] == "two"
    row = rows(session)[-1]
    assert (row.kind, row.body, row.sender, row.cause, row.request) == ("undo", {"seq": 2}, "phone-s0", "touch", "r9")
    assert session.state.words == ("one",)
    assert session.moment.ask.text.params["words"] == "one"
    assert session.requests == {"phone-s0:r9": 3}
    assert facts(anew(session)) == facts(session)
    session.undo(sender="display", cause="")
    assert (rows(session)[-1].request, session.requests) == ("", {"phone-s0:r9": 3}), "nobody waits for it"


def test_an_undo_to_a_position_nothing_can_be_said_about_is_refused(journal: Journal, ledger: Ledger) -> None:
    """The move stands."""
    session = begin(journal)
    write(session, "one")
    write(session, "two")
    ledger.unsayable = {"one"}
    with pytest.raises(PackFailedError):
        session.undo(sender="display", cause="")
    assert (session.state.words, kinds(session)) == (("one", "two"), "new move move")


# -- rows by which nobody moves --------------------------------------------------------------------------------------


def test_clock_lesson_and_hints_are_rows_aside(journal: Journal) -> None:
    """Each once for what it says, in the name of who asked, and none of them a move."""
    session = begin(journal)
    for stopped in (False, True, True, False):
        session.stop_clock(sender="display", stopped=stopped)
        assert session.clock.stopped == stopped
    session.leave_lesson(sender="phone-s0")
    session.leave_lesson(sender="phone-s0")
    session.given_hint(1, sender="phone-s1")
    session.given_hint(1, sender="phone-s1")
    assert [(row.body, row.sender) for row in rows(session)[1:]] == [
        ({"clock": "stopped"}, "display"),
        ({"clock": "runs"}, "display"),
        ({"lesson": "left"}, "phone-s0"),
        ({"hint": 1}, "phone-s1"),
    ]
    assert {row.kind for row in rows(session)[1:]} == {"resume"}
    assert session.aside == {1, 2, 3, 4}
    assert (session.untaught, session.hints, session.done) == (True, [0, 1], [])
    assert facts(anew(session)) == facts(session)


def test_hints_are_counted_once_a_decision_and_for_seats_of_this_table(journal: Journal) -> None:
    """After the next move it is another decision."""
    session = begin(journal)
    for seat in (0, 1):
        session.given_hint(seat, sender="display")
    write(session, "one")
    session.given_hint(0, sender="display")
    assert session.hints == [2, 0]
    write(session, "two")
    session.given_hint(2, sender="display")
    session.given_hint(-1, sender="display")
    assert session.hints == [2, 0]
    assert facts(anew(session)) == facts(session)


def test_a_name_is_a_row_from_which_the_game_is_told_anew(journal: Journal) -> None:
    """Only that chair's; what was played stays, and the row is no move."""
    session = begin(journal)
    write(session, "one")
    named = session.rename(SeatInfo(seat=1, name="Bob"), sender="phone-s1")
    row = rows(session)[-1]
    assert (row.kind, row.sender, row.body["name"]) == ("seat", "phone-s1", "Bob")
    assert [seat.name for seat in named.seats] == ["Ada", "Bob"]
    assert (named.state.names, named.options["names"], named.aside) == (("Ada", "Bob"), ["Ada", "Bob"], {2})
    assert named is not session
    assert facts(anew(named)) == facts(named)


def test_a_game_that_would_lose_moves_by_being_told_anew_keeps_its_position(journal: Journal, ledger: Ledger) -> None:
    """The chair has its new name all the same."""
    session = begin(journal)
    write(session, "one")
    ledger.forbidden = {"one"}
    named = session.rename(SeatInfo(seat=1, name="Bob"), sender="phone-s1")
    assert named is session
    assert [seat.name for seat in named.seats] == ["Ada", "Bob"]
    assert (named.state, named.aside) == (Page(("Ada", "Ben"), ("one",)), {2})


def test_a_game_that_fails_when_it_is_told_anew_keeps_its_position(journal: Journal, ledger: Ledger) -> None:
    """A name is no reason to lose an evening."""
    session = begin(journal)
    write(session, "one")
    ledger.unplayable = {"one"}
    named = session.rename(SeatInfo(seat=1, name="Bob"), sender="phone-s1")
    assert named is session
    assert ([seat.name for seat in named.seats], named.state.words) == (["Ada", "Bob"], ("one",))


def test_who_sits_where_follows_the_rows(journal: Journal) -> None:
    """A chair that is not at this table is passed over, names are cleaned, and chairs come in order."""
    first = begin(journal).first
    far, here = SeatInfo(seat=2, name="Eve"), SeatInfo(seat=0, name=" Ada \n L. ")
    named = [Row("g", i, "seat", msgspec.to_builtins(seat)) for i, seat in enumerate((far, here), 1)]
    assert [(seat.seat, seat.name) for seat in seated([first, *named])] == [(0, "Ada L."), (1, "Ben")]
    mixed = msgspec.structs.replace(first, body={**first.body, "seats": first.body["seats"][::-1]})
    with pytest.raises(ValueError, match=r"^seats: they are not numbered from the first to the last$"):
        seated([mixed])
