"""Everything that reads what others wrote: what is sent to it, and which refusals are its good right.

One table for the long run (`scripts/fuzz.py`) and for the properties in the tests.
"""

from __future__ import annotations

import functools
import io
import os
import random
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from companion.box.owner import Owner
from companion.box.printed import check, printed
from companion.core import registry
from companion.door.join import JoinRequest
from companion.door.seats import JoinRefused, Seats
from companion.game import RuleBroken
from companion.journal import recorded
from companion.journal.store import Journal
from companion.machine import backup, broker
from companion.monkey.bent import bent as bent_value
from companion.wire.config import Config, load
from companion.wire.messages import (
    Admin,
    DialSeen,
    Do,
    Health,
    Lamp,
    MarketSeen,
    MoveRequest,
    State,
)
from companion.wire.topics import TOPICS, decode, encode
from companion.wire.words import read_po
from firmware_bridge.pico import frames

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("praga", "scorepad", "skyrise", "skytopia")
BAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


@dataclass(frozen=True)
class Target:
    """A reader: good inputs to begin from, the call, the refusals it may give, and its share of the cases."""

    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]
    refusals: tuple[type[BaseException], ...]
    share: float


# ---- mutations


def mutated(seed: bytes, chance: random.Random) -> bytes:
    """Half of the JSON inputs are bent in their meaning, everything else in its bytes."""
    if seed[:1] in b"{[" and b"\n" not in seed and chance.random() < 0.5:
        return bent(seed, chance)
    return torn(seed, chance)


def bent(seed: bytes, chance: random.Random) -> bytes:
    """Still JSON, but one to three values are of another kind, size or place."""
    document = msgspec.json.decode(seed)
    for _ in range(chance.randrange(1, 4)):
        document = bent_value(document, chance)
    return msgspec.json.encode(document)


def torn(seed: bytes, chance: random.Random) -> bytes:
    """A few random edits: flips, cuts, repeats, numbers blown up, bytes put in."""
    data = bytearray(seed)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + chance.randrange(1, 20)]
            case 2:
                data[at:at] = data[at : at + chance.randrange(1, 30)]
            case 3:
                data[at:at] = chance.randbytes(chance.randrange(1, 8))
            case 4:
                data[at:at] = chance.choice(
                    (b'"', b"{", b"[" * 2000, b"null", b"-1", b"99999999999999999999", b"1e999", b"\\u0000", b"\xff")
                )
            case 5:
                other = chance.randrange(len(data) + 1)
                data[min(at, other) : max(at, other)] = b""
            case _:
                data = data[::-1] if chance.random() < 0.02 else data
    return bytes(data[:40_000])


# ---- what reads


def _message(data: bytes) -> object:
    pattern = TOPICS[len(data) % len(TOPICS)].pattern.replace("+", "x")
    return decode(pattern, data)


def _own_topic(pattern: str) -> Callable[[bytes], object]:
    return lambda data: decode(pattern, data)


def _serial(data: bytes) -> object:
    splitter = frames.Splitter()
    middle = len(data) // 2
    return [*splitter.feed(data[:middle]), *splitter.feed(data[middle:])]


def _join() -> Callable[[bytes], object]:
    """The whole door but the broker: decoding, slowing down, seats, the commands a broker would get."""
    journal = Journal(_folder() / "join")
    seats = Seats(journal)
    numbers = iter(range(10**9))

    def read(data: bytes) -> object:
        request = msgspec.json.decode(data, type=JoinRequest)
        address = f"phone {next(numbers)}"
        seats._failures.clear()
        if request.token:
            return seats.again(request.token, address)
        given = {"seat": None, "name": request.name, "language": request.language, "address": address}
        phone, _ = seats.join(code=seats.code if request.code == "ABC234" else request.code, **given)
        seats.phones.clear()
        return broker.admit("table", phone.client, request.seat, "password")

    return read


@functools.cache
def _folder() -> Path:
    """Scratch space in memory where there is some; gone with the process, or with the one that made it for us."""
    if given := os.environ.get("FUZZ_SCRATCH"):
        return Path(given)
    memory = Path("/dev/shm")
    place = tempfile.TemporaryDirectory(prefix="tableside-fuzz-", dir=memory if os.access(memory, os.W_OK) else None)
    _kept.append(place)
    return Path(place.name)


_kept: list[tempfile.TemporaryDirectory[str]] = []


def _box(data: bytes) -> object:
    """The owner's file as a new game reads it: what cannot be used is left aside, the game begins."""
    path = _folder() / "owner" / "box" / "skytopia.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    owner = Owner(_folder() / "owner")
    values = owner.box("skytopia")
    for key, value in values.items():
        check(printed("companion.games.skytopia"), key, value)
    return values


def _settings(data: bytes) -> object:
    """Settings never raise: every problem is one line."""
    place = _folder() / "config"
    place.mkdir(exist_ok=True)
    (place / "tableside.toml").write_bytes(data)
    os.environ["TABLESIDE_CONFIG_DIR"] = str(place)
    os.environ["TABLESIDE_STATE_DIR"] = str(_folder() / "no-state")
    config = load()
    assert all("\n" not in problem for problem in config.problems), config.problems
    return config


def _tally(game: str) -> Callable[[bytes], object]:
    rules = registry.pack(game)
    return lambda data: rules.score(msgspec.json.decode(data, type=dict[str, Any]), {})


def _move(game: str) -> Callable[[bytes], object]:
    rules = registry.pack(game)
    state = rules.new({"names": ["Ada", "Ben"]}, {})
    return lambda data: rules.play(state, rules.decode(msgspec.json.decode(data, type=dict[str, Any])))


def _recorded(data: bytes) -> object:
    return list(recorded.read(data).steps())


def _journal(data: bytes) -> object:
    """A journal whose database and spare copy were both damaged: it opens, and takes the next move."""
    place = _folder() / "games"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    half = int.from_bytes(data[:4], "big")
    (place / "journal.db").write_bytes(data[4 : 4 + half])
    (place / "open-g1.jsonl").write_bytes(data[4 + half :])
    journal = Journal(place)
    kept = len(journal.rows("g1"))
    journal.append("g1", "move" if kept else "new", {"pack": "scorepad"})
    assert len(journal.rows("g1")) == kept + 1
    journal.close()
    return kept


def _journal_seed() -> bytes:
    place = _folder() / "seed"
    journal = Journal(place)
    journal.append("g1", "new", {"pack": "scorepad"})
    for points in range(3):
        journal.append("g1", "move", {"kind": "points", "seat": 0, "points": points})
    journal.close()
    database = (place / "journal.db").read_bytes()
    return len(database).to_bytes(4, "big") + database + (place / "open-g1.jsonl").read_bytes()


def _backup(data: bytes) -> object:
    """An archive from a stranger: refused whole, or restored inside the table's folders and nowhere else."""
    place = _folder() / "restore"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    source = place / "stranger.zip"
    source.write_bytes(data)
    config = Config(state_dir=place / "table" / "state", config_dir=place / "table" / "config")
    try:
        return backup.restore(config, source)
    finally:
        assert {entry.name for entry in place.iterdir()} <= {"stranger.zip", "table"}, "written outside"


def _backup_seed() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("state/box/skytopia.json", b'{"setup.coins": 6}')
        manifest = backup.Manifest(backup.FORMAT, "0", 0.0, {"state/box/skytopia.json": 18})
        archive.writestr("manifest.json", msgspec.json.encode(manifest))
    return buffer.getvalue()


def _photo(data: bytes) -> object:
    from vision.reader.files import decoded

    return decoded(data).shape


def _photo_seeds() -> tuple[bytes, ...]:
    import cv2
    import numpy as np

    picture = np.random.default_rng(1).integers(0, 255, (24, 32, 3), np.uint8)
    picture = cv2.GaussianBlur(picture, (5, 5), 2)
    return tuple(cv2.imencode(kind, picture)[1].tobytes() for kind in (".png", ".jpg", ".bmp", ".webp"))


def _messages() -> tuple[bytes, ...]:
    return tuple(
        encode(message)
        for message in (
            Health(room="vision", status="online"),
            Lamp(),
            MoveRequest(id="a", move={"kind": "points", "seat": 0, "points": 3}),
            Do(id="a", client="b", command="c"),
            Admin(id="a", client="display", command="new game", args={"game": "scorepad", "seats": [{"name": "Ada"}]}),
            State(table="table", phase="lobby"),
            DialSeen(state="ready", ts=1.0),
            MarketSeen(state="ready", ts=1.0),
        )
    )


SETTINGS = (
    b'[table]\nname = "Attic"\nlanguage = "pl"\n\n[web]\nport = 8780\n',
    b'[dial]\nsource = "gpio"\npin_a = 17\n[camera]\nsource = "v4l2"\nfps = 15\n',
)


def targets() -> dict[str, Target]:
    """Every reader by name; the shares add up to about one."""
    from vision.reader.files import NoPicture

    serial = (frames.frame(1, 7, b"hello"), frames.frame(2, 8, bytes(range(20))))
    box = (b'{"setup.coins": 6, "chronometer.dir": 1}', b'{"effects.B4.tiers": [[1,1],[3,2],[5,3]]}')
    move = encode(MoveRequest(id="a", move={"kind": "points", "seat": 0, "points": 3}, undo=False, seq=4))
    joins = (
        b'{"code":"ABC234","seat":1,"name":"Zofia","language":"pl"}',
        b'{"code":"ABC234","seat":null,"name":"","language":"en","token":""}',
        b'{"token":"c2VjcmV0"}',
    )
    found = {
        "messages": Target(_messages(), _message, BAD, 0.26),
        "move requests": Target((move,), _own_topic("move/phone"), BAD, 0.10),
        "serial frames": Target(serial, _serial, (), 0.17),
        "join requests": Target(joins, _join(), (*BAD, JoinRefused), 0.15),
        "box files": Target(box, _box, (ValueError,), 0.08),
        "settings": Target(SETTINGS, _settings, (), 0.04),
        "photos": Target(_photo_seeds(), _photo, (NoPicture,), 0.06),
        "journal files": Target((_journal_seed(),), _journal, (), 0.002),
        "backups": Target((_backup_seed(),), _backup, (backup.CareError,), 0.008),
        "catalogues": Target(
            (b'msgid "a"\nmsgstr "b {n}"\n', b'msgid "c"\nmsgid_plural "c"\nmsgstr[0] "{n} x"\nmsgstr[1] "{n} y"\n'),
            lambda data: read_po(data.decode()),
            (*BAD, ValueError, SyntaxError),
            0.02,
        ),
    }
    for game in GAMES:
        rules = registry.pack(game)
        example = msgspec.json.encode(rules.example())
        found[f"tally {game}"] = Target((example,), _tally(game), (*BAD, ValueError), 0.015)
        state = rules.new({"names": ["Ada", "Ben"]}, {})
        moves = tuple(msgspec.json.encode(rules.encode(move)) for move in rules.moves(state)[:5])
        found[f"moves {game}"] = Target(
            moves or (b'{"kind":"points","seat":0,"points":3}',), _move(game), (*BAD, RuleBroken), 0.01
        )
    games = tuple(
        b"\n".join(path.read_bytes().splitlines()[:8])
        for path in sorted((ROOT / "tests" / "games").glob("*/*.jsonl"))[::7]
    )
    found["recorded games"] = Target(games, _recorded, (recorded.RecordError,), 0.01)
    return found


__all__ = ["Target", "bent", "mutated", "targets", "torn"]
