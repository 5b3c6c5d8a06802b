"""Pictures from files nobody vouches for: empty, cut off, enormous, or no pictures at all."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

MAX_BYTES = 64 * 1024 * 1024
MAX_PIXELS = 60_000_000
"""A phone's largest photo passes; a picture that would fill the Pi's memory does not."""


class NoPicture(Exception):  # noqa: N818 - what it is, said in one line
    """This file holds no picture that can be read; the message is for the person who gave it."""


def size_in_header(data: bytes) -> tuple[int, int] | None:
    """Width and height a PNG, JPEG, BMP or WebP claims, before anything is unpacked."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return abs(int(width)), abs(int(height))
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    return None


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
        if not path.is_file():
            raise NoPicture(f"{path}: no such file")
        length = path.stat().st_size
        if length == 0:
            raise NoPicture(f"{path}: the file is empty")
        if length > MAX_BYTES:
            raise NoPicture(f"{path}: {length // 2**20} MB are too many, at most {MAX_BYTES // 2**20}")
        data = path.read_bytes()
    except OSError as wrong:
        raise NoPicture(f"{path}: {wrong.strerror or wrong}") from wrong
    return decoded(data, str(path))


def decoded(data: bytes, name: str = "picture") -> Image:
    """The picture in these bytes."""
    size = size_in_header(data)
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        raise NoPicture(f"{name}: {size[0]} x {size[1]} pixels are too many, scale it down first")
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
