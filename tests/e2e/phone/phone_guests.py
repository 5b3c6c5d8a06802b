"""Guests with phones: Chromium pages that scan, sit down and touch, as people do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from phone_texts import PageWords, assert_band, assert_strip, assert_tally, in_the_end, plain
from playwright.sync_api import Browser, BrowserContext, Page

from benches.phones import LiveTable
from companion.game import Ask, Choice, Text
from tests.conftest import PATIENCE

_axe = Axe()
SHOWN = (
    """() => document.querySelector(".end .winner") ? "over" : document.querySelector(".play")?.dataset.seq ?? "" """
)


def shoot(guest: Guest, folder: Path, name: str) -> None:
    """One picture, when everything stands still."""
    guest.page.wait_for_timeout(350)
    guest.page.screenshot(path=str(folder / f"phone-{name}.png"))
    sys.stderr.write(f"phone-{name}.png\n")


class Guest:
    """One person and one phone."""

    def __init__(
        self,
        browser: Browser,
        table: LiveTable,
        seat: int | None,
        *,
        name: str = "",
        language: str = "en",
        scheme: str = "dark",
        width: int = 360,
        height: int = 800,
    ) -> None:
        self.browser, self.table, self.seat, self.name, self.language = browser, table, seat, name, language
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            locale={"en": "en-GB", "pl": "pl-PL", "fr": "fr-FR"}[language],
            color_scheme="light" if scheme == "light" else "dark",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page: Page = self._open()

    def _open(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda wrong: self.errors.append(str(wrong)))
        page.on("request", self._note)
        return page

    def _note(self, request: Any) -> None:
        if not request.url.startswith((self.table.url, "blob:", "data:", "ws://127.0.0.1:")):
            self.foreign.append(request.url)

    def scan(self) -> Guest:
        """Follow the QR code to the door."""
        self.page.goto(f"{self.table.url}/#{self.table.code}")
        return self.at_the_door()

    def at_the_door(self) -> Guest:
        """The page has asked who sits where, and shows it."""
        assert self.table.state is not None
        self.page.wait_for_selector(".door form")
        self.counts(".door .seat-row", len(self.table.state.seats) + 1)
        return self

    def sit(self) -> Guest:
        """Take the seat, or watch."""
        code = self.table.code
        self.scan()
        if self.seat is None:
            self.page.check('input[name="seat"][value="watch"]')
        else:
            self.page.check(f'input[name="seat"][value="{self.seat}"]')
            if self.name:
                self.page.fill("#name", self.name)
        self.knock()
        if self.seat is not None:
            self.table.until(lambda: self.table.code != code, "the next code")
        return self

    def knock(self) -> None:
        """Touch the door's button, and again when a table with its hands full did not answer."""
        while True:
            self.page.click('.door button[type="submit"]')
            self.page.wait_for_selector(".play, .lobby, .end, .door .note.bad")
            if self.own("phone/door/unreachable") not in self.texts(".door .note.bad p"):
                break
        self.page.wait_for_selector(".play, .lobby, .end")

    def killed(self) -> None:
        """The phone is dead: its page vanishes without a word."""
        self.page.close(run_before_unload=False)

    def back(self) -> None:
        """The phone is charged again: a new window, no code."""
        self.page = self._open()
        self.page.goto(self.table.url)
        self.page.wait_for_selector(".play, .end")

    def reload(self) -> None:
        """The page is loaded again."""
        self.page.reload()
        self.page.wait_for_selector(".play, .end")

    def caught_up(self) -> None:
        """Wait until this page and the table's own screen show the same moment."""
        self.table.until(
            lambda: self.shown() == self._told(), f"the same moment on the page of {self.name or self.seat}"
        )

    def shown(self) -> str:
        """The row the page shows, `over` at the end, nothing elsewhere."""
        return str(self.page.evaluate(SHOWN))

    def _told(self) -> str:
        state = self.table.state
        assert state is not None
        return {"playing": str(state.seq), "over": "over"}.get(state.phase, "")

    def choose(self, choice: Choice) -> None:
        """Touch an answer; one that belongs to a market card is found by touching the card."""
        self.caught_up()
        button = self.page.locator(f'[data-choice="{choice.id}"]')
        if button.count() == 0:
            self.page.click(f'[data-slot="{choice.group}"]')
        button.click()

    def words(self) -> PageWords:
        """This guest's language with the names at the table."""
        state = self.table.state
        assert state is not None
        return PageWords(self.language, {seat.seat: seat.name for seat in state.seats})

    def say(self, text: Text) -> str:
        """What the page should say."""
        return plain(self.words().say(text))

    def own(self, key: str, **params: Any) -> str:
        """A sentence of the phone's own catalogue."""
        return plain(self.words().say(Text(key, params)))

    def texts(self, selector: str) -> list[str]:
        """What is written there."""
        return [plain(text) for text in self.page.locator(selector).all_inner_texts()]

    @in_the_end
    def reads(self, selector: str, said: list[str]) -> None:
        """This is written there, once the page has drawn it."""
        assert self.texts(selector) == said

    @in_the_end
    def says_nothing_raw(self, start: str) -> None:
        """No key of the catalogues stands where a sentence should."""
        assert start not in self.page.locator("main").inner_text()

    @in_the_end
    def counts(self, selector: str, number: int) -> None:
        """There are so many of these, once the page has drawn them."""
        assert self.page.locator(selector).count() == number

    @in_the_end
    def assert_shows(self) -> None:
        """The page says what the core's state says, in this guest's language, and nothing else is on offer."""
        self.caught_up()
        state = self.table.state
        assert state is not None
        if state.phase == "over":
            assert_tally(self, state)
            return
        assert_strip(self, state)
        if state.prompt is not None:
            assert_band(self, state, state.prompt.ask)
            self._assert_shows_choices(state.prompt.ask)

    def _assert_shows_choices(self, ask: Ask) -> None:
        mine = self.seat is not None and (ask.seat in (None, self.seat) or self.seat in ask.waiting)
        if not mine:
            assert self.page.locator("[data-choice]:not([data-choice=undo])").count() == 0
            return
        mine_only = [choice for choice in ask.choices if choice.move.get("seat") in (None, self.seat)]
        for choice in mine_only:
            if not choice.group:
                said = plain(self.page.locator(f'[data-choice="{choice.id}"]').text_content() or "")
                assert self.say(choice.text) in said, (choice.id, said)

    def assert_turned_away(self, why: str) -> None:
        """The door is knocked at and stays shut, with the reason and what to do, in this guest's language."""
        self.page.click('.door button[type="submit"]')
        self.reads(".door .note.bad p", [self.own(f"join/{part}/{why}") for part in ("refuse", "do")])
        self.assert_accessible()

    @in_the_end
    def assert_accessible(self) -> None:
        """Axe finds nothing to complain about."""
        if not self.page.evaluate("'axe' in window"):  # once for each page: reading it takes longer than its work
            self.page.evaluate(_axe.axe_script)
        found = self.page.evaluate("axe.run({resultTypes: ['violations']}).then((seen) => seen.violations)")
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []

    def storage(self) -> str:
        """Everything the page keeps."""
        return str(self.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"))

    def touch(self, name: str) -> None:
        """Touch the button of that name."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def leave(self) -> None:
        """Close the phone; nothing went wrong on it and nothing left the house."""
        self.context.close()
        assert self.errors == []
        assert self.foreign == []
