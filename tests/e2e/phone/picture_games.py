"""Pages of Praga and Skyrise and of the finished games, brought about by real moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from phone_guests import Guest, shoot
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.core import registry
from tests.views import view_of

NAMES = ["Magda", "Tomek", "Élodie", "Sam"]


class Mirror:
    """The same game beside the table's, so that every legal move is known."""

    def __init__(self, table: LiveTable, game: str, seed: int, **options: Any) -> None:
        table.new_game(game, NAMES, **options)
        assert table.state is not None
        self.table, self.pack, self.chance = table, registry.usable()[game], random.Random(seed)
        colours = [seat.colour for seat in table.state.seats]
        self.truth = self.pack.new({"depth": "full", **options, "colours": colours, "names": tuple(NAMES)}, {})

    def until(self, done: Callable[[Any], bool], most: int = 900) -> None:
        """Play by chance until the question is the wanted one."""
        for _ in range(most):
            if self.pack.over(self.truth) or done(self.pack.ask(self.truth)):
                return
            move = self.chance.choice(self.pack.moves(self.truth))
            answer = self.table.move(self.pack.encode(move))
            assert answer.ok, answer.refusal
            self.truth = self.pack.play(self.truth, move).state
            self.table.until(lambda seq=answer.seq: self.table.state.seq == seq, "the next prompt")  # type: ignore[misc]
        raise AssertionError("it never came to that")

    @property
    def seat(self) -> int:
        """Who is asked."""
        return int(self.pack.ask(self.truth).seat or 0)


def praga(browser: Browser, table: LiveTable, folder: Path) -> None:
    """The crane with its tiles, the end of a turn, the form and the tally."""
    game = Mirror(table, "praga", 5)
    game.until(lambda ask: ask.phase == "choose" and len(game.truth.chart) >= 5)
    guest = Guest(browser, table, game.seat).sit()
    guest.caught_up()
    shoot(guest, folder, "crane")
    game.until(lambda ask: ask.phase == "wheel" and ask.seat == guest.seat)
    guest.caught_up()
    shoot(guest, folder, "praga-turn")
    polish = Guest(browser, table, (game.seat + 1) % 4, language="pl", scheme="light", width=320, height=640).sit()
    polish.caught_up()
    shoot(polish, folder, "crane-320")
    game.until(lambda ask: ask.phase == "form")
    guest.caught_up()
    shoot(guest, folder, "praga-form")
    game.until(lambda ask: False)
    guest.page.wait_for_selector(".end .winner")
    shoot(guest, folder, "praga-tally")
    for one in (guest, polish):
        one.leave()
    table.order("end game")


def bid(table: LiveTable, chance: random.Random) -> None:
    """One public decision of Skyrise by chance."""
    assert table.prompt is not None and table.state is not None
    ask, legal = table.prompt.ask, view_of(table.state)["auction"]["legal"]
    if ask.phase == "bid" and chance.random() < 0.4:
        move = ask.choices[0].move
    elif ask.form is not None and ask.phase in ("open", "bid", "quick"):
        piece = chance.choice(sorted(legal))
        move = {**ask.form.move, "values": {"piece": piece, "site": chance.choice(legal[piece])}}
    else:
        move = chance.choice([choice for choice in ask.choices if choice.off is None]).move
    answer = table.move(move)
    assert answer.ok, answer.refusal
    table.until(lambda: table.state is not None and table.state.seq == answer.seq, "the next prompt")


def phase(table: LiveTable) -> str:
    """What is asked at the table."""
    return table.prompt.ask.phase if table.prompt is not None else ""


def choose_wonders(guests: list[Guest]) -> None:
    """Everybody locks two of their cards."""
    for guest in guests:
        for _ in range(2):
            first = guest.page.locator('.answers [data-choice]:not([data-choice="undo"])').first
            name = first.get_attribute("data-choice")
            first.click()
            guest.page.locator(f'.answers [data-choice="{name}"]').wait_for(state="detached")


def quick_skyrise(table: LiveTable, guests: list[Guest], folder: Path, chance: random.Random) -> None:
    """The same players again: a result by number and site, and the wonders of era II as everybody reads them."""
    table.new_game("skyrise", NAMES[:2], deal="digital", auction="quick", board="drawn")
    for _ in range(6):
        bid(table, chance)
    while phase(table) != "quick":
        bid(table, chance)
    for one in guests:
        one.caught_up()
    guests[0].page.locator(".piece-key").nth(2).click()
    guests[0].page.evaluate("scrollTo(0, 0)")
    shoot(guests[0], folder, "skyrise-quick")
    while phase(table) != "choose":
        bid(table, chance)
    choose_wonders(guests)
    table.until(lambda: phase(table) not in ("choose", ""), "the second era")
    guests[1].caught_up()
    guests[1].page.locator(".wonders").evaluate("panel => panel.scrollIntoView()")
    shoot(guests[1], folder, "skyrise-wonders-open")
    while phase(table) != "word":
        bid(table, chance)
    guests[0].caught_up()
    shoot(guests[0], folder, "skyrise-card")


def skyrise(browser: Browser, table: LiveTable, folder: Path) -> None:
    """An auction with lit sites and my numbers, secrets, the choice of wonders, the scoring."""
    table.new_game("skyrise", NAMES[:2], deal="digital")
    chance = random.Random(2)
    guests = [Guest(browser, table, 0).sit(), Guest(browser, table, 1, language="pl", scheme="light").sit()]
    guests[0].page.wait_for_selector("[data-secret]")
    guests[0].page.locator("[data-secret]").scroll_into_view_if_needed()
    for _ in range(12):
        bid(table, chance)
    while phase(table) != "bid":
        bid(table, chance)
    assert table.prompt is not None
    mine = guests[int(table.prompt.ask.seat or 0)]
    mine.caught_up()
    mine.page.locator(".site-key").first.click()
    mine.page.evaluate("scrollTo(0, 0)")
    shoot(mine, folder, "auction")
    mine.page.locator("[data-secret]").evaluate("panel => panel.scrollIntoView()")
    mine.page.evaluate("scrollBy(0, -12)")
    shoot(mine, folder, "secrets")
    while phase(table) != "choose":
        bid(table, chance)
    guests[0].page.evaluate("scrollTo(0, 0)")
    shoot(guests[0], folder, "wonders")
    choose_wonders(guests)
    table.until(lambda: phase(table) not in ("choose", ""), "the second era")
    while phase(table) not in ("over", ""):
        bid(table, chance)
    guests[1].page.wait_for_selector(".end .winner")
    shoot(guests[1], folder, "skyrise-scoring")
    quick_skyrise(table, guests, folder, chance)
    for one in guests:
        one.leave()
    table.order("end game")


def past(browser: Browser, table: LiveTable, folder: Path) -> None:
    """The finished games, from the waiting room."""
    guest = Guest(browser, table, None).sit()
    guest.touch(guest.own("phone/menu"))
    guest.touch(guest.own("phone/past"))
    guest.page.wait_for_selector(".past-games")
    shoot(guest, folder, "past")
    guest.page.locator(".past-head").first.click()
    guest.page.locator(".past-game").first.evaluate("one => one.scrollIntoView()")
    shoot(guest, folder, "past-game")
    guest.leave()
