"""What a phone tells beside the game: how the table stood after a move, how long everybody took, and all of it in the ear."""

from __future__ import annotations

from typing import Any

import pytest
from phone_guests import Guest
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.wire.words import LANGUAGES

# The browser's own voice, written down at its edge: what it was given to say, in which tongue, and when it was told to be quiet.
EAR = """
  window.heard = [];
  const voice = {
    speak: (said) => {
      window.heard.push([said.lang, said.text]);
      setTimeout(() => said.onend?.(), 0);
    },
    cancel: () => window.heard.push(["-", ""]),
  };
  Object.defineProperty(window, "speechSynthesis", { value: voice });
"""


# Twenty-four looks at once, with the key the page holds.
FLOOD = """async () => {
  const body = JSON.stringify({ token: localStorage.getItem("tableside/token"), seq: 1 });
  const look = () => fetch("/then", { method: "POST", body }).then((reply) => reply.status);
  return (await Promise.all(Array.from({ length: 24 }, look))).sort();
}"""


def throw(*dice: int, seat: int = 0) -> dict[str, Any]:
    return {"kind": "throw", "seat": seat, "dice": dice}


def test_a_line_of_the_log_shows_how_the_table_stood_then(browser: Browser, table: LiveTable) -> None:
    """Also on a phone that came later; nothing there can be touched, and a stranger is told nothing."""
    table.new_game("yacht", ["Magda", "Tomek"])
    assert table.move(throw(2, 2, 2, 2, 5)).ok
    assert table.move({"kind": "write", "seat": 0, "category": "twos"}).ok
    assert table.move(throw(6, 6, 6, 6, 6, seat=1)).ok
    for token in ("", "guess"):
        assert table.request("/then", {"token": token, "seq": 1})["status"] == 403
    guest = Guest(browser, table, 1, language="pl", width=360).sit()
    guest.caught_up()
    guest.touch(guest.own("phone/menu"))
    guest.touch(guest.own("phone/log"))
    guest.counts(".log-line", 3)
    guest.assert_accessible()
    guest.page.locator(".log-line").last.click()
    guest.counts("dialog .die", 5)
    assert guest.page.locator("dialog [data-choice]").count() == 0, "a moment that is over is not played"
    guest.assert_accessible()
    wide = guest.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]
    guest.touch(guest.own("phone/back"))
    guest.counts(".log-line", 3)
    statuses = guest.page.evaluate(FLOOD)
    assert statuses[0] == 200
    assert 503 in statuses, "a phone that asks without end is told to come later"
    guest.leave()


def test_how_long_everybody_took_stands_on_the_phone(browser: Browser, table: LiveTable) -> None:
    """In the table's own figures; whose clock runs is marked, and a stopped one is said to be."""
    table.new_game("yacht", ["Magda", "Tomek"])
    guest = Guest(browser, table, 0).sit()
    guest.caught_up()
    guest.touch(guest.own("phone/menu"))
    guest.page.get_by_role("button", name="Clocks").click()
    guest.reads("dialog .bar-name", ["Magda", "Tomek"])
    assert [text[:2] for text in guest.texts("dialog .bar-figure")] == ["0:", "0:"]
    guest.reads('dialog [aria-current="true"] .bar-name', ["Magda"])
    guest.assert_accessible()
    assert table.order("clock", stopped=True).ok
    guest.page.get_by_text("The clock is stopped at the table.").wait_for()
    guest.counts("dialog [aria-current]", 0)
    guest.leave()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_speaks_in_its_owners_ear(browser: Browser, table: LiveTable, language: str) -> None:
    """Silent until it is wanted; then what is asked, what happened and what was refused, in the owner's language, no raw key."""
    table.new_game("yacht", ["Magda", "Tomek"])
    guest = Guest(browser, table, 0, language=language)
    guest.context.add_init_script(EAR)
    guest.sit()
    guest.caught_up()
    assert guest.page.evaluate("heard") == []
    guest.touch(guest.own("phone/menu"))
    guest.page.click('[data-choice="voice"]')
    tongue = {"en": "en-GB", "pl": "pl-PL", "fr": "fr-FR"}[language]
    state = table.state
    assert state is not None
    assert state.prompt is not None
    asked = guest.say(state.prompt.ask.text)
    table.until(
        lambda: any(lang == tongue and asked in text for lang, text in guest.page.evaluate("heard")), "what is asked"
    )

    guest.page.evaluate("heard.length = 0")
    assert table.move(throw(1, 2, 3, 4, 6)).ok
    spoken = "heard.filter(([lang]) => lang !== '-').length"
    table.until(lambda: guest.page.evaluate(spoken) >= 2, "what happened and what is asked then")
    heard = guest.page.evaluate("heard")
    assert heard.index(["-", ""]) < len(heard) - 1, "the newest prompt interrupts"
    said = [text for lang, text in heard if lang == tongue]
    assert any("1 2 3 4 6" in text for text in said), "what happened"
    assert len(said) == len([lang for lang, _ in heard if lang != "-"])
    assert not [text for text in said if "/" in text and " " not in text]
    guest.page.keyboard.press("Escape")
    guest.touch(guest.own("phone/menu"))
    guest.page.click('[data-choice="voice"]')
    guest.page.evaluate("heard.length = 0")
    assert table.move({"kind": "write", "seat": 0, "category": "choice"}).ok
    guest.caught_up()
    assert [lang for lang, _ in guest.page.evaluate("heard") if lang != "-"] == [], "switched off is silent"
    guest.leave()


def test_a_secret_is_said_on_its_owners_phone_alone(browser: Browser, table: LiveTable) -> None:
    """Two phones with a voice: what only one is asked is in no other ear."""
    table.new_game("skyrise", ["Ada", "Bo"], deal="digital")
    guests = [Guest(browser, table, seat) for seat in (0, 1)]
    for guest in guests:
        guest.context.add_init_script(EAR)
        guest.sit()
        guest.page.wait_for_selector("[data-secret] .cards")
        guest.touch(guest.own("phone/menu"))
        guest.page.click('[data-choice="voice"]')
        guest.page.keyboard.press("Escape")
        guest.caught_up()
    hands = [set(guest.texts("[data-secret] .cards .strong")) for guest in guests]
    for guest, others in zip(guests, reversed(hands), strict=True):
        table.until(lambda guest=guest: guest.page.evaluate("heard"), "something said")  # type: ignore[misc]
        heard = " ".join(text for _, text in guest.page.evaluate("heard"))
        assert not [card for card in others if card in heard]
        guest.leave()
