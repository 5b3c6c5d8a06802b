"""A finished game as the link that fills in a play in BG Stats: for screen, phones and exports alike."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from companion.core.registry import UnknownGameError, pack
from companion.past.history import Play
from companion.wire.bgstats import Scored, in_words


def bgg_id(game: str) -> int:
    """BoardGameGeek's number as the pack says it, 0 where it says none: BG Stats matches such a game by name."""
    try:
        return pack(game).bgg_id
    except UnknownGameError:
        return 0


def play_in_words(play: Play) -> dict[str, Any]:
    """One play in the words of BG Stats."""
    tally, number = play.tally, bgg_id(play.game)
    players = [Scored(one.seat, one.name, one.total, one.seat in tally.winners) for one in tally.players]
    highest = tally.highest_wins
    told = in_words(play.id, play.game, play.title, play.began, play.minutes, players, highest_wins=highest)
    if number:
        told["game"]["bggId"] = number
    return told


def link(play: Play) -> str:
    """The link a phone with BG Stats opens to log the play. Nothing leaves the table until somebody follows it."""
    compact = json.dumps(play_in_words(play), separators=(",", ":"), ensure_ascii=False)
    return "https://app.bgstatsapp.com/createPlay.html?data=" + quote(compact, safe="")
