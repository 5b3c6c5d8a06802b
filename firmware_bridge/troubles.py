"""Everything that can be wrong with the dial, each as one line that says what to do (`words/*.po`)."""

from __future__ import annotations

import msgspec

from companion.game import Text
from companion.wire.words import Words, read_package


class Trouble(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    code: str
    params: dict[str, int | str] = {}

    @property
    def say(self) -> Text:
        """What is wrong, for any client."""
        return Text(f"dial/{self.code}", dict(self.params))

    @property
    def do(self) -> Text:
        """What to do about it."""
        return Text(f"dial/{self.code}/do", dict(self.params))

    @property
    def line(self) -> str:
        """Both, for the log: in English, as the screen says it."""
        words = Words("en")
        return f"{words.say(self.say)} {words.say(self.do)}"


def trouble(code: str, **params: int | str) -> Trouble:
    """A known trouble with its particulars."""
    if f"dial/{code}" not in read_package("firmware_bridge", "en"):
        raise KeyError(code)
    return Trouble(code, params)
