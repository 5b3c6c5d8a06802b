"""The dial as a knob for hands that do not see: how far it was turned, and whether its button was pressed or held."""

from __future__ import annotations

from companion.wire.messages import Knob

NOTCHES = 24
"""Choices in one turn of a dial that browses: as many clicks as a common encoder has, whatever the game's own dial has."""
HOLD = 0.6
"""Seconds from which a press is a hold."""


class Button:
    """Tells a press from a hold, on the clock of the edges. A hold is one as soon as it is long enough, a press once it ends."""

    def __init__(self) -> None:
        self.presses = self.holds = 0
        self._since: float | None = None

    @property
    def down(self) -> bool:
        """Pressed, and not yet either of both."""
        return self._since is not None

    def pressed(self, ts: float) -> None:
        """It went down."""
        self._since = ts

    def released(self, ts: float) -> None:
        """It came up."""
        self.tick(ts)
        if self._since is not None:
            self.presses, self._since = self.presses + 1, None

    def tick(self, now: float) -> None:
        """Time goes on."""
        if self._since is not None and now - self._since >= HOLD:
            self.holds, self._since = self.holds + 1, None

    def seen(self, turns: int) -> Knob:
        """Both, and the turns, as they travel."""
        return Knob(turns=turns, presses=self.presses, holds=self.holds)
