"""Sends mutated inputs to everything that reads what others wrote, and counts; a crash or a hang fails.

usage: python scripts/fuzz.py [--cases N] [--seed S]      N in all, shared out by how quick a target is
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion import record
from companion.box import check, printed
from companion.door import JoinRequest
from companion.game import RuleBroken
from companion.messages import TOPICS, Do, Health, Lamp, MoveRequest, Prompt, decode, encode
from companion.registry import pack
from companion.words import read_po
from firmware_bridge.pico import frames

ROOT = Path(__file__).resolve().parent.parent
SLOW = 5.0
"""Seconds one input may take before it counts as a hang."""
Target = tuple[list[bytes], Callable[[bytes], object], tuple[type[BaseException], ...], float]


def mutated(seed: bytes, chance: random.Random) -> bytes:
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
                    (b'"', b"{", b"[", b"null", b"-1", b"99999999999999999999", b"1e999", b"\\u0000")
                )
            case 5:
                other = chance.randrange(len(data) + 1)
                data[min(at, other) : max(at, other)] = b""
            case _:
                data = data[::-1] if chance.random() < 0.02 else data
    return bytes(data[:20_000])


def _message(data: bytes) -> object:
    topic = TOPICS[len(data) % len(TOPICS)].pattern.replace("+", "x")
    return decode(topic, data)


def _serial(data: bytes) -> object:
    splitter = frames.Splitter()
    return list(splitter.feed(data))


def _box(data: bytes) -> object:
    values = msgspec.json.decode(data, type=dict[str, Any])
    known = printed("companion.games.skytopia")
    for key, value in values.items():
        check(known, key, value)
    return None


def _tally(game: str) -> Callable[[bytes], object]:
    rules = pack(game)
    return lambda data: rules.score(msgspec.json.decode(data, type=dict[str, Any]), {})


def _move(game: str) -> Callable[[bytes], object]:
    rules = pack(game)
    state = rules.new({"names": ["Ada", "Ben"]}, {})
    return lambda data: rules.play(state, rules.decode(msgspec.json.decode(data, type=dict[str, Any])))


def targets() -> dict[str, Target]:
    """What is read, from which seeds, with which errors allowed, and its share of the cases."""
    bad = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
    messages = [encode(m) for m in (Health(room="vision", status="online"), Lamp(), Prompt(), MoveRequest(id="a"))]
    messages.append(encode(Do(id="a", client="b", command="c")))
    serial = [frames.frame(1, 7, b"hello"), frames.frame(2, 8, bytes(range(20)))]
    box = [b'{"setup.coins": 6, "chronometer.dir": 1}', b'{"effects.B4.tiers": [[1,1],[3,2],[5,3]]}']
    found: dict[str, Target] = {
        "messages": (messages, _message, bad, 0.4),
        "serial frames": (serial, _serial, (), 0.2),
        "join requests": (
            [b'{"code":"ABC234","seat":1,"name":"x"}'],
            lambda d: msgspec.json.decode(d, type=JoinRequest),
            bad,
            0.15,
        ),
        "box files": (box, _box, (*bad, ValueError), 0.1),
        "catalogues": (
            [b'msgid "a"\nmsgstr "b {n}"\n'],
            lambda d: read_po(d.decode()),
            (*bad, ValueError, SyntaxError),
            0.02,
        ),
    }
    for game in ("skytopia", "praga", "skyrise"):
        rules = pack(game)
        example = msgspec.json.encode(rules.example())
        found[f"tally {game}"] = ([example], _tally(game), (*bad, ValueError), 0.03)
        moves = [
            msgspec.json.encode(rules.encode(m)) for m in rules.moves(rules.new({"names": ["Ada", "Ben"]}, {}))[:5]
        ]
        found[f"moves {game}"] = (moves, _move(game), (*bad, RuleBroken), 0.01)
    games = sorted((ROOT / "tests" / "games").glob("*/*.jsonl"))[:4]
    head = [b"\n".join(path.read_bytes().splitlines()[:6]) for path in games]
    found["recorded games"] = (head, lambda d: list(record.read(d).steps()), (record.RecordError,), 0.01)
    return found


def main() -> int:
    """Run, report, and say how many."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    results: dict[str, Any] = {}
    failures: list[str] = []
    for name, (seeds, run, allowed, share) in targets().items():
        count, slowest, start = max(1, int(asked.cases * share)), 0.0, time.monotonic()
        for _ in range(count):
            data = mutated(chance.choice(seeds), chance)
            began = time.perf_counter()
            try:
                run(data)
            except allowed:
                pass
            except Exception as wrong:  # noqa: BLE001 - a crash of any kind is what we look for
                failures.append(f"{name}: {type(wrong).__name__}: {wrong}: {data[:200]!r}")
            slowest = max(slowest, time.perf_counter() - began)
        if slowest > SLOW:
            failures.append(f"{name}: one input took {slowest:.1f} s")
        results[name] = {
            "cases": count,
            "seconds": round(time.monotonic() - start, 1),
            "slowest_ms": round(1000 * slowest, 1),
        }
        sys.stderr.write(f"{name}: {count} cases, {len(failures)} failures so far\n")
    total = sum(entry["cases"] for entry in results.values())
    (ROOT / "out").mkdir(exist_ok=True)
    report = {"cases": total, "seed": asked.seed, "failures": failures[:50], "targets": results}
    (ROOT / "out" / "fuzz.json").write_text(json.dumps(report, indent=2))
    sys.stderr.write("\n".join(failures[:20]) + f"\n{total} cases, {len(failures)} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
