"""Another version by touch and the way back: a table installed below a folder, a stick, a finger, and root's half.

Everything is real but two things: the folder stands for the root of the machine, and the test starts what systemd would start
when it sees the mark. The libraries of the environment are those of the tests.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.journal.store import Journal
from companion.machine.sticks import MARK
from companion.machine.update import UpdateError, look, unpack
from companion.virtual.ports import some_ports
from scripts.release import own_key, packed
from tests.conftest import PATIENCE, ROOT, Place, Run, until
from tests.e2e.test_care import Finger

NEW = "9.9.9"
PACKAGES = ("companion", "firmware_bridge", "vision", "display", "speech", "hall", "benches")
UNWANTED = ("node_modules", "__pycache__", "models", "fonts", "test")


GAMES = "".join(f"{name} = companion.games.{name}:pack\n" for name in ("scorepad", "yacht"))


def wheel(folder: Path, version: str, *, broken: bool = False) -> Path:
    """This very code as a package of another version."""
    info, path = f"tableside-{version}.dist-info", folder / f"tableside-{version}-py3-none-any.whl"
    files = {
        one.relative_to(ROOT).as_posix(): one.read_bytes()
        for package in PACKAGES
        for one in (ROOT / package).rglob("*")
        if one.is_file() and not set(one.parts) & set(UNWANTED)
    }
    files["companion/__init__.py"] = f'__version__ = "{version}"\n'.encode() + b"1 / 0\n" * broken
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: tableside\nVersion: {version}\n".encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    entry = f"[console_scripts]\ntableside = companion.cli:main\n\n[tableside.games]\n{GAMES}"
    files[f"{info}/entry_points.txt"] = entry.encode()
    record = [
        f"{name},sha256={urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
        for name, data in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a release is made of, and the maker's key."""
    folder = tmp_path_factory.mktemp("maker")
    for name in ("scripts", "systemd"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "soak", "attacks"))
    (folder / "companion" / "machine").mkdir(parents=True)
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*.lock"), ROOT / "companion/machine/update.py"):
        shutil.copy(path, folder / path.relative_to(ROOT))
    own_key(folder / "release.key", folder / "release.pub")
    return folder


def release(maker: Path, folder: Path, version: str = NEW, *, broken: bool = False) -> Path:
    return packed(maker, wheel(folder, version, broken=broken), version, maker / "release.key")


class Installed(Place):
    """A table as the installer leaves it, below a folder."""

    def __init__(self, root: Path, ports: dict[str, str], maker: Path) -> None:
        super().__init__(root, ports)
        self.opt, self.state = root / "opt/tableside", root / "var/lib/tableside"
        self.python_here = self.opt / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(self.opt / "venv")], check=True)
        site = next((self.opt / "venv/lib").glob("python3*")) / "site-packages"
        libraries = root / "libraries"
        libraries.mkdir()
        for one in Path(pytest.__file__).parents[1].iterdir():
            if "tableside" not in one.name:
                (libraries / one.name).symlink_to(one)
        (site / "here.pth").write_text(f"{libraries}\n{ROOT}\n")
        known = site / f"tableside-{companion.__version__}.dist-info"
        known.mkdir()
        (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tableside\nVersion: {companion.__version__}\n")
        (known / "entry_points.txt").write_text(f"[tableside.games]\n{GAMES}")
        record = ("METADATA", "entry_points.txt", "RECORD")
        (known / "RECORD").write_text("".join(f"{known.name}/{one},,\n" for one in record))
        program = self.opt / "venv/bin/tableside"
        program.write_text(f"#!{self.python_here}\nfrom companion.cli import main\nmain()\n")
        program.chmod(0o755)
        subprocess.run(
            ["sh", ROOT / "scripts/install.sh", "--root", root, "--kiosk", "none"], check=True, capture_output=True
        )
        (self.state / "update").mkdir(parents=True)
        shutil.copy(maker / "release.pub", root / "etc/tableside/release.pub")
        self.environment |= {
            "TABLESIDE_STATE_DIR": str(self.state),
            "TABLESIDE_CONFIG_DIR": str(root / "etc/tableside"),
            "TABLESIDE_TABLE_INSTALLED": str(self.opt),
        }

    def start(self, *module: str, log: object = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        return self._tied([str(self.python_here), "-P", "-m", *module], self.full_environment, log)  # type: ignore[arg-type]

    def version(self) -> str:
        done = subprocess.run(
            [self.opt / "venv/bin/tableside", "--version"], capture_output=True, text=True, check=True
        )
        return done.stdout.split()[-1]

    def roots_half(self) -> int:
        """What `update-tableside.service` starts, once the mark is there."""
        until((self.state / "update/wanted").exists, 30, "the mark")
        command = [sys.executable, "-I", self.opt / "share/update.py", "--root", self.root]
        return subprocess.run(
            command, env=self.full_environment | {"PIP_NO_COMPILE": "1"}, check=False, timeout=120
        ).returncode

    def told(self) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.opt / "update.json").read_text())
        return found


@pytest.fixture
def table(tmp_path: Path, maker: Path) -> Iterator[Installed]:
    stick = tmp_path / "media" / "BLUE"
    stick.mkdir(parents=True)
    (stick / MARK).touch()
    with some_ports() as ports:
        made = Installed(tmp_path / "root", dict(ports), maker)
        (made.root / "etc/tableside/tableside.toml").write_text(f'[table]\nsticks = ["{stick.parent}"]\n')
        yield made


ROOMS = ("--without", "vision,display,firmware_bridge")


@pytest.mark.long(12)
def test_a_newer_version_and_the_way_back_by_touch_with_a_game_on_the_table(
    table: Installed, maker: Path, tmp_path: Path
) -> None:
    """The game goes on in both; the table says what was done, and which version it is."""
    shutil.move(release(maker, tmp_path), tmp_path / "media/BLUE")
    run = Run(table, *ROOMS).start()
    try:
        finger = Finger(run)
        finger.tap("game-yacht")
        finger.tap("start")
        finger.until(lambda: finger.state.game == "yacht", "a game")
        game = finger.state.game_id
        finger.tap("menu")
        finger.tap("menu-care")
        finger.reads(f"This is Tableside {companion.__version__}.")
        finger.tap("update ")
        finger.tap("update ")
        finger.until((table.state / "update/wanted").exists, "the mark")
        assert run.stop() == 0, "systemd would stop it now"
        assert table.roots_half() == 0, table.told()
        assert table.version() == NEW

        run = Run(table, *ROOMS).start()
        finger = Finger(run)
        finger.until(lambda: finger.state.game_id == game, "the same game")
        finger.tap("menu")
        finger.tap("menu-care")
        finger.reads(f"Tableside {NEW} is installed")
        finger.tap("care-back")
        finger.tap("care-back")
        finger.until((table.state / "update/wanted").exists, "the mark")
        assert table.roots_half() == 0, table.told()
        finger.reads(f"Tableside {companion.__version__} is back")
        assert table.version() == companion.__version__
        assert list((table.state / "backups").glob("*.zip")), "games were backed up before anything was exchanged"
    finally:
        run.stop()
    journal = Journal.reading(table.state / "games")
    assert [row.game for row in journal.rows(game)]
    journal.close()


def test_an_update_that_does_not_start_is_never_put_in_place(table: Installed, maker: Path, tmp_path: Path) -> None:
    """Signed or not, it is tried out beside the old one first."""
    shutil.move(release(maker, tmp_path, broken=True), table.state / "update/incoming.zip")
    (table.state / "update/wanted").write_text("update 0123456789abcdef")
    assert table.roots_half() == 1
    assert table.told()["wrong"] == "failed"
    assert table.version() == companion.__version__
    assert not (table.opt / "next").exists()
    assert not (table.opt / "incoming").exists()
    assert not (table.state / "update/wanted").exists(), "it is not tried for ever"


def forged(archive: Path, target: Path, **changed: bytes) -> Path:
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            copy.writestr(name, changed.pop(name, None) or source.read(name))
        for name, data in changed.items():
            copy.writestr(name, data)
    return target


@pytest.fixture(scope="module")
def good(maker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release(maker, tmp_path_factory.mktemp("good"))


def test_only_what_the_maker_signed_is_believed(good: Path, maker: Path, tmp_path: Path) -> None:
    """A changed file, a file more, another's key, an older version, no key at all, no archive: each has its own sentence."""
    key, other = maker / "release.pub", tmp_path / "other.pub"
    own_key(tmp_path / "other.key", other)
    assert look(good, key, "0.1.0").version == NEW
    with zipfile.ZipFile(good) as archive:
        manifest = archive.read("manifest.json")
    bent = manifest.replace(b'"made"', b'"Made"')
    cases = {
        "no-key": (good, tmp_path / "none.pub", "0.1.0"),
        "not-signed": (good, other, "0.1.0"),
        "older": (good, key, NEW),
        "not-one": (forged(good, tmp_path / "more.zip", **{"systemd/evil.service": b"[Service]"}), key, "0.1.0"),
    }
    for code, case in cases.items():
        with pytest.raises(UpdateError) as refused:
            look(*case)
        assert refused.value.code == code
    with pytest.raises(UpdateError, match="not-signed"):
        look(forged(good, tmp_path / "bent.zip", **{"manifest.json": bent}), key, "0.1.0")
    (tmp_path / "text.zip").write_text("no archive")
    with pytest.raises(UpdateError):
        look(tmp_path / "text.zip", key, "0.1.0")

    evil = forged(good, tmp_path / "evil.zip", **{"scripts/install.sh": b"#!/bin/sh\nrm -rf /\n"})
    with pytest.raises(UpdateError) as refused:
        unpack(evil, look(evil, key, "0.1.0"), tmp_path / "tree")
    assert refused.value.code == "damaged"


def test_root_follows_no_link_of_the_tables_user(table: Installed, tmp_path: Path) -> None:
    """A mark or an archive that is a link, a pipe or another's file is none."""
    place = table.state / "update"
    secret = tmp_path / "secret"
    secret.write_text("root's own")
    (place / "wanted").write_text("update 0123456789abcdef")
    (place / "incoming.zip").symlink_to(secret)
    assert table.roots_half() == 1
    os.mkfifo(place / "wanted")
    command = [sys.executable, "-I", table.opt / "share/update.py", "--root", table.root]
    assert subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE).returncode == 1
    assert secret.read_text() == "root's own"
    assert table.version() == companion.__version__
