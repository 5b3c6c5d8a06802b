"""A demo that stands still says why: the hands tell both windows whom they wait for."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game import Ask, Text
from companion.virtual import waiting
from companion.virtual.waiting import Waiting
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Health, MarketSeen, Notice, Prompt, Question, State, VirtualTruth

BARE: dict[str, Any] = {"gold-1": {"card": "", "dice": []}}
LAID: dict[str, Any] = {"gold-1": {"card": "", "dice": [{"colour": "sun", "face": 3}]}}


class Stand:
    """The hands' ear, and what they say about waiting."""

    def __init__(self, *, camera: bool = True) -> None:
        broker = MemoryBroker()
        bus: Any = broker.bus("virtual")
        self.world = broker.bus("world")
        self.heard: list[Health] = []
        self.world.subscribe("health/virtual", lambda topic, health: self.heard.append(health))
        self.rests = True
        self.waiting = Waiting(bus, camera=camera, hand_rests=lambda: self.rests)
        self.bus = bus
        for each in (bus, self.world):
            each.start()

    def tell(self, topic: str, message: Any) -> None:
        self.world.publish(topic, message)
        self.bus.pump()

    def asked(self, seat: int | None, seq: int = 1, **more: Any) -> None:
        question = more.pop("question", None)
        prompt = Prompt(ask=Ask(seat, Text("toy/ask/place")), question=question)
        self.tell("state", State(table="t", game_id="g", phase="playing", seq=seq, prompt=prompt, **more))

    def said(self) -> str:
        """The last word on it, as everybody heard it."""
        self.waiting.attend()
        self.world.pump()
        return self.heard[-1].say.key.rpartition("/")[2] if self.heard and self.heard[-1].say else ""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "QUIET", 0.0)


@pytest.mark.usefixtures("at_once")
def test_a_camera_that_has_not_looked_yet_is_named() -> None:
    """Also while it sees the hand or the pieces are settling; once it has read them it is the table that is slow."""
    stand = Stand()
    stand.asked(1)
    for slots, hand in ((BARE, None), (BARE, {"x": 0.5, "y": 0.5}), (LAID, None)):
        stand.waiting.laid(VirtualTruth(ts=1.0, slots=slots, hand=hand))
    assert stand.said() == "camera"
    stand.tell("sensor/market", MarketSeen(state="settling", ts=1.0))
    assert stand.said() == "camera"
    stand.tell("sensor/market", MarketSeen(state="ready", ts=2.0))
    assert stand.said() == "table"
    stand.waiting.laid(VirtualTruth(ts=3.0, slots=LAID, dial=4))
    assert stand.said() == "table", "no camera reads the dial"


@pytest.mark.usefixtures("at_once")
def test_whose_hand_everybody_waits_for_is_said_first() -> None:
    """A person at the mouse keeps the bots waiting, and no camera is waited for where there is none."""
    stand = Stand(camera=False)
    stand.asked(None)
    stand.rests = False
    stand.waiting.laid(VirtualTruth(ts=1.0, slots=LAID, you=(0,)))
    assert stand.said() == "hand"
    stand.rests = True
    assert stand.said() == "table"


@pytest.mark.usefixtures("at_once")
def test_nothing_is_said_where_the_screen_itself_says_what_to_do() -> None:
    """A person is asked, something differs, a reading is in question: then the hands take their word back."""
    stand = Stand()
    stand.waiting.laid(VirtualTruth(ts=1.0, slots=LAID, you=(0,)))
    told: list[dict[str, Any]] = [
        {"seat": 0},
        {"seat": 1, "notices": (Notice(id="differs-gold-1", text=Text("beside/title")),)},
        {"seat": 1, "question": Question(id="q", text=Text("beside/title"), answers=())},
    ]
    for case in told:
        stand.asked(1)
        assert stand.said() == "camera"
        stand.asked(**case)
        assert stand.said() == "", case


def test_nothing_is_said_while_something_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every new row begins the wait anew; the same word is not sent twice."""
    stand = Stand()
    stand.waiting.laid(VirtualTruth(ts=1.0, slots=LAID))
    stand.asked(1)
    assert stand.said() == ""
    assert not stand.heard
    monkeypatch.setattr(waiting, "QUIET", 0.0)
    assert stand.said() == stand.said() == "camera"
    assert len(stand.heard) == 1
    monkeypatch.setattr(waiting, "QUIET", 60.0)
    stand.asked(1, seq=2)
    assert stand.said() == ""
    assert len(stand.heard) == 2
