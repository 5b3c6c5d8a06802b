"""`make lab`: one thing after the other is tried on the machine, and what was seen is noted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from companion.virtual.seat import Voice
from companion.wire.messages import Admin, DialSeen, Do, MarketSeen, VirtualTruth
from companion.wire.room import connection
from tools.lab import image
from tools.lab.box import STICK
from tools.lab.card import measure
from tools.lab.contained import Hand
from tools.lab.devices import Devices
from tools.lab.emulated import Emulated
from tools.lab.first_frame import first_frame
from tools.lab.game import play
from tools.lab.guest import SLOW, Guest
from tools.lab.kernel_log import stopped, unexpected
from tools.lab.lost_rooms import lost_rooms
from tools.lab.machine import Machine, tell
from tools.lab.native import Native
from tools.lab.pico import pico
from tools.lab.place import ROOMS, LabError, cache
from tools.lab.readonly import read_only
from tools.lab.teaching import ORDERS, taught
from tools.lab.turned import turned
from tools.lab.world import World, heard, lent, until

NOTES = "proof.json"
EDGES = {25: 96, 1000: 4000, 4000: 4000}
"""Quarter steps in one trial, by pace: a slow hand, a quick one, and an encoder of 1000 steps spun."""
SLOW_HAND = {25: 960}
"""The same on the native machine: its kernel hands an edge on with its next tick, of which there are 100 a second."""
ASLEEP = ("vision", "display", "speech")
"""Rooms a dial does without."""


def prove(guest: Guest, wanted: list[str]) -> bool:
    """Everything, or what is named; notes are kept as they come, so that a later failure costs none of them."""
    held = True
    for name, trial in TRIALS.items():
        if name not in wanted if wanted else not isinstance(guest.machine, ELSEWHERE.get(name, Machine)):
            continue
        began = time.monotonic()
        try:
            seen = trial(guest)
        except LabError as wrong:
            seen = {"ok": False, "why": str(wrong)}
        note(name + guest.machine.kind, seen)
        held = held and bool(seen["ok"])
        tell(f"{name}: {'held' if seen['ok'] else 'NOT HELD'} ({time.monotonic() - began:.0f} s) {seen.get('why', '')}")
    return held


def note(name: str, seen: dict[str, Any]) -> None:
    """Write down what was seen, beside what was seen before; of which sources, when that is not said, the disk knows."""
    notes, made_from = cache() / NOTES, cache() / image.COMMIT
    found: dict[str, Any] = json.loads(notes.read_text()) if notes.exists() else {}
    found[name] = {**seen, "when": time.strftime("%Y-%m-%d", time.gmtime())}
    if made_from.exists():
        found[name].setdefault("commit", made_from.read_text())
    notes.write_text(json.dumps(found, indent=1))


def units(guest: Guest) -> dict[str, Any]:
    """Every room runs, none was started twice, systemd finds them closed."""
    rooms: dict[str, dict[str, Any]] = {}
    show = "systemctl show -p ActiveState,NRestarts,ActiveEnterTimestampMonotonic"
    asked = " && ".join(
        f"echo {room} $({show} tableside-{room}) $(systemd-analyze security --no-pager tableside-{room} | tail -1)"
        for room in ROOMS
    )
    for line in guest.run(asked, seconds=SLOW).splitlines():
        room, *words = line.split()
        said = dict(word.split("=", 1) for word in words if "=" in word)
        exposure = float(line.rpartition(".service: ")[2].split()[0])
        rooms[room] = {
            "state": said["ActiveState"],
            "restarts": int(said["NRestarts"]),
            "up": int(said["ActiveEnterTimestampMonotonic"]) / 1e6,
            "exposure": exposure,
        }
    calls = stopped(guest)
    wrong = unexpected(calls)
    return {
        "ok": not wrong and all(one["state"] == "active" and one["exposure"] <= 2.0 for one in rooms.values()),
        "rooms": rooms,
        "stopped": {room: dict(counted) for room, counted in calls.items()},
        "unexpected": wrong,
        "kernel": guest.run("uname -r").strip(),
        "systemd": guest.run("systemctl --version").split()[1],
    }


def doctor(guest: Guest) -> dict[str, Any]:
    """What the table says of itself, with all its parts there."""
    devices = Devices(guest)
    devices.do("plug")
    devices.close()
    said = guest.run("tableside doctor", check=False)
    return {"ok": "BAD" not in said and "look" not in said, "said": said.splitlines()}


def screen(guest: Guest) -> dict[str, Any]:
    """A picture from the graphics card; a finger on the glass changes it."""
    folder = cache() / "shots"
    before = guest.machine.shot(folder / "before.png").read_bytes()
    devices = Devices(guest)
    until(lambda: "tableside lab glass" in guest.run("cat /proc/bus/input/devices"), 30, "the touchscreen")
    time.sleep(3)  # udev and SDL hear of it
    devices.do("touch", x=0.5, y=0.5)
    devices.close()
    last = time.monotonic() + 60
    while (after := guest.machine.shot(folder / "after.png").read_bytes()) == before and time.monotonic() < last:
        time.sleep(1)
    return {"ok": before != after, "pictures": [str(folder / "before.png"), str(folder / "after.png")]}


def dial(guest: Guest) -> dict[str, Any]:
    """Edges on kernel lines, at a hand's pace and beyond, counted by the bridge under its unit.

    An emulated one is another machine whose clock keeps step with its work: how fast edges may come must not depend on the host.
    """
    if not isinstance(guest.machine, Emulated):
        return _edges(guest, SLOW_HAND)
    steady = Emulated("steady")
    steady.cut()
    steady.fresh(guest.machine.folder.with_name("disk.img"))
    steady.start(steady=True, append=" ".join(f"systemd.mask=tableside-{room}.service" for room in ASLEEP))
    try:
        other = Guest(steady)
        other.until_up()
        return _edges(other, EDGES) | {"steady": True}
    finally:
        steady.cut()


def _edges(guest: Guest, paces: dict[int, int]) -> dict[str, Any]:
    devices = Devices(guest)
    seen: list[DialSeen] = []
    found: dict[str, Any] = {"ok": True}
    with lent(guest) as config:
        bus = connection(config, "host")
        bus.subscribe("sensor/dial", lambda topic, message: seen.append(message))
        bus.start()
        heard(bus, lambda: seen and seen[-1].state != "no dial", SLOW, "a dial on the pins")
        for pace, edges in paces.items():
            aim = seen[-1].counts + edges
            done = devices.turn(edges, pace)
            with suppress(LabError):  # what does not come is what is measured
                heard(bus, lambda: seen[-1].counts == aim, 120, "every edge")  # noqa: B023
            lost = aim - seen[-1].counts
            found[f"{pace}"] = {
                "lost": lost,
                "really": round(done["edges_per_second"]),
                "impossible": seen[-1].impossible,
            }
            found["ok"] = found["ok"] and lost == 0
        bus.stop()
    devices.close()
    return found


def camera(guest: Guest) -> dict[str, Any]:
    """A die under V4L2, read by the room under its unit; pulled out and plugged in again."""
    devices = Devices(guest)
    seen: list[MarketSeen] = []
    with lent(guest) as config:
        world = World(config, devices)
        bus = connection(config, "host")
        bus.subscribe("sensor/market", lambda topic, message: seen.append(message))
        bus.start()
        devices.do("plug")
        world.show(DIE)
        heard(bus, lambda: seen and _reads_it(seen[-1]), SLOW, "the die on the table")
        began = time.monotonic()
        devices.do("unplug")
        heard(bus, lambda: seen[-1].state == "no camera", SLOW, "that the camera is gone")
        gone, began = time.monotonic() - began, time.monotonic()
        devices.do("plug")
        world.show(DIE)
        heard(bus, lambda: _reads_it(seen[-1]), SLOW, "the die again")
        back = time.monotonic() - began
        bus.stop()
    devices.close()
    return {"ok": True, "gone": gone, "back": back}


DIE = VirtualTruth(
    ts=1.0, slots={"blue-1": {"card": "", "dice": [{"colour": "sun", "face": 4, "x": 0.4, "y": 0.5, "angle": 20.0}]}}
)


def _reads_it(seen: MarketSeen) -> bool:
    """The one die, and what it shows."""
    faces = [die.faces.index(max(die.faces)) + 1 for slot in seen.slots for die in slot.dice]
    return seen.state == "ready" and faces == [4]


def menu(guest: Guest) -> dict[str, Any]:
    """What the menu orders, each once, in rooms under their units; then again what the kernel stopped."""
    devices = Devices(guest)
    devices.do("plug")
    refused: dict[str, Any] = {}
    with lent(guest) as config:
        world = World(config, devices)
        world.show(DIE)
        seen: list[MarketSeen] = []
        voice = Voice(connection(config, "host"), "host", "touch")
        voice.bus.subscribe("sensor/market", lambda topic, message: seen.append(message))
        heard(voice.bus, lambda: seen and _reads_it(seen[-1]), SLOW, "the die on the table")
        for room, command, args in MENU:
            name = voice.send(f"do/{room}", lambda name: Do(id=name, client="host", command=command, args=args))  # noqa: B023
            heard(voice.bus, lambda: name in voice.answers, SLOW, f"an answer to {command}")  # noqa: B023
            answer = voice.answers[name]
            if not answer.ok:
                refused[command] = str(answer.refusal)
        voice.bus.stop()
        hand = Hand(config)
        taught(guest, hand, world)
        _care(guest, hand)
    devices.close()
    guest.run("rm -f /tmp/lab.zip; tableside backup -o /tmp/lab.zip", seconds=300)
    wrong = unexpected(stopped(guest))
    return {
        "ok": not refused and not wrong,
        "refused": refused,
        "unexpected": wrong,
        "orders": [*(one[1] for one in MENU), *ORDERS, *CARE],
    }


def _care(guest: Guest, hand: Hand) -> None:
    """From the menu, onto a stick that was plugged in."""
    guest.run(f"mkdir -p {STICK} && mount -t tmpfs -o uid=$(id -u tableside),mode=700 tmpfs {STICK}")
    for what, said in CARE.items():
        hand.care(what)
        hand.said(f"care/{said}")
    hand.voice.bus.stop()
    guest.run(f"umount {STICK}")


CARE = {"backup": "backed-up", "bundle": "bundled"}


def shut_down(guest: Guest) -> dict[str, Any]:
    """The menu's last order: the table stays away until somebody starts it again, and comes back then."""
    with lent(guest) as config:
        hand = Hand(config)
        hand.voice.send("admin", lambda name: Admin(id=name, client="host", command="shut down", args={}))
        core = "systemctl show -P ActiveState,Result,NRestarts tableside-core"
        until(lambda: "inactive" in guest.run(core, check=False), SLOW, "the core to be gone")
        hand.voice.bus.stop()
    guest.run("systemctl start tableside.target")
    wrong = unexpected(stopped(guest))
    return {"ok": not wrong, "unexpected": wrong}


MENU: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("vision", "check", {}),
    ("vision", "calibrate", {}),
    ("vision", "look again", {}),
    ("vision", "cards", {}),
    ("vision", "live", {}),
    ("firmware_bridge", "set zero", {}),
)


def whole_game(guest: Guest) -> dict[str, Any]:
    """Skytopia with camera and dial, from new game to tally."""
    told = play(guest)
    return {"ok": told["passed"] and not told["unexpected"], "why": told["problem"], **told}


TRIALS: dict[str, Callable[[Guest], dict[str, Any]]] = {
    "units": units,
    "doctor": doctor,
    "screen": screen,
    "turned": turned,
    "dial": dial,
    "pico": pico,
    "camera": camera,
    "menu": menu,
    "card": measure,
    "game": whole_game,
    "read-only": read_only,
    "first frame": first_frame,
    "lost rooms": lost_rooms,
    "shut down": shut_down,
}
ELSEWHERE = {"read-only": Native, "pico": Native, "first frame": Native, "lost rooms": Native}
"""What can be tried on one kind of machine only."""
