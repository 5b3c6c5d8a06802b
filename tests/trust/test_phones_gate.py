"""The phones' gate over real sockets: where it listens, whom it lets near the broker, and what it carries faithfully."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benches.phones import Phone, mqtt_packet, mqtt_string
from companion.machine.broker import LIMITS, BrokerFilesError, admit, answers, phones_socket, prepare
from companion.wire.config import Config
from companion.wire.presence import Here
from companion.wire.secrets import room_passwords, user_of
from tests.companion.test_hostile import join
from tests.conftest import PATIENCE, Client, Place, Run, until
from tests.faults import disk


@contextmanager
def gate(place: Place) -> Iterator[Config]:
    """The gate alone, as a process of its own."""
    process = subprocess.Popen([sys.executable, "-m", "companion.machine.gate"], env=place.full_environment)
    try:
        yield place.config()
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0


def reached(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("127.0.0.1", {"127.0.0.1"}),
        ("127.0.0.2", {"127.0.0.2"}),
        ("::1", {"::1"}),
        ("", {"127.0.0.1", "127.0.0.2", "::1"}),
    ],
)
def test_phones_call_where_the_settings_say_and_nowhere_else(place: Place, host: str, where: set[str]) -> None:
    """`[broker] websocket_host`: one address, IPv6 too, or all."""
    place.environment["TABLESIDE_BROKER_WEBSOCKET_HOST"] = host
    with gate(place) as config:
        port = config.broker.websocket_port
        until(lambda: any(reached(one, port) for one in where), 20, "an open gate")
        assert {one for one in ("127.0.0.1", "127.0.0.2", "::1") if reached(one, port)} == where


def test_an_address_of_another_machine_is_named_at_the_start(place: Place) -> None:
    """Which setting, not "the port is taken"."""
    for host in ("192.0.2.1", "no such name"):
        place.environment["TABLESIDE_BROKER_WEBSOCKET_HOST"] = host
        done = place.python("companion.cli", "run")
        assert done.returncode == 1
        assert f"{host!r} is not an address of this machine. Change [broker] websocket_host" in done.stderr


class Visitor:
    """Somebody who calls at the gate as a phone does."""

    def __init__(self, config: Config, user: str, password: str) -> None:
        self._session = {"client": user, "user": user, "password": password, "base": f"tableside/{config.table.id}/"}
        self._port = config.broker.websocket_port

    def comes_in(self) -> bool:
        """The broker answers its subscription; or somebody hangs up."""
        try:
            phone = Phone(self._session, self._port, lambda seq: None)
            phone.line.settimeout(PATIENCE)
            while not phone.subscribed:
                phone.read()
        except ConnectionError:
            return False
        return True


def test_a_rooms_user_has_no_business_at_the_phones_gate(table: Run) -> None:
    """Its right password is no use from outside, and neither is a guessed one; a phone's own is."""
    display = table.client()
    display.new_game("scorepad")
    config = table.place.config()
    for room in ("companion", "display", "host"):
        assert not Visitor(config, user_of("table", room), room_passwords(config.state_dir)[room]).comes_in()
    assert not Visitor(config, "phone-s0-0123456789ab", "guess").comes_in()
    me = join(table, display, 1)
    assert Visitor(config, me["user"], me["password"]).comes_in()


def test_a_long_name_with_spaces_is_a_good_folder_for_a_table(tmp_path: Path, ports: Mapping[str, str]) -> None:
    """A socket's own name is at most 107 bytes, and the broker's settings end at a space."""
    place = Place(tmp_path / " ".join(["a folder with a name"] * 6), ports)
    place.root.mkdir()
    run = Run(place, "--without", "vision,display,firmware_bridge").start()
    try:
        display = run.client()
        display.new_game("scorepad")
        me = join(run, display, 0)
        assert Visitor(place.config(), me["user"], me["password"]).comes_in()
    finally:
        assert run.stop() == 0


def test_phones_are_heard_on_a_read_only_card(place: Place) -> None:
    """A broker that is started again there has its files from before, and needs no new one."""
    if not disk.namespaces():
        pytest.fail("a read-only folder needs namespaces")
    config = place.config()
    whole = disk.command(config.state_dir / "broker", prepare(config), read_only=True)
    process = subprocess.Popen(whole)
    try:
        with socket.socket(socket.AF_UNIX) as line:
            until(lambda: line.connect_ex(str(phones_socket(config))) == 0, 20, "a broker that hears phones")
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_a_folder_somebody_else_made_is_not_trusted(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memory anybody may make folders, also one with our name: its owner would see every phone's password."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "open to all"))
    (tmp_path / "open to all").mkdir()
    (tmp_path / "open to all").chmod(0o777)
    with pytest.raises(BrokerFilesError, match="belongs to somebody else"):
        prepare(place.config())


def test_a_phone_that_says_goodbye_leaves_no_last_will(place: Place, broker: Config) -> None:
    """Its goodbye and the end of its socket come in one breath; hanging up without a word does carry the will out."""
    core = Client.room(broker, "companion").listen("here/+").start()
    done: list[Any] = []
    core.bus.control(admit("table", "phone-s0-x", 0, "x"), lambda: done.append(True))
    core.until(lambda: done)
    with gate(place) as config:
        until(lambda: reached("127.0.0.1", config.broker.websocket_port), 20, "an open gate")
        for goodbye in (True, False):
            line = _with_a_will(config.broker.websocket_port, "goodbye" if goodbye else "silence")
            last = b"\x88\x80\0\0\0\0" if goodbye else b""
            line.sendall(mqtt_packet(0xE0, b"") + last if goodbye else b"")
            line.close()
        core.until(lambda: core.last(Here), what="a last will")
    assert [message.line for _, message in core.heard] == ["silence"]
    core.bus.stop()


def _with_a_will(port: int, word: str) -> socket.socket:
    """A line whose end is news, as the page makes it."""
    line = socket.create_connection(("127.0.0.1", port), PATIENCE)
    line.sendall(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
    )
    will = f'{{"v":1,"line":"{word}","here":false}}'
    names = (
        mqtt_string("x")
        + mqtt_string("tableside/table/here/phone-s0-x")
        + mqtt_string(will)
        + mqtt_string("phone-s0-x")
        + mqtt_string("x")
    )
    line.sendall(mqtt_packet(0x10, mqtt_string("MQTT") + b"\x04\xce\x00\x00" + names))
    heard = b""
    while b"\x20\x02\x00\x00" not in heard:
        heard += line.recv(1024)
    return line


def test_a_broker_that_was_killed_finds_the_phones_again(table: Run) -> None:
    """Its socket is a file that outlives it; the next broker takes its place."""
    display = table.client()
    display.new_game("scorepad")
    config, old = table.place.config(), table.children()["broker"]
    me = join(table, display, 1)
    os.kill(old, signal.SIGKILL)
    until(lambda: table.children().get("broker", old) != old, 15, "another broker")
    until(lambda: answers("127.0.0.1", config.broker.port), 15, "its answer")
    until(lambda: Visitor(config, me["user"], me["password"]).comes_in(), 20, "the phone, known again")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_gate_that_died_or_froze_opens_again(table: Run, how: signal.Signals) -> None:
    """Phones call again; whoever plays at the screen notices nothing."""
    display = table.client()
    display.new_game("scorepad")
    config, old = table.place.config(), table.children()["gate"]
    me = join(table, display, 1)
    os.kill(old, how)
    until(lambda: table.children().get("gate", old) != old, 15, "another gate")
    until(lambda: reached("127.0.0.1", config.broker.websocket_port), 15, "an open gate")
    until(lambda: Visitor(config, me["user"], me["password"]).comes_in(), what="the phone, let in again")
    assert display.move({"kind": "points", "seat": 0, "points": 1}, cause="touch").ok
    assert display.bus.connected


def test_the_kernel_holds_what_meets_strangers_to_its_memory(table: Run) -> None:
    """Also without systemd: the supervisor sets it before the program begins."""
    children = table.children()
    for name in ("broker", "gate"):
        assert resource.prlimit(children[name], resource.RLIMIT_DATA) == (LIMITS[resource.RLIMIT_DATA],) * 2
    assert resource.prlimit(children["companion"], resource.RLIMIT_DATA)[0] > LIMITS[resource.RLIMIT_DATA]
