"""A card is taught from the menu, known again after a restart of the room, and forgotten."""

from __future__ import annotations

from companion.wire.messages import MarketSeen, VirtualTruth
from tools.lab.contained import Hand
from tools.lab.guest import SLOW, Guest
from tools.lab.place import LabError
from tools.lab.world import STATE, World, heard
from vision.cards.album import FOLDER

CARD, SLOT = "lab-1", "blue-1"
LAID = VirtualTruth(ts=2.0, slots={SLOT: {"card": CARD, "dice": []}})
FILE = f"{STATE}/{FOLDER}/{CARD}.png"
ORDERS = ("teach card", "forget card")


def taught(guest: Guest, hand: Hand, world: World) -> None:
    """`LabError` when it goes otherwise."""
    seen: list[MarketSeen] = []
    hand.voice.bus.subscribe("sensor/market", lambda topic, message: seen.append(message))

    def until(known: bool, what: str) -> None:
        heard(hand.voice.bus, lambda: seen and lies(seen[-1]) and (names(seen[-1]) == known), SLOW, what)

    world.show(LAID)
    until(False, "a card nobody has shown it")
    hand.order("vision", "teach card", {"card": CARD, "slot": SLOT})
    until(True, "the card it was taught")
    kept = guest.run(f"stat -c '%U %a' {FILE}").split()
    if kept != ["tableside", "600"]:
        raise LabError(f"the card's picture is {' '.join(kept)}")
    guest.run("systemctl restart tableside-vision.service")
    seen.clear()
    until(True, "the card after a restart of the camera's room")
    hand.order("vision", "forget card", {"card": CARD})
    until(False, "that the card is forgotten")
    if guest.run(f"ls {FILE}", check=False).strip():
        raise LabError("a forgotten card's picture is still there")


def lies(seen: MarketSeen) -> bool:
    """Something lies in the slot that is no die of before, and nothing moves."""
    here = [slot for slot in seen.slots if slot.slot == SLOT]
    return seen.state == "ready" and any(slot.card.card != "" and not slot.dice for slot in here)


def names(seen: MarketSeen) -> bool:
    """It is the card by its name."""
    return any(slot.slot == SLOT and slot.card.card == CARD for slot in seen.slots)
