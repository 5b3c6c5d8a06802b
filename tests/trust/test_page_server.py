"""The page's server alone, with a core that answers, refuses or keeps silent."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.door import page_server
from companion.door.seats import JoinRefused
from companion.wire import process
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Lamp, MoveRequest
from tests.conftest import PATIENCE
from tests.trust.page import Door, serving


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def line(door: Door) -> Iterator[http.client.HTTPConnection]:
    """A connection to a running page server."""
    with serving(door, address="10.0.0.7", names=("games.example.org",)) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        yield connection
        connection.close()


def _ask(
    line: http.client.HTTPConnection, method: str, path: str, body: Any = None, **headers: str
) -> tuple[Any, bytes]:
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    line.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = line.getresponse()
    return answer, answer.read()


def test_pages_words_and_the_table_are_served(line: http.client.HTTPConnection) -> None:
    """Packed for those who can unpack; nothing for those who only ask for the head; nothing elsewhere."""
    answer, body = _ask(line, "GET", "/table.json")
    assert (answer.status, body) == (200, b'{"table":"table"}')
    answer, body = _ask(line, "GET", "/words/pl.json", Accept_Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(body))
    answer, body = _ask(line, "GET", "/words/pl-rest.json")
    assert answer.headers["Content-Encoding"] is None
    assert json.loads(body)
    answer, body = _ask(line, "HEAD", "/")
    assert (answer.status, body) == (200, b"")
    for path in ("/nothing", "/words/xx.json", "/../etc/passwd", "/%2e%2e/secrets.json"):
        assert _ask(line, "GET", path)[0].status == 404
    assert _ask(line, "POST", "/elsewhere", {})[0].status == 404


def test_what_never_changes_is_kept_and_everything_is_guarded(
    line: http.client.HTTPConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files with a hash in their name stay in the phone; the policy names our own socket and nobody else's."""
    monkeypatch.setattr(page_server, "page_files", lambda: {"/a-0123456789.js": b"x", "/index.html": b"<p>"})
    assert "immutable" in _ask(line, "GET", "/a-0123456789.js")[0].headers["Cache-Control"]
    answer, _ = _ask(line, "GET", "/j/ABC234")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    for host, shown in (("tableside.local:8780", "tableside.local"), ("10.0.0.7", "10.0.0.7")):
        policy = _ask(line, "GET", "/", Host=host)[0].headers["Content-Security-Policy"]
        assert f"connect-src 'self' ws://{shown}:8781/;" in policy


def test_the_two_halves_of_a_key_travel_apart(line: http.client.HTTPConnection, door: Door) -> None:
    """One in the answer, one in a cookie no script reads; a refused key is taken away."""
    answer, body = _ask(line, "POST", "/join", {"code": "ABC234"})
    assert answer.headers["Set-Cookie"].startswith("tableside-table=other-half; ")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert b"other-half" not in body
    door.answer = JoinRefused(403, "token")
    answer, _ = _ask(line, "POST", "/join", {"token": "half"}, Cookie="x=1; tableside-table=other-half")
    assert door.asked[-1] == ("join", "", "other-half")
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    door.answer = JoinRefused(409, "held")
    answer, _ = _ask(line, "POST", "/join", {"token": "half"})
    assert answer.headers["Set-Cookie"] is None
    door.answer = b"{}"
    assert _ask(line, "POST", "/leave", {"token": "half"})[0].status == 200
    assert _ask(line, "POST", "/past", {"token": "half"}, Cookie="tableside-table=a")[0].status == 200
    assert [asked[0] for asked in door.asked[-2:]] == ["leave", "past"]


def test_bodies_nobody_should_send(line: http.client.HTTPConnection) -> None:
    """Too long, empty, no JSON, nested without end: 400 and a sentence."""
    for body in (b"x" * 5000, b"", b"{", b"[" * 4000, b"\xff"):
        answer, told = _ask(line, "POST", "/join", body)
        assert answer.status == 400
        assert json.loads(told)["refusal"]["code"] == "join/bad"
        line.close()  # what is left of such a body is not read as the next request
    line.putrequest("POST", "/leave")
    line.putheader("Content-Length", "many")
    line.endheaders()
    answer = line.getresponse()
    answer.read()
    assert answer.status == 400


def test_a_table_answers_to_its_own_names_only(line: http.client.HTTPConnection, door: Door) -> None:
    """Its address, this machine's name, its own on the network, and what the owner says a proxy calls it. A page elsewhere that
    had its name point here would otherwise be read as if it were ours."""
    machine = socket.gethostname()
    ours = (
        "127.0.0.1",
        "localhost:8780",
        machine,
        f"{machine}.local",
        "Tableside.local.",
        "10.0.0.7:1",
        "games.example.org",
    )
    for host in ours:
        assert _ask(line, "GET", "/table.json", Host=host)[0].status == 200, host
    for host in (
        "evil.example",
        "127.0.0.1.evil.example",
        "192.168.7.9",
        "[::1]",
        "evil' *",
        "",
        "a, b",
        "localhost@evil",
    ):
        answer, said = _ask(line, "GET", "/table.json", Host=host)
        assert (answer.status, b"http://10.0.0.7:" in said) == (421, True), host
        assert host == "" or host.encode() not in said
        answer, said = _ask(line, "POST", "/join", {"code": "ABC234"}, Host=host)
        assert (answer.status, json.loads(said)["refusal"]["code"]) == (421, "join/host")
    assert door.asked == []


def test_no_other_page_asks_in_a_guests_name(line: http.client.HTTPConnection, door: Door) -> None:
    """A browser says where a request comes from; who says nothing is no browser."""
    ours = f"127.0.0.1:{line.port}"
    for origin in (f"http://{ours}", "https://games.example.org"):
        assert _ask(line, "POST", "/join", {"code": "ABC234"}, Host=ours, Origin=origin)[0].status == 200, origin
    asked = len(door.asked)
    for origin in ("http://evil.example", "null", "", "http://127.0.0.1:1", f"http://{ours}.evil.example", "http://["):
        for path in ("/join", "/leave", "/past", "/table.json"):
            answer, said = _ask(line, "POST", path, {"token": "half"}, Host=ours, Origin=origin)
            assert (answer.status, json.loads(said)["refusal"]["code"]) == (403, "join/origin"), origin
    assert len(door.asked) == asked


def test_who_plays_is_asked_of_the_core_with_a_code(line: http.client.HTTPConnection, door: Door) -> None:
    """Posted, not in the address, where others would write it down."""
    door.answer = b'{"seats":[{"name":"Ada"}]}'
    assert _ask(line, "POST", "/table.json", {"code": "ABC234"})[1] == door.answer
    assert door.asked == [("look", "ABC234")]


def test_a_core_with_its_hands_full_is_not_waited_for_without_end(
    line: http.client.HTTPConnection, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503, and the phone tries again."""
    door.answer = None
    monkeypatch.setattr(page_server, "CORE_SECONDS", 0.1)
    assert _ask(line, "POST", "/join", {"code": "ABC234"})[0].status == 503


def test_this_machines_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first card that has one; without a network it is this machine itself."""
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "docker0"), (3, "wlan0"), (4, "eth0")])

    def ask(sock: Any, code: int, name: bytes) -> bytes:
        if name.startswith(b"wlan0"):
            raise OSError(99, "no address")
        return bytes(20) + socket.inet_aton("192.168.7.9") + bytes(232)

    monkeypatch.setattr(process.fcntl, "ioctl", ask)
    assert process.own_address() == "192.168.7.9"
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo")])
    assert process.own_address() == "127.0.0.1"


def test_a_page_that_was_not_built_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Instead of an empty one."""
    monkeypatch.setattr(page_server.resources, "files", lambda package: tmp_path)
    assert b"make setup" in page_server.page_files.__wrapped__()["/index.html"]
    (tmp_path / "phone" / "dist" / "fonts").mkdir(parents=True)
    (tmp_path / "phone" / "dist" / "fonts" / "a.woff2").write_bytes(b"f")
    assert page_server.page_files.__wrapped__()["/fonts/a.woff2"] == b"f"


def test_what_a_bus_leaves_unread() -> None:
    """A kept request, an empty word, something nobody listens to, and too much of anything."""
    corridor = MemoryBroker()
    bus = corridor.bus("companion")
    heard: list[Any] = []
    bus.subscribe("move/+", lambda topic, message: heard.append(message))
    bus.subscribe("lamp", lambda topic, message: heard.append(message))
    bus.start()
    good = MoveRequest(id="a", move={"kind": "x"})
    bus._deliver("move/display", msgspec.json.encode(good), True)
    bus._deliver("lamp", b"", False)
    bus._deliver("state", b"{}", False)
    assert heard == []
    assert bus.refused == 0
    bus._deliver("lamp", b" " * 600_000, False)
    assert bus.refused == 1
    bus.publish("lamp", Lamp())
    bus.pump()
    assert heard == [Lamp()]
    assert bus.kept() == ["lamp"]
