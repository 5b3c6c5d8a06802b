"""What a file, a power cut or a slip could do. Each attack answers what got through, or nothing."""

from __future__ import annotations

import binascii
import json
import os
import signal
import struct
import subprocess
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from stand import Checkout, children, resident


def _played(checkout: Checkout) -> None:
    """A game somebody cares for."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        table.host.move({"kind": "points", "seat": 0, "points": 7}, cause="touch")


def forgets_any_folder(checkout: Checkout) -> str:
    """`evidence --forget` with any folder's name."""
    gone = []
    here = checkout.corner / "here"
    for words in (("--forget", "my photos"), ("--forget", "games"), ("--forget", ".")):
        for name in ("my photos", "games"):
            (here / name).mkdir(exist_ok=True)
            (here / name / "one.jpg").write_bytes(b"x")
        checkout.command("evidence", *words)
        left = all((here / name / "one.jpg").exists() for name in ("my photos", "games"))
        gone += [] if left else [f"`{' '.join(words)}`"]
        here.mkdir(exist_ok=True)
    return f"{', '.join(gone)} deleted what is not the table's" if gone else ""


def torn_spare(checkout: Checkout) -> str:
    """Half a line at the end of the spare copy, five more moves, then the database loses its tail."""
    _played(checkout)
    games = checkout.state / "games"
    spare = next(games.glob("open-*.jsonl"))
    spare.write_bytes(spare.read_bytes() + b'{"half a li')
    database = {path.name: path.read_bytes() for path in games.glob("journal.db*")}
    with checkout.table() as table:
        for number in range(5):
            answer = table.host.move({"kind": "points", "seat": 1, "points": 1}, cause="touch")
            if not answer or not answer["ok"]:
                raise TimeoutError(f"move {number}: {answer}")
        table.kill()
    for path in games.glob("journal.db*"):
        path.unlink()
    for name, data in database.items():
        (games / name).write_bytes(data)
    with checkout.table() as table:
        points = table.host.last("state")["view"]["players"][1]["points"]
    return f"{5 - points} of 5 acknowledged moves are gone" if points < 5 else ""


TWO_OPEN = """
from pathlib import Path
try:
    from companion.core.session import Session
    from companion.journal.store import Journal
    from companion.wire.messages import SeatInfo
except ImportError:
    from companion.journal import Journal
    from companion.messages import SeatInfo
    from companion.session import Session
journal = Journal(Path({games!r}))
seats = tuple(SeatInfo(seat=at, name=name) for at, name in enumerate(("Ada", "Ben")))
one = Session.start(journal, "scorepad", {{"rounds": 0}}, {{}}, seats)
one.play({{"kind": "points", "seat": 0, "points": 7}}, sender="display", cause="touch")
two = Session.start(journal, "scorepad", {{"rounds": 0}}, {{}}, seats)
journal.close()
print(one.game)
"""


def cut_between_rows(checkout: Checkout) -> str:
    """What the power leaves between the two rows of a new game: the old one's end is not written."""
    before = checkout.script(TWO_OPEN.format(games=str(checkout.state / "games"))).splitlines()[-1]
    with checkout.table() as table:
        offered = json.dumps(table.host.last("state").get("paused", ()))
        answer = table.order("resume", game=before)
    lost = before not in offered and not (answer and answer["ok"])
    return "the game before is neither offered nor can it be taken up" if lost else ""


def everybody_reads(checkout: Checkout) -> str:
    """The journal's mode with `tableside run` and umask 022."""
    before = os.umask(0o022)
    try:
        _played(checkout)
    finally:
        os.umask(before)
    open_to_all = [
        path.name
        for path in (checkout.state / "games").iterdir()
        if path.stat().st_mode & 0o044 and checkout.state.stat().st_mode & 0o055
    ]
    return f"{', '.join(sorted(open_to_all))} can be read by everybody" if open_to_all else ""


def names_steer_the_terminal(checkout: Checkout) -> str:
    """A name with an escape sequence in `history` and `export`."""
    with checkout.table() as table:
        seats = [{"name": "A\x1b[2Jda"}, {"name": "Ben"}]
        table.order("new game", game="scorepad", seats=seats, options={"rounds": 1})
        table.until(lambda: table.host.last("state").get("game") == "scorepad", "the game")
        table.host.move({"kind": "score", "values": {"p0": 1, "p1": 2}}, cause="touch")
        table.host.move({"kind": "end"}, cause="touch")
        table.order("end game")
    ended = checkout.command("history")
    return "the escape sequence is printed as it is" if "\x1b[2J" in ended.said else ""


def _png(side: int) -> bytes:
    """A picture whose head claims so many pixels each way, and holds them: black, packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))

    pack, packed = zlib.compressobj(9), b""
    for _ in range(side // 100):
        packed += pack.compress(bytes((side + 1) * 100))
    packed += pack.flush()
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def _camera(checkout: Checkout, put: Callable[[Path], None], seconds: float = 20.0) -> tuple[int, str, bool]:
    """The camera's room over a folder: memory, what it said, and whether it was started again."""
    folder = checkout.corner / "pictures"
    folder.mkdir()
    put(folder)
    camera = {"TABLESIDE_CAMERA_SOURCE": "folder", "TABLESIDE_CAMERA_PATH": str(folder)}
    words = ["-m", "companion.cli", "run", "--without", "display,firmware_bridge"]
    log = checkout.corner / "vision.log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [str(checkout.python), "-P", *words],
            env=checkout.environment(**camera),
            cwd=checkout.corner / "here",
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    most, pids, end = 0, set(), time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            pid = children(process.pid).get("vision")
            if pid:
                pids.add(pid)
                most = max(most, resident(pid))
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
    return most, log.read_text(errors="replace"), len(pids) > 1


def _put(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def huge_picture(checkout: Checkout) -> str:
    """30,000 x 30,000 pixels in the camera's folder."""
    most, _, _ = _camera(checkout, lambda folder: _put(folder / "a.png", _png(30_000)))
    return f"the camera's room took {most} MB" if most > 800 else ""


def pipe_for_a_picture(checkout: Checkout) -> str:
    """A pipe in the camera's folder."""
    _, said, again = _camera(checkout, lambda folder: os.mkfifo(folder / "a.png"), 40)
    return "the camera's room is started again and again, nothing is said" if again and "a.png" not in said else ""


WRONG_SETTINGS = {
    "a bad host": '[broker]\nwebsocket_host = "203.0.113.7"\n',
    "deep nesting": "a = " + "[" * 3000 + "]" * 3000 + "\n",
    "three equal ports": "[web]\nport = 9100\n[broker]\nport = 9100\nwebsocket_port = 9100\n",
    "TLS without its files": '[broker]\ntls = true\ncert_file = "/x/cert.pem"\nkey_file = "/x/key.pem"\nca_file = "/x/ca.pem"\n',
    "a folder for a certificate": '[broker]\ntls = true\ncert_file = "/"\nkey_file = "/"\nca_file = "/"\n',
}


def broken_settings(checkout: Checkout) -> str:
    """Settings that cannot work: one line that says which, instead of wrong words or a start without end."""
    wrong = []
    own = {"TABLESIDE_BROKER_WEBSOCKET_HOST": "(not set)"}
    for name, text in WRONG_SETTINGS.items():
        (checkout.corner / "config" / "tableside.toml").write_text(text)
        if name == "three equal ports":
            own |= {f"TABLESIDE_{key}": "(not set)" for key in ("WEB_PORT", "BROKER_PORT", "BROKER_WEBSOCKET_PORT")}
        ended = checkout.command("run", "--without", "vision,display,firmware_bridge", patience=12, **own)
        said = ended.said
        if "starting it again" in said or "Traceback" in said:
            wrong.append(f"{name}: started again and again")
        elif "is not UTF-8" in said or (name == "a bad host" and "is taken" in said):
            wrong.append(f"{name}: {said.strip().splitlines()[-1][-60:]}")
    return "; ".join(wrong)


def special_settings(checkout: Checkout) -> str:
    """`settings.toml` is a pipe, or has no end."""
    wrong = []
    path = checkout.state / "settings.toml"
    for name in ("pipe", "/dev/zero"):
        path.unlink(missing_ok=True)
        os.mkfifo(path) if name == "pipe" else path.symlink_to(name)
        ended = checkout.command("config", "check", patience=12)
        wrong += [f"{name}: {ended.badly}"] if ended.badly else []
    return "; ".join(wrong)


def damaged_journal_in_a_bundle(checkout: Checkout) -> str:
    """`bundle` on a damaged journal."""
    _played(checkout)
    journal = checkout.state / "games" / "journal.db"
    whole = journal.read_bytes()
    torn = [whole[:at] + b"\xff" * 600 + whole[at + 600 :] for at in range(0, len(whole), 1024)]
    torn += [whole[:1024], whole[: len(whole) // 2], b"SQLite format 3\0" + b"x" * 5000, b"no database at all" * 300]
    for number, damaged in enumerate(torn):
        for path in journal.parent.glob("journal.db*"):
            path.unlink()
        journal.write_bytes(damaged)
        ended = checkout.command("bundle", "-o", str(checkout.corner / f"bundle{number}.zip"))
        if ended.badly:
            return ended.badly
    return ""


def deep_box_word(checkout: Checkout) -> str:
    """`box --set key=[[[...`."""
    return checkout.command("box", "skytopia", "--set", "setup.coins=" + "[" * 100_000).badly


def special_files(checkout: Checkout) -> str:
    """A pipe and an endless file given to commands."""
    wrong = []
    pipe, endless = checkout.corner / "pipe.png", checkout.corner / "endless.png"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    commands: dict[str, tuple[str, ...]] = {
        "tally": ("tally", "skytopia"),
        "replay": ("replay",),
        "restore": ("restore", "--yes"),
        "check": ("check", "--photo"),
        "cards": ("cards", "teach", "--yes", "--file"),
        "bundle": ("bundle", "-o", str(checkout.corner / "b.zip"), "--picture"),
        "read": ("read",),
        "calibrate": ("calibrate", "--photo"),
    }
    for name, words in commands.items():
        for path in (pipe, endless):
            ended = checkout.command(*words, str(path), patience=12)
            if ended.badly:
                wrong.append(f"{name} of the {path.stem}: {ended.badly}")
    return "; ".join(wrong)


def units_without_limits(checkout: Checkout) -> str:
    """What systemd is told, and what the installer runs as root."""
    units = {path.name: path.read_text() for path in (checkout.root / "systemd").glob("*.service")}
    missing = [
        f"{name}: {limit}"
        for name, text in sorted(units.items())
        for limit in ("MemoryMax", "TasksMax")
        if f"{limit}=" not in text and "-broker" in name
    ]
    lock = (checkout.root / "requirements.lock").read_text()
    missing += [] if "--hash=" in lock else ["requirements.lock has no hashes"]
    return "; ".join(missing)


def pin_for_everybody(checkout: Checkout) -> str:
    """A PIN in a settings file that everybody reads; does `doctor` say so?"""
    path = checkout.corner / "config" / "tableside.toml"
    path.write_text('[table]\npin = "4711"\n')
    if "pin" in checkout.command("config", "check").said and "[display]" not in path.read_text():
        path.write_text('[display]\npin = "4711"\n')
    path.chmod(0o644)
    ended = checkout.command("doctor", patience=60)
    return "" if "PIN" in ended.said else "doctor says nothing of a PIN everybody reads"


ATTACKS: dict[str, Callable[[Checkout], str]] = {
    "evidence --forget of any folder": forgets_any_folder,
    "a torn line of the spare copy": torn_spare,
    "a cut between two rows": cut_between_rows,
    "who reads the journal": everybody_reads,
    "a name that steers the terminal": names_steer_the_terminal,
    "a picture of 30,000 by 30,000": huge_picture,
    "a pipe for a picture": pipe_for_a_picture,
    "broken settings": broken_settings,
    "settings.toml is no file": special_settings,
    "bundle of a damaged journal": damaged_journal_in_a_bundle,
    "a deep word for box --set": deep_box_word,
    "special files for commands": special_files,
    "limits of units and lock": units_without_limits,
    "a PIN everybody reads": pin_for_everybody,
}
