"""A complete game of Skytopia: players decide on four phones, cards are named at the screen, two spectators look on."""

from __future__ import annotations

import random
import time

import pytest
from phone_guests import Guest
from phone_texts import keeps_no_key, plain, shows_door, shows_skytopia
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.game import Ask, Choice
from tests.views import view_of

NAMES = ["Magda", "Tomek", "Élodie", "Sam"]
KILLED, RELOADED, OFFLINE, CHECK_EVERY = 40, 70, 100, 40


def decision(ask: Ask, chance: random.Random, step: int) -> tuple[int, Choice]:
    """Who answers and what: golems go where they soon finish, anything else as it comes."""
    seat = ask.seat if ask.seat is not None else (ask.waiting[0] if ask.waiting else step % 4)
    open_to_me = [choice for choice in ask.choices if choice.off is None and choice.move.get("seat") in (None, seat)]
    if not open_to_me:
        mover = next(choice for choice in ask.choices if choice.off is None)
        return int(mover.move["seat"]), mover
    places = [choice for choice in open_to_me if choice.id.startswith("place/")]
    if places:
        return seat, min(places, key=lambda choice: (choice.picture["rounds"], chance.random()))
    return seat, chance.choice(open_to_me)


def carried_out(table: LiveTable, seq: int) -> None:
    """Wait for the row after `seq`."""
    table.until(lambda: table.state is not None and table.state.seq > seq, "the move")


@pytest.mark.timeout(600)
@pytest.mark.long(98)
def test_four_phones_play_skytopia_to_the_tally(browser: Browser, table: LiveTable) -> None:
    """Through a dead phone, a reload and twenty seconds without network; every page says what the core says."""
    table.new_game("skytopia", NAMES)
    languages = ["en", "pl", "fr", "pl"]
    players = [Guest(browser, table, seat, language=languages[seat]).sit() for seat in range(4)]
    watchers = [
        Guest(browser, table, None, language="fr", scheme="light", width=320, height=640).sit(),
        Guest(browser, table, None, language="en", scheme="light").sit(),
    ]
    everybody = [*players, *watchers]
    late = Guest(browser, table, None, language="fr").scan()
    shows_door(late, table.state)  # type: ignore[arg-type]
    late.assert_accessible()
    late.leave()
    chance, step, offline_done = random.Random(3), 0, False
    while table.state is not None and table.state.phase == "playing":
        assert table.prompt is not None
        seat, choice = decision(table.prompt.ask, chance, step)
        if step == KILLED:
            players[1].killed()
            players[1].back()
        if step == RELOADED:
            players[3].reload()
        if step >= OFFLINE and not offline_done and choice.id.startswith("place/"):
            _without_network(players[seat], choice, table)
            offline_done = True
        else:
            seq = table.state.seq
            if choice.id.startswith("reveal/"):
                assert table.move(choice.move).ok  # cards are named at the screen, where they lie
            else:
                players[seat].choose(choice)
            carried_out(table, seq)
        step += 1
        if step % CHECK_EVERY == 0:
            for guest in everybody:
                guest.assert_shows()
                if table.state.phase == "playing":
                    shows_skytopia(guest, table.state, {guest.seat or 0, step // CHECK_EVERY % 4})
            players[step // CHECK_EVERY % 4].assert_accessible()
            watchers[0].assert_accessible()
    assert offline_done and step > 150
    for guest in everybody:
        guest.assert_shows()
        keeps_no_key(guest)
    for guest in (players[0], players[1], watchers[0]):
        guest.assert_accessible()
        _sheets_of_the_end(guest)
    for guest in everybody:
        guest.leave()


def _sheets_of_the_end(guest: Guest) -> None:
    """Chart and share: the same figures, in words too."""
    state = guest.table.state
    assert state is not None and state.tally is not None
    guest.touch(guest.own("phone/chart-short"))
    guest.page.wait_for_selector("dialog[open] .chart")
    said = plain(guest.page.locator("dialog .chart-frame").get_attribute("aria-label") or "")
    names = {seat.seat: seat.name for seat in state.seats}
    for seat, points in enumerate(view_of(state)["chart"]):
        assert f"{names[seat]}: {', '.join(str(value) for value in points)}" in said
    guest.assert_accessible()
    guest.page.keyboard.press("Escape")
    guest.page.wait_for_selector("dialog", state="detached")
    guest.touch(guest.own("phone/share"))
    guest.page.wait_for_selector("#share-text")
    text = guest.page.input_value("#share-text")
    for player in state.tally.players:
        assert player.name in text and str(player.total) in text
    guest.assert_accessible()
    guest.page.keyboard.press("Escape")
    guest.page.wait_for_selector("dialog", state="detached")


def _without_network(guest: Guest, choice: Choice, table: LiveTable) -> None:
    """The tap made in the dead spot counts once, as soon as the phone is back."""
    assert table.state is not None
    before = table.state.seq
    guest.caught_up()
    guest.context.set_offline(True)
    guest.page.wait_for_selector(".note.warn")
    guest.choose(choice)
    guest.page.wait_for_selector(f'[data-choice="{choice.id}"].pending')
    end = time.monotonic() + 20
    while time.monotonic() < end:
        table.pump(0.2)
    assert table.state.seq == before
    guest.context.set_offline(False)
    carried_out(table, before)
    table.settle()
    assert table.state.seq == before + 1
