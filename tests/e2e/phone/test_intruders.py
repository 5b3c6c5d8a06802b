"""Phones that should not: refused, unseen, and the table goes on."""

from __future__ import annotations

import threading
import time
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from phone_guests import Guest
from playwright.sync_api import Browser

from companion.bench.phones import LiveTable


class Intruder:
    """A client that speaks MQTT by hand, with whatever credentials it got hold of."""

    def __init__(self, table: LiveTable, user: str, password: str) -> None:
        self.heard: list[str] = []
        self.granted: list[int] = []
        self._up, self._asked = threading.Event(), threading.Event()
        self.refused = False
        self.line = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=user, transport="websockets")
        self.line.username_pw_set(user, password)
        self.line.on_connect = self._connected
        self.line.on_subscribe = self._subscribed
        self.line.on_message = lambda client, userdata, message: self.heard.append(message.topic)
        self.line.connect("127.0.0.1", table.config.broker.websocket_port)
        self.line.loop_start()
        assert self._up.wait(5)

    def _connected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.refused = reason.is_failure
        self._up.set()

    def _subscribed(self, client: Any, userdata: Any, mid: Any, reasons: Any, properties: Any) -> None:
        self.granted += [reason.value for reason in reasons]
        self._asked.set()

    def listen(self, topic: str) -> int:
        """Subscribe; gives the broker's answer, 128 and more is a refusal."""
        self._asked.clear()
        self.line.subscribe(topic, 1)
        assert self._asked.wait(5)
        return self.granted[-1]

    def leave(self) -> None:
        """Hang up."""
        self.line.disconnect()
        self.line.loop_stop()


SECRET = ("/answer/", "/private", "/sensor/", "/admin", "/do/", "/move/", "/virtual/", "/picture/", "$CONTROL")


@pytest.mark.parametrize("role", ["seat", "spectator"])
def test_a_hostile_phone_learns_and_changes_nothing(table: LiveTable, role: str) -> None:
    """It subscribes to everything and publishes as everybody; the game stands as it stood."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    victim = table.seat(1)
    session = table.seat(0 if role == "seat" else None)
    base = session["base"]
    intruder = Intruder(table, session["user"], session["password"])
    for topic in ("#", f"{base}#", f"{base}seat/+/private", f"{base}seat/1/private", f"{base}answer/+", "$CONTROL/#"):
        assert intruder.listen(topic) >= 128, topic
    before = table.state
    assert before is not None
    move = b'{"v":1,"id":"x","move":{"kind":"points","seat":1,"points":50},"cause":"phone"}'
    topics = [f"move/{victim['client']}", "move/display", "admin", "state", "prompt", "sensor/dial", "do/vision"]
    for topic in [*topics, *([f"move/{session['client']}"] if role == "spectator" else [])]:
        intruder.line.publish(base + topic, move, 1).wait_for_publish(3)
    own = {"kind": "points", "seat": 0, "points": 1}
    assert table.move(own).ok
    table.until(lambda: table.state is not None and table.state.seq > before.seq, "the table to go on")
    assert table.state is not None
    assert [player["points"] for player in table.state.view["players"]] == [1, 0]
    time.sleep(0.2)
    assert [topic for topic in intruder.heard if any(part in topic for part in SECRET)] == []
    intruder.leave()


def test_a_seat_may_not_move_for_another(table: LiveTable) -> None:
    """Its own topic, somebody else's seat: the core refuses."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    session = table.seat(0)
    intruder = Intruder(table, session["user"], session["password"])
    assert intruder.listen(f"{session['base']}answer/{session['client']}") < 128
    move = b'{"v":1,"id":"x","seat":1,"move":{"kind":"points","seat":1,"points":50},"cause":"phone"}'
    intruder.line.publish(f"{session['base']}move/{session['client']}", move, 1).wait_for_publish(3)
    end = time.monotonic() + 5
    while not intruder.heard and time.monotonic() < end:
        time.sleep(0.05)
    assert intruder.heard == [f"{session['base']}answer/{session['client']}"]
    table.pump(0.1)
    assert table.state is not None and table.state.view["players"][1]["points"] == 0
    intruder.leave()


def test_a_code_opens_one_seat_once(table: LiveTable) -> None:
    """The replayed code is worthless; so is any code after the game."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    code = table.code
    table.seat(0)
    again = table.join(code=code, seat=1)
    assert (again["status"], again["refusal"]["code"]) == (403, "join/code")
    last = table.code
    session = table.seat(1)
    table.order("end game")
    assert table.join(code=last)["status"] == 403
    assert table.join(token=session["token"])["status"] == 403
    intruder = Intruder(table, session["user"], session["password"])
    assert intruder.refused
    intruder.leave()


def test_a_seat_that_was_freed_is_gone_from_the_phone(browser: Browser, table: LiveTable) -> None:
    """The touchscreen frees a seat: the phone says so and keeps nothing; the seat is open again."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    guest = Guest(browser, table, 0, name="Ada").sit()
    assert "token" in guest.storage()
    assert table.order("free seat", seat=0).ok
    guest.page.wait_for_selector(".door .note.bad")
    guest.accessible()
    assert "token" not in guest.storage()
    guest.scan()
    assert not guest.page.locator('input[name="seat"][value="0"]').is_disabled()
    guest.leave()


def test_cookies_open_nothing(browser: Browser, table: LiveTable) -> None:
    """The page sets none, so there is none to steal; a made-up token is refused and the owner sits undisturbed."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    owner = Guest(browser, table, 0).sit()
    assert owner.context.cookies() == []
    thief = Guest(browser, table, None)
    thief.page.goto(table.url)
    thief.page.evaluate("localStorage.setItem('tableside/token', 'made-up')")
    thief.page.reload()
    thief.page.wait_for_selector(".door .note.bad")
    assert "made-up" not in thief.storage()
    owner.shows()
    thief.leave()
    owner.leave()
