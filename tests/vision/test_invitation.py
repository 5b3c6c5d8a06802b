"""An invitation to the hall, held under the table's camera: on a phone or on paper, askew, small, in lamp light."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

from companion.wire.invitation import Invitation
from tests.vision.laid import market_mat
from vision.camera.frame import Image
from vision.terminal import code
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

INVITED = Invitation("club-12", ("192.168.178.101:8883", "192.168.178.101:8884"), "K7QD" * 4, "ABCD" * 4)
STUDIO = Studio(market_mat(2), lens=Lens(width=1280, height=720))
LAMP = Light()


def held(side: float, turned: float, tilt: float) -> Image:
    """The code on something white over the table, `side` pixels wide, as lens and sensor see it."""
    rows = segno.make(INVITED.text, micro=False).matrix_iter(scale=8, border=4)
    paper = np.array([[20 if dark else 235 for dark in row] for row in rows], np.uint8)
    high = paper.shape[0]
    corners = side * np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    turn = np.radians(turned)
    corners = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners[:, 0] *= 1 + tilt * corners[:, 1] / side  # the far edge is smaller
    corners[:, 1] *= 1 - 0.6 * tilt
    corners += (700, 370)
    sheet = np.array([[0, 0], [high, 0], [high, high], [0, high]], np.float32)
    seen = cv2.getPerspectiveTransform(sheet, corners.astype(np.float32))
    picture = STUDIO.picture({}, None, LAMP).copy()
    over = cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR)
    wide = (picture.shape[1], picture.shape[0])
    cv2.warpPerspective(over, seen, wide, dst=picture, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(STUDIO.sensor(cv2.GaussianBlur(picture, (0, 0), LAMP.blur), LAMP, 3), np.uint8)


@pytest.mark.parametrize(("side", "turned", "tilt"), [(300, 0, 0.0), (240, 20, 0.2), (220, 100, 0.25), (180, 45, 0.15)])
def test_a_code_over_the_table_is_read(side: float, turned: float, tilt: float) -> None:
    """Nine centimetres of sixty that the camera sees, turned and held askew."""
    assert code.read(held(side, turned, tilt)) == INVITED.text


def test_a_table_without_a_code_says_nothing() -> None:
    assert code.read(STUDIO.sensor(STUDIO.picture({}, None, LAMP), LAMP, 1)) == ""


def test_the_cameras_own_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command looks through the camera of the settings: first an empty table, then a hand brings the code."""
    pictures = tmp_path / "frames"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), STUDIO.picture({}, None, LAMP))
    cv2.imwrite(str(pictures / "2.png"), held(260, 12, 0.1))
    for key, value in {
        "STATE_DIR": tmp_path,
        "CONFIG_DIR": tmp_path,
        "CAMERA_SOURCE": "folder",
        "CAMERA_PATH": pictures,
    }.items():
        monkeypatch.setenv(f"TABLESIDE_{key}", str(value))

    assert code.main(["camera"]) == 0
    assert capsys.readouterr().out == f"{INVITED.text}\n"
    cv2.imwrite(str(pictures / "2.png"), STUDIO.picture({}, None, LAMP))
    monkeypatch.setattr(code, "LOOKS", 2)
    assert code.main(["camera"]) == 1
