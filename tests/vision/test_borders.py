"""The camera's room at its borders: pictures nobody can read, cameras that show nothing, markers at the rim."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from benches import random_markets as markets
from companion.game import Text
from companion.wire.messages import DieSeen, SlotSeen, VirtualTruth
from tests.vision.laid import laid, market_mat
from vision import __main__ as command
from vision import check
from vision import mat as mats
from vision import show as shows
from vision.camera.frame import Frame, hold, small_of, trouble
from vision.cards import album as card_album
from vision.mat_pdf import pdf
from vision.reader import colour
from vision.reader.files import NoPicture, read_picture, size_in_header
from vision.terminal import glimpse
from vision.terminal import read as read_command
from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Light, Studio

GREY = np.full((240, 320, 3), 120, np.uint8)


def frame(image: Any = GREY) -> Frame:
    """A still."""
    return Frame(image, small_of(image), 1.0, 1)


# the mat ---------------------------------------------------------------------------------------------------------


def test_a_marker_at_the_rim_of_the_picture_is_not_searched_for() -> None:
    """A window of a few pixels holds no marker."""
    corners = ((-50.0, -50.0), (400.0, -50.0), (400.0, 300.0), (-50.0, 300.0))
    assert mats.follow(GREY, corners, 20.0) == {}


def test_four_centres_need_four_markers() -> None:
    """Three are enough to place the mat, not to draw its corners."""
    square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], np.float32)
    three = {number: square + 20 * number for number in range(3)}
    assert mats.centres(three) is None
    found = mats.centres({**three, 3: square + 60})
    assert found is not None
    assert found[0] == (5.0, 5.0)


def test_a_marker_seen_as_a_line_has_its_middle() -> None:
    """Its diagonals do not cross: no division by nothing."""
    line = np.array([(0, 0), (4, 0), (8, 0), (12, 0)], np.float32)
    assert mats._centre(line) == (6.0, 0.0)


def test_markers_that_fit_no_mat_give_no_view() -> None:
    """All in one point: no camera stands like that."""
    point = np.zeros((4, 2), np.float32)
    assert mats.registered(dict.fromkeys(range(4), point), laid(4)) is None
    assert not mats.sensible(np.full((3, 3), np.nan), laid(4))


def test_the_paper_is_one_we_can_print_on() -> None:
    """Others are named."""
    with pytest.raises(ValueError, match="a4"):
        pdf(laid(4), "letterbox")


# the check -------------------------------------------------------------------------------------------------------


def test_one_hidden_corner_is_named() -> None:
    """Three markers are there: the fourth is said by its corner, not "no mat"."""
    sharp = GREY.copy()
    sharp[::2, :, :] = 0
    sharp[:, ::8, :] = 255
    square = np.zeros((4, 2), np.float32)
    say, _ = check._mat_advice(sharp, {0: square, 1: square, 3: square})
    assert say.params["corner"] == Text("vision/corner/2")


def test_blur_is_not_measured_where_no_marker_shows() -> None:
    """Out of the picture, or on plain paper: the check says it found no edge."""
    far = np.array([[0.01, 0, -500.0], [0, 0.01, -500.0], [0, 0, 1.0]])
    assert check._blur(GREY, far, laid(4)) == check.NO_EDGE
    there = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    assert check._blur(GREY, there, laid(4)) == check.NO_EDGE


# pictures of questions -------------------------------------------------------------------------------------------


class Mapped:
    """A reader that has placed its mat."""

    def __init__(self, matrix: Any, slots: dict[str, SlotSeen] | None = None) -> None:
        self.matrix, self.mat, self.slots = matrix, laid(4), slots or {}


def test_a_slot_is_shown_whole_when_no_die_was_seen_there() -> None:
    """And not at all before the mat is placed, or where there is no such slot."""
    eye = np.eye(3)
    empty: Any = Mapped(eye)
    assert shows.close_up(frame(), Mapped(None), "gold-1") is None  # type: ignore[arg-type]
    assert shows.close_up(frame(), empty, "gold-9") is None
    whole = shows.close_up(frame(), empty, "gold-1")
    die = DieSeen(owner="sun", owner_share=0.9, faces=(1, 0, 0, 0, 0, 0), x=0.5, y=0.5, size=15)
    near = shows.close_up(frame(), Mapped(eye, {"gold-1": SlotSeen(slot="gold-1", dice=(die,))}), "gold-1")  # type: ignore[arg-type]
    assert whole is not None
    assert near is not None
    assert whole.shape == near.shape


def test_only_a_state_asks_for_a_picture() -> None:
    """Another message on the topic is nobody's question; what cannot be packed is said."""
    sent: list[Any] = []
    bus: Any = SimpleNamespace(publish=lambda topic, data: sent.append(topic))
    shows.Show(bus, Mapped(np.eye(3))).prompted("state", b"?")  # type: ignore[arg-type]
    assert sent == []


def test_a_picture_that_cannot_be_packed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The unpacker's no is an error with words; an album keeps nothing by halves."""
    monkeypatch.setattr(cv2, "imencode", lambda *what: (False, None))
    with pytest.raises(ValueError, match="JPEG"):
        shows.jpeg(GREY, 80)


def test_an_album_keeps_only_what_can_be_named_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that climbs is refused; one that was never kept is dropped without a word."""
    book: Any = SimpleNamespace(picture={"G1a": GREY, "../x": GREY}.__getitem__)
    with pytest.raises(ValueError, match="letters"):
        card_album.keep(tmp_path, book, "../x")
    card_album.keep(tmp_path, book, "G1a")
    card_album.drop(tmp_path, "../G1a")
    assert (tmp_path / "G1a.png").exists()
    card_album.drop(tmp_path, "G1a")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(cv2, "imencode", lambda *what: (False, None))
    with pytest.raises(ValueError, match="cannot be kept"):
        card_album.keep(tmp_path, book, "G1a")


# files -----------------------------------------------------------------------------------------------------------


def test_a_file_too_long_is_not_even_read(tmp_path: Path) -> None:
    """It is sparse here; its length is enough."""
    path = tmp_path / "long.png"
    with path.open("wb") as file:
        file.truncate(2**31)
    with pytest.raises(NoPicture, match="it is larger than 64 MB"):
        read_picture(path)


def test_the_three_kinds_of_webp_tell_their_size() -> None:
    """Extended, lossless and lossy; another kind is none we know."""
    head = b"RIFF\0\0\0\0WEBP"
    extended = head + b"VP8X" + b"\0" * 8 + (99).to_bytes(3, "little") + (49).to_bytes(3, "little")
    assert size_in_header(extended) == (100, 50)
    assert size_in_header(head + b"VP9 " + b"\0" * 20) is None


# looking ---------------------------------------------------------------------------------------------------------


class Source:
    """A camera that gives these frames, then nothing."""

    def __init__(self, *frames: Frame | None, problem: Any = None) -> None:
        self.frames, self.problem, self.held = list(frames), problem, list[bool]()

    def read(self) -> Frame | None:
        return self.frames.pop(0) if self.frames else None

    def close(self) -> None: ...

    def hold(self, pending: bool) -> None:
        self.held.append(pending)


def finder(source: Source, clock: Callable[[], float]) -> Any:
    made = glimpse.Viewfinder.__new__(glimpse.Viewfinder)
    made._source, made._photo, made._now, made._live = source, None, clock, False  # type: ignore[assignment]
    made._settled, made._device = False, "/dev/video9"  # type: ignore[attr-defined]
    return made


def test_a_glimpse_waits_for_a_frame_and_says_when_none_comes() -> None:
    """A frame, a camera with a problem, and one that is silent until the wait is over."""
    times = iter(range(0, 10_000, 1))
    picture = finder(Source(None, frame()), lambda: next(times) * 0.01).look()
    assert picture.shape == GREY.shape
    trouble_ = trouble("camera/unplugged", device="x")
    assert finder(Source(problem=trouble_), lambda: next(times) * 0.01).look() == trouble_
    slow = iter(range(0, 10_000, 1))
    say, _ = finder(Source(), lambda: float(next(slow))).look()
    assert say.params["device"] == "/dev/video9"


def test_only_a_camera_that_can_be_adjusted_is_held() -> None:
    """A file has no exposure."""
    source = Source()
    hold(source, True)  # type: ignore[arg-type]
    assert source.held == [True]
    hold(SimpleNamespace(), True)  # type: ignore[arg-type]


# the virtual camera ----------------------------------------------------------------------------------------------


def test_a_virtual_camera_shows_nothing_before_it_is_told(tmp_path: Path) -> None:
    """Then its picture can be looked at, small."""
    camera = VirtualCamera(None, size=(320, 180))
    assert camera.jpeg() == b""
    camera._told("virtual/table", b"?")
    assert camera.truth is None
    camera._told(
        "virtual/table", VirtualTruth(ts=1.0, slots={"gold-1": {"card": "", "dice": []}}, mat=laid(2).declared)
    )
    camera._wait_until = 0.0
    for _ in range(3):
        camera.read()
    picture = cv2.imdecode(np.frombuffer(camera.jpeg(160), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[1] == 160


@pytest.mark.parametrize(
    ("shade", "word"),
    [
        ((10, 10, 10), "black"),
        ((75, 75, 75), "black"),
        ((100, 100, 100), None),
        ((128, 128, 128), "white"),
        ((60, 75, 78), None),
    ],
)
def test_a_die_without_a_plain_colour_has_no_word(shade: tuple[int, int, int], word: str | None) -> None:
    """Black, white, or neither: grey and muddy dice are not given a colour they have not."""
    assert colour.named(np.full((40, 40, 3), shade, np.uint8)) == word


def test_without_noise_every_exposure_is_the_same() -> None:
    """A lens without blur and a sensor without grain."""
    studio = Studio(market_mat(2))
    clean = np.zeros((studio.lens.height, studio.lens.width, 3), np.uint8)
    assert studio.sensor(clean, Light(noise=0.0), 1) is clean


def test_a_card_full_of_dice_takes_no_more() -> None:
    """No place is free: none is made up."""
    dice = [{"x": x / 10, "y": y / 10} for x in range(11) for y in range(11)]
    assert markets._free(np.random.default_rng(1), dice, (63.0, 88.0)) is None


# the command -----------------------------------------------------------------------------------------------------


def test_a_verb_nobody_knows_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """With the verbs there are."""
    assert command.main(["paint"]) == 2
    assert "paint is not one of" in capsys.readouterr().err


def test_many_photos_on_a_terminal_show_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe it is silent."""
    photos = [Path("a"), Path("b"), Path("c")]
    assert read_command._progress(photos) is photos
    monkeypatch.setattr(read_command.sys.stderr, "isatty", lambda: True, raising=False)
    assert list(read_command._progress(photos)) == photos
