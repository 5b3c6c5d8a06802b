"""Cameras open, go and come back; what stands in the way is one line with the fix.

No device node that captures exists on a plain build machine, so the V4L2 path is driven by a recorded file through the
same code; the questions asked of a node before it is opened are tried on real nodes that are no cameras.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.wire.config import CameraConfig
from vision.camera import packed, v4l2
from vision.camera.attached import cameras
from vision.camera.capture import MISSES, RETRY, V4l2Source, VideoSource
from vision.camera.folder import FolderSource
from vision.camera.frame import FrameSource, small_of
from vision.camera.sources import make


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


class Plug:
    """`cv2.VideoCapture` on a recorded file, behind a plug that can be pulled."""

    def __init__(self, video: Path) -> None:
        self.video, self.pulled, self.busy = video, False, False
        self.opened = 0
        self.settings: dict[int, float] = {}

    def __call__(self, target: str, backend: int) -> Plug:
        self.opened += 1
        self.asked = (target, backend)
        self._capture = cv2.VideoCapture(str(self.video), cv2.CAP_FFMPEG)
        return self

    def isOpened(self) -> bool:
        return not self.pulled and not self.busy and self._capture.isOpened()

    def read(self) -> tuple[bool, Any]:
        return (False, None) if self.pulled else self._capture.read()

    def get(self, key: int) -> float:
        if key == cv2.CAP_PROP_POS_MSEC:  # a camera stamps frames with the time since the machine was started
            return 5_000.0 + self._capture.get(key)
        return self.settings.get(key, 250.0)

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def release(self) -> None:
        self._capture.release()


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds of a die that moves to the right."""
    path = tmp_path_factory.mktemp("video") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 360))
    for number in range(30):
        image = np.full((360, 640, 3), 90, np.uint8)
        cv2.rectangle(image, (20 + number * 10, 150), (80 + number * 10, 210), (40, 200, 240), -1)
        writer.write(image)
    writer.release()
    return path


@pytest.fixture
def no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The node answers as a camera does."""
    monkeypatch.setattr(v4l2, "obstacle", lambda device: None)


def test_a_recorded_video_gives_its_frames_with_their_own_time(video: Path) -> None:
    """Two streams, numbered, on the recording's clock; then it has ended and says so."""
    source = VideoSource(str(video))
    source.open()
    frames = [frame for frame in (source.read() for _ in range(40)) if frame is not None]

    assert [frame.number for frame in frames] == list(range(30))
    assert frames[0].image.shape == (360, 640, 3)
    assert frames[0].small.shape == (180, 320)
    assert np.allclose(np.diff([frame.ts for frame in frames]), 1 / 15, atol=0.002)
    assert source.state == "no camera"
    assert source.problem is not None
    assert source.problem[0].key == "vision/camera/ended/say"


def test_a_usb_camera_survives_being_unplugged(video: Path, no_obstacle: None) -> None:
    """Pulled, it is said; plugged in again, frames go on, and time does not run backwards."""
    plug, clock = Plug(video), Clock()
    source = V4l2Source("/dev/video7", opener=plug, now=clock)
    source.open()
    before = [source.read() for _ in range(5)]
    plug.pulled = True
    gone = [source.read() for _ in range(MISSES)]
    assert gone == [None] * MISSES
    assert source.state == "no camera"
    assert source.problem is not None
    assert source.problem[0].key == "vision/camera/unplugged/say"

    assert source.read() is None
    assert plug.opened == 1, "it is not tried more than once a second"
    clock.time += RETRY
    plug.pulled = False
    source.read()
    after = [source.read() for _ in range(3)]

    assert plug.opened == 2
    assert source.state == "ready"
    assert source.problem is None
    assert before[-1] is not None
    assert after[0] is not None
    assert after[2] is not None
    assert after[0].number == before[-1].number + 1
    assert before[-1].ts <= after[0].ts < after[2].ts
    source.close()


def test_a_usb_camera_is_opened_by_the_v4l2_back_end(video: Path, no_obstacle: None) -> None:
    """The back end is named, not guessed, and the size that was set is asked for."""
    plug = Plug(video)
    source = V4l2Source("/dev/video0", (1280, 720), 30, opener=plug)
    source.open()
    assert plug.asked == ("/dev/video0", cv2.CAP_V4L2)
    assert plug.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert plug.settings[cv2.CAP_PROP_FRAME_HEIGHT] == 720
    assert plug.settings[cv2.CAP_PROP_FPS] == 30


class Packed(Plug):
    """A camera that hands its JPEG over as it comes, when asked to; every fourth one is torn."""

    def read(self) -> tuple[bool, Any]:
        done, image = super().read()
        if not done or self.settings.get(cv2.CAP_PROP_CONVERT_RGB, 1):
            return done, image
        self.given = getattr(self, "given", 0) + 1
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]
        return True, (data[:40] if self.given % 4 == 0 else data).reshape(1, -1)


def test_jpeg_is_unpacked_in_full_only_for_who_looks(
    video: Path, no_obstacle: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quiet frame costs its small grey picture; size, colours and place are those of the camera; a torn one is passed over."""
    full: list[int] = []
    unpack = packed.unpacked
    monkeypatch.setattr(packed, "unpacked", lambda *how: full.append(1) or unpack(*how))
    source, plain = V4l2Source("/dev/video0", opener=Packed(video)), V4l2Source("/dev/video0", opener=Plug(video))
    source.open()
    plain.open()
    pairs = [(source.read(), plain.read()) for _ in range(8)]

    assert [jpeg is None for jpeg, _ in pairs] == [False, False, False, True] * 2
    assert source.state == "ready" and not full
    for jpeg, raw in pairs:
        assert raw is not None
        if jpeg is not None:
            assert jpeg.size == raw.size == (640, 360)
            assert jpeg.small.shape == raw.small.shape
            assert float(np.abs(jpeg.small.astype(float) - raw.small).mean()) < 1.5
    assert not full
    last, raw = pairs[6]
    assert last is not None and raw is not None
    assert float(np.abs(last.image.astype(float) - raw.image).mean()) < 2.0
    assert last.image is last.image and full == [1]


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff" + bytes(20), b"no picture"]
)
def test_bytes_that_are_no_picture_are_no_frame(data: bytes) -> None:
    """Nothing larger than a camera makes is reserved memory for."""
    assert packed.frame(data) is None


def test_exposure_is_locked_once_it_has_settled(video: Path, no_obstacle: None) -> None:
    """Automatic at first, then the values found, explicitly."""
    plug = Plug(video)
    source = V4l2Source("/dev/video0", opener=plug)
    source.open()
    assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    for _ in range(10):
        source.read()
    assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert plug.settings[cv2.CAP_PROP_EXPOSURE] == 250.0
    assert plug.settings[cv2.CAP_PROP_AUTO_WB] == 0
    assert plug.settings[cv2.CAP_PROP_AUTOFOCUS] == 0


class Raw(Plug):
    """A camera that knows no JPEG: asked for it, it goes on sending YUYV, which the back end turns into colours."""

    def get(self, key: int) -> float:
        return float(cv2.VideoWriter.fourcc(*"YUYV")) if key == cv2.CAP_PROP_FOURCC else super().get(key)

    def read(self) -> tuple[bool, Any]:
        done, image = super().read()
        if done and not self.settings.get(cv2.CAP_PROP_CONVERT_RGB, 1):
            return True, cv2.cvtColor(image, cv2.COLOR_BGR2YUV)[..., :2]  # as it lies on the wire
        return done, image


def test_a_camera_that_sends_yuyv_gives_the_same_frames(video: Path, no_obstacle: None) -> None:
    """JPEG is asked for; who has none is read as the back end unpacks it, never byte by byte."""
    plug = Raw(video)
    source, plain = V4l2Source("/dev/video0", opener=plug), V4l2Source("/dev/video0", opener=Plug(video))
    source.open()
    plain.open()
    assert plug.settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    frame, same = source.read(), plain.read()
    assert frame is not None and same is not None
    assert frame.size == (640, 360) and np.array_equal(frame.image, same.image)


def test_nothing_of_the_camera_changes_while_something_is_read(video: Path, no_obstacle: None) -> None:
    """Focus, exposure and white balance stay as they were locked, however the light changes, until the reading is over."""
    plug = Plug(video)
    source = V4l2Source("/dev/video0", opener=plug)
    source.open()
    for _ in range(10):
        source.read()
    locked = dict(plug.settings)
    assert locked[cv2.CAP_PROP_FOCUS] == locked[cv2.CAP_PROP_WB_TEMPERATURE] == 250.0
    source.hold(True)
    darker = np.full((360, 640, 3), 20, np.uint8)
    plug.read = lambda: (True, darker)  # type: ignore[method-assign]
    for _ in range(60):
        source.read()
    assert plug.settings == locked
    source.hold(False)
    for _ in range(30):
        source.read()
    assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3 and plug.settings[cv2.CAP_PROP_AUTOFOCUS] == 1


def plugged(shelf: Path, paths: Path, node: str, name: str, socket: str) -> None:
    """A camera as the kernel and udev show it."""
    device = shelf.parent / "devices" / f"{socket}:1.0"
    device.mkdir(parents=True, exist_ok=True)
    (shelf / node).mkdir(parents=True)
    (shelf / node / "name").write_text(f"{name}\n")
    (shelf / node / "index").write_text("0\n")
    (shelf / node / "device").symlink_to(device)
    paths.mkdir(parents=True, exist_ok=True)
    (paths / f"pci-0000:00:14.0-usb-0:{socket}:1.0-video-index0").symlink_to(f"../../{node}")


def test_two_identical_cameras_are_told_apart_by_their_sockets_at_every_start(tmp_path: Path) -> None:
    offered = []
    for start, order in (("one", ("video0", "video2")), ("two", ("video2", "video0"))):
        shelf, paths = tmp_path / start / "class", tmp_path / start / "dev" / "v4l" / "by-path"
        for node, socket in zip(order, ("1-1.2", "1-1.4"), strict=True):
            plugged(shelf, paths, node, "HD Webcam", socket)
        plugged(shelf, paths, "video4", "Document Camera", "1-1.1")
        found = [one for one in cameras(shelf, paths) if one.source == "v4l2"]
        offered.append({one.name: Path(one.device).name for one in found})
        assert {(paths / Path(one.device).name).resolve().name for one in found[:2]} == {"video0", "video2"}
    assert (
        offered[0]
        == offered[1]
        == {
            "HD Webcam (1-1.2)": "pci-0000:00:14.0-usb-0:1-1.2:1.0-video-index0",
            "HD Webcam (1-1.4)": "pci-0000:00:14.0-usb-0:1-1.4:1.0-video-index0",
            "Document Camera": "video4",
        }
    )


def test_two_identical_cameras_without_udev_are_told_apart_by_their_nodes(tmp_path: Path) -> None:
    for node in ("video0", "video2"):
        (tmp_path / node).mkdir()
        (tmp_path / node / "name").write_text("HD Webcam\n")
    found = [(one.device, one.name) for one in cameras(tmp_path, tmp_path / "none") if one.source == "v4l2"]
    assert found == [("/dev/video0", "HD Webcam (video0)"), ("/dev/video2", "HD Webcam (video2)")]


def test_a_camera_in_use_is_said(video: Path, no_obstacle: None) -> None:
    """It exists but does not open: another program has it."""
    plug = Plug(video)
    plug.busy = True
    source = V4l2Source("/dev/video0", opener=plug)
    source.open()
    assert source.state == "no camera"
    assert source.problem is not None
    assert source.problem[0].key == "vision/camera/busy/say"


def test_a_node_that_is_not_there_or_no_camera_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing, not a camera, not allowed: three different lines."""

    def key(device: str) -> str:
        problem = v4l2.obstacle(device)
        assert problem is not None
        assert problem[0].params == {"device": device}
        return problem[0].key

    assert key("/dev/video-none") == "vision/camera/missing/say"
    assert key("/dev/null") == "vision/camera/no-camera/say"

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(v4l2.os, "open", refuse)
    assert key("/dev/video0") == "vision/camera/rights/say"


@pytest.mark.parametrize(
    ("everything", "own", "expected"),
    [(0x84A00001, 0x04200001, True), (0x84A00001, 0x04A00000, False), (0x05000001, 0, True), (0x00000002, 0, False)],
)
def test_a_metadata_node_is_no_camera(everything: int, own: int, expected: bool) -> None:
    """The second node of a webcam answers like a camera, except for what it can do itself."""
    answer = bytes(84) + struct.pack("=II", everything, own) + bytes(12)
    assert len(answer) == v4l2.SIZE
    assert v4l2.captures(answer) is expected


def test_a_folder_is_a_table_at_rest(tmp_path: Path) -> None:
    """Pictures in order, broken ones passed over, the last one stays."""
    for number, grey in enumerate((10, 100, 200)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((60, 80, 3), grey, np.uint8))
    (tmp_path / "1b.png").write_bytes(b"\x89PNG broken")
    (tmp_path / "1c.jpg").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no picture")
    source = FolderSource(tmp_path, fps=10)
    source.open()
    frames = [source.read() for _ in range(5)]

    assert [int(frame.image[0, 0, 0]) for frame in frames if frame] == [10, 100, 200, 200, 200]
    assert [frame.ts for frame in frames if frame] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize(
    ("content", "key"),
    [(None, "vision/camera/no-file/say"), ({}, "vision/camera/no-pictures/say"), ({"a.png": b"x"}, "no-pictures/say")],
)
def test_a_folder_without_pictures_says_so(tmp_path: Path, content: dict[str, bytes] | None, key: str) -> None:
    """Not there, empty, or nothing readable in it."""
    folder = tmp_path / "pictures"
    if content is not None:
        folder.mkdir()
        for name, data in content.items():
            (folder / name).write_bytes(data)
    source = FolderSource(folder)
    source.open()
    assert source.read() is None
    assert source.state == "no camera"
    assert source.problem is not None
    assert source.problem[0].key.endswith(key)


@pytest.mark.parametrize("name", ["none", "picamera2", "v4l2", "folder", "video"])
def test_every_kind_of_camera_is_a_frame_source(name: str, tmp_path: Path) -> None:
    """Whatever the settings name, the room gets the same interface and never a crash."""
    config = CameraConfig(source=name, device="/dev/video-none", path=str(tmp_path / "nothing"))  # type: ignore[arg-type]
    source = make(config)
    assert isinstance(source, FrameSource)
    source.open()
    assert source.read() is None
    assert source.state == "no camera"
    assert source.problem is not None
    source.close()


def test_the_small_picture_is_grey_and_small() -> None:
    """Whatever comes in, motion is looked for in 320 grey pixels across."""
    assert small_of(np.zeros((1080, 1920, 3), np.uint8)).shape == (180, 320)
    assert small_of(np.zeros((3040, 4056, 3), np.uint8)).shape == (240, 320)
    assert small_of(np.zeros((100, 200, 3), np.uint8)).shape == (100, 200)
    assert small_of(np.zeros((720, 1280), np.uint8)).ndim == 2
