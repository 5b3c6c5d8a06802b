"""How the page behaves: quick, narrow, large, by keyboard, in two windows, refused and corrected."""

from __future__ import annotations

import time

import pytest
from phone_guests import Guest
from phone_texts import in_the_end
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.wire.words import catalogue
from tests.conftest import PATIENCE
from tests.views import view_of

NAMES = ["Magda", "Tomek"]

# Every element that makes the page wider than the phone, by class and words.
STICKS_OUT = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > width || one.scrollWidth > one.clientWidth)
    .map((one) => `${one.tagName} ${one.getAttribute("class")}: ${one.textContent}`);
}"""


def test_the_page_is_usable_within_a_second(browser: Browser, table: LiveTable) -> None:
    """From navigation to a door that can be used; the best of some, because the machine may be busy."""
    table.new_game("scorepad", NAMES, rounds=0)
    times: list[float] = []
    last = time.monotonic() + PATIENCE
    while not times or (min(times) >= 1.0 and time.monotonic() < last):
        guest = Guest(browser, table, 0)
        start = time.perf_counter()
        guest.page.goto(f"{table.url}/#{table.code}")
        guest.page.wait_for_selector('.door button[type="submit"]')
        times.append(time.perf_counter() - start)
        guest.leave()
    assert min(times) < 1.0, times


@pytest.mark.parametrize("game", ["scorepad", "skytopia", "praga", "skyrise"])
def test_nothing_sticks_out_at_320_pixels_and_double_text(browser: Browser, table: LiveTable, game: str) -> None:
    """One hand, small phone, large letters: every page scrolls one way only."""
    table.new_game(game, NAMES, **({"deal": "digital"} if game == "skyrise" else {}))
    guest = Guest(browser, table, 0, language="pl", width=320, height=640, scheme="light")
    for size in ("100%", "200%"):
        guest.context.add_init_script(
            f"addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '{size}')"
        )
        guest.scan() if size == "100%" else guest.reload()
        if size == "100%":
            _assert_fits(guest)
            guest.sit()
        guest.caught_up()
        _assert_fits(guest)
    guest.assert_accessible()
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.wait_for_selector("dialog[open]")
    _assert_fits(guest)
    guest.assert_accessible()
    guest.leave()


def test_the_longest_secret_words_fit_a_small_phone_with_double_text(browser: Browser, table: LiveTable) -> None:
    """Which wonders and which objective a hand holds is chance: every hand must fit, so the longest words are put in."""
    table.new_game("skyrise", NAMES, deal="digital")
    guest = Guest(browser, table, 0, language="pl", width=320, height=640)
    guest.context.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"
    )
    guest.sit()
    guest.caught_up()
    words = catalogue("pl")
    for place, kind in ((".secret .cards .strong", "skyrise/wonder/"), (".secret .with-sign", "skyrise/faction/")):
        names = [forms[0] for key, forms in words.items() if key.startswith(kind)]
        longest = max(names, key=lambda name: max(len(word) for word in name.split()))
        shown = guest.page.locator(place).first
        shown.evaluate("(one, words) => { one.lastChild.textContent = words; }", longest)
        assert longest in shown.inner_text()
    _assert_fits(guest)
    guest.leave()


def test_large_letters_on_a_small_phone_stay_words(browser: Browser, table: LiveTable) -> None:
    """The sentence above the answers has a line of its own, not a letter's width between two keys; the end fits too."""
    table.new_game("scorepad", NAMES, rounds=1)
    guest = Guest(browser, table, 0, language="fr", width=320, height=640)
    guest.context.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"
    )
    guest.sit()
    for width in (321, 320):  # Chromium looks at a container's width in letters again only when it is resized
        guest.page.set_viewport_size({"width": width, "height": 640})
    answer = table.move({"kind": "score", "values": {f"p{seat}": 100 + seat for seat in range(len(NAMES))}})
    table.until(lambda: table.state is not None and table.state.seq == answer.seq, "the points")
    assert table.state is not None
    if table.state.phase == "playing":
        guest.caught_up()
        lead = guest.page.locator(".lead").bounding_box()
        assert lead is not None
        assert lead["width"] > 220
        assert table.move({"kind": "end"}).ok
    guest.page.wait_for_selector(".end .winner")
    _assert_fits(guest)
    guest.leave()


def _end_for_everybody(guest: Guest) -> None:
    """Touched twice, the second time when the page has asked."""
    guest.page.click('[data-choice="end"]')
    guest.page.wait_for_selector('[data-choice="end"] .choice-note')
    guest.page.click('[data-choice="end"]')


@in_the_end
def _assert_fits(guest: Guest) -> None:
    assert guest.page.evaluate(STICKS_OUT) == []


def test_a_guest_sits_and_scores_by_keyboard_alone(browser: Browser, table: LiveTable) -> None:
    """Tab, arrows, Enter; the menu opens, closes with Escape and gives the focus back."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0).scan()
    page = guest.page
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector('input[value="1"]:checked')
    page.locator('.door button[type="submit"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".play")
    page.locator("#field-p1").focus()
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    table.until(lambda: table.state is not None and view_of(table.state)["players"][1]["points"] == 12, "the points")
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    guest.leave()


def test_a_button_keeps_the_focus_when_another_one_comes_beside_it(browser: Browser, table: LiveTable) -> None:
    """Somebody else scores while my finger is on the menu's key: undo appears to its left, and Enter still opens the menu."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0)
    guest.sit()
    guest.caught_up()
    page = guest.page
    page.get_by_role("button", name="Menu").focus()
    buttons = page.locator(".answers-head button").count()
    assert table.move({"kind": "score", "values": {"p1": 12}}).ok
    guest.counts(".answers-head button", buttons + 1)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    guest.leave()


@in_the_end
def _calls(guest: Guest) -> None:
    """Title and live region say whose turn it is: mine."""
    assert guest.own("phone/your-turn") in guest.page.title()
    assert guest.own("phone/your-turn") in (guest.page.locator('.band [role="status"]').text_content() or "")


def test_your_turn_is_said_shown_and_felt(browser: Browser, table: LiveTable) -> None:
    """Title, band, live region and a buzz, when the decision comes to this seat."""
    table.new_game("skytopia", NAMES)
    guest = Guest(browser, table, 0)
    guest.context.add_init_script("window.buzz = 0; navigator.vibrate = () => { window.buzz += 1; return true; };")
    guest.sit()
    for _ in range(40):
        table.pump(0.02)
        assert table.prompt is not None
        if table.prompt.ask.seat == 0:
            break
        possible = [choice for choice in table.prompt.ask.choices if choice.off is None]
        seq = table.move(possible[0].move).seq
        table.until(lambda seq=seq: table.state is not None and table.state.seq == seq, "the next prompt")
    guest.assert_shows()
    guest.page.wait_for_selector(".band.mine")
    _calls(guest)
    guest.page.wait_for_function("window.buzz >= 1")
    guest.leave()


def test_a_table_that_asks_for_patience_keeps_the_seat_and_lets_the_phone_in_later(
    browser: Browser, table: LiveTable
) -> None:
    """A page that was loaded again too often is told to wait; it neither forgets its key nor waits for a touch."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0).sit()
    refusal = {"code": "join/slow", "say": {"key": "join/refuse/slow"}, "do": {"key": "join/do/slow"}}
    guest.page.route("**/join", lambda asked: asked.fulfill(status=429, json={"refusal": refusal}), times=1)
    guest.page.reload()
    guest.reads(".door .note.bad p", [guest.own("join/refuse/slow"), guest.own("join/do/slow")])
    guest.page.wait_for_selector(".play")
    guest.assert_shows()
    guest.leave()


def test_a_second_window_takes_over_and_the_first_says_so(browser: Browser, table: LiveTable) -> None:
    """One seat, two windows of one phone: no tug of war."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0).sit()
    second = guest.context.new_page()
    second.goto(table.url)
    second.wait_for_selector(".play")
    guest.page.wait_for_selector("text=" + guest.own("phone/elsewhere"))
    guest.assert_accessible()
    guest.counts(".play", 0)  # one window plays at a time
    guest.page.get_by_role("button", name=guest.own("phone/play-here")).click()
    guest.page.wait_for_selector(".play")
    second.wait_for_selector("text=" + guest.own("phone/elsewhere"))
    second.wait_for_selector(".play", state="detached")
    guest.leave()


# A window that hears what another one says only when it is told to: its phone has much to do.
LATE = """
window.kept = [];
window.BroadcastChannel = class extends window.BroadcastChannel {
  set onmessage(heard) { super.onmessage = (said) => window.kept.push(() => heard(said)); }
};
"""


def test_a_window_that_hears_late_of_a_second_one_lets_it_have_the_seat_all_the_same(
    browser: Browser, table: LiveTable
) -> None:
    """The table knocks before the first window has heard: it says it is there, then it yields, and the second plays."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0)
    guest.page.add_init_script(LATE)
    guest.sit()
    guest.caught_up()
    second = guest.context.new_page()
    second.goto(table.url)
    second.wait_for_selector(".door .note.bad, .play")  # refused, unless the first was too busy even to say it is there
    guest.page.wait_for_function("window.kept.length > 0")
    guest.page.evaluate("window.kept.forEach((heard) => heard())")
    second.wait_for_selector(".play")
    guest.page.wait_for_selector("text=" + guest.own("phone/elsewhere"))
    guest.counts(".play", 0)
    guest.leave()


def test_refusals_are_said_in_my_language_with_what_to_do(browser: Browser, table: LiveTable) -> None:
    """A wrong code at the door; at the table, a tap that came after somebody else's."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0, language="pl")
    guest.page.goto(f"{table.url}/#WRONG1")
    guest.page.wait_for_selector(".door form")
    guest.assert_turned_away("code")

    guest.sit()
    guest.context.set_offline(True)
    guest.page.wait_for_selector(".note.warn")
    guest.page.fill("#field-p0", "5")
    guest.page.click('[data-choice="form"]')
    assert table.move({"kind": "points", "seat": 1, "points": 2}).ok
    guest.context.set_offline(False)
    guest.reads(".note.bad p", [guest.own("table/refuse/moved-on"), guest.own("table/do/moved-on")])
    guest.assert_shows()
    guest.assert_accessible()
    assert table.state is not None and [one["points"] for one in view_of(table.state)["players"]] == [0, 2]
    guest.leave()


def test_a_value_is_corrected_from_the_phone(browser: Browser, table: LiveTable) -> None:
    """A mistyped line of the pad is put right in the menu; the correction is a move like any other."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0).sit()
    assert table.move({"kind": "points", "seat": 0, "points": 71}).ok
    guest.assert_shows()
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_role("button", name=guest.own("phone/correct")).click()
    guest.page.fill("dialog .number", "17")
    guest.assert_accessible()
    guest.page.keyboard.press("Enter")
    table.until(
        lambda: table.state is not None and view_of(table.state)["players"][0]["points"] == 17, "the correction"
    )
    guest.assert_shows()
    guest.leave()


def test_the_core_dies_and_comes_back_and_the_tap_still_counts_once(browser: Browser, table: LiveTable) -> None:
    """A power cut in the core: the phone says the table takes a break, then the kept tap is carried out."""
    table.new_game("scorepad", NAMES, rounds=0)
    guest = Guest(browser, table, 0).sit()
    before = table.state.seq if table.state else 0
    table.kill_core()
    guest.page.wait_for_selector(".note.warn")
    guest.page.fill("#field-p0", "4")
    guest.page.click('[data-choice="form"]')
    guest.page.wait_for_selector('[data-choice="form"].pending')
    table.start_core()
    table.until(
        lambda: table.state is not None and view_of(table.state) and view_of(table.state)["players"][0]["points"] == 4,
        "the kept move",
        40,
    )
    guest.assert_shows()
    guest.page.wait_for_selector(".note.warn", state="detached")
    assert table.state is not None and table.state.seq == before + 1, "one tap, one move"
    guest.leave()


def test_every_sheet_and_the_waiting_room_are_accessible(browser: Browser, table: LiveTable) -> None:
    """Lobby, log, chart, share; the mistaken end is taken back on the phone itself."""
    early = Guest(browser, table, None, language="fr", scheme="light").sit()
    early.page.wait_for_selector(".lobby")
    early.assert_accessible()
    table.new_game("scorepad", NAMES, rounds=3)
    early.page.wait_for_selector(".play")
    early.page.get_by_role("button", name=early.own("phone/take-seat-do")).click()
    early.page.wait_for_selector(".door")
    early.page.click('.door button[type="submit"]')
    early.page.wait_for_selector(".play")
    early.seat = 0
    for points in (4, 9):  # two rounds, so that there is a curve to look at
        assert table.move({"kind": "points", "seat": 0, "points": points}).ok
        assert table.move({"kind": "points", "seat": 1, "points": points}).ok
        assert table.move({"kind": "next"}).ok
    early.assert_shows()
    _sheet(early, "phone/log")
    _sheet(early, "phone/chart")
    _end_for_everybody(early)
    early.page.wait_for_selector(".end")
    early.page.click('[data-choice="undo"]')
    early.page.wait_for_selector(".play")
    assert "token" in early.storage()
    _end_for_everybody(early)
    early.page.wait_for_selector(".end")
    for name in ("phone/chart-short", "phone/share"):
        early.page.get_by_role("button", name=early.own(name), exact=True).click()
        early.page.wait_for_selector("dialog[open]")
        early.assert_accessible()
        early.page.keyboard.press("Escape")
        early.page.wait_for_selector("dialog", state="detached")
    assert early.page.locator("dialog").count() == 0
    early.leave()


def _sheet(guest: Guest, key: str) -> None:
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_role("button", name=guest.own(key)).click()
    guest.page.wait_for_selector("dialog[open]")
    guest.assert_accessible()
    guest.page.keyboard.press("Escape")
    guest.page.wait_for_selector("dialog", state="detached")
