"""Names people give themselves, and anything else a stranger wrote, as it may be kept, shown and printed."""

from __future__ import annotations

import unicodedata

TITLE = "title"
"""The option that says what is played, where the pack does not know: a pad's game has the name its players give it."""
LONGEST = 40
JOINERS = "\u200c\u200d"
"""Invisible, but part of how some scripts and many emoji are written."""
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control characters, changes of direction, halves of characters, line and paragraph ends, characters that are none."""


def _seen(character: str) -> bool:
    return character in JOINERS or unicodedata.category(character) not in UNSEEN


def clean(name: str) -> str:
    """A name as a pen would write it: one line, nothing that moves a cursor or turns the text around it."""
    seen = "".join(character if _seen(character) else " " for character in name)
    return " ".join(seen.split()).strip(JOINERS)[:LONGEST].strip()


def printable(text: str, but: str = "\n\t") -> str:
    """Text for a terminal or a log: what could steer it is shown as a box, `but` for what lays the text out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in but or _seen(one) or one == "\xad" else "\ufffd" for one in text)
