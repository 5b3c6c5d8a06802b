"""The units: verified by systemd itself, tightly closed, ready means ready, nothing waits for the network."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.machine.supervisor import Supervisor
from companion.virtual.own_table import own_table
from tests.conftest import ROOT
from tests.systemd.confinement import Unit

HALL = ROOT / "systemd" / "tableside-hall.service"
ALL = sorted(unit for unit in (ROOT / "systemd").glob("tableside-*.service") if "@" not in unit.name)
UNITS = [unit for unit in ALL if unit != HALL]
"""The table's own; the hall stands beside them, in no target."""
EXPOSURE = 2.0
NEWER = ("'RestartSteps'", "'RestartMaxDelaySec'")
"""Keys systemd knows from 254 on; before, it says so and tries every second."""


def test_there_is_a_unit_for_every_room_and_the_broker() -> None:
    """Five rooms, the broker, the phones' gate, one target."""
    assert {"broker", "gate", "core", "bridge", "vision", "display", "speech"} == {
        unit.stem.removeprefix("tableside-") for unit in UNITS
    }
    target = (ROOT / "systemd" / "tableside.target").read_text()
    for unit in UNITS:
        assert unit.name in target


def test_systemd_accepts_them(tmp_path: Path) -> None:
    """`systemd-analyze verify` on the units as installed, with programs that exist here."""
    for path in (*ALL, ROOT / "systemd" / "tableside.target"):
        text = path.read_text().replace("/opt/tableside/venv/bin/python", sys.executable)
        text = text.replace("/opt/tableside/venv/bin/tableside", shutil.which("true") or "/bin/true")
        (tmp_path / path.name).write_text(text)
    names = [str(tmp_path / path.name) for path in (*ALL, ROOT / "systemd" / "tableside.target")]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if "tableside" in line and not any(key in line for key in NEWER)]
    assert said == []
    assert done.returncode == 0


@pytest.mark.parametrize("unit", ALL, ids=lambda unit: unit.stem)
def test_exposure_is_low(unit: Path) -> None:
    """`systemd-analyze security` at most 2.0."""
    command = ["systemd-analyze", "security", "--offline=true", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found.group(1)) <= EXPOSURE


@pytest.mark.parametrize("unit", ALL, ids=lambda unit: unit.stem)
def test_ready_means_ready_and_nothing_waits_for_the_network(unit: Path) -> None:
    """Type=notify; a watchdog for our own rooms; no network-online.target; a kill is answered with a restart."""
    text = unit.read_text()
    assert "Type=notify" in text
    assert "network-online" not in text
    assert "Restart=always" in text
    assert "StartLimitIntervalSec=0" in text, "a room that fails is not left down for good"
    if unit.stem != "tableside-broker":
        assert "WatchdogSec=" in text


def test_devices_are_opened_only_where_needed() -> None:
    """Pins for the bridge, cameras for vision, screen for the display; nothing for core, broker and gate."""
    for unit in UNITS:
        text = unit.read_text()
        if unit.stem in ("tableside-core", "tableside-broker", "tableside-gate"):
            assert "PrivateDevices=yes" in text
            assert "DeviceAllow" not in text
        else:
            assert "DevicePolicy=closed" in text


def test_the_bridge_sees_which_pi_this_is() -> None:
    """gpiozero reads the revision from /proc before it opens a pin; a /proc of processes alone would leave it without one."""
    assert Unit(ROOT / "systemd" / "tableside-bridge.service").one("ProcSubset") == "all"


def test_lgpio_has_a_folder_for_its_pipe() -> None:
    """It makes one where it was started; under systemd that is the root, which is read-only."""
    assert Unit(ROOT / "systemd" / "tableside-bridge.service").one("RuntimeDirectory") == "tableside-bridge"


def test_what_is_plugged_in_later_is_let_in_too() -> None:
    """systemd looks a group of devices up by name when the room starts; before its driver is loaded there is no such name."""
    always = {"char-gpiochip"}  # part of the kernel itself
    loaded_first = {"char-media": "modprobe@mc.service"}
    for path in UNITS:
        unit = Unit(path)
        for rule in unit.all("DeviceAllow"):
            device = rule.split()[0]
            if device.startswith("char-") and device not in always and not device.removeprefix("char-").isdigit():
                assert loaded_first[device] in unit.one("After"), f"{path.name}: {device}"
                assert loaded_first[device] in unit.one("Wants")


def test_only_page_and_gate_are_reached_from_outside() -> None:
    """The others, the broker among them, speak to this machine alone."""
    for unit in UNITS:
        closed = "IPAddressDeny=any" in unit.read_text()
        assert closed == (unit.stem not in ("tableside-core", "tableside-gate"))


def test_a_room_is_handed_its_own_password_and_sees_no_other() -> None:
    """Nor the journal, nor the broker's files: code in a taken-over room finds them closed, by their names and by /proc."""
    handed = {
        "core": ("companion", "phones", "broker-admin"),
        "bridge": ("firmware_bridge",),
        "vision": ("vision",),
        "display": ("display",),
        "speech": ("speech",),
    }
    for unit in UNITS:
        room, text = unit.stem.removeprefix("tableside-"), unit.read_text()
        given = re.findall(r"^LoadCredential=([a-z_-]+):/var/lib/tableside/secrets/([a-z_-]+)$", text, re.MULTILINE)
        assert [name for name, _ in given] == [file for _, file in given] == list(handed.get(room, ()))
        closed = set(
            re.findall(
                r"-/var/lib/tableside/([a-z.]+)", "".join(re.findall("^InaccessiblePaths=.*$", text, re.MULTILINE))
            )
        )
        assert ("secrets" in closed) == (room != "broker"), "only what writes the broker's files knows them all"
        assert ("games" in closed) == (room != "core"), "only the core has the journal"
        assert ("PrivateUsers=yes" in text) == (room in ("core", "broker"))
    made = (ROOT / "systemd" / "tableside.tmpfiles").read_text()
    for folder in ("secrets", "games", "broker", "backups", "box"):
        assert f"d /var/lib/tableside/{folder} 0700 tableside tableside" in made


@pytest.mark.parametrize("path", ALL, ids=lambda unit: unit.stem)
def test_no_room_can_take_the_whole_machine(path: Path) -> None:
    """Memory, tasks and handles are bounded; what is refused is lived with."""
    unit = Unit(path)
    for key in ("MemoryHigh", "MemoryMax", "TasksMax", "LimitNOFILE"):
        assert unit.one(key), key
    assert unit.one("SystemCallErrorNumber") == "EPERM"
    assert unit.lived_with().isdisjoint(unit.calls())


def test_the_hall_is_a_user_of_its_own_who_sees_no_table() -> None:
    """One machine may be both; whoever takes the hall over finds no journal, no password and no way out of the network."""
    hall, text = Unit(HALL), HALL.read_text()
    assert (hall.one("User"), hall.one("StateDirectory")) == ("tableside-hall", "tableside-hall")
    assert {"-/var/lib/tableside", "-/var/lib/tableside-tables"} <= set(hall.one("InaccessiblePaths").split())
    assert hall.one("IPAddressDeny") == "any" and "any" not in hall.one("IPAddressAllow").split()
    assert "DeviceAllow" not in text and hall.one("PrivateDevices") == "yes"
    assert "u tableside-hall " in (ROOT / "systemd" / "tableside.sysusers").read_text()
    assert hall.one("KillMode") == "mixed", "PostgreSQL is ended last, by the hall itself"


def test_what_meets_strangers_is_bounded_by_the_kernel_too() -> None:
    """A Pi's kernel may not count memory for groups; and `tableside run` knows no units."""
    with own_table() as table:
        supervisor = Supervisor(table.config())
        found = {child.name: child.limits for child in supervisor.children}
        supervisor._end()
    for name in ("broker", "gate"):
        limits = Unit(ROOT / "systemd" / f"tableside-{name}.service").limits()
        assert found[name] == {resource.RLIMIT_DATA: limits[resource.RLIMIT_DATA]}
