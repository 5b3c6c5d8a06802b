"""Screenshots of every phone page, for `docs/pictures/`: `python tests/e2e/phone/pictures.py [FOLDER] [GAME...]`.

The table is real and so are the moves: a game of Skytopia is played by chance until each page has something to show.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from phone_guests import Guest, shoot
from picture_games import past, praga, skyrise
from playwright.sync_api import Browser, sync_playwright

from benches.phones import LiveTable
from companion.game import Choice
from companion.phone import build
from tests.chromium import BROWSER, CHROMIUM

NAMES = ["Magda", "Tomek", "Élodie", "Sam"]
MIDDLE = 150
"""Moves after which there is a city to look at."""


def step(table: LiveTable, chance: random.Random) -> Choice:
    """One legal move by chance; golems rather go where they soon finish."""
    table.pump(0.0)
    assert table.prompt is not None
    possible = [choice for choice in table.prompt.ask.choices if choice.off is None]
    places = [choice for choice in possible if choice.id.startswith("place/")]
    wait = chance.choice((1, 2, 2, 3))
    choice = (
        min(places, key=lambda one: (abs(one.picture["rounds"] - wait), chance.random()))
        if places
        else chance.choice(possible)
    )
    answer = table.move(choice.move)
    assert answer.ok, answer.refusal
    table.until(lambda: table.state is not None and table.state.seq == answer.seq, "the next prompt")
    return choice


def places_next(table: LiveTable, seat: int) -> bool:
    """This player is about to choose a card and can pay for more than one value."""
    ask = table.prompt.ask if table.prompt else None
    if ask is None or ask.seat != seat or not ask.choices or not ask.choices[0].id.startswith("place/"):
        return False
    return len({choice.picture["coins"] for choice in ask.choices if choice.off is None}) > 2


def skytopia(browser: Browser, table: LiveTable, folder: Path) -> None:
    """Door, play, choosing a value, watching, menu, tally, chart and share."""
    table.new_game("skytopia", NAMES)
    door = Guest(browser, table, 0).scan()
    shoot(door, folder, "door")
    door.leave()
    magda = Guest(browser, table, 0).sit()
    tomek = Guest(browser, table, 1, language="pl", scheme="light").sit()
    watcher = Guest(browser, table, None, language="fr", width=320, height=640).sit()
    chance = random.Random(8)
    for _ in range(MIDDLE):
        step(table, chance)
    while not places_next(table, 0):
        step(table, chance)
    magda.caught_up()
    shoot(magda, folder, "place")
    shoot(tomek, folder, "others-turn")
    shoot(watcher, folder, "watch-320")
    assert table.prompt is not None
    best = max(
        {choice.group for choice in table.prompt.ask.choices if choice.off is None},
        key=lambda group: sum(one.group == group and one.off is None for one in table.prompt.ask.choices),  # type: ignore[union-attr]
    )
    magda.page.click(f'[data-slot="{best}"]')
    shoot(magda, folder, "value")
    magda.page.get_by_role("button", name="Menu").click()
    shoot(magda, folder, "menu")
    magda.page.keyboard.press("Escape")
    magda.context.set_offline(True)
    magda.page.wait_for_selector(".note.warn")
    shoot(magda, folder, "offline")
    magda.context.set_offline(False)
    while table.state is not None and table.state.phase == "playing":
        step(table, chance)
    for guest in (magda, tomek):
        guest.caught_up()
    shoot(magda, folder, "tally")
    shoot(tomek, folder, "tally-light")
    magda.page.get_by_role("button", name="Chart").click()
    magda.page.wait_for_selector("dialog .chart, [role=dialog] svg")
    shoot(magda, folder, "chart")
    magda.page.keyboard.press("Escape")
    magda.page.click(".foot .primary")
    magda.page.locator(".postcard[src]").evaluate("picture => picture.decode()")
    shoot(magda, folder, "share")
    for guest in (magda, tomek, watcher):
        guest.leave()
    table.order("end game")


def score_pad(browser: Browser, table: LiveTable, folder: Path) -> None:
    """The score pad's form, and the finished games it leaves."""
    table.new_game("scorepad", NAMES, rounds=4)
    pad = Guest(browser, table, 2, language="fr").sit()
    assert table.move({"kind": "score", "values": {"p0": 12, "p1": 7, "p2": 9, "p3": 4}}).ok
    pad.caught_up()
    shoot(pad, folder, "scorepad")
    for points in ((5, 9, 2, 7), (3, 3, 8, 11), (6, 4, 4, 2)):
        assert table.move({"kind": "score", "values": {f"p{seat}": value for seat, value in enumerate(points)}}).ok
    if table.state is not None and table.state.phase == "playing":
        assert table.move({"kind": "end"}).ok
    pad.leave()
    table.order("end game")


PAGES = {"skytopia": skytopia, "scorepad": score_pad, "praga": praga, "skyrise": skyrise, "past": past}


def main(folder: Path, wanted: list[str]) -> int:
    """All pages, or those wanted, into one folder."""
    folder.mkdir(parents=True, exist_ok=True)
    build.build()
    with sync_playwright() as play, LiveTable("pictures") as table:
        browser = play.chromium.launch(executable_path=BROWSER, args=CHROMIUM)
        for name, pages in PAGES.items():
            if name in (wanted or PAGES):
                pages(browser, table, folder)
                for seat in range(len(NAMES)):  # who sat here would sit on in the next game
                    table.order("free seat", seat=seat)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"), sys.argv[2:]))
