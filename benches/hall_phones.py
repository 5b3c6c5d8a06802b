"""Phones at many tables of one broker: each hears its own table. `python -m benches.hall_phones PORT NAMES EACH`."""

from __future__ import annotations

import asyncio
import sys


def packet(kind: int, body: bytes) -> bytes:
    """A short one of MQTT."""
    assert len(body) < 128
    return bytes((kind, len(body))) + body


def text(word: str) -> bytes:
    """As MQTT writes it."""
    return len(word).to_bytes(2, "big") + word.encode()


async def phone(port: int, table: str, number: int) -> None:
    """Connect, hear, throw away."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(packet(0x10, text("MQTT") + b"\x04\x02\x00\x00" + text(f"{table}-{number}")))
    writer.write(packet(0x82, b"\x00\x01" + text(f"tableside/{table}/state") + b"\x00"))
    while await reader.read(65536):
        continue


async def main(port: int, tables: list[str], each: int) -> None:
    """All of them."""
    await asyncio.gather(*(phone(port, table, number) for table in tables for number in range(each)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2].split(","), int(sys.argv[3])))
