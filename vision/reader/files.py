"""Pictures from files nobody vouches for: empty, cut off, enormous, or no pictures at all."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.wire.files import read_file

Image = NDArray[np.uint8]

MAX_BYTES = 64_000_000
MAX_PIXELS = 60_000_000
"""A phone's largest photo passes; a picture that would fill the Pi's memory does not."""


class NoPicture(Exception):  # noqa: N818 - what it is, said in one line
    """This file holds no picture that can be read; the message is for the person who gave it."""


def size_in_header(data: bytes) -> tuple[int, int] | None:
    """Width and height a picture claims, before anything is unpacked; `None` for kinds nobody photographs in."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return abs(int(width)), abs(int(height))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff_size(data)
    return None


def _honest_png(data: bytes) -> bool:
    """No part claims to be longer than the file: the unpacker would reserve memory for all of it first."""
    at = 8
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if length > len(data) - at - 8:
            return False
        at += 12 + length
    return True


def _webp_size(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return int(width) & 0x3FFF, int(height) & 0x3FFF
    return None


def _tiff_size(data: bytes) -> tuple[int, int] | None:
    """The largest width and height of any entry in the first directory."""
    order = "<" if data[:2] == b"II" else ">"
    try:
        (at,) = struct.unpack_from(f"{order}I", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, at)
        found = {256: 0, 257: 0}
        for entry in range(count):
            tag, kind = struct.unpack_from(f"{order}HH", data, at + 2 + 12 * entry)
            (value,) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'I'}", data, at + 10 + 12 * entry)
            if tag in found:
                found[tag] = max(found[tag], int(value))
    except struct.error:
        return None
    return (found[256], found[257]) if all(found.values()) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        if kind in (0xFF, 0x01) or 0xD0 <= kind <= 0xD9:
            at += 1 if kind == 0xFF else 2
            continue
        at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None


def read_picture(path: Path) -> Image:
    """The picture in a file, BGR; `NoPicture` says what is wrong with it."""
    try:
        data = read_file(path, MAX_BYTES)
    except OSError as wrong:
        raise NoPicture(f"{path}: {wrong.strerror}") from wrong
    if not data:
        raise NoPicture(f"{path}: the file is empty")
    return decoded(data, str(path))


def decoded(data: bytes, name: str = "picture") -> Image:
    """The picture in these bytes."""
    size = size_in_header(data)
    if size is None:
        raise NoPicture(f"{name}: not a picture that can be read")
    if size[0] * size[1] > MAX_PIXELS:
        raise NoPicture(f"{name}: {size[0]} x {size[1]} pixels are too many, scale it down first")
    if data[:4] == b"\x89PNG" and not _honest_png(data):
        raise NoPicture(f"{name}: the picture is damaged or cut off")
    quiet = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as wrong:
        raise NoPicture(f"{name}: not a picture that can be read") from wrong
    finally:
        cv2.utils.logging.setLogLevel(quiet)
    if picture is None or picture.size == 0:
        raise NoPicture(f"{name}: not a picture that can be read")
    return np.asarray(picture, np.uint8)
