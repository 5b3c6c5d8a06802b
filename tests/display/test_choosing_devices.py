"""Newcomer D1, F9: camera and dial are chosen in the first steps; the choice is kept and their room starts again with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.wire.config import load
from companion.wire.messages import Answer, Do
from tests.display.test_client import Table
from vision.camera.attached import cameras

WEBCAM = {"source": "v4l2", "device": "/dev/video2", "name": "HD Pro Webcam"}


def orders(table: Table, command: str) -> list[Do]:
    return [message for message in table.heard if isinstance(message, Do) and message.command == command]


def at_step(folder: Path, step: str, size: tuple[int, int] = (800, 480)) -> Table:
    table = Table(folder, size)
    table.client.put(scene="welcome", **{"welcome-step": step})
    table.pass_time(2)
    table.pass_time()
    return table


def kept(folder: Path) -> Any:
    return load(environment={"TABLESIDE_STATE_DIR": str(folder), "TABLESIDE_CONFIG_DIR": str(folder / "none")})


@pytest.mark.parametrize("size", [(480, 320), (800, 480), (1280, 720)])
def test_a_usb_camera_is_offered_by_name_and_one_touch_sets_it_up(tmp_path: Path, size: tuple[int, int]) -> None:
    table = at_step(tmp_path, "camera", size)
    asked = orders(table, "cameras")[-1]
    table.core.publish("answer/display", Answer(id=asked.id, ok=True, result={"cameras": [WEBCAM]}))
    table.pass_time()
    table.tap("camera-/dev/video2")
    assert (kept(tmp_path).camera.source, kept(tmp_path).camera.device) == ("v4l2", "/dev/video2")
    assert [order.args for order in orders(table, "restart")] == [{}]
    table.answer()
    table.tap("camera-none")
    assert kept(tmp_path).camera.source == "none"
    assert kept(tmp_path).problems == ()


@pytest.mark.parametrize("source", ["gpio", "serial", "none"])
def test_a_dial_is_chosen_by_where_it_is(tmp_path: Path, source: str) -> None:
    table = at_step(tmp_path, "dial")
    table.tap(f"dial-{source}")
    assert kept(tmp_path).dial.source == source
    assert orders(table, "restart")


def test_what_calls_itself_video_and_is_no_camera_is_not_offered(tmp_path: Path) -> None:
    """A Pi's decoders and a webcam's second node are left out; what cannot be read is still offered by its device."""
    for node, name, index in (("video0", "HD Pro Webcam", "0"), ("video1", "HD Pro Webcam", "1")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "name").write_text(name + "\n")
        (tmp_path / node / "index").write_text(index + "\n")
    (tmp_path / "video10").mkdir()
    (tmp_path / "video10" / "name").write_text("bcm2835-codec-decode\n")
    (tmp_path / "video3").mkdir()
    found = [(one.device, one.name) for one in cameras(tmp_path) if one.source == "v4l2"]
    assert found == [("/dev/video0", "HD Pro Webcam"), ("/dev/video3", "")]
