"""Raspberry Pi's architecture in the lab: what it needs, what counts as held, and its row among the figures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tools.lab import arm64, arm64_trials, command, place
from tools.lab.arm64 import SUITES, handled
from tools.lab.arm64_trials import alike, built, examined, machine, row, same_market, shared
from tools.lab.place import LabError
from tools.lab.report import lines

GOOD = """\
ok    python      Python 3.11.2
ok    settings    read from /etc/tableside
ok    disk        900 MB free in /var/lib/tableside
ok    broker      /usr/sbin/mosquitto
ok    phone page  14 files
ok    games       skytopia, scorepad
look  dial        no dial is set up
                   Set [dial] source to gpio or serial, or play by touch.
"""
OURS = "/opt/tableside/venv/lib/python3.11/site-packages/"
DEBIANS = "/usr/lib/python3/dist-packages/"
DIE = {"value": 4, "colour": "red", "x": 10.0, "y": 20.0, "w": 30.0, "h": 30.0, "confidence": 0.99}


def test_what_is_missing_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(place, "FOREIGN", {"/nowhere/qemu-aarch64.conf": "qemu-user-static"})
    assert command.main(["arm64", "--suite", "bookworm"]) == 1
    assert capsys.readouterr().err == ("lab: the lab needs qemu-user-static: sudo apt-get install qemu-user-static\n")
    monkeypatch.setattr(place, "FOREIGN", {})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert command.main(["arm64"]) == 1
    assert "needs root" in capsys.readouterr().err


def test_the_kernel_is_told_once(tmp_path: Path) -> None:
    line = tmp_path / "qemu-aarch64.conf"
    line.write_text(":qemu-aarch64:M::x:y:/usr/bin/qemu:OPF\n")
    handlers = tmp_path / "handlers"
    handlers.mkdir()
    (handlers / "register").touch()
    handled(handlers, line)
    assert (handlers / "register").read_text() == line.read_text().strip()
    (handlers / line.stem).touch()
    (handlers / "register").write_text("")
    handled(handlers, line)
    assert (handlers / "register").read_text() == ""


def test_a_kernel_that_takes_no_such_line_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(command: list[str]) -> None:
        raise LabError("mount failed (build.log):\nmount: unknown filesystem type 'binfmt_misc'.")

    monkeypatch.setattr(arm64, "run", refused)
    with pytest.raises(LabError, match=r"hands no programs to QEMU .*unknown filesystem") as told:
        handled(tmp_path / "nothing", tmp_path / "qemu-aarch64.conf")
    assert "\n" not in str(told.value)


def test_the_doctor_may_only_miss_parts_nobody_connected() -> None:
    assert examined(GOOD)["ok"]
    assert examined(GOOD)["said"][-1] == "look dial no dial is set up"
    assert examined(GOOD.replace("ok    broker    ", "BAD   broker    "))["wrong"] == ["broker"]
    assert examined(GOOD.replace("ok    phone page", "look  phone page"))["wrong"] == ["phone page"]
    assert examined("")["wrong"] == list(arm64_trials.NEEDED)


def test_nothing_is_compiled_and_nothing_is_another_processors() -> None:
    tags = {
        "numpy": ["cp311-cp311-manylinux_2_27_aarch64", "cp311-cp311-manylinux_2_28_aarch64"],
        "rich": ["py3-none-any"],
    }
    libraries = {"numpy/core.so": arm64_trials.AARCH64, "numpy/libs.so.txt": None}
    held = built(tags, libraries)
    assert held["ok"]
    assert (held["packages"], held["binary"], held["libraries"]) == (2, 1, 2)
    here = built(tags | {"msgspec": ["cp311-cp311-linux_aarch64"]}, libraries)
    assert (here["ok"], here["compiled"]) == (False, ["msgspec"])
    other = built(tags, libraries | {"cv2/cv2.so": 62})
    assert (other["ok"], other["foreign"]) == (False, ["cv2/cv2.so"])
    assert not built({"rich": ["py3-none-any"]}, {})["ok"], "an environment without a reader is none"


def test_a_library_says_its_processor() -> None:
    assert machine(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00" + b"\xb7\x00") == arm64_trials.AARCH64
    assert machine(b"INPUT(libc.so.6)") is None


def test_who_brought_which_library() -> None:
    ours = {"cv2": ["5.0.0", f"{OURS}cv2"], "numpy": ["2.4.6", f"{OURS}numpy"]}
    debians = {name: ["1.0", f"{DEBIANS}{name}"] for name in ("cv2", "numpy", "pygame")}
    found = {
        "vision": ours,
        "display": {"pygame": debians["pygame"]},
        "together": ours | {"pygame": debians["pygame"]},
        "system": debians,
    }
    passed: dict[str, bool | None] = {"vision": None, "display": None, "together": True, "system": True}
    assert shared(found, passed)["ok"]
    assert shared(found, passed)["from"]["display"] == {"pygame": "1.0 Debian"}
    assert "together: pictures do not pass" in shared(found, passed | {"together": False})["why"]
    wheel = {"pygame": ["2.6.1", f"{OURS}pygame"]}
    assert shared(found | {"display": wheel}, passed)["why"] == "display: pygame 2.6.1 PyPI"
    assert shared(found | {"vision": {}}, passed)["why"].startswith("vision: cv2 is missing")


def test_the_same_dice_are_the_same_reading() -> None:
    assert alike([DIE], [DIE | {"x": 10.2}]) == {"ok": True, "dice": 1, "here": 1, "pixels": 0.2, "confidence": 0.0}
    assert not alike([DIE], [DIE | {"value": 3}])["ok"]
    assert not alike([DIE], [DIE, DIE])["ok"]
    assert not alike([DIE], [DIE | {"y": 21.0}])["ok"]
    assert not alike([], [])["ok"], "a picture nothing was read in shows nothing"


def test_the_same_market_is_told_slot_by_slot() -> None:
    read = {"blue-1": [["sun", 4, True, 0.1, 0.2]], "blue-2": []}
    moved = {"blue-1": [["sun", 4, True, 0.11, 0.2]], "blue-2": []}
    assert same_market(read, moved) == {"ok": True, "dice": 1, "other": []}
    assert same_market(read, {**read, "blue-2": [["sun", 1, True, 0.5, 0.5]]})["other"] == ["blue-2"]
    assert same_market({"blue-1": [["sun", 4, False, 0.1, 0.2]], "blue-2": []}, read)["other"] == ["blue-1"]
    assert same_market({}, read)["other"] == ["blue-1", "blue-2"]
    assert not same_market({}, {})["ok"], "a mat nobody found is no market"


@pytest.mark.parametrize("suite", SUITES)
def test_its_row_says_what_held_and_what_did_not(suite: str) -> None:
    library = {"cv2": "5.0.0 PyPI", "numpy": "2.4.6 PyPI", "pygame": "2.1.2 Debian"}
    seen: dict[str, Any] = {
        "ok": True,
        "when": "2026-11-19",
        "commit": "abc",
        "doctor": examined(GOOD),
        "wheels": {"packages": 24, "binary": 7},
        "libraries": {"from": {"together": library, "system": library}},
        "read": {"dice": 20, "pixels": 0.01},
        "frame": {"different": 0.5},
        "market": {"dice": 20},
        "game": {"players": 2, "moves": 196},
        "moves": {"moves": 12, "seen": 8, "misreads": 0},
        "camera": {"picamera2": "0.3.38"},
        "seconds": {name: [9.0, 8.0] for name in arm64_trials.TRIALS},
    }
    last = lines({row(suite): seen}, {})[-1]
    assert last.startswith(f"| arm64, {suite} | 2026-11-19 | abc | Python 3.11.2, aarch64: ")
    assert "OpenCV 5.0.0 PyPI, numpy 2.4.6 PyPI, pygame 2.1.2 Debian" in last
    assert last.endswith("picamera2 0.3.38, which was read and not run | yes |")
    ran = {**seen, "camera": {"picamera2": "0.3.38", "found": arm64_trials.NOTHING}}
    assert "over Debian's libcamera" in lines({row(suite): ran}, {})[-1]
    failed = lines({row(suite): {"ok": False, "when": "2026-11-19", "why": "read: no dice"}}, {})[-1]
    assert failed.endswith("| read: no dice | **no** |")
