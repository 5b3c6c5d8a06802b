"""What the camera was taught about this table: mat, player colours, card size and lamp.

The file carries a schema version and a checksum. A damaged one is refused and the older one (`.bak`) is used; a new
one is written beside and moved into place, so a pulled plug leaves the old file whole.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.wire.files import read_file, write_private
from vision.camera.frame import Image, Problem, trouble

SCHEMA = 2
FILE = "calibration.json"

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Lab = tuple[float, float, float]
CARD_MM = (63.0, 88.0)
DIE_MM = 15.0
"""Edge of the dice, unless this table's are known to be otherwise."""
SAMPLES = 64
"""Lab samples kept per player colour: enough for a mean and a spread, small enough to read by eye."""


class LampSeen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The light the table was calibrated under, measured on the white of the markers."""

    level: float
    """Lightness of white paper, 0 to 255."""
    warmth: float = 0.0
    """Lab b of white paper less neutral: above 0 is a warm lamp."""


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One table under one lamp."""

    corners: Corners
    """Centres of the markers 0 to 3 (top left, top right, bottom right, bottom left) in pixels of the full image."""
    tapped: bool = False
    """The corners were tapped by hand: there is no printed mat whose markers could be followed."""
    size: tuple[int, int]
    """Width and height of the image the corners were found in."""
    colours: dict[str, tuple[Lab, ...]] = {}
    """Player colour word -> 8-bit Lab samples (L, a, b as OpenCV gives them) of that player's dice."""
    card_mm: tuple[float, float] = CARD_MM
    die_mm: float = 0.0
    """Edge of this table's dice; 0: as the game declares them."""
    sites: dict[str, dict[str, Point]] = {}
    """By mat: where the middle of a spot lies on this owner's board, in millimetres, if not where the game declares it."""
    lamp: LampSeen | None = None
    created: float = 0.0
    """Unix time."""


class CalibrationRefused(Exception):  # noqa: N818 - what happened, not an error of the program
    """This calibration cannot be used; `problem` says why and what to do."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.problem: Problem = trouble(f"calibration/{code}", **params)


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    sha256: str
    calibration: msgspec.Raw


def validate(calibration: Calibration) -> None:
    """Refuse what no camera above a table can have seen."""
    width, height = calibration.size
    points = np.array(calibration.corners, dtype=np.float32)
    if width < 16 or height < 16 or not np.isfinite(points).all():
        raise CalibrationRefused("corners")
    margin = 0.5 * max(width, height)
    if (points < -margin).any() or (points > (width + margin, height + margin)).any():
        raise CalibrationRefused("corners")
    if not cv2.isContourConvex(points.reshape(-1, 1, 2)) or abs(cv2.contourArea(points)) < 0.01 * width * height:
        raise CalibrationRefused("corners")
    if cv2.contourArea(points, oriented=True) < 0:
        raise CalibrationRefused("mirrored")
    if not all(10 <= side <= 300 for side in calibration.card_mm):
        raise CalibrationRefused("card-size")
    if calibration.die_mm and not 8 <= calibration.die_mm <= 30:
        raise CalibrationRefused("die-size")
    for middle in (place for spots in calibration.sites.values() for place in spots.values()):
        if not all(0 <= length <= 1300 for length in middle):
            raise CalibrationRefused("sites")
    for samples in calibration.colours.values():
        lab = np.array(samples, dtype=np.float64).reshape(-1, 3)
        if not len(lab) or not np.isfinite(lab).all() or (lab < 0).any() or (lab > 255).any():
            raise CalibrationRefused("colours")


def encode(calibration: Calibration) -> bytes:
    """The file's bytes."""
    body = msgspec.json.encode(calibration)
    return msgspec.json.format(
        msgspec.json.encode(_Document(SCHEMA, hashlib.sha256(body).hexdigest(), msgspec.Raw(body)))
    )


def decode(data: bytes) -> Calibration:
    """The calibration in a file; `CalibrationRefused` when it is damaged or from another version."""
    try:
        document = msgspec.json.decode(data, type=_Document)
        if document.schema != SCHEMA:
            raise CalibrationRefused("version")
        calibration = msgspec.json.decode(document.calibration, type=Calibration)
        # the checksum is taken of the values, so that the file may be laid out for reading; of those in the file, so
        # that one written before a value was added stays good
        body = msgspec.json.encode(msgspec.json.decode(document.calibration))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise CalibrationRefused("damaged") from wrong
    if hashlib.sha256(body).hexdigest() != document.sha256:
        raise CalibrationRefused("damaged")
    validate(calibration)
    return calibration


def backup(path: Path) -> Path:
    """Where the older calibration is kept."""
    return path.with_name(path.name + ".bak")


def save(path: Path, calibration: Calibration) -> None:
    """Keep a calibration; the good one before it becomes the backup."""
    validate(calibration)
    data = encode(calibration)
    try:
        before = read_file(path)
        decode(before)
    except (OSError, CalibrationRefused):
        pass  # nothing there, or damaged: a good backup must not be replaced by it
    else:
        write_private(backup(path), before)
    write_private(path, data)


def load(path: Path) -> Calibration | None:
    """The calibration of this table, the older one when the newer is damaged, `None` when there is none."""
    return load_with_problem(path)[0]


def load_with_problem(path: Path) -> tuple[Calibration | None, Problem | None]:
    """The same, and what was wrong with the file."""
    problem: Problem | None = None
    for place in (path, backup(path)):
        try:
            return decode(read_file(place)), problem
        except FileNotFoundError:
            continue
        except OSError as wrong:
            problem = problem or trouble("calibration/unreadable", reason=wrong.strerror or str(wrong))
        except CalibrationRefused as refused:
            problem = problem or refused.problem
    return None, problem


def lab_samples(image: Image, centre: Point, radius: float) -> tuple[Lab, ...]:
    """Lab samples of a die's body in a full image; pips and sheen are left out.

    The body is what most of the patch agrees on: pixels far from the median are pips, glints or table.
    """
    x, y = centre
    height, width = image.shape[:2]
    left, top = max(0, int(x - radius)), max(0, int(y - radius))
    patch = image[top : min(height, int(y + radius) + 1), left : min(width, int(x + radius) + 1)]
    if patch.size == 0:
        return ()
    lab: NDArray[np.float32] = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    away = np.abs(lab - np.median(lab, axis=0)).sum(axis=1)
    body = lab[away <= max(12.0, float(np.percentile(away, 60)))]
    picked = body[np.linspace(0, len(body) - 1, min(SAMPLES, len(body))).astype(int)]
    return tuple((round(float(sl), 1), round(float(sa), 1), round(float(sb), 1)) for sl, sa, sb in picked)


def spread(samples: tuple[Lab, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and covariance of a colour's samples, never narrower than a lamp flickers."""
    lab = np.array(samples, dtype=np.float64).reshape(-1, 3)
    floor = np.diag((60.0, 9.0, 9.0))
    cov = np.cov(lab.T) if len(lab) > 1 else np.zeros((3, 3))
    return lab.mean(axis=0), cov + floor


def scaled(calibration: Calibration, size: tuple[int, int]) -> Corners:
    """The corners in an image of another size from the same camera."""
    fx, fy = size[0] / calibration.size[0], size[1] / calibration.size[1]
    a, b, c, d = ((x * fx, y * fy) for x, y in calibration.corners)
    return a, b, c, d
