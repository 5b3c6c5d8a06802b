"""Files nobody vouches for: one clear line each, never a crash, never dice out of nothing."""

import json
import struct
import zlib

import cv2
import numpy as np
import pytest

from vision.reader import files, photo
from vision.terminal.read import main


def png(width: int, height: int, rows: bool = True) -> bytes:
    """A grey PNG of any size, built by hand, so that no test needs the memory it claims."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(1)
    body = b"".join(packer.compress(b"\0" + b"\x80" * width) for _ in range(height if rows else 0)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


BAD = {
    "empty.jpg": b"",
    "text.jpg": b"this is no picture",
    "cut.png": png(64, 64)[:40],
    "bomb.png": png(20_000, 20_000, rows=False),
    "header.jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "gif.gif": b"GIF89a" + bytes(20),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_picture_gets_one_line(tmp_path, capsys, name):
    """Exit 1, one line on stderr that names the file, an empty object on stdout."""
    (tmp_path / name).write_bytes(BAD[name])
    assert main([str(tmp_path / name), "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out) == {}
    assert len(err.splitlines()) == 1 and name in err


def test_a_missing_file_and_a_folder_get_one_line(tmp_path, capsys):
    """They are not pictures either."""
    assert main([str(tmp_path / "nowhere.jpg"), str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_picture_20000_pixels_wide_is_read(tmp_path, capsys):
    """Wide but not heavy: it is looked at, and it holds no dice."""
    (tmp_path / "wide.png").write_bytes(png(20_000, 300))
    assert main([str(tmp_path / "wide.png"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {str(tmp_path / "wide.png"): []}


def test_the_bad_ones_do_not_stop_the_good_ones(tmp_path, capsys):
    """Every readable photo is answered."""
    (tmp_path / "bad.jpg").write_bytes(b"x")
    cv2.imwrite(str(tmp_path / "good.png"), np.full((120, 160, 3), 90, np.uint8))
    assert main([str(tmp_path / "bad.jpg"), str(tmp_path / "good.png")]) == 1
    assert "good.png: no dice" in capsys.readouterr().out


@pytest.mark.parametrize(("width", "height"), [(640, 480), (4000, 3000), (33, 21), (1, 1), (3000, 17)])
@pytest.mark.parametrize("level", [0, 255])
def test_black_and_white_pictures_hold_no_dice(width, height, level):
    """Nothing is read out of nothing, at any size."""
    assert photo.read(np.full((height, width, 3), level, np.uint8)) == []


def test_noise_holds_no_dice():
    """A picture of static is not a handful of dice."""
    rng = np.random.default_rng(4)
    assert photo.read(rng.integers(0, 256, (480, 640, 3), dtype=np.uint8)) == []


def test_sizes_are_known_before_anything_is_unpacked():
    """Width and height stand in the header of the usual formats."""
    picture = np.zeros((37, 51, 3), np.uint8)
    for kind in (".png", ".jpg", ".bmp"):
        data = cv2.imencode(kind, picture)[1].tobytes()
        assert files.size_in_header(data) == (51, 37), kind
    assert files.size_in_header(b"") is None
    assert files.size_in_header(b"\xff\xd8" + b"\xff" * 50) is None


def test_random_bytes_never_crash():
    """A thousand damaged pictures: a picture or `NoPicture`, nothing else."""
    rng = np.random.default_rng(1)
    good = cv2.imencode(".jpg", rng.integers(0, 256, (48, 64, 3), dtype=np.uint8))[1].tobytes()
    small = cv2.imencode(".png", rng.integers(0, 256, (16, 16, 3), dtype=np.uint8))[1].tobytes()
    for start in (good, small):
        for _ in range(500):
            data = bytearray(start[: int(rng.integers(1, len(start)))])
            for place in rng.integers(0, len(data), 6):
                data[place] = int(rng.integers(0, 256))
            try:
                assert files.decoded(bytes(data)).ndim == 3
            except files.NoPicture:
                continue
