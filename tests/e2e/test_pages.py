"""Pages made by commands: the settings are all there and up to date, the figures say what was measured."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from companion.wire.config import SECTIONS
from tests.conftest import PATIENCE, ROOT

SAMPLE = [
    {"name": "committed move to 24 phones, p99", "value": 41.23456, "unit": "ms", "budget": 100, "ok": True, "n": 500,
     "peers": {"plain loop": 12.5}},
    {"name": "16 dice", "value": 71, "unit": "ms", "budget": 60, "ok": False, "n": 40, "peers": {}},
    {"name": "games a second", "value": 12345.6, "unit": "", "budget": None, "ok": None, "n": 3, "peers": {}},
    {"name": "display", "value": None, "unit": "", "budget": None, "ok": False, "n": 0, "peers": {}},
]  # fmt: skip


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)


def test_the_settings_page_is_up_to_date() -> None:
    """Made from the settings themselves; run scripts/settings_doc.py after changing them."""
    done = script("settings_doc.py", "--check")
    assert done.returncode == 0, done.stderr


def test_every_setting_stands_on_the_page_with_its_default() -> None:
    """Counted without the script that made it."""
    text = (ROOT / "docs" / "settings.md").read_text()
    for section, kind in SECTIONS.items():
        part = re.split(r"^## ", text.partition(f"## [{section}]")[2], maxsplit=1, flags=re.MULTILINE)[0]
        keys = re.findall(r"^\| `(\w+)` \| `.+?` \| .+? \| .{4,} \|$", part, flags=re.MULTILINE)
        assert keys == list(kind.__struct_fields__)


def test_figures_are_written_with_machine_date_and_what_was_missed(tmp_path: Path) -> None:
    """Rows in, one line each out; a missed budget stands in the first lines."""
    (tmp_path / "rows.json").write_text(json.dumps(SAMPLE))
    os.utime(tmp_path / "rows.json", (1_790_000_000, 1_790_000_000))
    done = script("figures.py", str(tmp_path / "rows.json"), "--output", str(tmp_path / "figures.md"))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "figures.md").read_text()
    assert "Measured 2026-09-21 on:" in text
    assert "cores" in text
    assert "1 of 3 budgets kept. Missed: 16 dice, display." in text
    assert "| committed move to 24 phones, p99 | 41.23 ms | 100 ms | yes | 500 | plain loop 12.5 |" in text
    assert "| 16 dice | 71 ms | 60 ms | **no** | 40 |  |" in text
    assert "| games a second | 12,346 |  |  | 3 |  |" in text
    assert "| display | not measured |" in text


def test_figures_without_rows_are_not_written(tmp_path: Path) -> None:
    """A bench that broke does not leave an empty page."""
    for content in ("", "[]", '{"name": 1}'):
        (tmp_path / "rows.json").write_text(content)
        done = script("figures.py", str(tmp_path / "rows.json"), "--output", str(tmp_path / "figures.md"))
        assert done.returncode == 1
        assert done.stderr.startswith("figures: ")
    assert not (tmp_path / "figures.md").exists()
