"""Make a release: `python scripts/release.py 0.2.0` sets the version, dates the changelog, builds, and says what is left to do.

Beside wheel and archive it makes what a table takes from a USB stick: everything the installer needs, named with size and hash in
a manifest, and the manifest signed. Tables believe the key that came with them (`release.pub`); its other half is made at the
first release, stays with who makes releases, and should be kept as one keeps a house key.

Nothing is committed, tagged or sent anywhere: that is for a person to do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEY = Path(os.environ.get("TABLESIDE_RELEASE_KEY") or Path.home() / ".config" / "tableside" / "release.key")
CARRIED = (
    "scripts/install.sh",
    "companion/machine/update.py",
    "README.md",
    "release.pub",
    "requirements.lock",
    "requirements-build.lock",
    "requirements-camera.lock",
    "systemd/*",
)
"""What the installer needs beside the wheel."""
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
NEXT = """
dist/ holds the wheel, the archive and the update of {version}. What is left to do:

  1. look at the changes        git diff
  2. try it on a table          sudo scripts/install.sh --update --wheel {wheel}
  3. run everything             make ci
  4. commit and tag             git add release.pub && git commit -am "Tableside {version}"
                                git tag -a v{version} -m "Tableside {version}"
  5. send both                  git push && git push origin v{version}
  6. for tables                 {update} on a USB stick, then Backup and care on the screen
"""


class NotReadyError(Exception):
    """Why there is nothing to release; one sentence."""


def numbers(version: str) -> tuple[int, ...]:
    """A version as it is compared."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise NotReadyError(f"{version!r} is not a version: write three numbers, like 0.2.0.")
    return tuple(map(int, version.split(".")))


def dated(changelog: str, version: str, day: str) -> str:
    """The changelog with what was unreleased under its version, and an empty place for what comes next."""
    head, mark, rest = changelog.partition("## [Unreleased]\n")
    now, later, before = rest.partition("\n## [")
    if not mark or "- " not in now:
        raise NotReadyError("CHANGELOG.md has nothing under [Unreleased]: there is nothing to release.")
    if f"## [{version}]" in changelog:
        raise NotReadyError(f"CHANGELOG.md has a section {version} already: choose the next number.")
    return f"{head}{mark}\n## [{version}] - {day}\n{now.rstrip()}\n{later}{before}"


def prepare(root: Path, version: str, day: str) -> None:
    """Version and changelog, both or neither."""
    module, log = root / "companion" / "__init__.py", root / "CHANGELOG.md"
    known = VERSION.search(module.read_text())
    if known is None:
        raise NotReadyError(f"{module} names no version.")
    if numbers(version) < numbers(known[1]):
        raise NotReadyError(f"{version} is older than {known[1]}: choose a later number.")
    after = dated(log.read_text(), version, day)
    module.write_text(VERSION.sub(f'__version__ = "{version}"', module.read_text()))
    log.write_text(after)


def own_key(key: Path, public: Path) -> None:
    """The maker's key and its public half, made once."""
    if not key.is_file():
        key.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)], check=True)
        key.chmod(0o600)
    made = subprocess.run(["openssl", "pkey", "-in", str(key), "-pubout"], check=True, capture_output=True)
    if public.is_file() and public.read_bytes() != made.stdout:
        raise NotReadyError(f"{public} belongs to another key than {key}: tables would not believe this release.")
    public.write_bytes(made.stdout)


def packed(root: Path, wheel: Path, version: str, key: Path) -> Path:
    """The update for a stick, beside its wheel: what it holds is named with size and hash, and the list is signed."""
    found = {path.relative_to(root).as_posix(): path for name in CARRIED for path in sorted(root.glob(name))}
    found[f"wheel/{wheel.name}"] = wheel
    known = {
        name: {"size": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for name, path in found.items()
    }
    told = {"format": "tableside-update-1", "version": version, "made": round(time.time()), "files": known}
    manifest, signature = (wheel.with_name(f"tableside-update-{version}.{end}") for end in ("json", "sig"))
    manifest.write_text(json.dumps(told, indent=1))
    sign = ["openssl", "pkeyutl", "-sign", "-inkey", str(key), "-rawin", "-in", str(manifest)]
    subprocess.run([*sign, "-out", str(signature)], check=True)
    update = manifest.with_suffix(".zip")
    with zipfile.ZipFile(update, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in (("manifest.json", manifest), ("manifest.sig", signature), *found.items()):
            archive.write(path, name)
    manifest.unlink()
    signature.unlink()
    return update


def main() -> int:
    """Prepare, build, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version", help="the number of the release, like 0.2.0")
    version = parser.parse_args().version
    try:
        changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
        if changed.stdout:
            raise NotReadyError("Something is not committed: a release is built from what is in the history.")
        own_key(KEY, ROOT / "release.pub")
        prepare(ROOT, version, time.strftime("%Y-%m-%d"))
    except NotReadyError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    subprocess.run([sys.executable, "-m", "build", "--outdir", "dist"], cwd=ROOT, check=True)
    wheel = next(iter(sorted((ROOT / "dist").glob(f"tableside-{version}-*.whl"))))
    update = packed(ROOT, wheel, version, KEY)
    sys.stdout.write(NEXT.format(version=version, wheel=wheel.relative_to(ROOT), update=update.relative_to(ROOT)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
