"""A table of the hall that plays as fast as people could at most, for benches and soak runs."""

from __future__ import annotations

import time
from typing import Any

from companion.wire.messages import Admin, MoveRequest
from hall.virtual import VirtualTable


class QuickTable(VirtualTable):
    """It plays the score pad: a result every two seconds."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.shown: dict[tuple[str, int], float] = {}
        """Game and row -> when this table's own screen had it first."""
        self.again: dict[tuple[str, int], tuple[float, float]] = {}
        """The same for what was announced once more: when first, and when again."""
        self._known: dict[tuple[str, int], float] = {}

    def _on_state(self, topic: str, message: Any) -> None:
        super()._on_state(topic, message)
        here = (message.game_id, message.seq)
        if message.phase not in ("playing", "over"):
            return
        now = time.monotonic()
        if here in self._known:
            self.again[here] = self._known[here], now
        else:
            self._known[here] = self.shown[here] = now

    def _act(self, now: float) -> None:
        state, bus = self.state, self._bus
        if state is None or bus is None or not bus.connected:
            return
        name = f"{self._chance.getrandbits(64):x}"
        if state.phase != "playing":
            args = {"game": "scorepad", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
            bus.publish("admin", Admin(id=name, client="display", command="new game", args=args))
            return
        move = {"kind": "points", "seat": state.seq % 2, "points": self._chance.randint(1, 9)}
        if state.seq > 6:
            move = {"kind": "end"}
        self._asked[name] = time.monotonic()
        bus.publish("move/display", MoveRequest(id=name, move=move, game=state.game_id, seq=state.seq, cause="touch"))
