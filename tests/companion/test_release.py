"""A release: the version is set, the changelog dated, and nothing is released twice or by mistake."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.conftest import ROOT

spec = importlib.util.spec_from_file_location("release", ROOT / "scripts" / "release.py")
assert spec is not None and spec.loader is not None
release = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release)

LOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n- A golem.\n\n## [0.1.0] - 2026-11-16\n\n### Added\n- A table.\n"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "__init__.py").write_text('"""Core."""\n\n__version__ = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(LOG)
    return tmp_path


def test_what_was_unreleased_gets_its_number_and_its_day(sources: Path) -> None:
    """What comes next has an empty place above it; what came before stays as it was."""
    release.prepare(sources, "0.2.0", "2026-11-18")
    assert '__version__ = "0.2.0"' in (sources / "companion" / "__init__.py").read_text()
    assert (sources / "CHANGELOG.md").read_text() == LOG.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [0.2.0] - 2026-11-18\n"
    )


@pytest.mark.parametrize("version", ["0.1", "v0.2.0", "0.0.9", "0.1.0"])
def test_a_number_that_is_none_or_taken_or_older_changes_nothing(sources: Path, version: str) -> None:
    """One sentence says why."""
    with pytest.raises(release.NotReadyError):
        release.prepare(sources, version, "2026-11-18")
    assert (sources / "CHANGELOG.md").read_text() == LOG


def test_nothing_new_is_no_release(sources: Path) -> None:
    """An empty section is not worth a number."""
    (sources / "CHANGELOG.md").write_text(LOG.replace("- A golem.\n", ""))
    with pytest.raises(release.NotReadyError, match="nothing to release"):
        release.prepare(sources, "0.2.0", "2026-11-18")


def test_our_own_changelog_can_be_released() -> None:
    """The real files fit the script."""
    assert "## [9.9.9] - 2026-11-18" in release.dated((ROOT / "CHANGELOG.md").read_text(), "9.9.9", "2026-11-18")
