"""What the camera was taught survives a pulled plug, and a damaged file is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import calibration as cal
from vision.calibration import Calibration, CalibrationRefused, LampSeen

CORNERS = ((200.0, 100.0), (1700.0, 110.0), (1690.0, 980.0), (210.0, 970.0))


def a_calibration(**changes: object) -> Calibration:
    """A table as a camera two feet above it sees it."""
    known = Calibration(
        corners=CORNERS,
        size=(1920, 1080),
        colours={"sun": ((200.0, 130.0, 190.0), (198.0, 131.0, 188.0))},
        lamp=LampSeen(level=210.0, warmth=6.0),
        created=1_000.0,
    )
    return msgspec.structs.replace(known, **changes)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    """Saving and loading gives the same calibration."""
    place = tmp_path / "state" / cal.FILE
    cal.save(place, a_calibration())

    assert a_calibration() == cal.load(place)
    assert [file.name for file in place.parent.iterdir()] == [cal.FILE]


def test_a_table_never_calibrated_has_none(tmp_path: Path) -> None:
    """No file is no problem: the camera asks to be calibrated."""
    assert cal.load_with_problem(tmp_path / cal.FILE) == (None, None)


@settings(max_examples=60, deadline=None)
@given(position=st.floats(0, 1, exclude_max=True), value=st.integers(1, 255))
def test_a_damaged_byte_never_changes_the_table(position: float, value: int) -> None:
    """Whatever byte is flipped, the file is refused or means the same."""
    data = bytearray(cal.encode(a_calibration()))
    data[int(position * len(data))] ^= value
    try:
        assert a_calibration() == cal.decode(bytes(data))
    except CalibrationRefused as refused:
        assert refused.code in ("damaged", "version")


def test_a_damaged_file_falls_back_to_the_one_before(tmp_path: Path) -> None:
    """The older calibration goes on serving, and the problem is said."""
    place = tmp_path / cal.FILE
    cal.save(place, a_calibration(created=1.0))
    cal.save(place, a_calibration(created=2.0))
    place.write_bytes(place.read_bytes()[:-40])

    kept, problem = cal.load_with_problem(place)

    assert kept is not None
    assert kept.created == 1.0
    assert problem is not None
    assert problem[0].key == "vision/calibration/damaged/say"


def test_a_damaged_file_does_not_become_the_backup(tmp_path: Path) -> None:
    """Saving over a damaged file keeps the good backup."""
    place = tmp_path / cal.FILE
    cal.save(place, a_calibration(created=1.0))
    cal.save(place, a_calibration(created=2.0))
    place.write_bytes(b"{}")
    cal.save(place, a_calibration(created=3.0))

    assert cal.decode(place.read_bytes()).created == 3.0
    assert cal.decode(cal.backup(place).read_bytes()).created == 1.0


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"corners": ((200.0, 100.0), (1700.0, 110.0), (210.0, 970.0), (1690.0, 980.0))}, "corners"),
        ({"corners": ((200.0, 100.0), (210.0, 970.0), (1690.0, 980.0), (1700.0, 110.0))}, "mirrored"),
        ({"corners": ((1.0, 1.0), (5.0, 1.0), (5.0, 5.0), (1.0, 5.0))}, "corners"),
        ({"corners": ((float("nan"), 1.0), (5.0, 1.0), (5.0, 5.0), (1.0, 5.0))}, "corners"),
        ({"card_mm": (0.0, 88.0)}, "card-size"),
        ({"die_mm": 3.0}, "die-size"),
        ({"colours": {"sun": ()}}, "colours"),
        ({"colours": {"sun": ((300.0, 0.0, 0.0),)}}, "colours"),
    ],
)
def test_an_impossible_calibration_is_refused_and_the_old_one_kept(
    tmp_path: Path, changes: dict[str, object], code: str
) -> None:
    """A crossed, mirrored or tiny mat is a mistake: nothing is written."""
    place = tmp_path / cal.FILE
    cal.save(place, a_calibration())
    with pytest.raises(CalibrationRefused) as refused:
        cal.save(place, a_calibration(**changes))

    assert code == refused.value.code
    assert a_calibration() == cal.load(place)


def test_another_version_is_refused(tmp_path: Path) -> None:
    """A file of a future version is not guessed at."""
    document = json.loads(cal.encode(a_calibration()))
    document["schema"] = 99
    with pytest.raises(CalibrationRefused, match="version"):
        cal.decode(json.dumps(document).encode())


def test_colour_samples_are_of_the_body_not_of_the_pips() -> None:
    """A die's colour is what most of it shows."""
    image = np.full((200, 200, 3), (40, 90, 60), np.uint8)
    cv2.rectangle(image, (60, 60), (140, 140), (40, 190, 240), -1)
    for x, y in ((80, 80), (120, 120), (100, 100)):
        cv2.circle(image, (x, y), 8, (20, 20, 20), -1)
    cv2.circle(image, (115, 85), 6, (255, 255, 255), -1)

    samples = cal.lab_samples(image, (100, 100), 36)
    body = cv2.cvtColor(np.array([[(40, 190, 240)]], np.uint8), cv2.COLOR_BGR2LAB)[0, 0]

    assert len(samples) == cal.SAMPLES
    assert np.abs(np.array(samples) - body).max() <= 2
    mean, cov = cal.spread(samples)
    assert np.allclose(mean, body, atol=2)
    assert np.linalg.det(cov) > 0
    assert cal.lab_samples(image, (900, 900), 10) == ()


def test_corners_follow_the_size_of_the_image() -> None:
    """The same camera at another resolution sees the mat at the same place."""
    assert cal.scaled(a_calibration(), (960, 540)) == ((100.0, 50.0), (850.0, 55.0), (845.0, 490.0), (105.0, 485.0))


def test_a_file_from_before_the_size_of_dice_was_kept_is_good(tmp_path: Path) -> None:
    """A value added later has its usual value, and the checksum still holds."""
    path = tmp_path / cal.FILE
    cal.save(path, a_calibration())
    document = msgspec.json.decode(path.read_bytes())
    del document["calibration"]["die_mm"], document["calibration"]["tapped"]
    body = msgspec.json.encode(document["calibration"])
    document["sha256"] = hashlib.sha256(body).hexdigest()
    path.write_bytes(msgspec.json.format(msgspec.json.encode(document)))
    assert cal.load(path) == a_calibration()
