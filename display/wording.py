"""The screen's own words, laid over those of the core, the packs and the other rooms."""

from __future__ import annotations

from companion.wire.words import Words


class Wording(Words):
    """Says a `Text` as this screen says it."""

    own = "display.words"
