"""What the lab's disk is made of: everything the installer asks for, and made anew when any of it changes."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tools.lab import root as lab_root
from tools.lab.place import ROOMS, ROOT


@pytest.mark.parametrize("kiosk", ["kms", "desktop"])
def test_the_installer_misses_nothing_that_a_release_carries(kiosk: str, tmp_path: Path) -> None:
    source, root = tmp_path / "src", tmp_path / "root"
    root.mkdir()
    for path in lab_root.carried():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, source / path)
    wheel = source / "tableside-0.0.0-py3-none-any.whl"
    wheel.write_bytes(b"not looked into")
    install = ["sh", source / "scripts/install.sh", "--root", root, "--kiosk", kiosk, "--wheel", wheel]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (root / "opt/tableside/share/update.py").is_file()


def test_every_package_and_every_unit_counts() -> None:
    """A disk that is older than what it is made of is made again."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) <= set(lab_root.PRODUCT)
    assert {Path("systemd") / path.name for path in (ROOT / "systemd").iterdir()} <= set(lab_root.carried())


def test_rooms_are_what_the_table_wants() -> None:
    """No hall, no template: those are not started with a table."""
    install = (ROOT / "scripts/install.sh").read_text()
    listed = re.search(r'^rooms="([^"]+)"', install, re.MULTILINE)
    assert listed is not None
    assert set(ROOMS) == {*listed[1].split(), "display"}
