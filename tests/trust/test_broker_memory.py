"""Memory of the broker: what a crowd needed for a moment is given back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benches.phones import Crowd
from companion.machine import broker
from companion.machine.supervisor import PICTURES, Supervisor
from companion.virtual.own_table import end, own_table
from companion.wire.bus import MqttBus
from companion.wire.room import connection
from tests.conftest import ROOT, until

PHONES, STATES, SIZE = 60, 12, 40_000


def _kb(pid: int, name: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0])


@pytest.fixture
def house() -> Iterator[tuple[int, MqttBus, Any]]:
    """Broker and gate as the supervisor starts them, and the core's voice."""
    with own_table() as table, ExitStack() as left:
        process, config = table.start_broker(), table.config()
        left.callback(end, process)
        gate = table.start("companion.machine.gate")
        left.callback(end, gate)
        table.until_gate(gate)
        core = connection(config, "companion")
        core.start()
        left.callback(core.stop)
        until(lambda: core.connected, 20, "the core's voice")
        yield process.pid, core, config


def _admit(core: MqttBus, config: Any, crowd: Crowd) -> None:
    done: list[bool] = []
    names = [f"phone-w-{number}" for number in range(PHONES)]
    core.control(
        [one for name in names for one in broker.admit(config.table.id, name, None, "x")], lambda: done.append(True)
    )
    until(lambda: core.pump() and done, 60, "all phones known to the broker")
    for name in names:
        crowd.add({"client": name, "user": name, "password": "x", "base": f"tableside/{config.table.id}/"})


def test_a_storm_of_states_is_neither_kept_nor_copied_for_everybody(house: tuple[int, MqttBus, Any]) -> None:
    """Sixty phones and twelve states of 40 kB are 29 MB; the broker copies a few at a time. Somebody joins meanwhile, and
    lies on top of them: by its own habit the C library would then keep them for ever."""
    pid, core, config = house
    crowd = Crowd(config.broker.websocket_port)
    _admit(core, config, crowd)
    until(lambda: all(phone.subscribed for phone in crowd.phones), 60, "all phones listening")
    before = _kb(pid, "VmRSS")
    for number in range(STATES):
        state = msgspec.json.encode({"seq": number, "noise": os.urandom(SIZE // 2).hex()})
        core._client.publish(f"tableside/{config.table.id}/state", state, 1)
        core.control(broker.admit(config.table.id, f"late-{number}", None, "x"), lambda: None)
    heard = lambda: all(crowd.heard_by(number) == PHONES for number in range(STATES))  # noqa: E731
    until(heard, 60, "everybody has heard everything")
    assert _kb(pid, "VmHWM") < before + 10_000
    until(lambda: _kb(pid, "VmRSS") < before + 3_000, 30, f"{before} kB as before")
    crowd.leave()


@pytest.mark.parametrize(("name", "memory"), [("broker", broker.MEMORY), ("display", PICTURES)])
def test_the_unit_says_what_the_supervisor_does(name: str, memory: dict[str, str]) -> None:
    """Started either way both behave the same; the other rooms are left as they are."""
    unit = (ROOT / "systemd" / f"tableside-{name}.service").read_text()
    with own_table() as table:
        supervisor = Supervisor(table.config())
        found = {child.name: child.environment for child in supervisor.children}
        supervisor._end()
    for key, value in memory.items():
        assert found[name][key] == value
        assert key not in found["companion"]
        assert f"{key}={value}" in unit
