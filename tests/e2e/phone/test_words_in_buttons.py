"""Every word stays whole and inside its button, on small and wide phones, in three languages, in every game."""

from __future__ import annotations

import random
import time

import pytest
from phone_guests import Guest
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.game import Ask
from tests.views import view_of

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


STILL = 20.0
"""Seconds in which a page has fetched its last words and stands still."""


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


@pytest.mark.parametrize(
    ("game", "options"), GAMES, ids=[f"{game}-{options.get('depth', 'full')}" for game, options in GAMES]
)
def test_every_word_stays_whole_and_in_its_button(
    browser: Browser, table: LiveTable, game: str, options: dict[str, str]
) -> None:
    """Newcomer C3, C7. Set-up, play and the menu of each game; names as long as people have them."""
    table.new_game(game, ["Maksymilian", "Wilhelmina", "Konstancja"], **options)
    guests = [Guest(browser, table, seat, language=language).sit() for seat, language in enumerate(("en", "pl", "fr"))]
    chance, wrong = random.Random(5), list[str]()
    for _ in range(8):
        for guest in guests:
            guest.caught_up()
            for width, height in SIZES:
                guest.page.set_viewport_size({"width": width, "height": height})
                found = misfits(guest, still=0.0 if wrong else STILL)
                wrong += [
                    f"{guest.language} {width}x{height} row {table.state.seq if table.state else 0}: {one}"
                    for one in found
                ]
        for _ in range(3):
            advance(table, chance)
    assert not wrong, "\n".join(sorted(set(wrong))[:40])
    for guest in guests:
        guest.leave()


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


def test_light_play_shows_no_figures_that_nobody_follows(browser: Browser, table: LiveTable) -> None:
    """Newcomer C8. Five coins and empty towers stood there all evening."""
    table.new_game("skytopia", ["Ada", "Bo"], depth="light")
    guest = Guest(browser, table, 0).sit()
    guest.caught_up()
    guest.counts(".ring", 1)
    guest.counts(".means, .city", 0)
    guest.leave()
