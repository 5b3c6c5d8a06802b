"""What the camera says on the terminal: the words the screen and the phones read."""

from __future__ import annotations

from companion.wire.words import Words
from vision.camera.frame import Text


def say(text: Text, language: str = "en") -> str:
    """One sentence with its parameters put in; the key itself when there are no words for it."""
    return Words(language).say(text)
