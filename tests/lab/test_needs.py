"""What the lab lacks is said in one line, with what to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.lab import command, place
from tools.lab.place import LabError, cache, need


def test_missing_programs_are_named_with_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "SYSTEM", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError) as told:
        need(building=True)
    line = str(told.value)
    assert "\n" not in line
    for package in ("qemu-system-x86", "debootstrap", "nbdkit"):
        assert package in line.partition("apt-get install ")[2]


def test_missing_rights_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "_lacking", lambda wanted: [])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LabError, match="needs root"):
        need(building=True)
    need(building=False)


def test_nothing_of_it_lies_among_the_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TABLESIDE_LAB_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache() == tmp_path / "tableside-lab"
    monkeypatch.setenv("TABLESIDE_LAB_CACHE", "/somewhere/else")
    assert cache() == Path("/somewhere/else")


@pytest.mark.parametrize("word", ["shell", "shot"])
def test_without_a_machine_nothing_is_pretended(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLESIDE_LAB_CACHE", str(tmp_path))
    assert command.main([word, *(["picture"] if word == "shot" else [])]) == 1
    assert "no machine is running: scripts/lab.py start" in capsys.readouterr().err
