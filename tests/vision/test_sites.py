"""Sites tapped on the live picture: an owner's board, laid as it came, is looked at where it really lies."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from benches.random_boards import Board, board, turned
from benches.spots import FOUR, Watched
from companion.games.skyrise.mat import islands_mat
from companion.wire.config import Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Do
from tests.vision.test_spots import HAND, read, with_pieces
from vision import calibrate, calibration, evidence
from vision import mat as mats
from vision.camera.frame import Frame, small_of
from vision.commands import CameraDesk
from vision.show import Show


@pytest.fixture(scope="module")
def scene() -> Board:
    return board(turned(islands_mat(), "nw", "se"), 3, colours=FOUR, shapes=("tower",), tokens=True)


@pytest.fixture(scope="module")
def taught(scene: Board) -> Watched:
    """A camera that believes the islands to lie as declared, over a board on which two of them do not."""
    found = Watched(scene)
    found.teach(np.random.default_rng(4))
    found.reader.lay(mats.of(islands_mat()))
    found.reader.stands("game", {})
    found.show(found.scene.bare, None, found.scene.light, 1)
    return found


@pytest.fixture
def table(taught: Watched) -> Watched:
    """As it was when its teaching ended."""
    return deepcopy(taught)


def desk_of(table: Watched, folder: Path) -> CameraDesk:
    """The camera's commands at this table."""
    scene = table.scene
    image = scene.studio.sensor(scene.studio.picture(scene.bare, None, scene.light), scene.light, 3)
    frame = Frame(image, small_of(image), table.ts, table.number)
    if not (folder / calibration.FILE).exists():
        assert table.reader.matrix is not None
        found = calibrate.sampled(image, table.reader.matrix, table.reader.mat, {}, None)
        calibration.save(folder / calibration.FILE, msgspec.structs.replace(found, colours=dict(table.reader.taught)))
    bus = MemoryBroker().bus("vision")
    kept = evidence.Evidence(folder / "evidence", 1)
    return CameraDesk(table.reader, lambda: frame, Config(state_dir=folder), lambda: 1.0, Show(bus, table.reader), kept)


def ordered(desk: CameraDesk, command: str, **args: Any) -> Any:
    return desk.commands()[command](Do(id="1", client="display", command=command, args=args))


def true_places(table: Watched) -> dict[str, list[float]]:
    """Where every site really is in the picture: what a finger taps."""
    assert table.reader.matrix is not None
    width, height = table.reader._size
    own = mats.of(table.scene.studio.mat)
    found = {}
    for spot in own.spots:
        x, y, wide, high = own.slots[spot]
        across, down = mats.in_picture(table.reader.matrix, (x + wide / 2, y + high / 2))
        found[spot] = [across / width, down / height]
    return found


PIECES = {"nw_2": "coral", "c_n": "leaf", "se_11": "snow", "se_4": "sun"}
WANTED = {spot.replace("_", "-"): colour for spot, colour in PIECES.items()}


def seen(table: Watched) -> dict[str, str]:
    """The board is looked at without pieces, a hand comes and puts some down, and they are read."""
    bare, light = table.scene.bare, table.scene.light
    table.show(bare, None, light, 20)
    table.show(bare, HAND, light, 4)
    return read(table.show(with_pieces(table, **PIECES), None, light, 60))


def test_without_the_taps_pieces_are_seen_at_other_sites(table: Watched) -> None:
    """Negative control: the owner's islands really lie otherwise."""
    assert seen(table) != WANTED


def test_tapped_sites_are_read_where_they_lie_and_are_remembered(table: Watched, tmp_path: Path) -> None:
    desk = desk_of(table, tmp_path)
    shown = ordered(desk, "sites").result["sites"]
    assert set(shown) == set(true_places(table))
    islands = [name.rpartition("-")[0] for name in shown]
    assert len([one for i, one in enumerate(islands) if i == 0 or islands[i - 1] != one]) == 5, "island by island"
    assert ordered(desk, "place sites", sites=true_places(table)).ok
    assert seen(table) == WANTED

    again = desk_of(table, tmp_path)  # another evening
    plain = mats.of(islands_mat())
    assert again.laid(plain) == table.reader.mat != plain
    assert again.laid(plain).in_reading_order == plain.in_reading_order, "colours are taught where they always are"
    assert ordered(again, "place sites", sites={}).ok
    assert table.reader.mat == plain


def test_a_site_the_camera_cannot_look_at_is_refused_and_nothing_is_kept(table: Watched, tmp_path: Path) -> None:
    desk = desk_of(table, tmp_path)
    for sites in ({"nw-1": [0.0, 0.0]}, {"nw-99": [0.5, 0.5]}):
        answer = ordered(desk, "place sites", sites=sites)
        assert answer.refusal is not None
        assert answer.refusal.code == "vision/calibration/site-outside"
    assert not ordered(desk, "place sites", sites={"nw-1": "there"}).ok
    kept = calibration.load(tmp_path / calibration.FILE)
    assert kept is not None and not kept.sites


def test_corners_tapped_anew_forget_sites_measured_from_the_old_ones(table: Watched, tmp_path: Path) -> None:
    desk = desk_of(table, tmp_path)
    assert ordered(desk, "place sites", sites=true_places(table)).ok
    assert desk.taught is not None and desk.taught.sites
    corners = [[0.1, 0.1], [0.9, 0.12], [0.9, 0.9], [0.1, 0.9]]
    assert ordered(desk, "calibrate", corners=corners).ok
    assert desk.taught.tapped and not desk.taught.sites
