"""TLS for broker and page, with certificates made by the commands of docs/security.md."""

from __future__ import annotations

import json
import os
import re
import signal
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from playwright.sync_api import Browser

from companion.machine.broker import answers
from companion.machine.doctor import Finding, _tls
from companion.wire.bus import MqttBus, hang_up
from companion.wire.config import BrokerConfig, Config, WebConfig
from companion.wire.messages import JoinInfo, State
from companion.wire.room import connection
from companion.wire.secrets import room_passwords, user_of
from tests.conftest import PATIENCE, ROOT, Client, Place, Run, until


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the document says, typed in."""
    folder = tmp_path_factory.mktemp("certificates")
    text = (ROOT / "docs" / "security.md").read_text()
    commands = re.search(r"```sh\n(openssl.*?)```", text, re.DOTALL)
    assert commands is not None
    subprocess.run(["sh", "-eu", "-c", commands.group(1)], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def closed(place: Place, certificates: Path) -> Iterator[Run]:
    """A table whose every door is closed with TLS."""
    place.environment |= {
        "TABLESIDE_BROKER_TLS": "true",
        "TABLESIDE_WEB_TLS": "true",
        "TABLESIDE_BROKER_CA_FILE": str(certificates / "ca.pem"),
        "TABLESIDE_BROKER_CERT_FILE": str(certificates / "table.pem"),
        "TABLESIDE_BROKER_KEY_FILE": str(certificates / "table.key"),
    }
    run = Run(place, "--without", "vision,display,firmware_bridge").start()
    try:
        yield run
    finally:
        run.stop()


class Room(Client):
    """A room as it really connects, by the settings."""

    def __init__(self, config: Config, room: str, bus: MqttBus | None = None) -> None:
        self.bus = bus or connection(config, room)
        self.heard: list[tuple[str, Any]] = []
        self.name = room
        self.numbers = iter(range(1, 1_000_000))


def _host(run: Run) -> Room:
    host = Room(run.place.config(), "host")
    host.listen("state", "join", "answer/host").start()
    run.clients.append(host)
    return host


def _https(config: Config, path: str, certificates: Path, body: Any = None) -> tuple[int, bytes, Any]:
    context = ssl.create_default_context(cafile=str(certificates / "ca.pem"))
    request = urllib.request.Request(
        f"https://127.0.0.1:{config.web.port}{path}", None if body is None else json.dumps(body).encode()
    )
    with urllib.request.urlopen(request, timeout=PATIENCE, context=context) as answer:
        return answer.status, answer.read(), answer.headers


def test_rooms_page_and_phones_meet_over_tls_only(closed: Run, certificates: Path, tmp_path: Path) -> None:
    """A move by a room, a join over https, a phone over wss; plain speech and unknown authorities stay outside."""
    config = closed.place.config()
    host = _host(closed)
    host.new_game("scorepad")
    assert host.move({"kind": "points", "seat": 0, "points": 2}, cause="touch").ok
    join: JoinInfo = host.until(lambda: host.last(JoinInfo))
    assert join.url.startswith("https://127.0.0.1:")

    status, page, headers = _https(config, "/", certificates)
    assert status == 200
    assert b"<html" in page
    assert f"wss://127.0.0.1:{config.broker.websocket_port}/" in headers["Content-Security-Policy"]
    status, body, _ = _https(config, "/join", certificates, {"code": join.code, "seat": 1, "name": "Zofia"})
    me = json.loads(body)
    assert me["ws"] == f"wss://127.0.0.1:{config.broker.websocket_port}/"

    phone = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=me["client"], transport="websockets")
    phone.username_pw_set(me["user"], me["password"])
    phone.tls_set(ca_certs=str(certificates / "ca.pem"))
    heard: list[str] = []
    phone.on_connect = lambda *_: phone.subscribe(me["base"] + "state", 1)
    phone.on_message = lambda c, u, message: heard.append(message.topic)
    phone.connect("127.0.0.1", config.broker.websocket_port)
    phone.loop_start()
    until(lambda: heard, 10, "the state over wss")
    hang_up(phone)

    with pytest.raises((urllib.error.URLError, OSError)):
        urllib.request.urlopen(f"http://127.0.0.1:{config.web.port}/", timeout=5).read()
    assert not answers("127.0.0.1", config.broker.port, 2.0), "nobody talks to the broker in the open"
    assert answers("127.0.0.1", config.broker.port, PATIENCE, tls=True)


def test_a_broker_with_a_strangers_certificate_is_not_believed(closed: Run, tmp_path: Path) -> None:
    """A room that trusts another authority does not send its password."""
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stranger -keyout k.pem -out other.pem"
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True, capture_output=True)
    config = closed.place.config()
    bus = MqttBus(
        table=config.table.id,
        user=user_of(config.table.id, "host"),
        password=room_passwords(config.state_dir)["host"],
        port=config.broker.port,
        ca_file=str(tmp_path / "other.pem"),
    )
    turned_away: list[bool] = []
    bus._client.on_connect_fail = lambda *_: turned_away.append(bus.connected)
    bus.start()
    until(lambda: len(turned_away) >= 2, 20, "a second try")
    assert not bus.connected
    bus.stop()


def test_the_phone_page_uses_wss_when_it_came_by_https(browser: Browser, closed: Run) -> None:
    """Chromium, the real page: it joins and shows the game over a socket that is closed, too."""
    host = _host(closed)
    host.new_game("scorepad", ("Ada", "Ben"))
    join: JoinInfo = host.until(lambda: host.last(JoinInfo))
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 800})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto(join.url)
    page.wait_for_selector(".door form")
    page.check('input[name="seat"][value="watch"]')
    with page.expect_websocket() as opened:
        page.click('.door form button[type="submit"]')
    assert opened.value.url.startswith("wss://127.0.0.1:")
    page.wait_for_selector(".door", state="detached")
    assert host.move({"kind": "points", "seat": 1, "points": 4711}, cause="touch").ok
    until(lambda: "4711" in re.sub(r"\D", "", page.inner_text("body")), 20, "the points on the phone")
    context.close()


def test_a_frozen_broker_is_noticed_under_tls_too(closed: Run) -> None:
    """The supervisor asks it over TLS."""
    host = _host(closed)
    host.new_game("scorepad")
    old = closed.children()["broker"]
    os.kill(old, signal.SIGSTOP)
    until(lambda: closed.children().get("broker", old) != old, 15, "another broker")
    host.until(lambda: host.bus.connected, 15)
    assert host.insist("again", {"kind": "points", "seat": 0, "points": 1}) == 1
    assert host.last(State) is not None


def _finding(**given: Any) -> Finding:
    web = WebConfig(tls=given.pop("web", True))
    (found,) = _tls(Config(broker=BrokerConfig(tls=given.pop("tls", True), **given), web=web))
    return found


def test_the_doctor_knows_what_is_wrong_with_the_certificates(certificates: Path, tmp_path: Path) -> None:
    """Half switched on, missing, unreadable, open to others, fine."""
    files = {name: str(certificates / file) for name, file in (("ca_file", "ca.pem"), ("cert_file", "table.pem"))}
    key = tmp_path / "table.key"
    key.write_bytes((certificates / "table.key").read_bytes())
    key.chmod(0o600)
    assert _tls(Config()) == []
    assert "differ" in _finding(web=False).say
    assert "ca_file: not set" in _finding().say
    assert _finding(**files, key_file=str(key)).status == "ok"
    assert "cannot be used" in _finding(**files, key_file=files["ca_file"]).say
    key.chmod(0o644)
    assert _finding(**files, key_file=str(key)).do == f"Run: chmod 600 {key}"
