"""The installer: every change is shown before it is made, a second call changes nothing, only the games stay behind."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT

SCRIPT = ROOT / "scripts" / "install.sh"
UNITS = {
    "tableside.target",
    "update-tableside.path",
    "update-tableside.service",
    "tableside@.target",
    *(f"tableside-{room}@.service" for room in ("broker", "gate", "core")),
    *(f"tableside-{room}.service" for room in ("broker", "gate", "core", "bridge", "vision", "speech", "hall")),
}


def install(root: Path, *arguments: str, code: int = 0) -> list[str]:
    """What the installer says, line by line."""
    command = ["sh", str(SCRIPT), "--root", str(root), *arguments]
    environment = {key: value for key, value in os.environ.items() if key != "SUDO_USER"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=PATIENCE)
    assert done.returncode == code, done.stdout + done.stderr
    return (done.stdout + done.stderr).splitlines()


def files(root: Path) -> set[str]:
    return {f"/{path.relative_to(root)}" for path in root.rglob("*") if path.is_file() or path.is_symlink()}


def written(lines: list[str]) -> set[str]:
    return {line.removeprefix("+ write ") for line in lines if line.startswith("+ write ")}


@pytest.mark.parametrize("kiosk", ["kms", "desktop", "none"])
def test_a_dry_run_names_every_file_and_writes_none(tmp_path: Path, kiosk: str) -> None:
    """What it would do is what it then does, file by file."""
    said = install(tmp_path, "--dry-run", "--kiosk", kiosk)
    assert files(tmp_path) == set()
    done = install(tmp_path, "--kiosk", kiosk)
    wants = "/etc/systemd/system/multi-user.target.wants"
    assert written(said) | {f"{wants}/tableside.target", f"{wants}/update-tableside.path"} == files(tmp_path)
    assert [line for line in said if line.startswith("+")] == [line for line in done if line.startswith("+")]


def test_the_steps_only_a_machine_can_take_are_shown(tmp_path: Path) -> None:
    """User, environment with the system's packages, and our own package are part of the list."""
    said = "\n".join(install(tmp_path, "--dry-run"))
    for step in ("make the user tableside", "system's site packages", "without pygame", "install tableside"):
        assert step in said


def test_a_second_call_writes_nothing(tmp_path: Path) -> None:
    """Safe to repeat: also the owner's settings stay as they were edited."""
    install(tmp_path)
    settings = tmp_path / "etc/tableside/tableside.toml"
    settings.write_text('[table]\nlanguage = "pl"\n')
    assert written(install(tmp_path)) == set()
    assert 'language = "pl"' in settings.read_text()


def test_what_was_damaged_is_put_right(tmp_path: Path) -> None:
    """A unit that differs from ours is written again, and only that one."""
    install(tmp_path)
    unit = tmp_path / "etc/systemd/system/tableside-core.service"
    unit.write_text("[Service]\n")
    assert written(install(tmp_path)) == {"/etc/systemd/system/tableside-core.service"}
    assert (ROOT / "systemd/tableside-core.service").read_bytes() == unit.read_bytes()


def test_systemd_finds_the_target_enabled(tmp_path: Path) -> None:
    """systemd itself is asked, offline."""
    install(tmp_path)
    asked = ["systemctl", f"--root={tmp_path}", "is-enabled", "tableside.target"]
    assert subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == "enabled"
    found = {path.name for path in (tmp_path / "etc/systemd/system").iterdir() if path.is_file()}
    assert found == UNITS | {"tableside-display.service"}


def test_a_desktop_is_recognised(tmp_path: Path) -> None:
    """With a display manager the screen opens inside the session, and no unit fights for it."""
    manager = tmp_path / "etc/systemd/system/display-manager.service"
    manager.parent.mkdir(parents=True)
    manager.symlink_to("/lib/systemd/system/lightdm.service")
    assert install(tmp_path)[0] == "kiosk: desktop"
    assert "/etc/systemd/system/tableside-display.service" not in files(tmp_path)
    entry = (tmp_path / "etc/xdg/autostart/tableside.desktop").read_text().splitlines()
    assert entry[0] == "[Desktop Entry]"
    program = next(line.removeprefix("Exec=") for line in entry if line.startswith("Exec="))
    assert os.access(tmp_path / program.lstrip("/"), os.X_OK)


def test_changing_the_kiosk_takes_the_other_one_away(tmp_path: Path) -> None:
    """From a desktop to none and back, never both at once."""
    install(tmp_path, "--kiosk", "desktop")
    install(tmp_path, "--kiosk", "kms")
    assert "/etc/xdg/autostart/tableside.desktop" not in files(tmp_path)
    install(tmp_path, "--kiosk", "desktop")
    assert not any("tableside-display" in name for name in files(tmp_path))


def test_the_scripts_it_leaves_are_sound(tmp_path: Path) -> None:
    """The shell reads each of them to the end; tabs of the here-documents are gone."""
    install(tmp_path, "--kiosk", "desktop")
    for name in ("usr/local/bin/tableside", "opt/tableside/bin/screen", "opt/tableside/share/scripts/install.sh"):
        subprocess.run(["sh", "-n", str(tmp_path / name)], check=True)
        assert (tmp_path / name).read_text().startswith("#!/bin/sh\n")


def test_uninstalling_leaves_only_the_games(tmp_path: Path) -> None:
    """Games and backups stay; secrets, settings and programs go; what was there before is untouched."""
    stranger = tmp_path / "etc/systemd/system/other.service"
    stranger.parent.mkdir(parents=True)
    stranger.write_text("[Service]\n")
    install(tmp_path, "--kiosk", "desktop")
    for table in ("tableside", "tableside-tables/club1"):
        kept = tmp_path / "var/lib" / table
        for name in ("games/journal.db", "backups/one.zip", "secrets.json", ".hidden", "broker/mosquitto.conf"):
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            (kept / name).write_text("x")
    (tmp_path / "var/lib/tableside-tables/never-played/secrets").mkdir(parents=True)
    (tmp_path / "etc/systemd/system/multi-user.target.wants/tableside@club1.target").symlink_to("../tableside@.target")
    before = files(tmp_path)
    install(tmp_path, "--uninstall", "--dry-run")
    assert before == files(tmp_path)
    install(tmp_path, "--uninstall")
    assert files(tmp_path) == {
        "/etc/systemd/system/other.service",
        "/var/lib/tableside/games/journal.db",
        "/var/lib/tableside/backups/one.zip",
        "/var/lib/tableside-tables/club1/games/journal.db",
        "/var/lib/tableside-tables/club1/backups/one.zip",
    }
    assert [path.name for path in (tmp_path / "var/lib/tableside-tables").iterdir()] == ["club1"]
    assert [line for line in install(tmp_path, "--uninstall") if line.startswith("+ remove /")] == []


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    """An unknown option, kiosk or folder ends with one line and touches nothing."""
    assert "not known" in install(tmp_path, "--frobnicate", code=2)[-1]
    assert "kms" in install(tmp_path, "--kiosk", "teletype", code=2)[-1]
    assert "no such folder" in install(tmp_path / "nowhere", code=1)[-1]
    assert files(tmp_path) == set()


LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-camera.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_fetched_for_root_is_pinned_by_its_hash(lock: str) -> None:
    """Whoever serves another file under the same name and version is refused; no address stands in a lock."""
    text = (ROOT / lock).read_text()
    pinned = re.findall(
        r"^([a-z0-9.-]+)==([^ ]+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert [name for name, _, _ in pinned] == re.findall(r"^([a-z0-9.-]+)", text, re.MULTILINE) != []
    assert "://" not in text


def test_the_installer_fetches_nothing_that_has_no_hash() -> None:
    """Each time it installs: a lock with hashes, or the package that was built here. Build tools are in a lock, too."""
    script = SCRIPT.read_text()
    calls = [
        line.strip()
        for line in script.splitlines()
        if re.search(r"\$(pip|tools) ", line) and "=" not in line.split()[0]
    ]
    asked = [call for call in calls if "--require-hashes" not in call]
    assert [call.split()[-1] for call in asked if "--no-build-isolation" not in call] == ['"$wheel"']
    assert all(f"/{lock}" in script or lock == "requirements.lock" for lock in LOCKS)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["dependency-groups"]["build"] == project["build-system"]["requires"]


def test_the_system_s_pygame_is_left_out_with_its_hashes() -> None:
    """Half an entry would be no entry at all."""
    (line,) = [line for line in SCRIPT.read_text().splitlines() if line.strip().startswith("awk ")]
    command = line.strip().split(' "$here')[0]
    left = subprocess.run(
        f"{command} requirements.lock", shell=True, cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert re.findall(r"^([a-z0-9.-]+)", left.stdout, re.MULTILINE) == [name for name in names if name != "pygame"]
    assert left.stdout.count("--hash") < (ROOT / "requirements.lock").read_text().count("--hash")


def under_systemd(tmp_path: Path, *steps: str) -> list[str]:
    """What the installer's own functions ask of a systemd with a second table and a hall; a container, so without udev."""
    wanted = ("tell", "change", "leave", "tell_udev", "others", "start_again", "stop_table")
    shape = rf"^(?:{'|'.join(wanted)})\(\) \{{(?:[^\n]*\}}|.*?\n\}})$"
    found = re.findall(shape, SCRIPT.read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == len(wanted)
    given = f"""
        set -eu
        dry= root= update= half_done= resting= scratch={tmp_path}/scratch
        running_systemd() {{ :; }}
        udevadm() {{ return 1; }}
        systemctl() {{
            echo "$*" >> {tmp_path}/asked
            [ "$1" != list-units ] || printf '%s loaded active running x\\n' tableside@club1.target tableside-hall.service
        }}
        trap leave EXIT
    """
    program = "\n".join([given.replace("        ", ""), *found, *steps])
    said = subprocess.run(["sh", "-c", program], check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert "not found" not in said.stderr, said.stderr
    asked = (tmp_path / "asked").read_text().splitlines()
    return [line for line in asked if not line.startswith("list-units")]


EVERYTHING = "tableside.target tableside@club1.target tableside-hall.service"
STOP = "--quiet stop tableside.target tableside@*.target tableside-*.service"


def test_every_table_and_the_hall_run_again_after_an_update(tmp_path: Path) -> None:
    assert under_systemd(tmp_path, "stop_table", "tell_udev", "start_again restart") == [STOP, f"restart {EVERYTHING}"]


def test_whatever_goes_wrong_after_the_table_was_stopped_it_runs_again(tmp_path: Path) -> None:
    assert under_systemd(tmp_path, "stop_table", "false", "start_again restart") == [
        STOP,
        "daemon-reload",
        f"start {EVERYTHING}",
    ]


def test_a_repeated_call_leaves_what_runs_alone(tmp_path: Path) -> None:
    assert under_systemd(tmp_path, "start_again start") == [f"start {EVERYTHING}"]
