"""The virtual camera: honest pictures of the virtual table, hard enough, and no kin of the reader."""

import ast
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benches.random_markets import in_view, market
from companion.wire.messages import VirtualTruth
from tests.vision.laid import laid, market_mat
from vision import mat
from vision.virtual import plan
from vision.virtual.camera import BUSY, VirtualCamera
from vision.virtual.cardface import face
from vision.virtual.golem import BODY, PALE_PIPS, SPOTS, tile
from vision.virtual.scene import Light, Studio

VISION = Path(mat.__file__).parent


def imports_of(file: Path) -> set[str]:
    """Every module a file names in an import."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_the_renderer_knows_nothing_of_the_reader():
    """Of our own code it imports only the wire, the frame and itself."""
    for file in (VISION / "virtual").glob("*.py"):
        ours = {m for m in imports_of(file) if m.startswith(("vision", "companion", "display", "firmware_bridge"))}
        allowed = ("vision.virtual", "vision.camera.frame", "companion.wire.messages", "companion.sensing")
        assert all(m == "vision" or m.startswith(allowed) for m in ours), f"{file.name}: {ours}"


def test_the_reader_knows_nothing_of_the_renderer():
    """Nothing that reads dice, cards, tiles or pieces imports the virtual table or the training renderer; torch stays in
    training. The room opens the virtual camera, and the demo's album is printed with its cards: neither reads."""
    doors = {VISION / "room.py", VISION / "cards/album.py"}
    readers = {file for file in VISION.rglob("*.py") if "virtual" not in file.relative_to(VISION).parts} - doors
    assert {VISION / name for name in ("reader/pieces.py", "spots.py", "cards/tiles.py", "calibrate.py")} <= readers
    for file in readers:
        assert not {m for m in imports_of(file) if m.startswith(("vision.virtual", "tools.training", "torch"))}, file
    for file in VISION.rglob("*.py"):
        if "training" not in file.parts:
            assert not {m for m in imports_of(file) if m.split(".")[0] in ("torch", "onnx")}, file


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_the_renderers_plan_is_the_printed_mat(rows):
    """Drawn twice, measured the same."""
    printed = laid(rows)
    declared = printed.declared
    assert plan.size(declared) == (printed.width, printed.height)
    assert np.allclose(plan.marker_centres(declared), printed.markers)
    for slot, rect in printed.slots.items():
        assert np.allclose(plan.area_of(declared, slot), rect)


@pytest.mark.parametrize("value", range(1, 7))
def test_every_face_shows_its_pips(value):
    """As many separate marks as the face says, in every colour."""
    for colour in BODY:
        art, _ = tile(colour, value, 3, 1)
        grey = cv2.cvtColor(art, cv2.COLOR_BGR2GRAY)
        marks = [grey[int(v * 96), int(u * 96)] for u, v in SPOTS[value]]
        body = np.median(grey)
        assert len(marks) == value
        assert all((m > body + 25) == (colour in PALE_PIPS) and abs(float(m) - body) > 25 for m in marks), colour


def test_cards_differ():
    """No two ids give the same face."""
    faces = [face(f"{c}{n}{x}").tobytes() for c in "BGRV" for n in range(1, 5) for x in "abc"]
    assert len(set(faces)) == 48


def small_studio(**more: object) -> Studio:
    """A quick camera."""
    return Studio(market_mat(2), lens=plan.Lens(960, 540, **more), seed=2)  # type: ignore[arg-type]


def one(value: int, **more: object) -> dict[str, object]:
    """One die on one card."""
    return {
        "gold-1": {
            "card": "G1a",
            "dice": [{"colour": "snow", "face": value, "x": 0.5, "y": 0.5, "angle": 20.0, **more}],
        }
    }


def test_light_and_lens_change_the_picture_not_the_truth():
    """Darker is darker, a covered lens sees nothing, a swapped face is drawn as the other one."""
    studio = small_studio()
    plain = studio.picture(one(2), None, Light(noise=0))
    assert studio.picture(one(2), None, Light(noise=0, level=0.5)).mean() < 0.6 * plain.mean()
    assert studio.picture(one(2), None, Light(covered=True)).max() < 10
    swapped = studio.picture(one(2), None, Light(noise=0, swap=(2, 5)))
    assert np.array_equal(swapped, studio.picture(one(5), None, Light(noise=0)))
    assert not np.array_equal(swapped, plain)
    nudged = studio.picture(one(2), None, Light(noise=0, nudge=(8.0, 0.0)))
    assert np.abs(nudged.astype(int) - plain).mean() > 3


def test_a_hand_covers_what_it_reaches_for():
    """Where the hand is the picture changes, far from it it does not."""
    studio = small_studio()
    plain = studio.picture(one(3), None, Light(noise=0))
    held = studio.picture(one(3), {"x": 0.4, "y": 0.4}, Light(noise=0))
    changed = (np.abs(held.astype(int) - plain).max(axis=2) > 25).mean()
    assert 0.05 < changed < 0.6


def test_two_exposures_are_never_the_same():
    """The sensor's noise moves from frame to frame, and is as strong as asked."""
    studio = small_studio()
    clean = studio.picture(one(1), None, Light())
    a, b = (studio.sensor(clean, Light(noise=4), k).astype(int) for k in (0, 1))
    assert 3 < (a - b).std() < 8


def test_the_cameras_clock_follows_the_truth():
    """Frames are stamped by the table's time; a table at rest is photographed rarely."""
    camera = VirtualCamera(mat=market_mat(2), size=(640, 360))
    assert camera.read() is None
    camera.show(VirtualTruth(ts=100.0, slots=one(4)))
    stamps = [camera.read().ts for _ in range(4)]
    assert stamps[0] == 100.0 and np.allclose(np.diff(stamps), 1 / 15)
    camera.show(VirtualTruth(ts=160.0, slots=one(5)))
    frame = camera.read()
    assert frame is not None and frame.ts == 160.0 and frame.number == 4
    busy = round(BUSY * 15)
    got = sum(camera.read() is not None for _ in range(busy + 20))
    assert busy - 2 <= got <= busy + 1


def test_words_of_light_it_does_not_know_are_left_alone():
    """The truth may carry more than this camera uses."""
    assert Light.of({"level": 0.5, "covered": 1, "moon": 3, "swap": [1, 6], "noise": "loud"}) == Light(
        level=0.5, covered=True, swap=(1, 6)
    )


def test_a_market_is_drawn_only_with_its_mat_in_view():
    """Set-up refuses a camera that does not see all markers, so the normal range holds none; a pushed one is not in view."""
    assert all(in_view(market(market_mat(4), seed).studio.lens, market_mat(4)) for seed in range(60))
    assert not in_view(replace(plan.Lens(), shift=(150.0, 120.0)), market_mat(4))


def blobs(crop: np.ndarray) -> int:
    """The plain recipe: threshold, count round dark or round light marks, take the better row."""
    settings = cv2.SimpleBlobDetector_Params()  # type: ignore[attr-defined]
    settings.filterByArea, settings.minArea, settings.maxArea = True, 30, 900
    settings.filterByCircularity, settings.minCircularity = True, 0.6
    settings.filterByInertia, settings.minInertiaRatio = True, 0.4
    settings.minDistBetweenBlobs = 4
    best = 0
    for shade in (0, 255):
        settings.filterByColor, settings.blobColor = True, shade
        marks = cv2.SimpleBlobDetector_create(settings).detect(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY))  # type: ignore[attr-defined]
        best = max(best, len(marks))
    return best


def test_the_picture_is_too_hard_for_counting_blobs():
    """Told where every die lies, the plain recipe reads at most 85 %; it is a real try, better than chance."""
    right = total = 0
    for seed in range(900, 906):
        scene = market(market_mat(4), seed)
        image = scene.studio.sensor(scene.studio.picture(scene.slots, None, scene.light), scene.light, 0)
        camera = scene.studio.lens.projection(market_mat(4))
        for slot, what in scene.slots.items():
            left, top, wide, high = plan.area_of(market_mat(4), slot)
            for die in what["dice"]:
                at = np.array([[left + die["x"] * wide, top + die["y"] * high, 15.0]])
                x, y = plan.project(camera, at)[0].astype(int)
                crop = cv2.resize(image[max(0, y - 30) : y + 30, max(0, x - 30) : x + 30], (120, 120))
                right += blobs(crop) == die["face"]
                total += 1
    assert total > 30
    assert 0.2 < right / total <= 0.85


def test_dice_lie_where_the_truth_says():
    """Moving a die in the truth moves it in the picture by the same millimetres."""
    studio = replace(small_studio(tilt=0.0, roll=0.0, bend=0.0))
    here = studio.picture(one(6, x=0.3), None, Light(noise=0))
    there = studio.picture(one(6, x=0.6), None, Light(noise=0))
    changed = np.argwhere(np.abs(here.astype(int) - there).max(axis=2) > 40)
    span = changed.max(axis=0) - changed.min(axis=0)
    per_mm = (
        960 / (plan.size(market_mat(2))[0] * 1.1)
        if plan.size(market_mat(2))[0] / 960 > plan.size(market_mat(2))[1] / 540
        else 540 / (plan.size(market_mat(2))[1] * 1.1)
    )
    assert abs(span[1] / per_mm - (0.3 * 63.0 + 15)) < 8
