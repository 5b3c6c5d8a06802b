"""Many tables on one machine: template units that keep every door of the plain ones closed, and a doctor who knows them all."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.machine import doctor, tables
from companion.wire.config import load
from tests.systemd.confinement import Unit
from tests.systemd.test_units import EXPOSURE, NEWER
from tools import template_units

FILES = dict(template_units.files())
SERVICES = [path for path in FILES if path.suffix == ".service"]


def test_they_are_made_from_the_plain_units() -> None:
    """`python -m tools.template_units` writes them: no filter of a table is missing at another."""
    assert [path.name for path, text in FILES.items() if not path.is_file() or path.read_text() != text] == []
    for path in SERVICES:
        plain, many = Unit(path.with_name(path.name.replace("@", ""))), Unit(path)
        for key in ("SystemCallFilter", "RestrictAddressFamilies", "ProtectSystem", "IPAddressDeny", "DevicePolicy"):
            assert plain.all(key) == many.all(key)


def test_nothing_of_the_machines_own_table_is_theirs() -> None:
    """Its folders are closed, and every path below them is the instance's own."""
    for path in SERVICES:
        text = path.read_text()
        assert "InaccessiblePaths=-/var/lib/tableside " in text
        named = set(re.findall(r"/var/lib/tableside[^ \n]*", text)) - {"/var/lib/tableside"}
        assert all(place.startswith("/var/lib/tableside-tables/%i") for place in named), named
        assert "StateDirectory=tableside-tables/%i\n" in text
        assert "ConfigurationDirectory=tableside/tables/%i\n" in text
        assert not re.search(r"tableside(-\w+)?\.(service|target)", text.partition("\n")[2])


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_exposure_is_low(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(unit)], capture_output=True, text=True, check=False
    )
    found = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found.group(1)) <= EXPOSURE


def test_systemd_accepts_an_instance(tmp_path: Path) -> None:
    for path, text in FILES.items():
        made = text.replace("/opt/tableside/venv/bin/python", sys.executable)
        made = made.replace("/opt/tableside/venv/bin/tableside", shutil.which("true") or "/bin/true")
        (tmp_path / path.name).write_text(made)
    names = [str(tmp_path / path.name.replace("@", "@club1")) for path in FILES]
    for path in FILES:
        (tmp_path / path.name.replace("@", "@club1")).symlink_to(tmp_path / path.name)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if "tableside" in line and not any(key in line for key in NEWER)]
    assert (said, done.returncode) == ([], 0)


def a_table(folder: Path, name: str, broker: int, line: int, page: int) -> None:
    (folder / name).mkdir(parents=True)
    text = f'[table]\nid = "{name}"\n[broker]\nport = {broker}\nwebsocket_port = {line}\n[web]\nport = {page}\n'
    (folder / name / "tableside.toml").write_text(text)


def test_the_doctor_knows_them_all(tmp_path: Path) -> None:
    """One that does not run, one whose port is another's, one whose settings are wrong; and which ports are free."""
    a_table(tmp_path, "club1", 20_000, 20_001, 20_002)
    a_table(tmp_path, "club2", 20_000, 20_011, 20_012)
    a_table(tmp_path, "club3", 20_020, 20_021, 20_022)
    with (tmp_path / "club3" / "tableside.toml").open("a") as file:
        file.write("colour = 7\n")
    (tmp_path / "NOT A TABLE").mkdir()
    found = {one.name: one for one in doctor.further(load(), list(tables.others(tmp_path, tmp_path / "state")))}

    assert set(found) == {"table club1", "table club2", "table club3"}
    assert found["table club1"].status == "warn" and "tableside@club1.target" in found["table club1"].do
    assert found["table club2"].status == "bad" and "broker.port = 20000 is club1's already" in found["table club2"].say
    assert "20030, 20031, 20032" in found["table club2"].do
    assert found["table club3"].status == "bad" and "colour" in found["table club3"].say
