"""Memory of the broker: what a crowd needed for a moment is given back."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benches.phones import Crowd
from benches.stand import place
from companion.machine import broker
from companion.machine.supervisor import PICTURES, Supervisor
from companion.wire.bus import MqttBus
from companion.wire.room import connection
from tests.conftest import ROOT, until

PHONES, STATES, SIZE = 60, 12, 40_000


def _kb(pid: int, name: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0])


@pytest.fixture
def house() -> Iterator[tuple[int, MqttBus, Any]]:
    """A broker as the supervisor starts it, and the core's voice."""
    with place() as config:
        process = subprocess.Popen(broker.prepare(config), stderr=subprocess.DEVNULL, env=os.environ | broker.MEMORY)
        core = connection(config, "companion")
        try:
            until(lambda: broker.answers("127.0.0.1", config.broker.port), 20, "the broker")
            core.start()
            until(lambda: core.connected, 20, "the core's voice")
            yield process.pid, core, config
        finally:
            core.stop()
            process.terminate()
            process.wait(10)


def _admit(core: MqttBus, config: Any, crowd: Crowd) -> None:
    done: list[bool] = []
    names = [f"phone-w-{number}" for number in range(PHONES)]
    core.control(
        [one for name in names for one in broker.admit(config.table.id, name, None, "x")], lambda: done.append(True)
    )
    until(lambda: core.pump() and done, 60, "all phones known to the broker")
    for name in names:
        crowd.add({"client": name, "user": name, "password": "x", "base": f"tableside/{config.table.id}/"})


def test_a_storm_of_states_leaves_nothing_behind(house: tuple[int, MqttBus, Any]) -> None:
    """Every phone gets a copy of each. Somebody joins meanwhile, and lies on top of those 30 MB: by its own habit the C
    library would then keep them for ever."""
    pid, core, config = house
    crowd = Crowd(config.broker.websocket_port)
    _admit(core, config, crowd)
    until(lambda: all(phone.subscribed for phone in crowd.phones), 60, "all phones listening")
    before = _kb(pid, "VmRSS")
    for number in range(STATES):
        state = msgspec.json.encode({"seq": number, "view": os.urandom(SIZE // 2).hex()})
        core._client.publish(f"tableside/{config.table.id}/state", state, 1)
        core.control(broker.admit(config.table.id, f"late-{number}", None, "x"), lambda: None)
    end = time.monotonic() + 30
    while _kb(pid, "VmHWM") < before + 6_000 or _kb(pid, "VmRSS") > before + 3_000:
        assert time.monotonic() < end, f"{before} kB before, {_kb(pid, 'VmHWM')} at most, {_kb(pid, 'VmRSS')} now"
        time.sleep(0.1)
    crowd.leave()


@pytest.mark.parametrize(("name", "memory"), [("broker", broker.MEMORY), ("display", PICTURES)])
def test_the_unit_says_what_the_supervisor_does(name: str, memory: dict[str, str]) -> None:
    """Started either way both behave the same; the other rooms are left as they are."""
    unit = (ROOT / "systemd" / f"tableside-{name}.service").read_text()
    with place() as config:
        supervisor = Supervisor(config)
        found = {child.name: child.environment for child in supervisor.children}
        supervisor._end()
    for key, value in memory.items():
        assert found[name][key] == value
        assert key not in found["companion"]
        assert f"{key}={value}" in unit
