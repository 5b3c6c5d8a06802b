"""Make a release: `python scripts/release.py 0.2.0` sets the version, dates the changelog, builds, and says what is left to do.

Nothing is committed, tagged or sent anywhere: that is for a person to do.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
NEXT = """
dist/ holds the wheel and the archive of {version}. What is left to do:

  1. look at the changes        git diff
  2. try it on a table          sudo scripts/install.sh --update --wheel {wheel}
  3. run everything             make test
  4. commit and tag             git commit -am "Tableside {version}" && git tag -a v{version} -m "Tableside {version}"
  5. send both                  git push && git push origin v{version}
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


def main() -> int:
    """Prepare, build, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version", help="the number of the release, like 0.2.0")
    version = parser.parse_args().version
    try:
        changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
        if changed.stdout:
            raise NotReadyError("Something is not committed: a release is built from what is in the history.")
        prepare(ROOT, version, time.strftime("%Y-%m-%d"))
    except NotReadyError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    subprocess.run([sys.executable, "-m", "build", "--outdir", "dist"], cwd=ROOT, check=True)
    wheel = next(iter(sorted((ROOT / "dist").glob(f"tableside-{version}-*.whl"))))
    sys.stdout.write(NEXT.format(version=version, wheel=wheel.relative_to(ROOT)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
