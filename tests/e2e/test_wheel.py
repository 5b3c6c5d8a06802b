"""The built wheel, installed in a clean environment, works from another directory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


def run(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done


@pytest.mark.timeout(600)
@pytest.mark.long(18)
def test_a_clean_environment_has_everything(tmp_path: Path) -> None:
    """Words, components, phone page, model and command travel in the wheel; nothing leaks from the working copy."""
    uv = [sys.executable, "-m", "uv"]
    run([*uv, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)])
    wheel = next(tmp_path.glob("*.whl"))
    venv = tmp_path / "venv"
    run([*uv, "venv", "--quiet", "--python", sys.executable, str(venv)])
    python = str(venv / "bin" / "python")
    lock = str(ROOT / "requirements.lock")
    run([*uv, "pip", "install", "--quiet", "--python", python, "-r", lock, str(wheel)])
    tableside = str(venv / "bin" / "tableside")
    assert run([tableside, "--version"], cwd=tmp_path).stdout.startswith("tableside ")
    example = json.loads(run([tableside, "tally", "scorepad", "--example"], cwd=tmp_path).stdout)
    (tmp_path / "pad.json").write_text(json.dumps(example))
    result = json.loads(run([tableside, "tally", "scorepad", "pad.json", "--json"], cwd=tmp_path).stdout)
    assert [player["total"] for player in result["players"]] == [19, 20]
    for game in ("skytopia", "praga", "skyrise"):
        run([tableside, "tally", game, "--example"], cwd=tmp_path)
    check = (
        "from companion.door.page_server import page_files; assert '/page.js' in page_files();"
        "from companion.wire.words import Words; assert Words('pl').knows('undo/last');"
        "import display.fonts, vision, firmware_bridge, companion; print(companion.__file__)"
    )
    where = run([python, "-c", check], cwd=tmp_path).stdout
    assert str(venv) in where
