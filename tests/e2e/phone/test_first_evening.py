"""A first evening with phones: two games in a row, counting at the end, waiting for one's turn."""

from __future__ import annotations

from urllib.parse import unquote

from phone_guests import Guest
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.journal.store import Journal
from companion.past import bgstats, history

BELOW = """() => {
  const lines = [...document.querySelectorAll(".note p")].map((one) => one.getBoundingClientRect());
  return lines.length === 2 && lines[1].top >= lines[0].bottom - 1;
}"""


IN_VIEW = """(what) => {
  const box = document.querySelector(what).getBoundingClientRect();
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return over !== null && over.matches(`${what}, ${what} *`);
}"""
"""It can be seen: neither beyond the edge nor below the header or the answers."""
AWAKE = """() => Object.defineProperty(navigator, "wakeLock",
  {value: {request: async (kind) => { window.kept = kind; }}, configurable: true})"""
"""A browser lets pages keep the screen on over TLS only: here it says what it was asked for."""


def test_two_games_in_a_row_without_joining_again_and_names_right_in_every_export(
    browser: Browser, table: LiveTable
) -> None:
    """Newcomer C1, C2 and C11. Two phones give their names once; the next game finds them, and every file says them. What was
    open of the last game is gone with it."""
    table.new_game("scorepad", ["Player 1", "Player 2"], rounds=1)
    ada, bob = (Guest(browser, table, seat, name=name).sit() for seat, name in enumerate(("Ada", "Bob")))
    links = []
    for points in (7, 9):
        for guest in (ada, bob):
            guest.caught_up()
            guest.page.fill(f"#field-p{guest.seat}", str(points + (guest.seat or 0)))
            guest.page.click('[data-choice="form"]')
            table.until(lambda guest=guest: guest.page.locator(".pending").count() == 0, "the answer")  # type: ignore[misc]
        table.until(
            lambda: bool(table.state and len(view_points(table)) == 2 and all(view_points(table))), "both lines"
        )
        assert table.move({"kind": "end"}).ok
        for guest in (ada, bob):
            guest.caught_up()
        assert table.state is not None
        assert [seat.name for seat in table.state.seats] == ["Ada", "Bob"]
        links.append(unquote(table.state.play_link))
        bob.page.get_by_role("button", name=bob.own("phone/share")).first.click()
        bob.page.wait_for_selector("dialog .sheet-body")
        shared = bob.page.input_value("dialog textarea")
        assert ("Ada" in shared, "Bob" in shared, "Player" in shared) == (True, True, False)
        assert table.state.tally is not None
        assert [player.name for player in table.state.tally.players] == ["Ada", "Bob"]
        assert table.order("end game").ok
        if points == 7:
            table.until(lambda: bool(table.state and table.state.lobby), "the set-up")
            for guest, name in ((ada, "Ada"), (bob, "Bob")):
                guest.page.wait_for_function(
                    "who => document.querySelector('.lobby .band-top')?.innerText.includes(who)", arg=name
                )
            assert table.state.lobby is not None
            assert table.state.lobby.again is not None
            assert table.state.lobby.again.game == "scorepad"
            table.new_game("scorepad", [one.name for one in table.state.lobby.last], rounds=1)
            bob.page.wait_for_selector("dialog .sheet-body", state="detached")
    assert all('"name":"Ada"' in link and '"name":"Bob"' in link for link in links)
    games = Journal.reading(table.config.state_dir / "games")
    plays = history.plays(games)
    assert [[player.name for player in play.tally.players] for play in plays[:2]] == [["Ada", "Bob"]] * 2
    assert [history.record(games, play.id).options["names"] for play in plays[:2]] == [["Ada", "Bob"]] * 2
    for told in (
        history.to_csv(plays[:2]),
        history.to_statistics_csv(plays[:2], games),
        str(history.to_json(plays[:2], games)),
        *(unquote(bgstats.link(one)) for one in plays[:2]),
    ):
        assert ("Ada" in told, "Bob" in told) == (True, True)
        assert "Player 1" not in told
        assert "Player 2" not in told
    for guest in (ada, bob):
        guest.leave()


def view_points(table: LiveTable) -> list[int]:
    """Points by seat."""
    from tests.views import view_of

    return [player["points"] for player in view_of(table.state)["players"]]


def test_each_phone_counts_its_own_city_within_two_screens(browser: Browser, table: LiveTable) -> None:
    """Newcomer B6. Three guild masters, then eleven numbers at most; the others' lie folded away."""
    table.new_game("skytopia", ["Ada", "Bob", "Cleo"], depth="tally")
    guest = Guest(browser, table, 1, language="pl").sit()
    assert table.move({"kind": "final", "values": {"guilds": ["mechanics", "merchants", "artists"]}}).ok
    guest.caught_up()
    shown = guest.page.evaluate(
        "[...document.querySelectorAll('.form input')].filter((one) => one.checkVisibility()).map((one) => one.id)"
    )
    assert shown
    assert {name.split("/")[0] for name in shown} == {"field-p1"}
    assert guest.page.evaluate("document.documentElement.scrollHeight") <= 2 * 844
    guest.leave()


def test_a_refused_field_is_brought_into_view_and_lit_until_it_is_mended(browser: Browser, table: LiveTable) -> None:
    """Newcomer B5. Among the guild masters, then the last number of one's own city; the reason stands at the field."""
    table.new_game("skytopia", ["Ada", "Bob"], depth="tally")
    guest = Guest(browser, table, 1, language="fr", width=320, height=640).sit()
    guest.page.click("[data-choice=form]")
    guest.page.wait_for_selector("fieldset + .wrong")
    assert guest.page.evaluate(IN_VIEW, ".wrong")
    guest.page.click(".chip >> nth=0")
    guest.counts(".wrong", 0)
    assert table.move({"kind": "final", "values": {"guilds": ["mechanics", "merchants", "artists"]}}).ok
    guest.caught_up()
    numbers = guest.page.query_selector_all(".form > .field input.number")
    for one in numbers[:-1]:
        one.fill("1")
    guest.page.evaluate("window.scrollTo(0, 0)")
    guest.page.click("[data-choice=form]")
    guest.page.wait_for_selector(".field:has(#" + "field-p1\\/artists" + ") + .wrong")
    assert guest.page.evaluate(IN_VIEW, ".number[aria-invalid]")
    numbers[-1].fill("1")
    guest.counts(".wrong", 0)
    guest.leave()


def test_a_waiting_player_can_hear_the_turn_and_sees_whose_it_is(browser: Browser, table: LiveTable) -> None:
    """Newcomer C4, C10 and C11. The header stays; a sound is one touch away and remembered; no die stands for a number."""
    table.new_game("skytopia", ["Ada", "Bob"])
    guest = Guest(browser, table, 0).sit()
    guest.caught_up()
    assert guest.page.evaluate("getComputedStyle(document.querySelector('.band')).position") == "sticky"
    guest.counts(".means .die", 0)
    guest.page.evaluate(AWAKE)
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.locator('[data-choice="tone"][aria-pressed="false"]').click()
    guest.page.wait_for_selector('[data-choice="tone"][aria-pressed="true"]')
    assert guest.page.evaluate("window.kept") == "screen", "the screen stays on, too"
    guest.reload()
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.wait_for_selector('[data-choice="tone"][aria-pressed="true"]')
    guest.leave()


def test_whoever_scrolled_away_is_brought_to_the_prompt_when_the_turn_comes(browser: Browser, table: LiveTable) -> None:
    """Newcomer C4: the second turn began below the edge. While it is not one's turn nobody's page is moved."""
    table.new_game("skytopia", ["Ada", "Bob"], depth="light")
    bob = Guest(browser, table, 1, width=360, height=480).sit()
    bob.caught_up()
    bob.page.evaluate("scrollTo(0, 60)")
    assert bob.page.evaluate("scrollY") > 0
    assert table.move({"kind": "count", "seat": 0, "points": 1}).ok
    bob.caught_up()
    assert bob.page.evaluate("scrollY") > 0
    assert table.move({"kind": "end_turn", "seat": 0}).ok
    bob.caught_up()
    bob.page.wait_for_function("scrollY === 0")
    bob.leave()


def test_what_a_wrong_code_says_stands_line_below_line(browser: Browser, table: LiveTable) -> None:
    """Newcomer C9. What is wrong, and under it what to do."""
    table.new_game("scorepad", ["Ada", "Bob"], rounds=0)
    guest = Guest(browser, table, 0, width=360, height=800)
    guest.page.goto(f"{table.url}/#WRONG1")
    guest.page.wait_for_selector(".door form")
    guest.page.click('.door button[type="submit"]')
    guest.page.wait_for_function(BELOW)
    guest.leave()


def test_another_s_points_are_changed_by_their_yes_and_not_by_mine(browser: Browser, table: LiveTable) -> None:
    """Newcomer B3. Bob sees Ada's line wrong: her phone asks her, in her language, and her touch changes it."""
    table.new_game("scorepad", ["Ada", "Bob"], rounds=0)
    ada = Guest(browser, table, 0, language="pl").sit()
    bob = Guest(browser, table, 1, width=390, height=844).sit()
    assert table.move({"kind": "points", "seat": 0, "points": 71}).ok
    bob.caught_up()
    bob.page.get_by_role("button", name="Menu").click()
    bob.page.get_by_role("button", name=bob.own("phone/correct")).click()
    bob.page.locator("dialog .score", has_text="Ada").click()
    bob.page.wait_for_selector("dialog #field-correct-entry-0-0")
    bob.page.fill("dialog .number", "17")
    bob.page.keyboard.press("Enter")
    ada.page.wait_for_selector('[data-choice="wish-yes"]')
    assert bob.texts('.play .score[aria-pressed="true"] .who') == ["Bob"], "he looks at his own values again"
    assert view_points(table) == [71, 0]
    assert ada.own("wish/yes") in ada.texts(".note button")
    assert bob.page.locator('[data-choice="wish-yes"]').count() == 0
    ada.assert_accessible()
    ada.page.click('[data-choice="wish-yes"]')
    table.until(lambda: view_points(table) == [17, 0], "the correction")
    ada.page.wait_for_selector('[data-choice="wish-yes"]', state="detached")
    for guest in (ada, bob):
        guest.leave()
