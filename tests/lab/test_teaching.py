"""What the lab takes for a card that is known, unknown or not there."""

from __future__ import annotations

import pytest

from companion.wire.messages import CardSeen, DieSeen, MarketSeen, SlotSeen
from tools.lab.teaching import CARD, LAID, SLOT, lies, names
from vision.cards.album import CARD_NAME, USUAL


def market(card: str | None, state: str = "ready", slot: str = SLOT) -> MarketSeen:
    return MarketSeen(state=state, ts=1.0, slots=(SlotSeen(slot=slot, card=CardSeen(card=card)),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        (market(None), (True, False)),
        (market(CARD), (True, True)),
        (market(""), (False, False)),
        (market(CARD, state="settling"), (False, True)),
        (market(CARD, slot="blue-2"), (False, False)),
        (market("B1a"), (True, False)),
    ],
)
def test_only_the_card_that_lies_there_counts(seen: MarketSeen, found: tuple[bool, bool]) -> None:
    assert (lies(seen), names(seen)) == found


def test_a_die_that_still_lies_there_is_no_card() -> None:
    """It would be taught as one."""
    die = DieSeen(owner="sun", owner_share=1.0, faces=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0), x=0.4, y=0.5)
    assert not lies(MarketSeen(state="ready", ts=1.0, slots=(SlotSeen(slot=SLOT, dice=(die,)),)))


def test_its_name_is_allowed_and_nobody_elses() -> None:
    """On a machine that was taught a game's cards none of those is forgotten."""
    assert CARD_NAME.match(CARD)
    assert CARD not in USUAL
    assert LAID.slots[SLOT]["card"] == CARD
