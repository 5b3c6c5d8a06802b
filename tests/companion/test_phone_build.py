"""The phone page as it is built: small, closed to other hosts, spoken in every language."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.door.page_server import words_json
from companion.phone import build as page
from companion.wire.words import LANGUAGES, catalogue, read_package
from tools.wire_types import files

PHONE = Path(page.__file__).parent
PLACEHOLDER = re.compile(r"\{(\w+)")


@pytest.fixture(scope="module")
def libraries() -> None:
    """Everything the sources need to be built, checked and tested."""
    page.install(dev=True)


@pytest.fixture(scope="module")
def dist(libraries: None) -> Path:
    """The page, fitting its sources."""
    page.build()
    return PHONE / "dist"


def test_the_whole_page_is_at_most_150_kilobytes(dist: Path) -> None:
    """Page, style, fonts and the words of one language, as they travel."""
    files = [p for p in dist.iterdir() if p.suffix in {".html", ".js", ".css", ".woff2"}]
    assert {"index.html", "page.js", "page.css", "TablesideSans-600.woff2"} <= {p.name for p in files}
    words = max(len(gzip.compress(words_json(language))) for language in LANGUAGES)
    assert sum(len(gzip.compress(p.read_bytes())) for p in files) + words <= 150_000


def test_seldom_words_are_fetched_apart_and_none_is_forgotten() -> None:
    """The small catalogue and the rest together are every word of the core, the games and the page."""
    for language in LANGUAGES:
        first, rest = (set(json.loads(words_json(language, rest=part))) for part in (False, True))
        every = {*catalogue(language), *read_package("companion.phone.words", language)} - {""}
        assert not first & rest
        assert every <= first | rest
        seldom = {key for key in rest if not key.endswith("@short")}  # without its short form a word is said in full
        assert {key.split("/")[1] for key in seldom if key.startswith(("praga/", "skytopia/"))} <= {
            "box",
            "option",
            "edit",
            "entry",
            "grid",
            "restore",
            "refuse",
            "do",
            "line",
            "strip",
            "tally",
            "tie",
            "lesson",
            "move",
            "reason",
        }


def test_its_types_are_what_the_structs_say() -> None:
    """`python -m tools.wire_types` writes them."""
    assert [str(path) for path, text in files() if not path.is_file() or path.read_text() != text] == []


def test_nothing_is_written_inline(dist: Path) -> None:
    """The content security policy allows no inline script or style."""
    html = (dist / "index.html").read_text()
    assert re.search(r"<style|style=|\son\w+=|<script(?![^>]*\bsrc=)", html) is None


def test_the_page_loads_from_no_other_host(dist: Path) -> None:
    """The only foreign address is the link to a play log, followed when its reader wants it."""
    text = "".join((dist / name).read_text() for name in ("index.html", "page.css", "page.js"))
    hosts = set(re.findall(r"(?:https?|wss?)://([\w.-]+\.\w+)", text))
    assert hosts - {"www.w3.org", "app.bgstatsapp.com"} <= {"github.com"}  # the last one in messages of libraries
    assert set(re.findall(r"url\(([^)]*)\)", (dist / "page.css").read_text())) == {
        '"./TablesideSans-600.woff2"',
        '"./TablesideSerif-700.woff2"',
    }


def test_fonts_carry_their_licence(dist: Path) -> None:
    """A subset is a changed font: its own name, the licence beside it."""
    assert "SIL OPEN FONT LICENSE" in (dist / "OFL.txt").read_text()
    assert "Source Sans" not in (dist / "page.css").read_text()


def test_the_lock_file_names_no_host() -> None:
    """Where packages come from is the builder's choice."""
    assert '"resolved"' not in (PHONE / "package-lock.json").read_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_page_is_there(language: str) -> None:
    """Keys used in the sources are in every catalogue, with the same placeholders as in English."""
    source = "".join(p.read_text() for p in (PHONE / "src").rglob("*.ts"))
    wanted = set(re.findall(r'"(phone/[a-z0-9/-]+)"', source))
    words, english = read_package("companion.phone.words", language), read_package("companion.phone.words", "en")
    assert len(wanted) > 80
    assert wanted - set(words) == set()
    assert set(english) == set(words)
    for key, forms in words.items():
        if key:
            fields = {name for form in english[key] for name in PLACEHOLDER.findall(form)} | {"n"}
            assert all(set(PLACEHOLDER.findall(form)) <= fields for form in forms), key
            if len(english[key]) > 1:
                assert len(forms) == (3 if language == "pl" else 2), key


def test_the_sources_are_soundly_typed(libraries: None) -> None:
    """TypeScript, strict."""
    node, _ = page.find_node()
    tsc = PHONE / "node_modules" / "typescript" / "bin" / "tsc"
    done = subprocess.run([node, str(tsc), "-p", "."], cwd=PHONE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_words_line_and_drawing_hold_in_their_unit_tests(libraries: None) -> None:
    """The tests beside the sources, run by Node itself."""
    node, _ = page.find_node()
    done = subprocess.run([node, "build.mjs", "test"], cwd=PHONE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    ran = re.search(r"^(?:#|ℹ) pass (\d+)$", done.stdout, re.MULTILINE)
    assert ran is not None and int(ran.group(1)) >= 22


def test_an_unchanged_page_is_not_built_again(dist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second install is quick and needs no Node; one changed letter builds anew."""
    copy = tmp_path / "phone"
    shutil.copytree(PHONE, copy, ignore=shutil.ignore_patterns("node_modules"))
    monkeypatch.setattr(page, "find_node", lambda: pytest.fail("nothing changed, yet it was built"))
    assert page.build(copy) is False
    before = page.fingerprint(copy)
    (copy / "style.css").write_text("body{}")
    assert page.fingerprint(copy) != before
