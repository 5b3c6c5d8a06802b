"""Finished games on the phone, and a move everybody agrees to take back."""

from __future__ import annotations

from phone_guests import Guest
from phone_texts import in_the_end, plain
from picture_games import Mirror
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.journal.store import Journal
from companion.past import history


def test_finished_games_are_told_to_those_at_the_table_only(browser: Browser, table: LiveTable) -> None:
    """Results, wins, head to head and charts, as the history says; nobody without a key hears of them."""
    for points in ((9, 4), (3, 8), (7, 1)):
        table.new_game("scorepad", ["Magda", "Tomek"], rounds=2)
        for turn in range(2):
            values = {f"p{seat}": value + turn for seat, value in enumerate(points)}
            assert table.move({"kind": "score", "values": values}).ok
        assert table.move({"kind": "end"}).ok
        table.order("end game")
    assert table.request("/past", {"token": "guess"})["status"] == 403
    guest = Guest(browser, table, None, language="fr", width=320, height=640).sit()
    guest.page.wait_for_selector(".lobby")
    guest.touch(guest.own("phone/menu"))
    guest.touch(guest.own("phone/past"))
    guest.page.wait_for_selector(".past-games")
    journal = Journal(table.config.state_dir / "games")
    figures = history.statistics(history.plays(journal))
    journal.close()
    wins = {name: (one["wins"], one["plays"]) for name, one in figures["players"].items()}
    _shows_wins(guest, {name: guest.own("phone/past/won", n=won, of=of) for name, (won, of) in wins.items()})
    assert wins == {"Magda": (2, 3), "Tomek": (1, 3)}
    guest.counts(".past-game", 3)
    guest.page.locator(".past-head").first.click()
    guest.page.wait_for_selector(".past-open")
    guest.reads(".past-score .total", ["15", "3"])
    guest.counts(".past-open .chart", 1)
    guest.assert_accessible()
    wide = guest.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]
    guest.leave()


@in_the_end
def _shows_wins(guest: Guest, said: dict[str, str]) -> None:
    """Every player's name and how often they won."""
    rows = guest.page.locator(".past-part").first.locator(".bar-row")
    names, figures = (rows.locator(part).all_inner_texts() for part in (".bar-name", ".bar-figure"))
    assert dict(zip(names, figures, strict=True)) == said


def test_a_move_that_showed_something_is_taken_back_when_everybody_agrees(browser: Browser, table: LiveTable) -> None:
    """One asks, the others see the question and agree on their phones; only then is it undone, once."""
    game = Mirror(table, "skytopia", 4)
    game.until(lambda ask: ask.phase != "setup" and _reveals(table))
    assert table.state is not None and table.state.undo is not None
    mover = table.state.undo.seat or 0
    guests = {seat: Guest(browser, table, seat, language=("en", "pl", "fr", "en")[seat]).sit() for seat in range(4)}
    asker = guests.pop(mover if mover in guests else 0)
    seq = table.state.seq
    for guest in (asker, *guests.values()):
        guest.caught_up()
    asker.page.click('[data-choice="undo"]')
    words = asker.words()
    _begins(asker, ".note.bad p", [plain(words.say(f"table/{part}/consent")) for part in ("refuse", "do")])
    assert table.state.seq == seq
    for number, guest in enumerate(guests.values()):
        button = guest.page.locator('[data-choice="undo"]')
        guest.reads('[data-choice="undo"]', [guest.own("phone/agree-undo")])
        _says(guest, ".note p", guest.own("phone/undo-asked"))
        guest.assert_accessible()
        if number == 0:
            table.settle()
            assert table.state.seq == seq, "one of two agreed is not enough"
        button.click()
    table.until(lambda: table.state is not None and table.state.seq == seq + 1, "the undo")
    for guest in (asker, *guests.values()):
        guest.assert_shows()
        guest.leave()


@in_the_end
def _begins(guest: Guest, selector: str, said: list[str]) -> None:
    """What is written there begins like this."""
    assert guest.texts(selector)[: len(said)] == said


@in_the_end
def _says(guest: Guest, selector: str, said: str) -> None:
    """Among what is written there is this."""
    assert said in guest.texts(selector)


def _reveals(table: LiveTable) -> bool:
    """The last move laid something open, and somebody made it."""
    undo = table.state.undo if table.state is not None else None
    return undo is not None and undo.consent and undo.seat in (0, 1, 2, None)
