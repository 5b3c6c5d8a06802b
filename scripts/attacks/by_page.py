"""What somebody on the same network could do to the page. Each attack answers what got through, or nothing."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright
from stand import HERE, Checkout


def _page(checkout: Checkout, patience: float) -> bool:
    line = http.client.HTTPConnection(HERE, checkout.page, timeout=patience)
    try:
        line.request("GET", "/")
        return line.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


def _page_shut(checkout: Checkout, count: int, opening: bytes, drip: bytes) -> str:
    with checkout.table(), ExitStack() as held:
        lines = []
        for _ in range(count):
            with suppress(OSError):
                line = held.enter_context(socket.create_connection((HERE, checkout.page), 2))
                line.sendall(opening)
                lines.append(line)
        got = 0
        for _ in range(5):
            for line in lines:
                with suppress(OSError):
                    line.sendall(drip)
            got += _page(checkout, 5.0)
    return f"{got} of 5 got the page, five seconds each" if got < 5 else ""


def slow_lines(checkout: Checkout) -> str:
    """200 requests, a byte a second."""
    return _page_shut(checkout, 200, b"GET / HTTP/1.1\r\n", b"x")


def kept_lines(checkout: Checkout) -> str:
    """200 lines that asked once and stay, and ask again."""
    asked = f"GET /table.json HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode()
    return _page_shut(checkout, 200, asked, asked)


def silent_tls(checkout: Checkout) -> str:
    """130 lines to a table with TLS that never say hello."""
    cert, key = checkout.corner / "cert.pem", checkout.corner / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    files = {"TABLESIDE_BROKER_CERT_FILE": str(cert), "TABLESIDE_BROKER_KEY_FILE": str(key)}
    with checkout.table(TABLESIDE_WEB_TLS="true", **files), ExitStack() as held:
        for _ in range(130):
            with suppress(OSError):
                held.enter_context(socket.create_connection((HERE, checkout.page), 2))
        start = time.monotonic()
        context = ssl._create_unverified_context()
        line = http.client.HTTPSConnection(HERE, checkout.page, timeout=40, context=context)
        with suppress(OSError, http.client.HTTPException):
            line.request("GET", "/")
            line.getresponse().read()
        took = time.monotonic() - start
    return f"the page came after {took:.0f} s" if took > 4 else ""


def finished_games(checkout: Checkout) -> str:
    """Ten lines of one watcher ask for 300 finished games without end."""
    with checkout.table() as table:
        for number in range(2):
            table.begin("scorepad", 2, rounds=1)
            table.host.move({"kind": "score", "values": {"p0": number, "p1": 2}}, cause="touch")
            table.host.move({"kind": "end"}, cause="touch")
            table.order("end game")
    _copy_games(checkout, 300)
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        me = table.join(None)
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                with suppress(OSError):
                    table.post("/past", {"token": me["token"]}, me["cookie"], 10)

        crowd = [threading.Thread(target=ask, daemon=True) for _ in range(10)]
        for one in crowd:
            one.start()
        time.sleep(1)
        took = []
        for _ in range(6):
            start = time.monotonic()
            table.host.move({"kind": "points", "seat": 0, "points": 1}, 20.0, cause="touch")
            took.append(time.monotonic() - start)
        stop.set()
    return f"a move took {sorted(took)[3]:.1f} s (worst {max(took):.1f})" if sorted(took)[3] > 0.5 else ""


def _copy_games(checkout: Checkout, count: int) -> None:
    """The games of the journal again and again, each under a name of its own."""
    copies = checkout.script(
        f"""
try:
    from companion.journal.store import Journal
    from companion.core.session import Session
    from companion.wire.messages import SeatInfo
except ImportError:
    from companion.journal import Journal
    from companion.session import Session
    from companion.messages import SeatInfo
from pathlib import Path
from contextlib import nullcontext
journal = Journal(Path({str(checkout.state / "games")!r}))
seats = tuple(SeatInfo(seat=at, name=name) for at, name in enumerate(("Ada", "Bo")))
with getattr(journal, "unsynced", nullcontext)():
    for number in range({count}):
        session = Session.start(journal, "scorepad", {{"rounds": 1}}, {{}}, seats)
        session.play({{"kind": "score", "values": {{"p0": number % 60, "p1": 3}}}}, sender="display", cause="touch")
        session.play({{"kind": "end"}}, sender="display", cause="touch")
        session.end(sender="display")
journal.close()
print("done")
""",
        200,
    )
    if not copies.endswith("done"):
        raise RuntimeError(copies)


def crowd_of_watchers(checkout: Checkout) -> str:
    """Joins to watch, eight at a time, for forty seconds; how long a move takes in the end."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        stop = threading.Event()

        def come() -> None:
            while not stop.is_set():
                with suppress(OSError, TimeoutError):
                    code = table.host.last("join")["code"]
                    table.post("/join", {"code": code, "seat": None, "name": "", "language": "en"}, "", 5)

        crowd = [threading.Thread(target=come, daemon=True) for _ in range(8)]
        for one in crowd:
            one.start()
        took, end = [], time.monotonic() + 40
        while time.monotonic() < end:
            start = time.monotonic()
            table.host.move({"kind": "points", "seat": 0, "points": 1}, 10.0, cause="touch")
            took.append(time.monotonic() - start)
            time.sleep(0.05)
        stop.set()
    late = sorted(took[-len(took) // 3 :])
    return f"moves: median {late[len(late) // 2]:.2f}, worst {late[-1]:.2f} s" if late[len(late) // 2] > 0.25 else ""


def unreadable_address(checkout: Checkout) -> str:
    """The page's address ends in half a code."""
    with checkout.table() as table, sync_playwright() as play:
        table.begin("scorepad", 2, rounds=0)
        browser = play.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        for code in ("%", "ABC%"):
            page = browser.new_page()
            page.goto(f"http://{HERE}:{checkout.page}/#{code}")
            try:
                page.wait_for_selector("form", timeout=5000)
            except PlaywrightTimeout:
                return f"the page is blank at /#{code}"
    return ""


def _raw(checkout: Checkout, request: bytes) -> bytes:
    with socket.create_connection((HERE, checkout.page), 5) as line:
        line.sendall(request)
        line.settimeout(3)
        heard = b""
        with suppress(OSError):
            while more := line.recv(65536):
                heard += more
        return heard


def other_names(checkout: Checkout) -> str:
    """Another name points at the table, or another page asks in a guest's name."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        for head in (b"Host: evil.example\r\n", f"Host: {HERE}\r\nOrigin: http://evil.example\r\n".encode()):
            body = b'{"code":""}'
            length = b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body)
            for ask in (b"GET /table.json", b"POST /table.json"):
                more = length + body if ask.startswith(b"POST") else b"Connection: close\r\n\r\n"
                answer = _raw(checkout, ask + b" HTTP/1.1\r\n" + head + more)
                if b" 200 " in answer[:20] and b"Ada" in answer:
                    return f"who plays is told to {head.split()[-1].decode()}"
    return ""


def unread_body(checkout: Checkout) -> str:
    """The body of a POST to nowhere is itself a request."""
    inner = f"GET /table.json HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode()
    head = f"POST /nowhere HTTP/1.1\r\nHost: {HERE}\r\nContent-Length: {len(inner)}\r\n\r\n".encode()
    with checkout.table():
        answers = _raw(checkout, head + inner).count(b"HTTP/1.")
    return f"{answers} answers to one request" if answers > 1 else ""


def bare_errors(checkout: Checkout) -> str:
    """Error pages without the content security policy."""
    with checkout.table():
        for ask in (b"BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
            answer = _raw(checkout, ask)
            if b"<" in answer and b"ontent-Security-Policy" not in answer and b"ontent-security-policy" not in answer:
                return f"{answer.splitlines()[0].decode(errors='replace')!r} has none"
    return ""


def _guess(checkout: Checkout, address: str, code: str) -> tuple[int, float]:
    line = http.client.HTTPConnection(HERE, checkout.page, timeout=15, source_address=(address, 0))
    start = time.monotonic()
    try:
        body = json.dumps({"code": code, "seat": None, "name": "", "language": "en"})
        line.request("POST", "/join", body)
        answer = line.getresponse()
        answer.read()
        return answer.status, time.monotonic() - start
    except (OSError, http.client.HTTPException):
        return 0, time.monotonic() - start
    finally:
        line.close()


def guesses_from_everywhere(checkout: Checkout) -> str:
    """Codes guessed from 200 addresses."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        start = time.monotonic()
        found: list[int] = []

        def guess(at: int) -> None:
            codes = [f"WRNG{at % 10}{number}" for number in range(3)]
            found.extend(_guess(checkout, f"127.0.1.{1 + at}", code)[0] for code in codes)

        crowd = [threading.Thread(target=guess, args=(at,), daemon=True) for at in range(200)]
        for one in crowd:
            one.start()
        for one in crowd:
            one.join(60)
        rate = sum(status in (403, 404, 401) for status in found) / (time.monotonic() - start)
        length = len(table.host.last("join")["code"])
    return (
        f"{rate:.0f} guesses a second are answered, the code keeps its {length} characters"
        if rate > 60 and length < 7
        else ""
    )


def neighbours_of_a_guesser(checkout: Checkout) -> str:
    """Somebody behind the guesser's address has the right code."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        for number in range(14):
            _guess(checkout, HERE, f"WRNG{number:02}")
        status, took = _guess(checkout, HERE, table.host.last("join")["code"])
    return (
        f"the right code is answered with {status} after {took:.1f} s"
        if status != http.HTTPStatus.OK or took > 5
        else ""
    )


ATTACKS: dict[str, Callable[[Checkout], str]] = {
    "200 slow requests": slow_lines,
    "200 lines kept open": kept_lines,
    "finished games without end": finished_games,
    "another Host or Origin": other_names,
    "half a code in the address": unreadable_address,
    "an unread body": unread_body,
    "error pages": bare_errors,
    "codes guessed from 200 addresses": guesses_from_everywhere,
    "neighbours of a guesser": neighbours_of_a_guesser,
    "130 silent lines, TLS": silent_tls,
    "a crowd that watches": crowd_of_watchers,
}
