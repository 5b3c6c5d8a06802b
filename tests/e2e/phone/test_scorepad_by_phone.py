"""A complete score-pad game on four phones with two spectators, on a bad evening."""

from __future__ import annotations

import pytest
from phone_guests import Guest
from phone_texts import keeps_no_key
from playwright.sync_api import Browser

from benches.phones import LiveTable
from tests.views import view_of

NAMES = ["Magda", "Tomek", "Élodie", "Sam"]


def enter(guest: Guest, points: list[int]) -> None:
    """Type one round into the form, the others' points too, and send it."""
    guest.page.evaluate("document.querySelector('.form details').open = true")
    for seat, value in enumerate(points):
        guest.page.fill(f"#field-p{seat}", str(value))
        guest.page.locator(f"#field-p{seat}").press("Tab")
    guest.page.click('[data-choice="form"]')


@pytest.mark.long(18)
def test_four_phones_and_two_spectators_play_to_the_tally(browser: Browser, table: LiveTable) -> None:
    """Killed, offline in mid-move and reloaded phones: nothing is lost, nothing counts twice, every page says the same."""
    table.new_game("scorepad", NAMES, rounds=4)
    languages = ["en", "pl", "fr", "en"]
    players = [Guest(browser, table, seat, language=languages[seat]).sit() for seat in range(4)]
    watchers = [
        Guest(browser, table, None, language="pl", scheme="light", width=320, height=640).sit(),
        Guest(browser, table, None, language="fr", scheme="light").sit(),
    ]
    everybody = [*players, *watchers]
    for guest in everybody:
        guest.assert_shows()
    players[0].assert_accessible()
    watchers[0].assert_accessible()

    enter(players[0], [3, 7, 2, 0])
    table.until(lambda: table.state is not None and view_of(table.state)["round"] == 2, "round 2")
    for guest in everybody:
        guest.assert_shows()

    players[1].killed()
    enter(players[2], [5, 1, 9, 4])
    table.until(lambda: table.state is not None and view_of(table.state)["round"] == 3, "round 3")
    players[1].back()
    players[3].reload()
    for guest in everybody:
        guest.assert_shows()

    _offline_in_mid_move(players[0], table)
    for guest in everybody:
        guest.assert_shows()

    _undo_and_again(players[1], table)
    players[3].caught_up()
    players[3].page.click('[data-choice="end"]')
    players[3].reads('[data-choice="end"] .choice-note', [players[3].own("phone/confirm")])
    players[3].page.click('[data-choice="end"]')
    table.until(lambda: table.state is not None and table.state.phase == "over", "the tally")
    assert table.state is not None and table.state.tally is not None
    assert [player.total for player in table.state.tally.players] == [8 + 10 + 1, 8 - 2 + 2, 11 + 3, 4 + 6 + 4]
    players[1].assert_accessible()
    watchers[1].assert_accessible()
    for guest in everybody:
        guest.assert_shows()
        keeps_no_key(guest)
        guest.leave()


def _offline_in_mid_move(guest: Guest, table: LiveTable) -> None:
    """The tap is made while the network is gone; when it is back the move is carried out, once."""
    assert table.state is not None
    before = table.state.seq
    guest.context.set_offline(True)
    guest.page.wait_for_selector(".note.warn")
    enter(guest, [10, -2, 3, 6])
    guest.page.wait_for_selector('[data-choice="form"].pending')
    guest.assert_accessible()
    table.settle()
    assert table.state.seq == before
    guest.context.set_offline(False)
    table.until(lambda: table.state is not None and view_of(table.state)["round"] == 4, "the kept move")
    guest.page.wait_for_selector('[data-choice="form"]:not(.pending)')
    guest.counts(".note.warn", 0)
    table.settle()
    assert table.state.seq == before + 1


def _undo_and_again(guest: Guest, table: LiveTable) -> None:
    """A mistyped last round is taken back on the phone and entered again."""
    assert table.state is not None
    entries = len(view_of(table.state)["entries"])
    enter(guest, [9, 9, 9, 9])
    table.until(
        lambda: table.state is not None and len(view_of(table.state)["entries"]) == entries + 4, "the wrong round"
    )
    guest.assert_shows()
    guest.page.click('[data-choice="undo"]')
    table.until(lambda: table.state is not None and len(view_of(table.state)["entries"]) == entries, "the undo")
    guest.assert_shows()
    enter(guest, [1, 2, 0, 4])
    table.until(
        lambda: table.state is not None and len(view_of(table.state)["entries"]) == entries + 4, "the right round"
    )


def test_everybody_writes_their_own_line_and_the_round_waits(browser: Browser, table: LiveTable) -> None:
    """Newcomer C6. Each phone shows its own player; who is missing is said; half a number is not the next round's."""
    table.new_game("scorepad", NAMES[:2], rounds=2)
    magda, tomek = (Guest(browser, table, seat).sit() for seat in (0, 1))
    for guest, seat in ((magda, 0), (tomek, 1)):
        guest.counts(".form > .field", 1)
        guest.page.fill(f"#field-p{seat}", str(10 + seat))
    magda.page.click('[data-choice="form"]')
    table.until(
        lambda: table.state is not None and view_of(table.state)["players"][0]["points"] == 10, "Magda's points"
    )
    tomek.caught_up()
    assert tomek.page.input_value("#field-p1") == "11"
    tomek.reads(".todo.quiet li", [tomek.own("scorepad/missing", names="Tomek")])
    tomek.page.click('[data-choice="form"]')
    table.until(lambda: table.state is not None and view_of(table.state)["round"] == 2, "round 2")
    for guest, seat in ((magda, 0), (tomek, 1)):
        guest.caught_up()
        assert guest.page.input_value(f"#field-p{seat}") == "0"
        guest.leave()


def test_a_pad_nobody_wrote_on_says_so(browser: Browser, table: LiveTable) -> None:
    """The end of a pad without points has a sentence where the lines would stand, and no empty frame."""
    table.new_game("scorepad", NAMES[:2])
    magda = Guest(browser, table, 0).sit()
    magda.page.click('[data-choice="end"]')
    magda.page.click('[data-choice="end"]')
    table.until(lambda: table.state is not None and table.state.phase == "over", "the tally")
    magda.reads(".lines > p.dim", [magda.own("phone/end/no-lines")])
    magda.counts(".lines .panel", 0)
    magda.leave()
