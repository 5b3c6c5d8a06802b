"""The shipped networks: whole, small, and refused when they are not what was measured."""

import shutil

import cv2
import numpy as np
import pytest

from benches.random_markets import market
from tests.vision.laid import market_mat
from vision.reader import nets, photo


def test_the_networks_are_the_measured_ones_and_small():
    """Checksums fit, and both together stay below 2 MB."""
    total = sum(len(nets.checked(name)) for name in ("finder.onnx", "face.onnx"))
    assert 100_000 < total < 2_000_000


def test_a_damaged_network_is_refused(tmp_path):
    """One flipped bit, a missing file, a missing list: each is said."""
    for name in ("finder.onnx", "face.onnx", "SHA256SUMS"):
        shutil.copy(nets.MODELS / name, tmp_path / name)
    assert nets.checked("face.onnx", tmp_path) == nets.checked("face.onnx")
    data = bytearray((tmp_path / "face.onnx").read_bytes())
    data[1000] ^= 1
    (tmp_path / "face.onnx").write_bytes(bytes(data))
    with pytest.raises(nets.ModelDamaged, match="damaged"):
        nets.checked("face.onnx", tmp_path)
    (tmp_path / "face.onnx").unlink()
    with pytest.raises(nets.ModelDamaged, match="cannot be read"):
        nets.checked("face.onnx", tmp_path)
    (tmp_path / "SHA256SUMS").unlink()
    with pytest.raises(nets.ModelDamaged, match="cannot be read"):
        nets.checked("finder.onnx", tmp_path)


def test_shares_are_shares():
    """Both networks together still give six shares that make one."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        faces, die = nets.pooled(
            rng.normal(0, 4, 7).astype(np.float32), nets.softmax(rng.normal(0, 3, 6).astype(np.float32))
        )
        assert faces.shape == (6,) and abs(float(faces.sum()) - 1) < 1e-4 and 0 <= die <= 1


def test_a_free_photo_needs_no_mat():
    """Dice in a plain picture are found in its own pixels, with colour and confidence, and none is made up."""
    scene = market(market_mat(4), 77)
    for slot in scene.slots.values():
        slot["dice"] = []
    scene.slots["gold-2"]["dice"] = [{"colour": "snow", "face": 4, "x": 0.5, "y": 0.5, "angle": 12.0}]
    scene.slots["red-3"]["dice"] = [{"colour": "sun", "face": 6, "x": 0.4, "y": 0.6, "angle": 40.0}]
    image = scene.studio.picture(scene.slots, None, scene.light)
    piece = image[200:880, 400:1500]
    dice = photo.read(piece)
    assert sorted(d.value or 0 for d in dice) == [4, 6]
    assert {d.colour for d in dice} == {"white", "yellow"}
    for d in dice:
        assert d.x >= 0 and d.x + d.w <= 1100 and d.y >= 0 and d.y + d.h <= 680 and 0 < d.confidence <= 1
        assert set(d.document()) == {"x", "y", "w", "h", "value", "colour", "confidence"}


def test_touching_boxes_are_two_dice_overlapping_ones_are_one():
    """Shared area decides."""
    others = np.array([(38, 0, 40, 40), (4, 4, 40, 40), (10, 10, 12, 12), (90, 90, 12, 12)], np.float32)
    beside, shifted, inside, apart = nets.overlaps(np.array([(0, 0, 40, 40)], np.float32), others)[0]
    assert beside < 0.1
    assert shifted > 0.5
    assert inside > 0.5
    assert apart == 0.0


def test_every_close_up_keeps_its_own_scores():
    """In the order they were given, as if each were alone; none at all has none."""
    rng = np.random.default_rng(4)
    crops = [rng.integers(0, 256, (64, 64, 3), np.uint8) for _ in range(11)]
    alone = np.concatenate([nets.face_scores([crop]) for crop in crops])
    assert np.allclose(nets.face_scores(crops), alone, atol=1e-4)
    assert nets.face_scores([]).shape == (0, 7)


def test_a_squeezed_die_is_stretched_back_before_its_face_is_read():
    """A round pip that a slanted view or a squeezed photo made an oval is round again, also at the edge of a picture."""
    for w, h in ((60, 40), (40, 60), (50, 50)):
        for x in (100, -5):
            picture = np.zeros((200, 300, 3), np.uint8)
            middle = (x + w // 2, 80 + h // 2)
            cv2.ellipse(picture, middle, (w // 4, h // 4), 0, 0, 360, (255, 255, 255), -1)
            die = nets.Found(x, 80, w, h, 1.0, np.full(6, 1 / 6, np.float32))
            _, _, across, down = cv2.boundingRect((nets.crop(picture, die, filled=True)[..., 0] > 127).astype(np.uint8))
            assert abs(across - down) <= 3 and 25 < across < 32
            _, _, across, down = cv2.boundingRect((nets.crop(picture, die)[..., 0] > 127).astype(np.uint8))
            assert abs(across / down - w / h) < 0.15, "the plain close-up keeps its shape"
