"""Hostile clients on the real broker: nothing leaks, nothing changes, the table keeps answering."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from companion.wire.bus import hang_up
from companion.wire.messages import Admin, JoinInfo, State
from companion.wire.secrets import ROOMS, room_passwords, user_of
from companion.wire.secrets import client_id as id_of
from tests.conftest import PATIENCE, Client, Place, Run, post, until
from tests.views import view_of

BASE = "tableside/table/"


class Stranger:
    """Raw paho: says and hears whatever it likes."""

    def __init__(
        self,
        port: int,
        user: str = "",
        password: str = "",
        *,
        client_id: str = "",
        websocket: bool = False,
        will: str = "",
    ) -> None:
        transport = "websockets" if websocket else "tcp"
        name = client_id or id_of("table", user)  # rooms are known by theirs
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, transport=transport)  # type: ignore[arg-type]
        if user:
            self.client.username_pw_set(user, password)
        if will:
            self.client.will_set(will, b'{"v":1,"table":"table","phase":"lobby"}', 1, retain=True)
        self.heard: list[tuple[str, bytes]] = []
        self.codes: list[Any] = []
        self.left: list[Any] = []
        self.client.on_disconnect = lambda c, u, f, code, p: self.left.append(code)
        self.client.on_connect = lambda c, u, f, code, p: self.codes.append(code)
        self.client.on_message = lambda c, u, m: self.heard.append((m.topic, bytes(m.payload)))
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        until(lambda: self.codes or self.left, 10, "let in, refused, or left standing outside")

    @property
    def inside(self) -> bool:
        return bool(self.codes) and not self.codes[0].is_failure and self.client.is_connected()

    def close(self) -> None:
        hang_up(self.client)


@pytest.fixture
def game(table: Run) -> Iterator[tuple[Run, Client]]:
    """A score-pad game with a phone at each seat and a spectator."""
    display = table.client()
    display.new_game("scorepad")
    yield table, display


def join(table: Run, display: Client, seat: int | None) -> dict[str, Any]:
    config = table.place.config()
    code = display.until(lambda: display.last(JoinInfo)).code
    status, body = post(config, "/join", {"code": code, "seat": seat, "name": f"p{seat}", "language": "en"})
    assert status == 200, body
    if seat is not None:
        display.until(lambda: display.last(JoinInfo).code != code)
    return body


def assert_still_answers(display: Client) -> None:
    """The next good move counts, and counts once."""
    before = [player["points"] for player in view_of(display.last(State))["players"]]
    assert display.move({"kind": "points", "seat": 0, "points": 1}, cause="touch").ok
    display.until(lambda: view_of(display.last(State))["players"][0]["points"] == before[0] + 1)


def assert_passed_over(display: Client, before: State, said: list[mqtt.MQTTMessageInfo]) -> None:
    """Nothing of what the broker took is carried out: a good move sent after it is answered after it, and is all there is."""
    for one in said:
        one.wait_for_publish(PATIENCE)
        assert one.is_published()
    assert_still_answers(display)
    now = display.last(State)
    first, *others = view_of(before)["players"]
    assert (now.phase, now.seq) == ("playing", before.seq + 1)
    assert [player["points"] for player in view_of(now)["players"]] == [
        first["points"] + 1,
        *(player["points"] for player in others),
    ]


def test_wrong_passwords_and_strangers_stay_outside(game: tuple[Run, Client]) -> None:
    """No name, wrong password, a room's name with a guessed password."""
    table, display = game
    port = table.place.config().broker.port
    for user, password in (("", ""), ("table-companion", "guess"), ("nobody", "x"), ("#", "x"), ("+", "x")):
        stranger = Stranger(port, user, password)
        assert not stranger.inside
        stranger.close()
    assert_still_answers(display)


@pytest.mark.parametrize("role", ["seat", "spectator", "display", "vision", "firmware_bridge"])
def test_subscribing_to_everything_brings_only_what_is_allowed(game: tuple[Run, Client], role: str) -> None:
    """`#` as each role: no other seat's private view, no answers to others, no moves of others, no truth."""
    table, display = game
    config = table.place.config()
    if role in ("seat", "spectator"):
        me = join(table, display, 1 if role == "seat" else None)
        user, password, port, web = me["user"], me["password"], config.broker.websocket_port, True
    else:
        user, password = user_of("table", role), room_passwords(config.state_dir)[role]
        port, web = config.broker.port, False
        if role == "display":
            display.bus.stop()
    spy = Stranger(port, user, password, websocket=web)
    assert spy.inside
    for pattern in (
        "#",
        "+/#",
        BASE + "#",
        "$SYS/#",
        "$CONTROL/#",
        BASE + "seat/+/private",
        BASE + "virtual/#",
        BASE + "move/+",
        BASE + "join",
        *(BASE + topic for topic in ("state", "event/+", "health/+")),
    ):
        spy.client.subscribe(pattern, 1)
    until(lambda: any(topic == BASE + "state" for topic, _ in list(spy.heard)), 10, "what everybody may hear")
    core = Client.room(config, "virtual").start()
    from companion.wire.messages import VirtualTruth

    core.bus.publish("virtual/table", VirtualTruth(ts=1.0))
    assert core.bus.delivered(PATIENCE)
    host = Client.room(config, "host").listen("answer/host").start()
    assert host.move({"kind": "points", "seat": 0, "points": 4321}, cause="touch").ok
    until(lambda: any(b"4321" in body for _, body in list(spy.heard)), 10, "what was said after all that")
    host.bus.stop()
    allowed = {
        "seat": ("state", "event/", "health/", f"answer/{user}", "seat/1/private"),
        "spectator": ("state", "event/", "health/"),
        "display": ("state", "join", "event/", "health/", "sensor/", "picture/", "lamp", "answer/display"),
        "vision": ("do/vision", "state", "virtual/"),
        "firmware_bridge": ("do/firmware_bridge", "lamp", "state", "virtual/"),
    }[role]
    code = display.last(JoinInfo).code.encode()
    for topic, body in spy.heard:
        assert role == "display" or code not in body, f"{role} reads the join code on {topic}"
        assert topic.startswith(tuple(BASE + one for one in allowed)), f"{role} heard {topic}"
    spy.close()
    core.bus.stop()


def test_a_phone_cannot_speak_for_others(game: tuple[Run, Client]) -> None:
    """Forged state, another's move topic, admin, sensors, commands, broker control: refused, unseen."""
    table, display = game
    me = join(table, display, 1)
    spy = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
    before = display.last(State)
    said = []
    forged = json.dumps({"v": 1, "table": "table", "phase": "over"}).encode()
    move = json.dumps({"id": "evil", "move": {"kind": "points", "seat": 0, "points": 999}}).encode()
    admin = json.dumps({"id": "evil", "client": "display", "command": "end game"}).encode()
    for topic, payload in (
        (BASE + "state", forged),
        (BASE + "move/display", move),
        (BASE + "move/phone-s0-000000000000", move),
        (BASE + "admin", admin),
        (BASE + "sensor/market", b"{}"),
        (BASE + "do/vision", admin),
        (BASE + "seat/0/private", forged),
        (BASE + "health/vision", forged),
        ("$CONTROL/dynamic-security/v1", b'{"commands":[{"command":"listClients"}]}'),
        ("tableside/other/state", forged),
    ):
        said.append(spy.client.publish(topic, payload, 1, retain=True))
    assert_passed_over(display, before, said)
    spy.close()


def test_a_will_on_a_forbidden_topic_is_never_carried_out(game: tuple[Run, Client]) -> None:
    """A phone that dies on purpose cannot forge the state."""
    table, display = game
    me = join(table, display, 1)
    spy = Stranger(
        table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True, will=BASE + "state"
    )
    sock = spy.client.socket()
    if sock is not None:
        spy.client.loop_stop()
        getattr(sock, "_socket", sock).shutdown(socket.SHUT_RDWR)
    again = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
    assert again.inside, "its own session follows the one that died: the will is dealt with"
    again.close()
    assert_still_answers(display)
    assert display.last(State).phase == "playing"


def test_garbage_retained_or_not_changes_nothing(game: tuple[Run, Client]) -> None:
    """Invalid UTF-8, unknown fields, deep nesting, a megabyte: left out, and the next good move counts."""
    table, display = game
    me = join(table, display, 1)
    before = display.last(State)
    spy = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
    mine = BASE + f"move/{me['client']}"
    noise = (b"\xff\xfe\xfd", b"", b"[" * 50_000, b'{"id":"x","move":{},"evil":1}', b'{"id":5}')
    assert_passed_over(display, before, [spy.client.publish(mine, payload, 1, retain=True) for payload in noise])
    spy.close()
    for size in (400_000, 1_000_000):  # more than any move: whoever sends it is hung up on
        spy = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
        spy.client.publish(mine, b"x" * size, 1)
        until(lambda: len(spy.left) > 0, 10, "the end of the line")  # noqa: B023
        spy.close()
    assert_still_answers(display)


def test_a_thousand_connects_do_not_wear_the_table_out(game: tuple[Run, Client]) -> None:
    """Connect and leave, half of them in mid-sentence: nobody at the table is thrown out for it."""
    table, display = game
    broker = table.children()["broker"]
    port = table.place.config().broker.port
    for number in range(1000):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            line.sendall(b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x05\x00\x00" if number % 2 else b"\x10\xff\xff")
    assert table.children()["broker"] == broker
    assert display.bus.connected
    assert_still_answers(display)


def test_anothers_client_id_takes_no_session_over(game: tuple[Run, Client]) -> None:
    """A phone that calls itself `table-display` does not throw the display out."""
    table, display = game
    me = join(table, display, 1)
    spy = Stranger(
        table.place.config().broker.websocket_port,
        me["user"],
        me["password"],
        client_id="table-display",
        websocket=True,
    )
    assert_still_answers(display)
    assert display.bus.connected
    spy.close()


@pytest.mark.parametrize("room", sorted(set(ROOMS) - {"broker-admin"}))
def test_a_room_s_password_opens_nothing_on_the_phones_port(standing: Run, room: str) -> None:
    """Not even one that got out: rooms come in by the port of this machine alone, whatever they call themselves."""
    config = standing.place.config()
    user, password = user_of("table", room), room_passwords(config.state_dir)[room]
    for name in ("", user, f"room:{user}", "x"):
        stranger = Stranger(config.broker.websocket_port, user, password, client_id=name, websocket=True)
        assert not stranger.inside
        stranger.close()


def test_a_phone_s_password_takes_no_room_s_session_over_on_the_machine_itself(game: tuple[Run, Client]) -> None:
    """On the rooms' port nobody's id is made for them: a phone must use its own."""
    table, display = game
    me = join(table, display, 1)
    port = table.place.config().broker.port
    spy = Stranger(port, me["user"], me["password"], client_id="room:table-display")
    assert not spy.inside
    spy.close()
    assert display.bus.connected
    assert_still_answers(display)


def test_a_replayed_code_a_stolen_token_and_a_freed_seat(game: tuple[Run, Client]) -> None:
    """Codes work once; a freed phone is outside at once; its token is void."""
    table, display = game
    config = table.place.config()
    code = display.last(JoinInfo).code
    me = join(table, display, 0)
    for body in ({"code": code, "seat": 1}, {"code": "AAAAAA", "seat": 1}, {"token": "guess"}, {"code": code}):
        status, answer = post(config, "/join", body)
        assert status == 403
        assert answer["refusal"]["say"]["key"].startswith("join/refuse/")
    spy = Stranger(config.broker.websocket_port, me["user"], me["password"], websocket=True)
    from companion.wire.messages import Admin

    assert display.ask("admin", Admin(id="free", client="display", command="free seat", args={"seat": 0})).ok
    until(lambda: not spy.client.is_connected(), 5, "the phone is shown the door")
    assert post(config, "/join", {"token": me["token"]})[0] == 403
    spy.close()
    assert_still_answers(display)


def test_guessing_codes_is_slowed_down(game: tuple[Run, Client]) -> None:
    """Ten wrong codes in a minute, then wait."""
    table, _ = game
    config = table.place.config()
    statuses = [post(config, "/join", {"code": f"WRONG{i}"})[0] for i in range(12)]
    assert statuses[-1] == 429


def test_bad_join_requests_get_one_clear_answer(standing: Run) -> None:
    """Never a stack trace, never a hang."""
    config = standing.place.config()
    for body in (b"", b"{", b"[]", b"\xff", b'{"seat":"x"}', b'{"seat":99}', b'{"evil":1}', b"x" * 5000):
        status, answer = post(config, "/join", body)
        assert status in (400, 403), body
        assert answer["refusal"]["say"]["key"].startswith("join/refuse/")


def test_a_second_table_on_the_same_broker_hears_nothing_of_the_first(place: Place, table: Run) -> None:
    """A table is a topic prefix; tables share nothing."""
    display = table.client()
    display.new_game("scorepad")
    other = Client.room(place.config(), "host")
    other.bus.base = "tableside/other/"
    other.listen("state", "event/+", "health/+").start()
    assert display.move({"kind": "points", "seat": 0, "points": 1}, cause="touch").ok
    other.bus.publish("admin", Admin(id="x", client="display", command="end game"))
    assert other.bus.delivered(PATIENCE), "the broker has answered: what it had for this line before that is here"
    other.bus.pump()
    assert other.heard == []
    other.bus.stop()
