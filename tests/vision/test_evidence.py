"""What the camera saw is kept for the game, bounded, deletable, and can be read again."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from companion.wire.messages import CardSeen, DieSeen, SlotSeen
from vision import evidence as ev
from vision.evidence import Evidence


def a_reading(slot: str = "gold-2", owner: str = "sun", face: int = 5, card: str | None = "G2a") -> SlotSeen:
    """One die on one card."""
    faces = [0.01] * 6
    faces[face - 1] = 0.95
    die = DieSeen(owner=owner, owner_share=0.98, faces=tuple(faces), x=0.4, y=0.6, size=16.0)  # type: ignore[arg-type]
    return SlotSeen(slot=slot, dice=(die,), card=CardSeen(card=card, share=0.8))


def a_picture(seed: int = 0, side: int = 200) -> np.ndarray:
    """A picture with something on it."""
    return np.random.default_rng(seed).integers(0, 255, (side, side, 3)).astype(np.uint8)


def test_a_reading_is_kept_with_its_picture_and_candidates(tmp_path: Path) -> None:
    """What was reported, when, and what else it might have been."""
    kept = Evidence(tmp_path / "evidence")
    kept.begin("g-1")
    smooth = np.full((264, 189, 3), (60, 120, 200), np.uint8)
    record = kept.keep(a_reading(), smooth, ts=12.5, frame=99, cards=(("G2a", 0.8), ("G2b", 0.3)))

    assert record is not None
    assert list(ev.records(kept.place)) == [record]
    assert record.seen == a_reading()
    assert (record.ts, record.frame, record.cards[1]) == (12.5, 99, ("G2b", 0.3))
    image = ev.picture(kept.place, record)
    assert image is not None
    assert np.abs(image.astype(int) - smooth).max() <= 4
    assert stat.S_IMODE((tmp_path / "evidence").stat().st_mode) == 0o700


def test_the_disk_is_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    """A long game keeps its newest readings."""
    kept = Evidence(tmp_path, limit_mb=1)
    kept.begin("g-1")
    for number in range(40):
        kept.keep(a_reading(), a_picture(number), frame=number)
    frames = [record.frame for record in ev.records(kept.place)]

    on_disk = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    assert on_disk <= 1_000_000
    assert on_disk == kept.bytes
    assert frames == list(range(frames[0], 40))
    assert frames[0] > 0


def test_a_restart_in_mid_game_goes_on_and_a_new_game_starts_clean(tmp_path: Path) -> None:
    """Evidence lasts for the length of the game."""
    first = Evidence(tmp_path)
    first.begin("g-1")
    first.keep(a_reading(), a_picture())

    again = Evidence(tmp_path)
    again.begin("g-1")
    record = again.keep(a_reading(face=6), a_picture())
    assert record is not None
    assert [r.number for r in ev.records(again.place)] == [0, 1]

    again.begin("g-2")
    assert list(ev.records(again.place)) == []
    assert not (tmp_path / "g-1").exists()


def test_evidence_can_be_deleted_and_switched_off(tmp_path: Path) -> None:
    """One reading, everything, or none at all from the start."""
    kept = Evidence(tmp_path / "e")
    kept.begin("g-1")
    for _ in range(3):
        kept.keep(a_reading(), a_picture())
    kept.forget(1)
    assert [record.number for record in ev.records(kept.place)] == [0, 2]
    kept.forget()
    assert not (tmp_path / "e").exists()
    assert kept.bytes == 0

    off = Evidence(tmp_path / "off", limit_mb=0)
    off.begin("g-1")
    assert off.keep(a_reading(), a_picture()) is None
    assert not (tmp_path / "off").exists()


@pytest.mark.parametrize("name", ["../elsewhere", "", "/etc", "a/b", ".."])
def test_a_game_id_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    """Whatever a message says, files stay where they belong."""
    kept = Evidence(tmp_path / "evidence")
    kept.begin(name)
    kept.keep(a_reading(), a_picture())
    assert all((tmp_path / "evidence") in file.parents for file in tmp_path.rglob("*.jpg"))
    assert len(list(tmp_path.rglob("*.jpg"))) == 1


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reading goes out, only its evidence is missing, and nothing half is left."""
    kept = Evidence(tmp_path)
    kept.begin("g-1")
    written = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.suffix == ".json":
            raise OSError(28, "No space left on device")
        return written(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert kept.keep(a_reading(), a_picture()) is None
    assert kept.failed == 1
    assert list(kept.place.iterdir()) == []


def test_every_picture_can_be_read_again(tmp_path: Path) -> None:
    """The same dice and card now as then, a reader that sees otherwise, and a picture that is gone."""
    kept = Evidence(tmp_path)
    kept.begin("g-1")
    for face in (1, 2, 3, 4):
        kept.keep(a_reading(face=face), a_picture(face), frame=face)
    (kept.place / "000003.jpg").unlink()
    (kept.place / "000009.json").write_text("{ damaged")

    def read(image: np.ndarray, record: ev.Record) -> SlotSeen:
        assert image.shape == (200, 200, 3)
        return a_reading(face=6 if record.frame == 2 else record.frame)

    compared = list(ev.replay(kept.place, read))
    assert [one.same for one in compared] == [True, False, True, False]
    assert compared[3].now is None


def test_the_gist_is_what_matters_for_the_game() -> None:
    """Shares may differ a little; owner, face and card may not."""
    assert ev.gist(a_reading()) == ((("sun", 5),), "G2a")
    assert ev.gist(a_reading(card=None)) != ev.gist(a_reading())
    assert ev.gist(a_reading(owner="sky")) != ev.gist(a_reading())
