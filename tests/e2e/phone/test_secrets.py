"""What only one seat may see is drawn only there."""

from __future__ import annotations

from phone_guests import Guest
from playwright.sync_api import Browser

from benches.phones import LiveTable


def test_secrets_are_drawn_on_their_owners_phone_only(browser: Browser, table: LiveTable) -> None:
    """Objective and hand come with the seat, again after a reload and a lost line; never to others, never to storage."""
    table.new_game("skyrise", ["Ada", "Bo", "Cy"], deal="digital")
    guests = [Guest(browser, table, seat).sit() for seat in (0, 1)]
    watcher = Guest(browser, table, None, language="pl").sit()
    hands = []
    for guest in guests:
        guest.page.wait_for_selector("[data-secret] .cards")
        guest.assert_accessible()
        guest.counts("[data-secret] .cards .strong", 3)
        hands.append(set(guest.texts("[data-secret] .cards .strong")))
    assert len(hands[0]) == 3
    assert hands[0] & hands[1] == set()
    watcher.caught_up()
    watcher.counts("[data-secret]", 0)
    everything = watcher.page.content()
    assert not any(card in everything for hand in hands for card in hand)

    guests[0].reload()
    guests[0].page.wait_for_selector("[data-secret] .cards")
    assert set(guests[0].texts("[data-secret] .cards .strong")) == hands[0]
    guests[1].context.set_offline(True)
    guests[1].page.wait_for_selector(".note.warn")
    guests[1].context.set_offline(False)
    guests[1].page.wait_for_selector(".note.warn", state="detached")
    assert set(guests[1].texts("[data-secret] .cards .strong")) == hands[1]

    for guest, hand in zip(guests, hands, strict=True):
        assert not any(card in guest.storage() for card in hand)
    table.order("end game")
    for guest, hand in zip(guests, hands, strict=True):
        guest.page.wait_for_selector(".lobby")
        guest.counts("[data-secret]", 0)
        assert not any(card in guest.page.content() for card in hand)
        guest.leave()
    watcher.leave()
