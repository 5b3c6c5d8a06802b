"""The lab's container: what it lacks is said, and the other version it is given is one."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from tools.lab.box import Box, another_version
from tools.lab.place import LabError


def test_a_missing_program_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(LabError, match="apt-get install systemd-container"):
        Box(tmp_path)


def test_another_version_says_so_everywhere(tmp_path: Path) -> None:
    old = tmp_path / "tableside-0.1.0-py3-none-any.whl"
    info = "tableside-0.1.0.dist-info"
    with zipfile.ZipFile(old, "w") as archive:
        archive.writestr("companion/__init__.py", '__version__ = "0.1.0"\n')
        archive.writestr("companion/other.py", 'SINCE = "0.1.0"\n')
        archive.writestr(f"{info}/METADATA", "Name: tableside\nVersion: 0.1.0\n")
        archive.writestr(f"{info}/RECORD", f"companion/__init__.py,,\n{info}/METADATA,,\n{info}/RECORD,,\n")
    (tmp_path / "new").mkdir()
    made = another_version(old, "9.9.9", tmp_path / "new")
    assert made.name == "tableside-9.9.9-py3-none-any.whl"
    with zipfile.ZipFile(made) as archive:
        assert archive.read("companion/__init__.py") == b'__version__ = "9.9.9"\n'
        assert archive.read("companion/other.py") == b'SINCE = "0.1.0"\n'
        assert b"Version: 9.9.9\n" in archive.read("tableside-9.9.9.dist-info/METADATA")
        named = {line.split(",")[0] for line in archive.read("tableside-9.9.9.dist-info/RECORD").decode().splitlines()}
        assert named <= set(archive.namelist())
