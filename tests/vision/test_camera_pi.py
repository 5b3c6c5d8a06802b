"""The Raspberry Pi camera's adapter against picamera2's documented interface, and the lock of exposure.

picamera2 runs only on a Pi. The stand-in here offers what its manual documents and nothing else.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from vision.camera.lock import CHANGED_FRAMES, MOST_FRAMES, STEADY_FRAMES, AutoLock
from vision.camera.picamera import PicameraSource

CONTROLS = {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "AfMode", "LensPosition"}


class Request:
    """A completed request, as in the manual's chapter on capturing."""

    def __init__(self, camera: StandIn) -> None:
        self.camera, self.released = camera, False

    def make_array(self, name: str) -> np.ndarray:
        assert not self.released
        if name == "main":
            width, height = self.camera.config["main"]["size"]
            return np.full((height, width, 3), 120, np.uint8)
        width, height = self.camera.config["lores"]["size"]
        return np.full((height * 3 // 2, width + 64), 77, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        assert not self.released
        self.camera.ticks += 1
        return {
            "SensorTimestamp": self.camera.ticks * 66_000_000,
            "ExposureTime": 12_000,
            "AnalogueGain": 1.5,
            "ColourGains": (1.8, 1.6),
            "LensPosition": 2.5,
        }

    def release(self) -> None:
        self.released = True
        self.camera.open_requests -= 1


class Job:
    """What a call with `wait=False` returns."""

    def __init__(self, camera: StandIn) -> None:
        self.camera = camera

    def get_result(self, timeout: float | None = None) -> Request:
        if self.camera.stalled:
            raise TimeoutError
        self.camera.open_requests += 1
        return Request(self.camera)


class StandIn:
    """`Picamera2` as documented."""

    cameras: list[dict[str, Any]] = [{"Model": "imx708", "Num": 0}]  # noqa: RUF012
    in_use = False
    last: StandIn

    def __init__(self, number: int = 0) -> None:
        if StandIn.in_use:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.camera_controls = dict.fromkeys(CONTROLS, (0, 1, 0))
        self.set: list[dict[str, Any]] = []
        self.ticks = self.open_requests = 0
        self.stalled = self.started = self.closed = False
        StandIn.last = self

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return StandIn.cameras

    def create_video_configuration(
        self, main: dict[str, Any], lores: dict[str, Any], controls: dict[str, Any]
    ) -> dict[str, Any]:
        assert main["format"] == "RGB888"
        assert lores["format"] == "YUV420"
        assert all(side % 2 == 0 for side in lores["size"])
        return {"main": main, "lores": lores, "controls": controls}

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config

    def start(self) -> None:
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert set(controls) <= CONTROLS
        self.set.append(controls)

    def capture_request(self, wait: bool = True) -> Job:
        assert not wait
        return Job(self)


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    """picamera2 is installed and one camera is connected."""
    module = ModuleType("picamera2")
    module.Picamera2 = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(StandIn, "cameras", [{"Model": "imx708", "Num": 0}])
    monkeypatch.setattr(StandIn, "in_use", False)
    return StandIn


def test_frames_carry_both_streams_and_the_sensor_clock(picamera2: type[StandIn]) -> None:
    """The small picture comes from the camera's own scaler, its padding cut off."""
    source = PicameraSource((1920, 1080), 15)
    source.open()
    first, second = source.read(), source.read()
    assert first is not None
    assert second is not None
    assert first.image.shape == (1080, 1920, 3)
    assert first.small.shape == (180, 320)
    assert second.ts - first.ts == pytest.approx(0.066)
    assert (first.number, second.number) == (0, 1)
    assert picamera2.last.open_requests == 0, "every request is given back"
    source.close()
    assert picamera2.last.closed


def test_everything_is_locked_to_explicit_values(picamera2: type[StandIn]) -> None:
    """Settled, then locked: exposure, gains, white balance and focus as they were found."""
    source = PicameraSource()
    source.open()
    assert picamera2.last.set == [{"AeEnable": True, "AwbEnable": True, "AfMode": 2}]
    for _ in range(STEADY_FRAMES):
        source.read()
    assert picamera2.last.set[-1] == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 12_000,
        "AnalogueGain": 1.5,
        "ColourGains": (1.8, 1.6),
        "AfMode": 0,
        "LensPosition": 2.5,
    }


def test_a_camera_without_focus_is_not_asked_to_focus(
    picamera2: type[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fixed-focus modules have no AfMode."""
    monkeypatch.setattr(sys.modules[__name__], "CONTROLS", CONTROLS - {"AfMode", "LensPosition"})
    source = PicameraSource()
    source.open()
    for _ in range(STEADY_FRAMES):
        source.read()
    assert all("AfMode" not in controls for controls in picamera2.last.set)


def test_missing_package_no_camera_and_in_use_each_have_a_line(
    picamera2: type[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line with the fix for each."""

    def key() -> str:
        source = PicameraSource()
        source.open()
        assert source.state == "no camera"
        assert source.problem is not None
        return source.problem[0].key

    monkeypatch.setattr(StandIn, "in_use", True)
    assert key() == "vision/camera/busy/say"
    monkeypatch.setattr(StandIn, "cameras", [])
    assert key() == "vision/camera/no-ribbon/say"
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert key() == "vision/camera/no-picamera2/say"


def test_a_camera_that_stops_is_opened_again(picamera2: type[StandIn]) -> None:
    """No frame for three seconds: it is said, closed, and tried again."""
    time = [0.0]
    source = PicameraSource(now=lambda: time[0])
    source.open()
    assert source.read() is not None
    picamera2.last.stalled = True
    assert source.read() is None
    assert source.state == "ready", "one late frame is nothing"
    time[0] = 5.0
    assert source.read() is None
    assert source.state == "no camera"
    assert picamera2.last.closed
    time[0] = 10.0
    source.read()
    assert source.read() is not None


class Told:
    """Counts what an `AutoLock` does."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.auto = AutoLock(lambda: self.did.append("lock"), lambda: self.did.append("unlock"))
        self.auto.start()


def test_a_changing_picture_is_not_locked() -> None:
    """Only steady light is locked; a flickering lamp after a while all the same."""
    told = Told()
    for number in range(MOST_FRAMES - 1):
        told.auto.saw(100.0 + 20 * (number % 2))
    assert told.did == ["unlock"]
    told.auto.saw(100.0)
    assert told.did == ["unlock", "lock"]


@pytest.mark.parametrize(("pending", "expected"), [(False, ["unlock", "lock", "unlock"]), (True, ["unlock", "lock"])])
def test_it_is_unlocked_only_while_nothing_is_pending(pending: bool, expected: list[str]) -> None:
    """The lamp was switched on: measured anew, but not in the middle of a reading."""
    told = Told()
    for _ in range(STEADY_FRAMES):
        told.auto.saw(60.0)
    told.auto.pending = pending
    for _ in range(CHANGED_FRAMES):
        told.auto.saw(150.0)
    assert told.did == expected


def test_a_hand_passing_does_not_unlock() -> None:
    """Short changes are no new lamp."""
    told = Told()
    for _ in range(STEADY_FRAMES):
        told.auto.saw(100.0)
    for _ in range(5):
        for _ in range(CHANGED_FRAMES - 1):
            told.auto.saw(60.0)
        told.auto.saw(100.0)
    assert told.did == ["unlock", "lock"]
