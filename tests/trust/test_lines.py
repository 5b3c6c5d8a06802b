"""Lines to the page over real sockets: idle, slow, silent, rude and gone ones keep nobody else waiting."""

from __future__ import annotations

import http.client
import json
import select
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from companion.door import lines, page_server
from companion.door.seats import JoinRefused
from companion.wire.config import BrokerConfig
from tests.conftest import PATIENCE, until
from tests.trust.page import WELCOME, Door, Slow, heard, raw, serving

GET = b"GET /table.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LAST = b"GET /table.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODY = b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3000\r\n\r\n"
GUARDED = ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy")


def _comes_in(port: int, **more: Any) -> None:
    """A new phone opens the page and joins."""
    for method, path, body in (("GET", "/", None), ("POST", "/join", b'{"code":"ABC234","seat":0}')):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        if more:
            line = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, **more)
        line.request(method, path, body)
        answer = line.getresponse()
        answer.read()
        assert answer.status == 200
        line.close()


@pytest.fixture
def others_have_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is closed because its time is up: whoever comes in meanwhile did not wait for that."""
    for name in ("HEAD", "BODY", "ANSWER"):
        monkeypatch.setattr(lines, name, 10 * PATIENCE)


@pytest.mark.parametrize(
    ("count", "opening", "drip"),
    [(128, GET, b""), (512, GET, b""), (200, HEAD, b"x"), (600, HEAD, b"x"), (200, BODY, b" "), (600, BODY, b" ")],
    ids=["128 kept alive", "512 kept alive", "200 slow heads", "600 slow heads", "200 slow bodies", "600 slow bodies"],
)
@pytest.mark.usefixtures("others_have_for_ever")
def test_a_new_phone_comes_in_while_others_hold_their_lines(count: int, opening: bytes, drip: bytes) -> None:
    """Also from the address all of them come from; and when they are gone it is as before."""
    with serving(Door()) as port:
        with Slow(port, count, opening, drip):
            for _ in range(3):
                _comes_in(port)
        _comes_in(port)


@pytest.mark.usefixtures("others_have_for_ever")
def test_handshakes_nobody_finishes_keep_nobody_waiting(tmp_path: Path) -> None:
    """TLS: 130 callers that say nothing at all, and one that speaks no TLS."""
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=x",
        "-keyout",
        key,
        "-out",
        certificate,
    ]
    subprocess.run(made, check=True, capture_output=True)
    broker = BrokerConfig(cert_file=str(certificate), key_file=str(key))
    with serving(Door(), broker, tls=True) as port, Slow(port, 130, b"", b""):
        assert b"200" not in raw(port, LAST)
        _comes_in(port, context=ssl._create_unverified_context())


@pytest.mark.parametrize(("opening", "drip"), [(HEAD, b"x"), (BODY, b" "), (b"", b"")], ids=["head", "body", "silence"])
def test_a_request_has_a_deadline_as_a_whole(opening: bytes, drip: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who never stops sending, a byte at a time, is hung up on all the same."""
    monkeypatch.setattr(lines, "HEAD", 0.6)
    monkeypatch.setattr(lines, "BODY", 0.6)
    with serving(Door()) as port, socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(opening)
        line.settimeout(0.05)
        end, closed = time.monotonic() + PATIENCE, False
        while not closed and time.monotonic() < end:
            try:
                if drip:
                    line.send(drip)
                closed = line.recv(100) == b""
            except TimeoutError:
                continue
            except OSError:
                closed = True
        assert closed


def test_an_answer_nobody_takes_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than the sockets hold, and a caller who does not read: the line is closed."""
    gone = threading.Event()
    monkeypatch.setattr(lines, "ANSWER", 0.6)
    monkeypatch.setattr(lines.Lines, "on_close", lambda *_: gone.set())
    monkeypatch.setattr(page_server, "page_files", lambda: {"/index.html": bytes(30_000_000)})
    with serving(Door()) as port, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert gone.wait(PATIENCE), "nobody waits for them any longer: what is not taken by then is lost"
        assert len(heard(line)) < 30_000_000


def test_the_line_that_idled_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than there may be: nobody waits, the oldest is closed; who has just asked again is not the oldest."""
    monkeypatch.setattr(lines, "PER_ADDRESS", 3)
    with serving(Door()) as port:
        held = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(3)]
        for line in (*held, held[0]):
            line.sendall(GET)
            assert b"200 OK" in line.recv(65536)
        assert b"200 OK" in raw(port, LAST)
        assert heard(held[1]) == b""
        for line in (held[0], held[2]):
            line.sendall(LAST)
            assert b"200 OK" in heard(line)
            line.close()


def test_the_address_with_most_lines_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood displaces itself, not the guests."""
    monkeypatch.setattr(page_server, "LINES", 4)
    with serving(Door()) as port:
        guest = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=("127.0.0.9", 0))
        guest.sendall(GET)
        assert b"200 OK" in guest.recv(65536)
        flood = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(8)]
        until(lambda: heard(flood[3]) == b"", what="its own oldest lines are closed")
        guest.sendall(LAST)
        assert b"200 OK" in heard(guest)
        for line in (guest, *flood):
            line.close()


def test_when_every_line_is_being_answered_the_next_caller_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, with what to do; nobody who waits for the core is cut off for them."""
    monkeypatch.setattr(lines, "PER_ADDRESS", 2)
    door = Door()
    door.answer = None
    with serving(door) as port:
        asking = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(2)]
        for line in asking:
            line.sendall(BODY.replace(b"3000", b"17") + b'{"code":"ABC234"}')
        until(lambda: len(door.waiting) == 2, what="both are asked of the core")
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as late:
            told = heard(late)
        assert b"503" in told.split(b"\r\n")[0] and b"join/later" in told
        assert all(name.encode() in told for name in GUARDED)
        for waiting in door.waiting:
            waiting.set_result(JoinRefused(403, "code"))
        for line in asking:
            assert b"403" in line.recv(65536)
            line.close()


@pytest.mark.usefixtures("others_have_for_ever")
def test_who_is_refused_waits_and_who_is_let_in_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guesser's answers are held back, their lines idle meanwhile and make room like any other."""
    monkeypatch.setattr(page_server, "HELD_BACK", 10 * PATIENCE)
    monkeypatch.setattr(lines, "PER_ADDRESS", 2)
    door = Door()
    door.answer = JoinRefused(403, "code")
    join = BODY.replace(b"3000", b"17") + b'{"code":"ABC234"}'
    with serving(door) as port:
        guesses = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(2)]
        for line in guesses:
            line.sendall(join)
        until(lambda: len(door.asked) == 2, what="both are refused")
        door.answer = WELCOME
        guests: list[socket.socket] = []

        def let_in(said: bytes) -> bool:
            """One more guest, who stays on the line; until the guesses are answered, and idle, there is no room for them."""
            guests.append(socket.create_connection(("127.0.0.1", port), PATIENCE))
            guests[-1].sendall(said)
            return b"200 OK" in guests[-1].recv(65536)

        for said in (GET, join):
            until(lambda said=said: let_in(said), what="room for a guest")
        assert [heard(line) for line in guesses] == [b"", b""]
        for line in guests:
            line.close()


def test_nobody_works_for_a_caller_who_has_gone() -> None:
    """What was asked of the core is called off with the line."""
    door = Door()
    door.answer = None
    with serving(door) as port:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            line.sendall(BODY.replace(b"3000", b"17") + b'{"code":"ABC234"}')
            until(lambda: door.waiting, what="it is asked of the core")
        until(door.waiting[0].cancelled, what="it is called off")


def test_who_asks_without_end_waits_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address is answered at a pace; another one's requests do not wait behind it."""
    monkeypatch.setattr(lines, "AT_ONCE", 5)
    monkeypatch.setattr(lines, "A_SECOND", 0.5)
    monkeypatch.setattr(lines, "ANSWER", 60.0)
    with serving(Door()) as port:
        for _ in range(5):
            assert b"200 OK" in raw(port, LAST)
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            line.sendall(LAST)
            with socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=("127.0.0.9", 0)) as other:
                other.sendall(LAST)
                assert other in select.select([line, other], [], [], PATIENCE)[0], "who comes from elsewhere is first"
                assert b"200 OK" in heard(other)
            assert b"200 OK" in heard(line)


@pytest.mark.parametrize("path", [b"/nowhere", b"/join", b"/table.json"])
def test_a_body_is_never_the_next_request(path: bytes) -> None:
    """Whatever was asked for, and whether anybody wanted it: one request, one answer."""
    hidden = b"GET /words/en.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    for body in (hidden, hidden * 60):
        length = f"Content-Length: {len(body)}\r\n\r\n".encode()
        with serving(Door()) as port:
            said = raw(port, b"POST " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length + body + LAST)
        assert said.count(b"HTTP/1.1 ") == 2
        assert said.endswith(b'{"table":"table"}')


def test_a_body_without_end_is_not_read() -> None:
    """Nor one that says it is a gigabyte; the caller hears so and is hung up on."""
    with serving(Door()) as port:
        for length in (b"1000000000", b"-1", b"many", b"1, 2"):
            told = raw(port, BODY.replace(b"3000", length) + GET)
            assert told.count(b"HTTP/1.1 ") == 1
            assert told.startswith(b"HTTP/1.1 400 ")
        chunks = (
            b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"fff0\r\n" + b"x" * 65520
        )
        assert raw(port, chunks + b"\r\nfff0\r\n" + b"x" * 65520).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"nothing of the kind\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (BODY.replace(b"3000", b"many"), 400),
        (LAST.replace(b"GET", b"POST").replace(b"/table.json", b"/join"), 400),
        (LAST.replace(b"/table.json", b"/nothing"), 404),
        (LAST.replace(b"GET", b"DELETE"), 405),
        (LAST.replace(b"127.0.0.1", b"evil.example"), 421),
        (LAST.replace(b"GET", b"POST").replace(b"\r\n\r\n", b"\r\nOrigin: http://evil.example\r\n\r\n"), 403),
    ],
)
def test_every_answer_is_guarded_those_to_nonsense_too(said: bytes, status: int) -> None:
    """No page of ours, however it came about, is framed, sniffed or runs anything."""
    with serving(Door()) as port:
        told = raw(port, said)
    head = told.partition(b"\r\n\r\n")[0].decode()
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert all(f"\r\n{name}: " in head for name in GUARDED)


@pytest.mark.parametrize(
    ("soft", "hard", "most", "raised"), [(1024, -1, 1200, True), (1024, 1024, 1024, False), (9999, -1, 1200, False)]
)
def test_lines_are_as_many_as_the_machine_gives_handles(
    soft: int, hard: int, most: int, raised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual limit is raised where that is allowed; where it is not, there are fewer lines and no accident."""
    changed: list[tuple[int, int]] = []
    monkeypatch.setattr(page_server.resource, "getrlimit", lambda what: (soft, hard))
    monkeypatch.setattr(page_server.resource, "setrlimit", lambda what, given: changed.append(given))
    assert page_server._handles(1200) == most
    assert changed == ([(most, hard)] if raised else [])


def test_a_closed_table_answers_nobody() -> None:
    """Its lines are hung up on and its port is free."""
    with serving(Door()) as port:
        line = socket.create_connection(("127.0.0.1", port), PATIENCE)
        line.sendall(GET)
        assert json.loads(line.recv(65536).partition(b"\r\n\r\n")[2])
    assert heard(line) == b""
    line.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5)
