"""The hall's page in Debian's Chromium, and what strangers send to it."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from companion.phone import build
from companion.wire.words import LANGUAGES, read_package
from hall.database import Database
from hall.page import Page
from hall.store import StoreAwayError
from tests.conftest import PATIENCE, until
from tests.hall.lively import camera_away, here, players, said

PIN = "481516"
SIZES = {"big": (1920, 1080), "small": (390, 844)}
HOSTILE = "<img src=x onerror=document.title=1>"


@pytest.fixture
def page(store: Database) -> Iterator[Page]:
    made = Page(store, port=0, host="127.0.0.1", pin=PIN, name="Café")
    made.start()
    yield made
    made.stop()


def open_tab(
    browser: Browser, page: Page, path: str = "/", size: str = "big", language: str = "en", first: str = ""
) -> Tab:
    width, height = SIZES[size]
    tab = browser.new_context(viewport={"width": width, "height": height}, locale=language).new_page()
    tab.set_default_timeout(1000 * PATIENCE)
    tab.add_init_script(first)
    tab.goto(f"http://127.0.0.1:{page.port}{path}")
    tab.wait_for_selector("#page > *")
    return tab


def ask(page: Page, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    line = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
    line.request(method, path, body, headers)
    answer = line.getresponse()
    return answer.status, answer.read(), dict(answer.getheaders())


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_needs_help_is_on_the_big_screen_in_every_language(browser: Browser, page: Page, language: str) -> None:
    for number in range(1, 61):
        page.hear(here(number))
        page.hear(said(number))
    page.hear(camera_away(52))
    tab = open_tab(browser, page, language=language)
    words = read_package("hall.words", language)
    wanted = f"{words['hall/table'][0].replace('{number}', '52')}: {words['hall/help/camera'][0]}"
    until(lambda: wanted in tab.inner_text(".big-foot"), 10, wanted)
    assert "hall/" not in tab.inner_text("body")
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_an_organiser_pairs_starts_and_takes_back(browser: Browser, page: Page) -> None:
    """On a phone: the PIN, an event, a round, and the way back, all by touch."""
    for number in range(1, 5):
        page.hear(here(number))
    tab = open_tab(browser, page, "/organiser", "small")
    tab.fill("input[name=pin]", "000000")
    tab.click("form button")
    tab.wait_for_selector(".refused")
    tab.fill("input[name=pin]", PIN)
    tab.click("form button")
    tab.fill("#name", "Friday")
    tab.fill("#names", "\n".join([*players(7), HOSTILE]))
    tab.click("text=Create the event")
    tab.wait_for_selector("text=Round 1 can be paired.")
    tab.click("text=Pair the round")
    tab.wait_for_selector("text=Round 1 is paired")
    tab.click("text=Start the round")
    tab.wait_for_selector("text=2 tables are still playing")
    assert tab.inner_text(".clock-time").startswith(("59:", "60:"))
    tab.click(".toast >> text=Undo")
    tab.wait_for_selector("text=Round 1 is paired")
    assert HOSTILE in tab.inner_text("body") and tab.title() == "Friday", "a name is text, whatever it says"
    assert page.board.events[0].round is not None and not page.board.events[0].round.began


def test_strangers_change_nothing(page: Page) -> None:
    own = {"Host": f"127.0.0.1:{page.port}"}
    wish = json.dumps({"do": "say", "text": "hello"}).encode()
    assert ask(page, "POST", "/desk", wish, **own)[0] == 401
    assert ask(page, "GET", "/desk", **own)[0] == 401
    assert ask(page, "GET", "/", Host="evil.example")[0] == 421
    status, _, headers = ask(page, "POST", "/pin", json.dumps({"pin": PIN}).encode(), **own)
    assert status == 200
    cookie = re.split(";", headers["Set-Cookie"])[0]
    assert "HttpOnly" in headers["Set-Cookie"] and "SameSite=Strict" in headers["Set-Cookie"]
    evil = {**own, "Cookie": cookie, "Origin": "http://evil.example"}
    assert ask(page, "POST", "/desk", wish, **evil)[0] == 403, "another page speaks through the organiser's browser"
    mine = {**own, "Cookie": cookie}
    assert ask(page, "POST", "/desk", b'{"do": "say", "text": 7}', **mine)[0] == 400
    assert ask(page, "POST", "/desk", b"\xff[[[[", **mine)[0] == 400
    assert ask(page, "POST", "/desk", wish, **mine)[0] == 200
    until(lambda: page.board.message == "hello", 5, "the message")
    for path in ("/../hall.toml", "/hall/../../words", "/page.js", "/%2e%2e/"):
        assert ask(page, "GET", path, **own)[0] == 404
    ask(page, "POST", "/leave", b"", **mine)
    assert ask(page, "POST", "/desk", wish, **mine)[0] == 401


def test_an_organiser_stays_in_while_the_store_is_away(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"Host": f"127.0.0.1:{page.port}"}
    headers = ask(page, "POST", "/pin", json.dumps({"pin": PIN}).encode(), **own)[2]
    mine = {**own, "Cookie": headers["Set-Cookie"].split(";")[0]}

    def away(*_: object) -> None:
        raise StoreAwayError("killed")

    for name in ("trail", "events"):
        monkeypatch.setattr(page._store, name, away)
    assert ask(page, "GET", "/desk", **mine)[0] == 503
    assert ask(page, "POST", "/desk", b'{"do": "pair", "event": "x"}', **mine)[0] == 503
    assert ask(page, "GET", "/desk", **own)[0] == 401


def test_too_much_is_not_read(page: Page) -> None:
    line = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
    with pytest.raises((OSError, http.client.HTTPException)):
        line.request("POST", "/pin", b"x" * 1_000_000)
        answer = line.getresponse()
        if answer.status >= 400:
            raise OSError(answer.status)
    assert ask(page, "GET", "/", Host="localhost")[0] == 200


def test_a_guesser_waits(page: Page) -> None:
    tries = [ask(page, "POST", "/pin", b'{"pin": "1"}', Host="localhost")[0] for _ in range(6)]
    assert tries == [403, 403, 403, 429, 429, 429]


def test_a_live_line_from_another_page_is_refused(browser: Browser, page: Page) -> None:
    tab = browser.new_page()
    tab.goto("about:blank")
    opened = tab.evaluate(
        "(url) => new Promise((done) => { const line = new WebSocket(url); line.onopen = () => done(true);"
        " line.onerror = () => done(false); })",
        f"ws://127.0.0.1:{page.port}/live",
    )
    assert opened is False


def test_every_word_of_the_page_is_there() -> None:
    """Keys used in its sources and by the desk are in the catalogue, and nothing else is."""
    sources = Path(build.__file__).parent / "src" / "hall"
    text = "".join(path.read_text() for path in [*sources.glob("*.ts"), *Path("hall").glob("*.py")])
    used = set(re.findall(r'["`](hall/[a-z0-9/-]+)["`]', text))
    made = {"hall/view/", "hall/call/", "hall/did/"}
    words = set(read_package("hall.words", "en")) - {""}
    topics = {key for key in used if key.startswith(("hall/all/", "hall/page"))}
    assert used - topics <= words
    assert all(key in used or key.startswith(tuple(made)) for key in words), sorted(words - used)


def test_a_result_no_table_told_is_entered_by_touch(browser: Browser, page: Page) -> None:
    """What is typed stays while the page is drawn anew; a missing number is asked for; undo takes it back."""
    for number in (1, 2):
        page.hear(here(number))
    tab = open_tab(browser, page, "/organiser", "small")
    tab.fill("input[name=pin]", PIN)
    tab.click("form button")
    tab.fill("#name", "Friday")
    tab.select_option("#size", "2")
    tab.fill("#names", "Ada\nBo")
    tab.click("text=Create the event")
    tab.click("text=Pair the round")
    tab.click("text=Start the round")
    tab.wait_for_selector("text=1 table is still playing")
    tab.click(".rows .row-head >> nth=0")
    tab.fill("#points-0", "12")
    tab.click("text=Enter the result")
    tab.fill("#points-1", "30")
    page.hear(said(2))
    tab.wait_for_selector(".row-head:has-text('Table 2') .dim:has-text(', ')")
    assert tab.input_value("#points-0") == "12", "drawn anew, and still there"
    tab.click("text=Enter the result")
    tab.wait_for_selector(".done")
    pair = page.board.events[0].round.pairs[0] if page.board.events[0].round else None
    assert pair is not None and (sorted(pair.points), pair.entered) == ([12, 30], True)
    tab.click(".toast >> text=Undo")
    tab.wait_for_selector(".done", state="detached")
