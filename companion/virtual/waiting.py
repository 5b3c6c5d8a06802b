"""What the virtual hands wait for, said on both windows: nobody has to wonder whether a demo has stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.game import Text
from companion.wire.bus import MqttBus
from companion.wire.messages import Health, MarketSeen, State, VirtualTruth

QUIET = 6.0
"""Seconds in which nothing happens after which everybody is told why."""


class Waiting:
    """Knows since when the table has said nothing new, and who keeps it waiting."""

    def __init__(self, bus: MqttBus, *, camera: bool, hand_rests: Callable[[], bool]) -> None:
        """`hand_rests`: no person has had a hand on the pieces lately."""
        self._bus, self._camera, self._hand_rests = bus, camera, hand_rests
        self._state: State | None = None
        self._truth: VirtualTruth | None = None
        self._since = time.monotonic()
        self._looked = True
        """The camera has read the pieces as they lie now."""
        self._said = ""
        bus.subscribe("state", self._told)
        bus.subscribe("sensor/market", self._seen)

    def _told(self, topic: str, state: State) -> None:
        known = self._state
        if known is None or (known.game_id, known.seq) != (state.game_id, state.seq):
            self._since = time.monotonic()
        self._state = state

    def _seen(self, topic: str, market: MarketSeen) -> None:
        self._looked = market.state == "ready"

    def laid(self, truth: VirtualTruth) -> None:
        """Hands have changed something."""
        before, self._truth = self._truth, truth
        if before is None or (before.slots, before.hand) != (truth.slots, truth.hand):
            self._looked = False

    def attend(self) -> None:
        """Called for as long as anybody waits: says it once, and takes it back when it is over."""
        why = self._why()
        if why != self._said:
            self._said = why
            say = Text(f"demo/waits/{why}") if why else None
            self._bus.publish("health/virtual", Health(room="virtual", status="online", ts=self._bus.now(), say=say))

    def _why(self) -> str:
        """`hand`, `camera` or `table`; nothing while something happens, or while the screen itself says what to do."""
        state, you = self._state, self._truth.you if self._truth is not None else ()
        if time.monotonic() - self._since < QUIET or state is None or state.prompt is None:
            return ""
        if state.notices or state.prompt.question is not None or state.prompt.ask.seat in you:
            return ""
        if not self._hand_rests():
            return "hand"
        return "camera" if self._camera and not self._looked else "table"
