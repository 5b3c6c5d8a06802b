"""Loose dice in a tray: pearly ones, six of one colour, side by side; and that a cheap picture of them is the same picture."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from companion.game import Die
from companion.games.kit.dice import TRAY
from companion.senses.standing import SURE
from companion.virtual.pieces import LOOSE, Lying, Pieces
from vision import mat as mats
from vision.camera.frame import small_of
from vision.reader import pips, settings
from vision.reading import MarketReader
from vision.virtual import golem
from vision.virtual.camera import VirtualCamera
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

SIZE = (1280, 720)


def laid(colour: str, **areas: list[Lying]) -> Pieces:
    """A tray in which these dice lie."""
    pieces = Pieces(["sun"], random.Random(1), 4)
    pieces.mat, pieces.loose = TRAY, colour
    pieces.slots = {area.id: ("", areas.get(area.id, [])) for area in TRAY.areas}
    return pieces


def lying(face: int, x: float, y: float, angle: float = 0.0) -> Lying:
    """A loose die, in shares of its area."""
    return Lying(Die(LOOSE, face), x, y, angle, 0)


def read(pieces: Pieces) -> dict[str, list[tuple[int, float]]]:
    """Faces and their shares as the camera settles on them, by area, from the left."""
    camera, reader = VirtualCamera(None, size=SIZE, fps=6.0), MarketReader()
    reader.lay(mats.of(TRAY))
    camera.show(pieces.truth())
    for _ in range(20):
        frame = camera.read()
        assert frame is not None
        seen = reader.see(frame)
        if seen is not None and seen.state == "ready":
            dice = {slot.slot: sorted(slot.dice, key=lambda die: die.x) for slot in seen.slots}
            return {
                slot: [(1 + int(np.argmax(die.faces)), max(die.faces)) for die in some] for slot, some in dice.items()
            }
    raise AssertionError("the camera came to no reading")


@pytest.mark.parametrize("angle", [12.0, 23.0])
def test_a_dark_swirl_beside_the_pip_of_a_pearly_one_is_no_second_pip(angle: float) -> None:
    """In this place the virtual dice are marbled so; it was read as a two, or asked about."""
    ((face, share),) = read(laid("sky", aside=[lying(1, 0.27, 0.1, angle)]))["aside"]
    assert face == 1
    assert share >= SURE


def test_what_the_reader_calls_settled_the_core_does_not_ask_about() -> None:
    """Otherwise a die just below would be asked about although more frames would have told."""
    assert settings.MARKET_SETTLED == SURE


@pytest.mark.parametrize("colour", ["snow", "sun", "coral"])
def test_six_of_one_colour_are_read_also_side_by_side(colour: str) -> None:
    """A row of three that touch, a pair, and one alone."""
    width = TRAY.areas[0].width
    step = 1.02 * TRAY.die_mm / width
    row = [lying(face, 0.2 + i * step, 0.3) for i, face in enumerate((6, 2, 5))]
    pair = [lying(face, 0.6 + i * step, 0.7) for i, face in enumerate((3, 4))]
    found = read(laid(colour, tray=[*row, *pair, lying(1, 0.85, 0.3, 30.0)]))["tray"]
    assert [face for face, _ in found] == [6, 2, 5, 3, 4, 1]
    assert min(share for _, share in found) >= SURE


@pytest.mark.parametrize("colour", golem.BODY)
@pytest.mark.parametrize("face", range(1, 7))
def test_pips_are_counted_whatever_the_body_looks_like(colour: str, face: int) -> None:
    """Dark on light, light on dark, under every swirl: never another number, seldom none."""
    counted = []
    for grain in range(0, 40, 4):
        art, _ = golem.tile(colour, face, grain, grain % 15)
        around = cv2.copyMakeBorder(art, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=(225, 230, 230))
        counted.append(pips.count(np.asarray(cv2.resize(around, (64, 64), interpolation=cv2.INTER_AREA), np.uint8)))
    assert set(counted) <= {face, None}
    assert counted.count(face) >= 8


@pytest.mark.parametrize("light", [Light(), Light(glare=0.5, blur=1.3, level=0.8)])
@pytest.mark.parametrize("hand", [None, {"x": 0.4, "y": 0.6}])
def test_only_what_changed_is_developed_and_the_picture_is_the_same(
    light: Light, hand: dict[str, float] | None
) -> None:
    """Lamp and lens work on the parts around dice and hand; the rest is the bare table they worked on before."""
    slots = laid("sun", tray=[lying(3, 0.1, 0.1, 20.0), lying(5, 0.93, 0.95)]).truth().slots
    whole, parts = (Studio(TRAY, lens=Lens(*SIZE), seed=3) for _ in range(2))
    whole._developed = lambda table, out, light, changed: whole._lit(out, light)  # type: ignore[method-assign]
    parts.picture({}, None, light)
    assert np.array_equal(whole.picture(slots, hand, light), parts.picture(slots, hand, light))


def test_a_frame_nobody_reads_is_only_glanced_at() -> None:
    """Its small picture has the noise the whole one would leave in it; the whole one is made when it is asked for."""
    camera = VirtualCamera(None, size=SIZE, fps=6.0)
    camera.show(laid("snow").truth())
    frames = [frame for _ in range(2) if (frame := camera.read()) is not None]
    assert all(callable(frame.picture) and frame.size == SIZE for frame in frames)
    apart = [frame.small.astype(float) - small_of(frame.image) for frame in frames]
    assert max(float(np.abs(one).max()) for one in apart) <= 4
    assert not np.array_equal(frames[0].small, frames[1].small)
    assert (
        0.5
        < np.std(frames[0].small.astype(float) - frames[1].small)
        / np.std(small_of(frames[0].image).astype(float) - small_of(frames[1].image))
        < 2.0
    )
