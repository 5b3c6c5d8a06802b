"""Results as files others can read: CSV, JSON, and the plays BG Stats imports."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterable
from typing import Any

import msgspec

from companion.wire.bgstats import Scored, in_words
from hall.store import Held


def to_csv(held: Iterable[Held]) -> str:
    """One row a player; UTF-8, ISO times."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(
        ("table", "play", "game", "began", "minutes", "player", "seat", "points", "won", "robot", "corrected")
    )
    for one in held:
        result, began = one.result, time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(one.result.began))
        for player in result.players:
            what = (one.table, result.game_id, result.game, began, _minutes(one), _plain(player.name), player.seat + 1)
            writer.writerow((*what, _number(player.points), int(player.won), int(player.robot), int(one.corrected)))
    return buffer.getvalue()


def to_json(held: Iterable[Held]) -> str:
    """Every result whole."""
    return msgspec.json.format(msgspec.json.encode(list(held)), indent=2).decode() + "\n"


def to_bgstats(held: Iterable[Held]) -> str:
    """A list of plays in the words of BG Stats' own links: a player is known by name, whatever its case."""
    return json.dumps([_play(one) for one in held], ensure_ascii=False, indent=2) + "\n"


def _play(one: Held) -> dict[str, Any]:
    result, play = one.result, f"{one.table}/{one.result.game_id}"
    players = [Scored(player.seat, player.name, _number(player.points), player.won) for player in result.players]
    highest = result.highest_wins
    told = in_words(play, result.game, "", result.began, _minutes(one), players, highest_wins=highest)
    return told | {"location": {"name": one.table}}


def _minutes(one: Held) -> int:
    return max(1, round((one.result.ended - one.result.began) / 60))


def _number(points: float) -> int | float:
    return int(points) if points == int(points) else points


def _plain(name: str) -> str:
    """A name, not a formula: a spreadsheet runs what begins like one."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t") else name
