"""What a printed value is called: the pack's own words where it has them, else put together from its key.

Keys come by the hundred (one per card, wonder or building), so most names are made of the words of their parts.
"""

from __future__ import annotations

import re
from typing import Any

from companion.game import Text
from display.page import Page
from display.tables import screen_of
from display.widgets import say_key


def name_of(page: Page, game: str, key: str) -> Text:
    """The value in this screen's words."""
    for own in (f"{game}/box/{key}", f"display/box/{game}/{key}"):
        if page.words.knows(own):
            return Text(own)
    for pattern, sentence, words in screen_of(game).box_names:
        found = re.fullmatch(pattern, key)
        if found:
            params: dict[str, int | str | Text] = {
                name: Text(words[name] + part) if name in words else int(part) if part.isdecimal() else part
                for name, part in found.groupdict().items()
            }
            return say_key(sentence, **params)
    return say_key("box/other", name=re.sub(r"[._-]+", " ", key))


def value_name(page: Page, game: str, value: Any) -> Text | str:
    """A value that is a word, as players say it."""
    if isinstance(value, bool):
        return say_key("yes") if value else say_key("no")
    if isinstance(value, str):
        for place in ("colour", "crest", "bonus", "road"):
            if page.words.knows(f"{game}/{place}/{value}"):
                return Text(f"{game}/{place}/{value}")
        if page.words.knows(f"{game}/action/{value}@short"):
            return Text(f"{game}/action/{value}@short")
        if page.words.knows(f"display/box/word/{value}"):
            return say_key(f"box/word/{value}")
        return value.replace("_", " ").replace("-", " ")
    return str(value).replace("-", "−")


def numbers(value: Any) -> list[int] | None:
    """The numbers of a printed list or table, in order; `None` where it holds anything else or too many."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return [value]
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    if parts is None:
        return None
    found: list[int] = []
    for part in parts:
        inner = numbers(part)
        if inner is None:
            return None
        found += inner
    return found if 0 < len(found) <= STEPPED_AT_MOST else None


STEPPED_AT_MOST = 8
"""Numbers of one value that are still comfortably stepped one by one."""


def rebuilt(value: Any, found: list[int]) -> Any:
    """The same list or table with other numbers."""
    rest = iter(found)

    def place(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: place(inner) for name, inner in part.items()}
        if isinstance(part, (list, tuple)):
            return [place(inner) for inner in part]
        return next(rest)

    return place(value)


def shown(page: Page, game: str, value: Any) -> str:
    """A value as it is read aloud: words, numbers, or a list of them."""
    if isinstance(value, dict):
        return ", ".join(f"{shown(page, game, part)} {_part(page, game, name)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        if not value:
            return page.say(say_key("box/nothing"))
        together = " · " if any(isinstance(part, (list, tuple)) for part in value) else ", "
        joined = together.join(shown(page, game, part) for part in value)
        return joined if len(joined) <= 60 else page.say(say_key("box/many", n=len(value)))
    return page.say(value_name(page, game, value))


def _part(page: Page, game: str, name: str) -> str:
    key = f"{game}/field/{name}"
    return page.say(Text(key)).lower() if page.words.knows(key) else name
