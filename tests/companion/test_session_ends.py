"""A game put away, taken up again, followed by somebody else, or told by rules that are no longer its own."""

from __future__ import annotations

import pytest

from companion.core.guard import PackFailedError
from companion.core.session import Session
from companion.journal.store import Journal
from tests.companion.ledger import SEATS, Ledger, anew, begin, facts, kinds, plain, rows, write

pytestmark = pytest.mark.usefixtures("ledger")


# -- ending and going on ---------------------------------------------------------------------------------------------


def test_an_end_says_how_the_game_stood(journal: Journal) -> None:
    """Tally, chart, how many moves, who sat where, and how long they took; whether it was played out."""
    session = begin(journal)
    write(session, "one", seat=0)
    session.end(sender="display")
    row = rows(session)[-1]
    assert (row.kind, row.sender, session.ended, session.seq) == ("end", "display", True, 3)
    assert (row.cause, row.request, session.requests) == ("", "", {})
    assert row.body["tally"] == plain(Ledger().tally(session.state))
    assert (row.body["over"], row.body["chart"], row.body["moves"]) == (False, [[1]], 1)
    assert row.body["seats"] == plain(SEATS)
    assert len(row.body["spent"]) == 2
    assert facts(anew(session)) == facts(session)


def test_an_end_of_a_game_played_out_says_so(journal: Journal) -> None:
    """The tally is the one that stood."""
    session = begin(journal)
    write(session, "end")
    assert session.moment.over
    session.end(sender="display")
    body = rows(session)[-1].body
    assert (body["over"], body["tally"]["winners"]) == (True, [0])


def test_a_game_without_a_tally_can_be_put_away_all_the_same(journal: Journal, ledger: Ledger) -> None:
    """What can be said of it is said."""
    session = begin(journal)
    write(session, "one")
    ledger.unsayable = {"one"}
    session = anew(session)
    session.end(sender="display")
    body = rows(session)[-1].body
    assert (body["tally"], body["over"], body["chart"], body["moves"]) == ({}, False, [], 1)


def test_a_game_taken_up_again_goes_on_and_the_other_is_put_away(journal: Journal) -> None:
    """In one step, in the name of who asked."""
    first = begin(journal)
    second = begin(journal, after=first)
    first = anew(first)
    assert first.ended
    first.reopen(sender="phone-s0", after=second)
    assert (kinds(first), kinds(second)) == ("new end resume", "new end")
    row = rows(first)[-1]
    assert (row.body, row.sender, first.ended, first.seq) == ({}, "phone-s0", False, 3)
    assert second.ended
    assert facts(anew(first)) == facts(first)


# -- rows that today's rules refuse ----------------------------------------------------------------------------------


@pytest.fixture
def stricter(journal: Journal, ledger: Ledger) -> Session:
    """Two of four words are no words any more."""
    session = begin(journal)
    for word in ("one", "two", "three", "four"):
        write(session, word)
    ledger.forbidden = {"two", "three"}
    return anew(session)


def test_a_game_stops_at_the_first_row_the_rules_refuse(stricter: Session) -> None:
    """Everything after it rests on it."""
    assert (stricter.state.words, stricter.left_out, stricter.refused) == (("one",), 3, 2)
    assert [done.row.seq for done in stricter.done] == [1]
    assert stricter.seq == 5


def test_what_is_played_next_says_first_what_it_passes_over(stricter: Session, ledger: Ledger) -> None:
    """The core's own row, once; by later rules too the game is what was played on."""
    write(stricter, "five")
    write(stricter, "six")
    assert kinds(stricter) == "new move move move move resume move move"
    row = rows(stricter)[5]
    assert (row.body, row.sender, row.game) == ({"without": 2}, "companion", stricter.game)
    assert (stricter.refused, stricter.left_out, stricter.seq) == (None, 3, 8)
    for forbidden in ({"two", "three"}, set()):
        ledger.forbidden = forbidden
        later = anew(stricter)
        assert (later.state.words, later.left_out, later.refused) == (("one", "five", "six"), 3, None)


def test_a_game_put_away_for_another_says_too_what_it_passed_over(stricter: Session) -> None:
    """Before its end, in the same step."""
    begin(stricter.journal, after=stricter)
    assert kinds(stricter) == "new move move move move resume end"
    assert (stricter.refused, stricter.ended, stricter.seq) == (None, True, 7)


def test_only_the_rows_before_it_are_passed_over_by_a_row(stricter: Session) -> None:
    """From the one it names to itself; a game that simply goes on passes over nothing."""
    write(stricter, "five")
    stricter.end(sender="display")
    again = anew(stricter)
    again.reopen(sender="display")
    write(again, "six")
    last = anew(again)
    assert (last.state.words, last.left_out, last.ended) == (("one", "five", "six"), 3, False)


def test_people_may_take_a_game_as_far_as_something_can_be_said(journal: Journal, ledger: Ledger) -> None:
    """Otherwise its rows wait for a mended version."""
    session = begin(journal)
    for word in ("one", "two", "three"):
        write(session, word)
    ledger.unsayable = {"two"}
    far = Session.resume(journal, session.game, as_far_as_it_goes=True)
    assert (far.state.words, far.left_out, far.refused) == (("one",), 2, 2)
    assert far.moment.ask.text.params["words"] == "one"
    ledger.unsayable = {"one"}
    assert Session.resume(journal, session.game, as_far_as_it_goes=True).state.words == ()


def test_a_row_at_which_the_game_fails_stops_it_only_if_people_want_that(journal: Journal, ledger: Ledger) -> None:
    """An update that cannot play a move is mended by the next one; nothing is left out meanwhile."""
    session = begin(journal)
    for word in ("one", "two"):
        write(session, word)
    ledger.unplayable = {"two"}
    with pytest.raises(PackFailedError):
        anew(session)
    far = Session.resume(journal, session.game, as_far_as_it_goes=True)
    assert (far.state.words, far.left_out, far.refused) == (("one",), 1, 2)


def test_a_game_that_does_not_come_back_is_not_tried_move_by_move(journal: Journal, ledger: Ledger) -> None:
    """Each try would take as long; nor is there anything to leave out where no move was made."""
    session = begin(journal)
    write(session, "one")
    ledger.endless = {"one"}
    with pytest.raises(PackFailedError):
        Session.resume(journal, session.game, as_far_as_it_goes=True)
    ledger.endless, ledger.unsayable = set(), {"one"}
    ledger.view = ledger.tally  # type: ignore[assignment,method-assign]  # nothing can be said about any position
    with pytest.raises(PackFailedError):
        Session.resume(journal, session.game, as_far_as_it_goes=True)


def test_what_is_left_out_is_counted_over_all_starts(stricter: Session, ledger: Ledger) -> None:
    """Rows passed over before, and those refused since."""
    write(stricter, "five")
    ledger.forbidden = {"five"}
    later = anew(stricter)
    assert (later.state.words, later.left_out) == (("one",), 4)


# -- catching up -----------------------------------------------------------------------------------------------------


def test_who_looks_on_follows_moves_and_undos(journal: Journal) -> None:
    """As if told anew; with nothing new the position is not asked for again."""
    session = begin(journal)
    write(session, "one")
    looking = anew(session)
    present = looking.moment
    assert looking.caught_up(rows(session))
    assert looking.moment is present
    write(session, "two")
    session.undo(sender="display", cause="")
    write(session, "three")
    assert looking.caught_up(rows(session))
    assert facts(looking) == facts(session)
    assert looking.moment.ask.text.params["words"] == "one three"


def test_who_looks_on_by_other_rules_stops_where_they_refuse(journal: Journal, ledger: Ledger) -> None:
    """As at a start: everything after it rests on it."""
    session = begin(journal)
    write(session, "one")
    looking = anew(session)
    write(session, "two")
    write(session, "three")
    ledger.forbidden = {"two"}
    assert looking.caught_up(rows(session))
    assert facts(looking) == facts(anew(session))
    assert (looking.state.words, looking.left_out, looking.refused) == (("one",), 2, 2)


def test_whatever_else_was_written_is_told_anew(journal: Journal, stricter: Session) -> None:
    """Another game, fewer rows, a row that is no move, a game that ended or stopped at a refused row."""
    session = begin(journal)
    write(session, "one")
    looking, known = anew(session), rows(session)
    assert not looking.caught_up([])
    assert not looking.caught_up(known[:-1])
    assert not looking.caught_up(rows(stricter)[:2])
    session.stop_clock(sender="display", stopped=True)
    assert not looking.caught_up(rows(session))
    assert looking.caught_up(known)
    session.end(sender="display")
    assert not anew(session).caught_up(rows(session))
    assert not stricter.caught_up(rows(stricter))
