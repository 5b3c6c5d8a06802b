"""Deleting evidence deletes evidence: never another folder, never another file, never unasked."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.vision.test_evidence import a_picture, a_reading
from vision.evidence import FOLDER, Evidence
from vision.terminal import evidence as evidence_command


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evidence:
    """Two readings of one game, at a table whose owner stands among their own photos."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    home = tmp_path / "home"
    for name in ("my photos", "games", "000001.jpg"):
        (home / name).mkdir(parents=True)
        (home / name / "000001.jpg").write_bytes(b"a wedding")
    monkeypatch.chdir(home)
    evidence = Evidence(tmp_path / "state" / FOLDER)
    evidence.begin("g-1")
    for _ in range(2):
        evidence.keep(a_reading(), a_picture())
    return evidence


@pytest.mark.parametrize("named", [".", "..", "my photos", "games", "000001.jpg", "{state}", "{state}/evidence"])
def test_a_folder_that_is_no_evidence_is_never_deleted(
    kept: Evidence, tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """Whatever folder a slip of the finger names, and whoever insists."""
    before = sorted(tmp_path.rglob("*"))
    assert evidence_command.main(["--forget", "--yes", named.format(state=tmp_path / "state")]) == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert "nothing was deleted" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["g-1", "g-1.jsonl", "{place}", None])
def test_a_game_is_forgotten_by_its_name_its_file_or_its_folder(
    kept: Evidence, tmp_path: Path, named: str | None
) -> None:
    """And with it only its own folder."""
    words = [] if named is None else [named.format(place=kept.place)]
    assert evidence_command.main(["--forget", "--yes", *words]) == 0
    assert not kept.place.exists()
    assert len(list((tmp_path / "home").rglob("000001.jpg"))) == 4


def test_the_owner_is_asked_first(kept: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal nobody can be asked, so nothing is deleted; on one, only a yes counts."""
    for terminal, answer, gone in (
        (False, "y\n", False),
        (True, "\n", False),
        (True, "n\n", False),
        (True, "Y\n", True),
    ):
        stdin = io.StringIO(answer)
        stdin.isatty = lambda terminal=terminal: terminal  # type: ignore[method-assign]
        monkeypatch.setattr("sys.stdin", stdin)
        assert evidence_command.main(["--forget"]) == (0 if gone else 1)
        assert kept.place.exists() is not gone


def test_a_file_of_the_owner_s_among_the_evidence_stays(kept: Evidence) -> None:
    """Only what the camera kept goes, also when the next game begins."""
    (kept.place / "note.txt").write_text("we argued about this one")
    assert evidence_command.main(["--forget", "--yes"]) == 0
    assert [file.name for file in kept.place.iterdir()] == ["note.txt"]
    kept.begin("g-2")
    kept.forget()
    assert (kept.folder / "g-1" / "note.txt").exists()


@pytest.mark.parametrize("linked", ["evidence", "game"])
def test_a_link_is_never_followed_to_what_it_leads_to(kept: Evidence, tmp_path: Path, linked: str) -> None:
    """Neither by the command nor by the camera's room when a game begins."""
    photos = tmp_path / "home"
    link = kept.folder if linked == "evidence" else kept.folder / "linked"
    if linked == "evidence":
        kept.folder.rename(tmp_path / "elsewhere")
    link.symlink_to(photos if linked == "evidence" else photos / "my photos")
    evidence_command.main(["--forget", "--yes"])
    evidence_command.main(["--forget", "--yes", str(link)])
    again = Evidence(kept.folder)
    again.begin("g-9")
    again.keep(a_reading(), a_picture())
    again.forget()
    assert len(list(photos.rglob("000001.jpg"))) == 4
    assert not (photos / "g-9").exists()
