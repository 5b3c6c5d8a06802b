"""Every word stays whole and inside its button, on small and wide phones, in three languages, in every game."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from phone_guests import Guest
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.game import Ask
from tests.conftest import PATIENCE, ROOT
from tests.views import CODES, view_of

NAMES = ["Maksymilian", "Wilhelmina", "Konstancja", "Bartłomiej"]
SIZES = ((320, 640), (360, 800), (390, 844), (844, 390))
MISFITS = """() => {
  const wrong = new Set(), width = document.documentElement.clientWidth;
  const folded = (one) => one.closest("details:not([open]) > :not(summary)") !== null;
  const seen = (one) => one.checkVisibility({visibilityProperty: true}) && !folded(one);
  const boxes = [...document.querySelectorAll("button, label, summary, .chip, .score, .card, h1, h2")].filter(seen);
  const lines = (range) => [...range.getClientRects()].filter((one) => one.width > 1);
  const beside = (one, outer) => one.left < outer.left - 1 || one.right > outer.right + 1;
  const above = (one, outer) => one.top < outer.top - 3 || one.bottom > outer.bottom + 3;
  for (const box of boxes) {
    const outer = box.getBoundingClientRect(), words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const said = `${box.className}: ${box.textContent}`;
    if (outer.width > 1 && beside(outer, {left: 0, right: width})) wrong.add(`beyond the page: ${said}`);
    while (words.nextNode()) {
      const node = words.currentNode;
      if (node.parentElement.closest(".sr, .gain, svg, [hidden]")) continue;
      for (const found of node.data.matchAll(/[^\\s\\u00ad-]+/gu)) {
        const range = document.createRange();
        range.setStart(node, found.index);
        range.setEnd(node, found.index + found[0].length);
        const parts = lines(range);
        if (new Set(parts.map((one) => Math.round(one.top))).size > 1) wrong.add(`broken: ${found[0]} in ${said}`);
        if (parts.some((one) => beside(one, outer) || (!box.matches("h1, h2") && above(one, outer))))
          wrong.add(`out of its button: ${found[0]} in ${said}`);
      }
    }
  }
  for (const one of document.querySelectorAll("body *")) {
    const cut = /hidden|clip/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1;
    if (cut && seen(one) && !one.closest(".sr, svg") && one.innerText?.trim())
      wrong.add(`cut: ${one.className}: ${one.innerText}`);
  }
  const slides = (one) => one && (/auto|scroll/.test(getComputedStyle(one).overflowX) || slides(one.parentElement));
  const every = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (every.nextNode()) {
    const node = every.currentNode, holder = node.parentElement;
    if (!node.data.trim() || holder.closest(".sr, svg, script, style, [hidden]") || !seen(holder) || slides(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (lines(range).some((one) => beside(one, {left: 0, right: width}))) wrong.add(`beyond the page: ${node.data}`);
  }
  const group = (one) => one.closest("ul, ol, .foot, .answers-head");
  const buttons = boxes.filter((one) => one.matches("button") && group(one) !== null);
  for (const one of buttons) for (const other of buttons) {
    if (one === other || group(one) !== group(other)) continue;
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    if (across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
      wrong.add(`over one another: ${one.textContent} / ${other.textContent}`);
  }
  return [...wrong];
}"""
GAMES = [
    ("scorepad", {"categories": "Rozbudowa miasteczka, Najdłuższa droga handlowa"}),
    ("skytopia", {}),
    ("skytopia", {"depth": "light"}),
    ("skytopia", {"depth": "tally"}),
    ("yacht", {}),
    ("farkle", {}),
    ("praga", {}),
    ("skyrise", {"deal": "digital"}),
]


STILL = PATIENCE
"""Seconds a page has to fetch its last words and stand still."""


def misfits(guest: Guest, still: float) -> list[str]:
    """What sticks out of a page that stands still."""
    last = time.monotonic() + still
    while (found := guest.page.evaluate(MISFITS)) and time.monotonic() < last:
        guest.table.pump(0.1)
    return list(found)


def advance(table: LiveTable, chance: random.Random) -> None:
    """One legal move, as somebody at the screen would touch it."""
    assert table.prompt is not None
    ask: Ask = table.prompt.ask
    open_now = [choice for choice in ask.choices if choice.off is None]
    chosen = chance.choice(open_now).move if open_now else None
    if chosen is None and ask.form is None:
        return  # everybody chooses in secret: there is nothing for the table's own screen to touch
    if chosen is None:
        chosen = ask.form.move | {"values": {field.id: field.value for field in ask.form.fields}}
    answer = table.move(chosen)
    if answer.ok:
        table.until(lambda: table.state is not None and table.state.seq >= answer.seq, "the next prompt")


@pytest.fixture(scope="module")
def phones(browser: Browser, long_evening: LiveTable) -> Iterator[list[Guest]]:
    """Three people with names as long as people have them, each in a language; from one game to the next they sit on."""
    long_evening.new_game("scorepad", NAMES)
    guests = [Guest(browser, long_evening, seat, language=one).sit() for seat, one in enumerate(("en", "pl", "fr"))]
    yield guests
    for guest in guests:
        guest.leave()


@pytest.fixture
def guests(phones: list[Guest], long_evening: LiveTable) -> list[Guest]:
    """The three between two games, whatever became of the last one."""
    long_evening.order("end game")
    for guest in phones:
        guest.page.wait_for_selector(".lobby")
    return phones


READ = """() => [document.body.innerText,
  ...[...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"))].join("\\n")"""
"""All a page says, to eyes and to ears."""


def fitting(guests: list[Guest], where: str) -> list[str]:
    """What sticks out of the page before each of them, at every size; and what no box calls so (Newcomer B2)."""
    wrong = list[str]()
    for guest in guests:
        said = str(guest.page.evaluate(READ)).splitlines()
        wrong += [f"{guest.language} {where}: {line}" for line in said if CODES.search(line)]
        for width, height in SIZES:
            guest.page.set_viewport_size({"width": width, "height": height})
            found = misfits(guest, still=0.0 if wrong else STILL)
            wrong += [f"{guest.language} {width}x{height} {where}: {one}" for one in found]
    return wrong


@pytest.mark.parametrize(
    ("game", "options"), GAMES, ids=[f"{game}-{options.get('depth', 'full')}" for game, options in GAMES]
)
def test_every_word_stays_whole_and_in_its_button(
    guests: list[Guest], long_evening: LiveTable, game: str, options: dict[str, str]
) -> None:
    """Newcomer C3, C7. Set-up and play of each game; names as long as people have them."""
    table = long_evening
    table.new_game(game, NAMES, **options)
    chance, wrong = random.Random(5), list[str]()
    for _ in range(8):
        for guest in guests:
            guest.caught_up()
        wrong += fitting(guests, f"row {table.state.seq if table.state else 0}")
        for _ in range(3):
            advance(table, chance)
    assert not wrong, "\n".join(sorted(set(wrong))[:40])


ENDS = {
    "scorepad": "",
    "skytopia": "skytopia/two-players.jsonl",
    "yacht": "",
    "farkle": "",
    "praga": "praga/four-players-tally.jsonl",
    "skyrise": "",
}
"""How each game is brought to its end: by a record, or as it comes."""


@pytest.mark.parametrize("game", ENDS)
def test_every_word_of_the_menu_and_of_the_end_stays_whole(browser: Browser, table: LiveTable, game: str) -> None:
    """Newcomer C3, C7. What lies behind the menu, the tally, and what can be looked at from there."""
    record = (ROOT / "tests" / "games" / ENDS[game]).read_text(encoding="utf-8").splitlines() if ENDS[game] else []
    head, *lines = [json.loads(line) for line in record] or [{"options": {"names": ["", ""]}}]
    options = {key: value for key, value in head["options"].items() if key not in ("names", "colours")}
    if game == "skyrise":
        options["depth"] = "light"  # its secrets are entered by nobody else: only what was counted ends by touch
    names = NAMES[: len(head["options"]["names"])]
    table.new_game(game, names, **options)
    guests = [Guest(browser, table, seat, language=one).sit() for seat, one in ((0, "pl"), (1, "fr"), (None, "en"))]
    wrong = list[str]()

    def behind(opened: str, *keys: str) -> None:
        """Each guest touches these, one after the other; what opens is measured, then put away."""
        for key in keys:
            shown = []
            for guest in guests:
                if opened:
                    guest.page.get_by_role("button", name=guest.own(opened)).first.click()
                button = guest.page.get_by_role("button", name=guest.own(key), exact=True)
                if button.count():
                    button.first.click()
                    guest.page.wait_for_selector("dialog .sheet-body")
                    shown.append(guest)
            wrong.extend(fitting(shown, key))
            for guest in guests:
                if guest.page.locator("dialog .sheet-body").count():
                    guest.page.get_by_role("button", name=guest.own("phone/close"), exact=True).click()

    for guest in guests:
        guest.caught_up()
    behind("", "phone/menu")
    behind("phone/menu", "phone/rules", "phone/correct")
    for guest in guests:
        guest.killed()  # hundreds of moves are drawn for nobody else
    _to_the_end(table, [line["move"] for line in lines if "move" in line])
    for guest in guests:
        guest.back()
        guest.caught_up()
    wrong += fitting(guests, "the end")
    behind("", "phone/chart-short", "phone/share", "phone/past")
    assert not wrong, "\n".join(sorted(set(wrong))[:40])
    for guest in guests:
        guest.leave()


def _to_the_end(table: LiveTable, moves: list[dict[str, Any]]) -> None:
    """As it was recorded; else one legal move after the other, and a pad is closed."""
    for move in moves:
        table.move(move)  # what the table does by itself by now is refused
    chance, last = random.Random(5), time.monotonic() + PATIENCE
    while table.state is None or table.state.phase != "over":
        assert time.monotonic() < last, "it does not end"
        if table.state is not None and table.state.game == "scorepad":
            table.move({"kind": "end"})
        elif not moves:
            advance(table, chance)
        table.pump(0.01)


def test_cards_nobody_named_are_drawn_as_unknown_and_what_can_be_touched_is_lit(
    browser: Browser, table: LiveTable
) -> None:
    """Newcomer C5. Without a camera that is the usual market; an empty place looks different."""
    table.new_game("skytopia", ["Ada", "Bo"])
    guest, chance = Guest(browser, table, 0).sit(), random.Random(5)
    while table.prompt is None or not any(one.id.startswith("place/") for one in table.prompt.ask.choices):
        advance(table, chance)
    assert table.prompt is not None
    mover = table.prompt.ask.seat
    places = {one.group for one in table.prompt.ask.choices if one.off is None and one.group}
    seen = guest if mover == 0 else Guest(browser, table, 1).sit()
    seen.caught_up()
    assert places
    seen.counts(".card.lit", len(places))
    unknown = [slot for slot in view_of(table.state)["market"]["slots"] if slot["card"] is None]
    assert unknown
    seen.counts('.card:not(.empty) .strip-top:has-text("?")', len(unknown))
    seen.counts(f'.card[aria-label*="{seen.own("phone/sky/unknown")}"]', len(unknown))
    for one in {guest, seen}:
        one.leave()


def test_the_first_golem_says_where_it_goes(browser: Browser, table: LiveTable) -> None:
    """Newcomer B14 and B8: in words on its button, and as a ghost on its card; it has no price."""
    table.new_game("skytopia", ["Ada", "Bo"])
    guest, chance = Guest(browser, table, 1, language="pl").sit(), random.Random(5)
    while table.prompt is None or not any(one.id.startswith("start/") for one in table.prompt.ask.choices):
        advance(table, chance)
    guest.caught_up()
    (mine,) = (one for one in table.prompt.ask.choices if one.id.startswith("start/1/"))
    said = guest.page.wait_for_selector(f'[data-choice="{mine.id}"] .choice-text')
    assert said is not None
    assert said.inner_text().casefold() == guest.say(mine.text).casefold()
    guest.counts(f'[data-choice="{mine.id}"] .coin', 0)
    guest.counts(".card .ghost .die", 2)
    guest.leave()


def test_light_play_shows_no_figures_that_nobody_follows(browser: Browser, table: LiveTable) -> None:
    """Newcomer C8. Five coins and empty towers stood there all evening."""
    table.new_game("skytopia", ["Ada", "Bo"], depth="light")
    guest = Guest(browser, table, 0).sit()
    guest.caught_up()
    guest.counts(".ring", 1)
    guest.counts(".means, .city", 0)
    guest.leave()
