"""What a move did, in the words everybody may hear: for the log, for robots, for whoever takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.guard import PackFailedError
from companion.game import Game, Outcome, Text

SENTENCES, LONGEST = 24, 4096
"""Of one move at most: this many sentences, and this many bytes as they travel. A page of the log holds two dozen moves."""


def told(pack: Game, move: Any, outcome: Outcome) -> tuple[Text, ...]:
    """What happened, sentence by sentence. Events are public, so they tell no secret; where there are none the move itself is
    described."""
    said = tuple(event.text for event in outcome.events if event.text is not None)
    if said:
        return _in_short(said)
    try:
        described = pack.describe(move)
    except PackFailedError:
        return ()  # words are no reason to refuse a move
    return _in_short((described,)) if described is not None else ()


def _in_short(said: Sequence[Text]) -> tuple[Text, ...]:
    """As much of it as fits on a page."""
    kept, left = list[Text](), LONGEST
    for text in said[:SENTENCES]:
        left -= len(msgspec.json.encode(text))
        if left < 0:
            break
        kept.append(text)
    return tuple(kept)


def together(said: Sequence[Text]) -> Text | None:
    """Several sentences as one that travels."""
    if not said:
        return None
    first, *rest = said
    then = together(rest)
    return first if then is None else Text("said/then", {"first": first, "then": then})


def taken_back(said: Sequence[Text]) -> Text:
    """That a move does not stand any more, and which."""
    what = together(said)
    return Text("event/undone") if what is None else Text("event/undone-what", {"what": what})
