"""Phones that should not: refused, unseen, and the table goes on."""

from __future__ import annotations

import threading
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from phone_guests import Guest
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.wire.bus import hang_up
from tests.conftest import PATIENCE, until
from tests.views import view_of


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
        assert self._up.wait(PATIENCE)

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
        assert self._asked.wait(PATIENCE)
        return self.granted[-1]

    def leave(self) -> None:
        """Hang up."""
        hang_up(self.line)


SECRET = ("/answer/", "/private", "/sensor/", "/admin", "/do/", "/move/", "/virtual/", "/picture/", "$CONTROL")


@pytest.mark.parametrize("role", ["seat", "spectator"])
def test_a_hostile_phone_learns_and_changes_nothing(table: LiveTable, role: str) -> None:
    """It subscribes to everything and publishes as everybody; the game stands as it stood."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    victim = table.seat(1)
    session = table.seat(0 if role == "seat" else None)
    base = session["base"]
    intruder = Intruder(table, session["user"], session["password"])
    assert intruder.listen(f"{base}state") < 128
    for topic in ("#", f"{base}#", f"{base}seat/+/private", f"{base}seat/1/private", f"{base}answer/+", "$CONTROL/#"):
        assert intruder.listen(topic) >= 128, topic
    before = table.state
    assert before is not None
    move = b'{"v":1,"id":"x","move":{"kind":"points","seat":1,"points":50},"cause":"phone"}'
    topics = [f"move/{victim['client']}", "move/display", "admin", "state", "sensor/dial", "do/vision"]
    for topic in [*topics, *([f"move/{session['client']}"] if role == "spectator" else [])]:
        intruder.line.publish(base + topic, move, 1).wait_for_publish(PATIENCE)
    heard = len(intruder.heard)
    own = {"kind": "points", "seat": 0, "points": 1}
    assert table.move(own).ok
    table.until(lambda: table.state is not None and table.state.seq > before.seq, "the table to go on")
    assert table.state is not None
    assert [player["points"] for player in view_of(table.state)["players"]] == [1, 0]
    until(lambda: f"{base}state" in intruder.heard[heard:], 10, "what came after all that")
    assert [topic for topic in intruder.heard if any(part in topic for part in SECRET)] == []
    intruder.leave()


def test_a_seat_may_not_move_for_another(table: LiveTable) -> None:
    """Its own topic, somebody else's seat: the core refuses."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    session = table.seat(0)
    intruder = Intruder(table, session["user"], session["password"])
    assert intruder.listen(f"{session['base']}answer/{session['client']}") < 128
    move = b'{"v":1,"id":"x","seat":1,"move":{"kind":"points","seat":1,"points":50},"cause":"phone"}'
    intruder.line.publish(f"{session['base']}move/{session['client']}", move, 1).wait_for_publish(PATIENCE)
    until(lambda: intruder.heard, 10, "the answer")
    assert intruder.heard == [f"{session['base']}answer/{session['client']}"]
    table.settle()
    assert table.state is not None and view_of(table.state)["players"][1]["points"] == 0
    intruder.leave()


def test_a_code_opens_one_seat_once(table: LiveTable) -> None:
    """The replayed code is worthless; so is any code after the game, and a seat's key once others sit there."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    code = table.code
    table.seat(0)
    again = table.join(code=code, seat=1)
    assert (again["status"], again["refusal"]["code"]) == (403, "join/code")
    last = table.code
    session = table.seat(1)
    table.order("end game")
    assert table.join(code=last)["status"] == 403
    table.new_game("scorepad", ["Cleo", "Dee"], rounds=0)
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
    guest.assert_accessible()
    assert "token" not in guest.storage()
    guest.scan()
    guest.page.wait_for_selector('input[name="seat"][value="0"]:not([disabled])', state="attached")
    guest.leave()


def robbed(browser: Browser, owner: Guest, *, storage: bool) -> Guest:
    """Somebody with all cookies of another phone and, if they got at the phone itself, its storage too."""
    thief = Guest(browser, owner.table, None)
    thief.context.add_cookies(owner.context.cookies())
    thief.page.goto(owner.table.url)
    if storage:
        kept = owner.page.evaluate("JSON.stringify({...localStorage})")
        thief.page.evaluate(
            "kept => Object.entries(JSON.parse(kept)).forEach(([k, v]) => localStorage.setItem(k, v))", kept
        )
    thief.page.reload()
    return thief


def test_stolen_cookies_open_nothing(browser: Browser, table: LiveTable) -> None:
    """No script can read the cookie; whoever has it anyway stands at the door like anybody, and nobody notices."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    owner = Guest(browser, table, 0).sit()
    (cookie,) = owner.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert cookie["value"] not in owner.storage()
    thief = robbed(browser, owner, storage=False)
    thief.page.wait_for_selector('.door form input[name="seat"][value="0"][disabled]', state="attached")
    reply = thief.page.evaluate(
        """token => fetch('/join', {method: 'POST', body: JSON.stringify({token})})
        .then(reply => reply.status)""",
        "guess",
    )
    assert reply == 403
    owner.assert_shows()
    owner.counts(".note", 0)
    thief.leave()
    owner.leave()


def test_a_whole_copy_of_a_phone_is_refused_while_its_owner_plays(browser: Browser, table: LiveTable) -> None:
    """Cookies and storage copied: the owner's phone answers the knock, the copy is refused, the table and the owner are told."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    owner = Guest(browser, table, 0).sit()
    thief = robbed(browser, owner, storage=True)
    words = thief.words()
    thief.reads(".door .note.bad p", [words.say("join/refuse/held"), words.say("join/do/held")])
    thief.assert_accessible()
    table.until(lambda: table.state is not None and table.state.notices, "a word on the screen")
    assert table.state is not None
    assert [notice.id for notice in table.state.notices] == ["knocked-0"]
    owner.page.wait_for_selector(".note.warn")
    owner.assert_accessible()
    owner.page.fill("#field-p0", "5")
    owner.page.click('[data-choice="form"]')
    table.until(
        lambda: table.state is not None and view_of(table.state)["players"][0]["points"] == 5, "the owner's move"
    )
    owner.reload()
    owner.assert_shows()
    thief.leave()
    owner.leave()


def test_a_copy_that_was_used_while_the_owner_was_away_is_noticed(browser: Browser, table: LiveTable) -> None:
    """The copy sits down unseen; the owner returns with a spent key: it is said, and the screen can free the seat."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    owner = Guest(browser, table, 0).sit()
    thief = Guest(browser, table, None)
    thief.context.add_cookies(owner.context.cookies())
    kept = owner.page.evaluate("JSON.stringify({...localStorage})")
    owner.killed()
    thief.page.goto(table.url)
    thief.page.evaluate(
        "kept => Object.entries(JSON.parse(kept)).forEach(([k, v]) => localStorage.setItem(k, v))", kept
    )
    thief.page.reload()
    thief.page.wait_for_selector(".play")
    owner.page = owner._open()
    owner.page.goto(table.url)
    owner.reads(".door .note.bad p.strong", [owner.words().say("join/refuse/spent")])
    assert table.order("free seat", seat=0).ok
    thief.page.wait_for_selector(".door")
    owner.scan()
    owner.page.check('input[name="seat"][value="0"]')
    owner.page.click('.door button[type="submit"]')
    owner.page.wait_for_selector(".play")
    thief.leave()
    owner.leave()


def test_standing_up_frees_the_seat(browser: Browser, table: LiveTable) -> None:
    """From the menu; the phone keeps nothing, the seat is open, and sitting down again takes the code on the screen."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    guest = Guest(browser, table, 0, language="fr").sit()
    assert table.state is not None and table.state.seats[0].phone
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_role("button", name=guest.own("phone/stand-up")).click()
    guest.page.wait_for_selector(".door form")
    table.until(lambda: table.state is not None and not table.state.seats[0].phone, "the free seat")
    guest.page.wait_for_selector('input[name="seat"][value="0"]:not([disabled])')
    assert guest.context.cookies() == [] and "token" not in guest.storage()
    guest.assert_accessible()
    guest.page.check('input[name="seat"][value="0"]')
    assert guest.page.input_value("#code") == ""
    guest.page.fill("#code", table.code.lower())
    guest.page.click('.door button[type="submit"]')
    guest.page.wait_for_selector(".play")
    guest.leave()


def test_nothing_that_opens_or_tells_anything_stays_once_others_play(browser: Browser, table: LiveTable) -> None:
    """Storage, session storage, databases, caches and cookies: name, language and the public result, no more."""
    table.new_game("skyrise", ["Ada", "Bo"], deal="digital")
    guest = Guest(browser, table, 0, name="Ada").sit()
    guest.page.wait_for_selector("[data-secret] .cards")
    hand = guest.texts("[data-secret] .cards .strong")
    assert "token" in guest.storage() and guest.context.cookies() != []
    table.order("end game")
    guest.page.wait_for_selector(".lobby")
    assert not any(card in guest.page.content() for card in hand)
    table.new_game("skyrise", ["Cleo", "Dee"], deal="digital")
    guest.page.wait_for_selector(".door")
    assert guest.context.cookies() == []
    kept = guest.page.evaluate("({...localStorage, ...sessionStorage})")
    assert set(kept) <= {"tableside/name", "tableside/language"}
    assert guest.page.evaluate("indexedDB.databases().then(list => list.length)") == 0
    assert guest.page.evaluate("typeof caches === 'undefined' ? 0 : caches.keys().then(list => list.length)") == 0
    assert not any(card in guest.page.content() for card in hand)
    guest.leave()


def test_guessing_codes_at_the_door_is_said_and_shuts_nobody_out(browser: Browser, table: LiveTable) -> None:
    """After ten wrong codes the door asks for patience; whoever has the right one comes in, from the guesser's address too."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    for number in range(10):
        assert table.join(code=f"WRONG{number}")["status"] == 403
    guest = Guest(browser, table, 0, language="pl")
    guest.page.goto(f"{table.url}/#WRONGX")
    guest.page.wait_for_selector(".door form")
    guest.assert_turned_away("slow")
    guest.page.fill("#code", table.code.lower())
    guest.page.click('.door button[type="submit"]')
    guest.page.wait_for_selector(".play")
    guest.leave()


@pytest.mark.parametrize("code", ["%", "ABC%", "%E0%A4%A"])
def test_an_address_that_cannot_be_read_still_shows_the_door(browser: Browser, table: LiveTable, code: str) -> None:
    """Half a code, or something that never was one: the page says so, it is not blank."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    guest = Guest(browser, table, 0)
    guest.page.goto(f"{table.url}/#{code}")
    guest.page.wait_for_selector(".door form")
    guest.assert_turned_away("code")
    guest.leave()


def test_only_who_has_the_code_reads_who_plays(browser: Browser, table: LiveTable) -> None:
    """At the door without one, seats have numbers; with it, names, and they stay while the list is refreshed."""
    table.new_game("scorepad", ["Zofia", "Wojtek"], rounds=0)
    stranger, guest = Guest(browser, table, None), Guest(browser, table, None)
    stranger.page.goto(table.url)
    stranger.at_the_door()
    assert not any(name in stranger.page.content() for name in ("Zofia", "Wojtek"))
    guest.scan()
    guest.page.wait_for_selector(".seat-name:has-text('Zofia')")
    table.seat(1)
    guest.page.wait_for_selector(".seat-row.off")
    guest.reads(".seat-name", ["Zofia", "Wojtek", guest.own("phone/door/only-watch")])
    stranger.leave()
    guest.leave()
