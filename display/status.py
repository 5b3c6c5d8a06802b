"""The state of the table: one line per room, what is wrong and what to do."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Text
from display.view import View

Level = Literal["off", "ok", "warn", "bad"]
"""`off`: this table does without it, by choice."""
_ORDER = {"off": 0, "ok": 0, "warn": 1, "bad": 2}


class Line(msgspec.Struct, frozen=True):
    """One part of the table."""

    id: str
    icon: str
    level: Level
    short: Text
    say: Text
    do: Text | None = None


def _key(name: str, **params: int | str | Text) -> Text:
    return Text(f"display/health/{name}", dict(params))


def _room(view: View, room: str, icon: str) -> Line:
    """A room that has not said anything is away; one with words has trouble; else it is well."""
    known = view.health.get(room)
    unused = view.settings.get(room) == "none" or (room != "companion" and (known is None or known.status == "stopped"))
    if unused:
        return Line(room, icon, "off", _key(f"{room}/short/none"), _key(f"{room}/none"), _key(f"{room}/none/do"))
    if known is None or known.status == "stopped":
        return Line(room, icon, "warn", _key(f"{room}/short/none"), _key(f"{room}/none"), _key(f"{room}/none/do"))
    if known.status == "offline":
        return Line(room, icon, "bad", _key(f"{room}/short/away"), _key(f"{room}/away"), _key("away/do"))
    if known.say is not None:
        return Line(room, icon, "warn", _key(f"{room}/short/trouble"), known.say, known.do)
    return Line(room, icon, "ok", _key(f"{room}/short/ok"), _key(f"{room}/ok"))


def lines(view: View) -> list[Line]:
    """Camera, dial, phones, core and broker, in this order; then what a demo waits for, and settings that are wrong."""
    camera, dial = _room(view, "vision", "camera"), _room(view, "firmware_bridge", "dial")
    if camera.level == "ok" and view.market is not None and view.market.state not in ("ready", "hand", "settling"):
        state = view.market.state.replace(" ", "-")
        say = view.market.say or _key(f"camera/{state}")
        camera = Line(
            "vision", "camera", "warn", _key(f"camera/{state}/short"), say, view.market.do or _key(f"camera/{state}/do")
        )
    if dial.level == "ok" and view.settings.get("browse"):
        dial = msgspec.structs.replace(dial, say=Text("dial/browses"))
    elif dial.level == "ok" and view.dial is not None and view.dial.state in ("starting", "no dial", "unconfirmed"):
        state = view.dial.state.replace(" ", "-")
        say = view.dial.say or _key(f"dial/{state}")
        dial = Line(
            "firmware_bridge",
            "dial",
            "warn",
            _key(f"dial/{state}/short"),
            say,
            view.dial.do or _key(f"dial/{state}/do"),
        )
    phones = sum(1 for seat in view.seats if seat.phone)
    phone_line = Line("phones", "phone", "ok", _key("phones/short"), _key("phones", n=phones))
    core = _room(view, "companion", "book")
    broker = (
        Line("broker", "broker", "ok", _key("broker/short/ok"), _key("broker/ok"))
        if view.connected
        else Line("broker", "broker", "bad", _key("broker/short/away"), _key("broker/away"), _key("broker/away/do"))
    )
    found = [camera, dial, phone_line, core, broker]
    waits = view.health.get("virtual")
    if waits is not None and waits.say is not None:
        found.append(Line("virtual", "warn", "warn", Text(f"{waits.say.key}/short"), waits.say))
    if view.problems:
        say = _key("settings", problem=view.problems[0])
        found.append(Line("settings", "settings", "warn", _key("settings/short"), say, _key("settings/do")))
    return found


def worst(view: View) -> Line:
    """What the one chip says: the worst, or that all is well."""
    found = max(lines(view), key=lambda line: _ORDER[line.level])
    if _ORDER[found.level] == 0:
        sensed = any(line.level == "ok" for line in lines(view) if line.id in ("vision", "firmware_bridge"))
        return Line("all", "check", "ok", *(_key("all" if sensed else "by-hand"),) * 2)
    return found
