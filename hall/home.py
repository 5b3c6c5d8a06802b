"""The tables as Home Assistant knows devices: described once, told at every change, gone without ghosts. Read-only.

It comes in like a table: `tableside hall invite home-assistant` makes its user (`home-assistant`) and its password, and `revoke`
takes them away. It may read `homeassistant/#` and `home/#`, and say that it has started (`homeassistant/status`): nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec

import companion
from companion.wire.words import Words
from hall.board import Board, Shown
from hall.messages import HOME, Said

USER = HOME
BIRTH = "homeassistant/status"
SEATS = 4
"""Points are told for so many chairs at least: entities that come and go with every game are ghosts."""
EVENTS = ("started", "turn", "round", "over", "help", "well")
COLOURS = {
    "sun": "#FFCB47",
    "leaf": "#1FA07F",
    "sky": "#8FD0FF",
    "coral": "#EE5A3C",
    "snow": "#F1ECE2",
    "plum": "#B77BE0",
}

Publish = Callable[[str, bytes, bool], None]
"""Topic, payload, and whether the broker keeps it."""


def identifier(table: str) -> str:
    """A device's id: Home Assistant has no `-` in it."""
    return f"tableside_{table.replace('-', '_')}"


def config_topic(table: str) -> str:
    return f"homeassistant/device/{identifier(table)}/config"


def entities(table: str, seats: int) -> dict[str, dict[str, Any]]:
    """What there is to see of a table, by name: the platform that shows it, its label, and where it reads."""
    state = f"home/{table}/state"

    def template(value: str) -> dict[str, str]:
        return {"value_template": f"{{{{ {value} }}}}"}

    def with_more(value: str, whole: str) -> dict[str, str]:
        return template(value) | {
            "json_attributes_topic": state,
            "json_attributes_template": f"{{{{ {whole} | tojson }}}}",
        }

    aside = {"entity_category": "diagnostic"}
    running = template("'ON' if value_json.running else 'OFF'") | {"device_class": "running"}
    problem = template("'ON' if value_json.help else 'OFF'") | {"device_class": "problem"} | aside
    event = {"event_types": list(EVENTS), "state_topic": f"home/{table}/event"}
    found: dict[str, tuple[str, str, dict[str, Any]]] = {
        "running": ("binary_sensor", "Running", running),
        "game": ("sensor", "Game", template("value_json.game")),
        "round": ("sensor", "Round", template("value_json.round")),
        "turn": ("sensor", "Turn", with_more("value_json.turn.name", "value_json.turn")),
        "event": ("event", "Event", event),
        "problem": ("binary_sensor", "Needs help", problem),
        "help": ("sensor", "What is wrong", template("value_json.help") | aside),
    }
    for seat in range(seats):
        chair = f"value_json.seats[{seat}]"
        found[f"points_{seat + 1}"] = ("sensor", f"Points, seat {seat + 1}", with_more(f"{chair}.points", chair))
    device = identifier(table)
    return {
        name: {
            "platform": platform,
            "unique_id": f"{device}_{name}",
            "default_entity_id": f"{platform}.{device}_{name}",
            "name": label,
            "state_topic": state,
            **more,
        }
        for name, (platform, label, more) in found.items()
    }


def described(table: str, shown: Shown, seats: int) -> dict[str, Any]:
    """The device with its entities, as Home Assistant's device discovery has it."""
    return {
        "device": {
            "identifiers": [identifier(table)],
            "name": shown.title or table,
            "manufacturer": "Tableside",
            "model": "Game table",
            "sw_version": companion.__version__,
        },
        "origin": {"name": "Tableside", "sw_version": companion.__version__},
        "availability": [{"topic": f"home/{table}/available"}],
        "qos": 1,
        "components": entities(table, seats),
    }


def told(shown: Shown, seats: int, words: Words) -> dict[str, Any]:
    """How the table stands, for the entities' templates; every chair is there, taken or not."""
    chairs: list[dict[str, Any]] = [
        {"name": seat.name, "colour": seat.colour, "hex": COLOURS.get(seat.colour, ""), "points": seat.points}
        for seat in shown.seats
    ]
    nobody = {"name": "", "colour": "", "hex": "", "points": None}
    chairs += [nobody] * (seats - len(chairs))
    turn = shown.turn if shown.phase == "playing" else None
    return {
        "running": shown.phase == "playing",
        "game": words.say(shown.game) if shown.game is not None else "",
        "round": shown.round,
        "turn": chairs[turn] if turn is not None and turn < len(chairs) else nobody,
        "seats": chairs,
        "help": ", ".join(words.say(one) for one in shown.help),
    }


def happened(before: Shown | None, after: Shown) -> str:
    """What an event entity would call this change; empty: nothing it tells of."""
    if before is None:
        return ""
    if before.phase != after.phase:
        return {"playing": "started", "over": "over"}.get(after.phase, "")
    if bool(before.help) != bool(after.help):
        return "help" if after.help else "well"
    if before.round != after.round and after.phase == "playing":
        return "round"
    return "turn" if before.turn != after.turn and after.phase == "playing" else ""


class HomeWords(Words):
    """The hall's words, and everybody's."""

    own = "hall.words"


class Home:
    """Tells Home Assistant of every table; called in one thread."""

    def __init__(self, publish: Publish, language: str = "en") -> None:
        self._publish, self._words = publish, HomeWords(language)
        self._board = Board()
        self._known: dict[str, Shown] = {}
        self._described: dict[str, bytes] = {}
        self._seats: dict[str, int] = {}

    def hear(self, said: Said) -> None:
        """A table spoke."""
        self._board.hear(said)
        news = self._board.news(time.time())
        for table, shown in (news.tables if news is not None else {}).items():
            if shown is not None:
                self._tell(table, shown)

    def born(self) -> None:
        """Home Assistant has started: everything again, the description before the state."""
        for table, description in self._described.items():
            self._publish(config_topic(table), description, True)
        for table, shown in self._known.items():
            self._say(table, shown)

    def clear(self, said: Said) -> None:
        """Instead of `hear`, where tables are described no more: what was once described is taken away."""
        if said.table not in self._seats:
            self.forget(said.table)
            self._seats[said.table] = 0

    def forget(self, table: str) -> None:
        """The table may not come any more: an empty description takes the device away, and nothing of it is kept."""
        self._board.forget(table)
        self._board.news(0)
        self._known.pop(table, None)
        self._described.pop(table, None)
        self._seats.pop(table, None)
        for topic in (config_topic(table), f"home/{table}/state", f"home/{table}/available"):
            self._publish(topic, b"", True)

    def _tell(self, table: str, shown: Shown) -> None:
        before = self._known.get(table)
        seats = self._seats[table] = max(SEATS, len(shown.seats), self._seats.get(table, 0))
        description = msgspec.json.encode(described(table, shown, seats))
        if self._described.get(table) != description:
            self._described[table] = description
            self._publish(config_topic(table), description, True)
        self._known[table] = shown
        self._say(table, shown)
        event = happened(before, shown)
        if event:
            turn = told(shown, seats, self._words)["turn"]
            self._publish(f"home/{table}/event", msgspec.json.encode({"event_type": event, **turn}), False)

    def _say(self, table: str, shown: Shown) -> None:
        state = told(shown, self._seats[table], self._words)
        self._publish(f"home/{table}/available", b"online" if shown.here else b"offline", True)
        self._publish(f"home/{table}/state", msgspec.json.encode(state), True)
