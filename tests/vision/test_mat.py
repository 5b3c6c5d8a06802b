"""The printed mat: true to scale, found again in a picture, laid straight."""

import re

import cv2
import numpy as np
import pytest

from companion import sensing
from tests.vision.laid import laid
from vision import mat
from vision.mat import MARKER
from vision.mat_pdf import EDGE, OVERLAP, PAPER, POINT, drawing, pages, pdf
from vision.terminal.mat import main


def drawn(rows: int, per_mm: int = 4) -> np.ndarray:
    """The mat as paper seen from above, made from its markers alone."""
    plan = laid(rows)
    out = np.full((int(plan.height * per_mm), int(plan.width * per_mm)), 240, np.uint8)
    for number, (x, y) in enumerate(plan.markers):
        bits = mat.marker_bits(number)
        side = mat.MARKER / len(bits)
        for i, j in zip(*np.nonzero(bits), strict=True):
            x0, y0 = x - mat.MARKER / 2 + j * side, y - mat.MARKER / 2 + i * side
            out[round(y0 * per_mm) : round((y0 + side) * per_mm), round(x0 * per_mm) : round((x0 + side) * per_mm)] = 20
    return out


def seen(rows: int, turn: float = 0.0, size: tuple[int, int] = (1920, 1080)) -> tuple[np.ndarray, np.ndarray]:
    """A slanted, turned view of the mat and the matrix that made it."""
    plan, paper = laid(rows), drawn(rows)
    scale = 0.8 * min(size) / max(plan.width, plan.height)
    a = np.radians(turn)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    middle = np.array([[1, 0, -plan.width / 2], [0, 1, -plan.height / 2], [0, 0, 1.0]])
    view = np.array([[scale, 0, size[0] / 2], [0, scale, size[1] / 2], [1e-4, 2e-4, 1.0]])
    matrix = view @ spin @ middle
    picture = cv2.warpPerspective(paper, matrix @ np.diag([0.25, 0.25, 1]), size, flags=cv2.INTER_AREA, borderValue=90)
    return picture, matrix / matrix[2, 2]


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_a_market_has_four_columns_and_as_many_rows_as_players(rows):
    """Slots never overlap and stay clear of the markers."""
    plan = laid(rows)
    assert 4 * rows == len(plan.slots)
    boxes = list(plan.slots.values())
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0 and y >= mat.BAND and x + w <= plan.width and y + h <= plan.height - mat.BAND
        for x2, y2, w2, h2 in boxes[i + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
    assert plan.slots["blue-1"][1] < plan.slots["blue-2"][1]


@pytest.mark.parametrize(
    ("area", "why"),
    [
        (sensing.Area("tray", 0, 0, 90, 90, ("loose dice",)), "one name"),
        (sensing.Area("beside", 20, 0, 90, 90, ("loose dice",)), "outside"),
    ],
)
def test_what_cannot_be_printed_is_no_mat(area, why):
    """Two areas of one name, or one that hangs over the edge."""
    with pytest.raises(ValueError, match=why):
        sensing.Mat(100, 100, (sensing.Area("tray", 0, 0, 90, 90, ("loose dice",)), area))


@pytest.mark.parametrize("turn", [0, 90, 180, 263])
def test_the_mat_is_found_however_it_is_turned(turn):
    """Upside down or sideways, every slot is known within half a millimetre."""
    picture, truth = seen(4, turn)
    matrix = mat.registered(mat.find(picture), laid(4))
    assert matrix is not None
    corners = np.array([[laid(4).slots["gold-3"][:2], laid(4).slots["violet-4"][:2]]], np.float64)
    away = cv2.perspectiveTransform(corners, matrix) - cv2.perspectiveTransform(corners, truth)
    assert np.abs(away).max() < 1.0


def test_one_marker_may_be_covered_two_may_not():
    """Three markers give the view, two do not."""
    markers = mat.find(seen(3)[0])
    three = {k: markers[k] for k in (0, 1, 2)}
    assert mat.registered(three, laid(3)) is not None
    assert mat.registered({k: markers[k] for k in (0, 1)}, laid(3)) is None


def test_known_markers_are_followed_in_small_windows():
    """After a nudge of a few pixels they are found again near where they were."""
    picture, _ = seen(4, 10)
    before = mat.centres(mat.find(picture))
    assert before is not None
    nudged = cv2.warpAffine(picture, np.array([[1, 0, 9.0], [0, 1, -6.0]]), (1920, 1080), borderValue=90)
    after = mat.centres(mat.follow(nudged, before, 60))
    assert after is not None
    assert np.allclose(np.array(before) + np.array([9, -6]), np.array(after), atol=0.7)


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((1080, 1920), np.uint8),
        np.full((1080, 1920, 3), 255, np.uint8),
        np.zeros((3000, 4000, 3), np.uint8),
        np.zeros((1, 1), np.uint8),
    ],
)
def test_where_there_is_no_mat_none_is_found(picture):
    """Black, white, huge and tiny frames hold no market."""
    assert mat.registered(mat.find(picture), laid(4)) is None


def test_corners_tapped_by_hand_stand_in_for_the_markers():
    """Four taps give the same view as four found markers."""
    picture, truth = seen(2)
    centres = mat.centres(mat.find(picture))
    assert centres is not None
    assert np.allclose(truth, mat.from_corners(centres, laid(2)) / 1, atol=0.05 * np.abs(truth).max())
    slot = mat.straight(picture, mat.from_corners(centres, laid(2)), laid(2).slots["red-2"], 3.0)
    assert slot.shape[:2] == (264, 189)


def test_a_mirrored_view_makes_no_sense():
    """A mat seen from below is refused."""
    picture, _ = seen(4)
    markers = mat.find(picture)
    mirrored = {
        k: (np.array([1920, 0], np.float32) - square * (1, -1)).astype(np.float32) for k, square in markers.items()
    }
    assert mat.registered(mirrored, laid(4)) is None


@pytest.mark.parametrize(("players", "paper"), [(n, p) for n in (2, 3, 4) for p in ("a3", "a4")])
def test_the_sheets_are_true_to_scale_and_cover_the_mat(players, paper):
    """Each sheet has the paper's size; together, with their overlap, they show every millimetre."""
    plan = laid(players)
    sheets = pages(plan, paper)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf(plan, paper))
    assert len(sheets) == len(boxes)
    for (w, h), (width, height, _, _) in zip(boxes, sheets, strict=True):
        assert {round(float(w) / POINT), round(float(h) / POINT)} == {int(v) for v in PAPER[paper]}
        assert (round(float(w) / POINT), round(float(h) / POINT)) == (round(width), round(height))
    reach_x = max(x + width - 2 * EDGE for width, _, x, _ in sheets)
    reach_y = max(y + height - 2 * EDGE for _, height, _, y in sheets)
    assert reach_x >= plan.width and reach_y >= plan.height
    assert OVERLAP >= 5 or len(sheets) == 1


def test_the_drawing_has_every_slot_and_marker():
    """Squares of four markers, an outline per slot, and the line to check the scale by."""
    words = drawing(laid(4))
    black = sum(int(mat.marker_bits(k).sum()) for k in range(4))
    assert black == len(re.findall(r"2\.687 2\.687 re f", words))
    assert len(re.findall(r"63\.00 88\.00 re S", words)) == 16
    assert "100 mm" in words


def test_the_file_points_to_its_own_objects():
    """Every entry of the cross-reference table leads to the object it names."""
    data = pdf(laid(4), "a4")
    start = int(re.search(rb"startxref\n(\d+)", data).group(1))
    assert data[start:].startswith(b"xref")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data), start=1):
        assert data[int(place) :].startswith(f"{number} 0 obj".encode())


def test_the_command_writes_the_mat(tmp_path, capsys):
    """A file appears, and a line says how to print it; an impossible place gives one line and exit 1."""
    assert main(["--players", "3", "--paper", "a4", "-o", str(tmp_path / "mat.pdf")]) == 0
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert "100 mm" in capsys.readouterr().err
    assert main(["-o", str(tmp_path / "no" / "mat.pdf")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_every_game_with_something_to_see_has_its_mat_printed(tmp_path, capsys):
    """A game without one, and one nobody announces, are said in a line."""
    assert main(["skytopia", "-o", str(tmp_path / "sky.pdf")]) == 0
    assert main(["scorepad", "-o", str(tmp_path / "none.pdf")]) == 1
    assert "without a mat" in capsys.readouterr().err
    assert main(["nosuch", "-o", str(tmp_path / "none.pdf")]) == 1
    assert "no such game" in capsys.readouterr().err
    assert not (tmp_path / "none.pdf").exists()


def test_the_mat_says_which_edge_is_its_top() -> None:
    """Newcomer F3: in words, between the upper markers, clear of them and of every slot."""
    plan = laid(4)
    found = re.search(r"Tf ([\d.]+) ([\d.]+) Td \(TOP", drawing(plan))
    assert found is not None
    x, y = float(found.group(1)), plan.height - float(found.group(2))
    (left, _), (right, _) = plan.markers[0], plan.markers[1]
    assert left + MARKER < x < right - MARKER
    assert 5 < y < min(top for _, top, _, _ in plan.slots.values())
