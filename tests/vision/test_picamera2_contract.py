"""A contract test: the Raspberry Pi camera's adapter against picamera2's documented interface, never against a camera.

picamera2 runs only on a Pi. The stand-in here offers what its manual documents and nothing else; that the package itself has it,
the lab looks up (`scripts/lab.py arm64`).
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tools.lab.picamera2 import ASKED, missing
from vision.camera.lock import STEADY_FRAMES
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

    def __init__(self, camera_num: int = 0) -> None:
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

    def configure(self, camera_config: dict[str, Any]) -> None:
        self.config = camera_config

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


@pytest.mark.parametrize(("name", "one"), [("Picamera2", StandIn), ("CompletedRequest", Request), ("Job", Job)])
def test_the_stand_in_offers_what_is_looked_up_and_no_more(name: str, one: type) -> None:
    """What the adapter may call here is what the lab finds in the package."""
    (calls,) = [calls for (_, known), calls in ASKED.items() if known == name]
    for call, given in calls.items():
        if call != "camera_controls":  # a property there, a dict here
            taken = [name for name in inspect.signature(getattr(one, call)).parameters if name != "self"]
            assert taken == list(given)
    assert {name for name, what in vars(one).items() if inspect.isroutine(what)} <= {"__init__", *calls}


def test_a_package_that_lacks_a_call_is_noticed(tmp_path: Path) -> None:
    """Another version: a call renamed, one that wants more, one that knows less."""
    for (file, name), calls in ASKED.items():
        lines = [
            f"    def {call}(self, {', '.join(f'{one}=None' for one in given)}): ..." for call, given in calls.items()
        ]
        (tmp_path / file).write_text(f"class {name}:\n" + "\n".join(lines) + "\n")
    assert missing(tmp_path) == []
    job = tmp_path / "job.py"
    job.write_text("class Job:\n    def result(self): ...\n")
    assert missing(tmp_path) == ["Job.get_result is not there"]
    job.write_text("class Job:\n    def get_result(self, timeout, patience): ...\n")
    assert missing(tmp_path) == ["Job.get_result: it wants patience"]
    job.write_text("class Job:\n    def get_result(self): ...\n")
    assert missing(tmp_path) == ["Job.get_result: it knows no timeout"]


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
