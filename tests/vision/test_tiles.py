"""A tile taught once is known again turned by any angle; a look-alike, or one that was never taught, is not taken for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benches.tiles import MAT, SLOTS, TileCount, laid, taught_book, view
from vision import mat as mats
from vision.camera.frame import Frame, Image, small_of
from vision.cards import album
from vision.cards.recognition import CardBook
from vision.commands import CannotDo, knower, teach_from
from vision.reading import MarketReader
from vision.virtual import tileface
from vision.virtual.scene import Light, Studio

SOME = ("hex-wood-1", "hex-wood-2", "hex-sea-1", "square-corn-1", "square-corn-2", "round-rock-1", "round-rock-2")
OTHERS = ("hex-wood-3", "square-corn-3", "round-rock-3")
LIGHT = Light()


@pytest.fixture(scope="module")
def book() -> CardBook:
    """Seven tiles of three outlines, each taught at some angle."""
    return taught_book(SOME, 3)


def picture(tiles: dict[str, Any], light: Light = LIGHT) -> Image:
    studio = Studio(MAT.declared, seed=5)
    return studio.sensor(studio.picture(tiles, None, light), light, 1)


def lying(name: str, angle: float) -> dict[str, Any]:
    return {"tile": {"name": name, "x": 1.5, "y": -1.0, "angle": angle}}


def named(book: CardBook, image: Image) -> dict[str, str | None]:
    """What a reader at this table says lies in each area."""
    reader = MarketReader(MAT, know_card=knower(book), settle=0.1)
    for number in range(30):
        seen = reader.see(Frame(image, small_of(image), number / 15, number))
        if seen is not None and seen.state == "ready":
            return {slot.slot: slot.card.card for slot in seen.slots}
    raise AssertionError("the camera came to no reading")


def test_a_tile_is_known_however_it_is_turned_and_another_is_not_taken_for_it(book: CardBook) -> None:
    angles = np.random.default_rng(8).uniform(0, 360, len(SLOTS))
    names = [*SOME, *OTHERS, *SOME]
    tiles = {slot: lying(name, float(a)) for slot, name, a in zip(SLOTS, names, angles, strict=False)}
    glare = replace(LIGHT, level=0.85, warmth=0.4, glare=0.3, glare_x=0.6, glare_y=0.3)
    found = named(book, picture(tiles, glare))
    for slot, name in zip(SLOTS, names, strict=False):
        assert found[slot] == (name if name in SOME else None), f"{name} at {tiles[slot]['tile']['angle']:.0f} degrees"
    assert {found[slot] for slot in SLOTS[len(names) :]} == {""}, "where nothing lies, nothing is"


def test_no_die_is_looked_for_where_only_tiles_lie(book: CardBook, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def dice_of(image: Image, matrix: mats.Matrix, mat: mats.Mat, slots: tuple[str, ...], *more: Any) -> dict[str, Any]:
        asked.append(slots)
        return dict.fromkeys(slots, ())

    monkeypatch.setattr("vision.reading.dice_of", dice_of)
    assert named(book, picture({SLOTS[0]: lying(SOME[0], 40.0)}))[SLOTS[0]] == SOME[0]
    assert asked and set(asked) == {()}


def test_look_alikes_taught_at_different_angles_are_never_taken_for_each_other(
    book: CardBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same tile twice but for one house: without laying one as the other lies, either would do for both."""
    front, mask = tileface.face("hex-sea-1")
    other = front.copy()
    middle = front.shape[0] // 2
    cv2.rectangle(other, (middle - 34, middle + 22), (middle - 8, middle + 46), (40, 40, 200), -1)
    faces = {"hex-sea-1": (front, mask), "hex-sea-8": (other, mask)}
    drawn = tileface.face
    monkeypatch.setattr(tileface, "face", lambda name: faces.get(name) or drawn(name))
    both = taught_book(("square-corn-1", "hex-sea-1", "round-rock-1", "hex-sea-8", "hex-wood-1", "hex-wood-2"), 12)
    angles = np.random.default_rng(4).uniform(0, 360, len(SLOTS))
    truth = {slot: list(faces)[k % 2] for k, slot in enumerate(SLOTS)}
    found = named(both, picture({slot: lying(truth[slot], float(a)) for slot, a in zip(SLOTS, angles, strict=True)}))
    wrong = {slot: name for slot, name in found.items() if name not in (truth[slot], None)}
    assert wrong == {}
    assert sum(found[slot] == truth[slot] for slot in SLOTS) >= len(SLOTS) - 2


def test_one_face_under_two_names_is_noticed_however_it_was_turned(book: CardBook) -> None:
    image = picture({SLOTS[3]: lying("hex-wood-2", 200.0), SLOTS[4]: lying("hex-wood-4", 200.0)})
    matrix = mats.registered(mats.find(image), MAT)
    assert matrix is not None
    assert teach_from(book, image, matrix, MAT, SLOTS[3], "again") == "hex-wood-2"
    assert teach_from(book, image, matrix, MAT, SLOTS[4], "another") is None
    with pytest.raises(CannotDo, match="cards/empty"):
        teach_from(book, image, matrix, MAT, SLOTS[5], "nothing")
    book.forget("again")
    book.forget("another")


def test_tiles_are_kept_beside_cards_and_found_again_at_the_next_start(book: CardBook, tmp_path: Path) -> None:
    for tile in book.cards:
        album.keep(tmp_path, book, tile)
    (tmp_path / "torn.png").write_bytes((tmp_path / f"{SOME[0]}.png").read_bytes()[:200])
    again, damaged = album.read_book(tmp_path)
    assert set(again.tiles.cards) == set(SOME) and damaged == ("torn",)
    image = picture({slot: lying(name, 77.0) for slot, name in zip(SLOTS, SOME, strict=False)})
    assert [named(again, image)[slot] for slot, _ in zip(SLOTS, SOME, strict=False)] == list(SOME)


def test_the_bench_finds_a_renderer_out_that_lays_other_tiles(book: CardBook, monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: what is read comes from the picture."""
    monkeypatch.setattr("benches.tiles.laid", lambda names, rng: laid([SOME[0]] * len(names), rng))
    result = TileCount()
    view(6, book, book, result)
    assert result.wrong > 15
