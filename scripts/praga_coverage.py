"""Write `docs/rules/praga-coverage.md` from the marks of the tests: `python scripts/praga_coverage.py`.

A test that holds a sentence of the rulebook says so (`@pytest.mark.sentence(46, 51, how="computed")`); what the sentences say, in
our own words, and why a few are nobody's to hold, lies in `tests/companion/praga/sentences.toml`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "companion" / "praga"
PAGE = ROOT / "docs" / "rules" / "praga-coverage.md"
HOW = ("enforced", "computed", "prompted")
HEAD = """\
# Praga Caput Regni: which test holds which sentence of the rulebook

Made by `python scripts/praga_coverage.py` from the marks of the tests; nobody writes it by hand, and a test compares it.
The sentences are told in our own words. *Enforced*: what breaks it is refused. *Computed*: the table does it. *Prompted*: it
is asked for or said at its moment. Printed numbers no source gives are asked of the owner (`docs/rules/praga.md`, 17.3).
"""
TABLE = ("| # | page | what it says | held | by |", "|---|---|---|---|---|")


class Sentence(msgspec.Struct, frozen=True):
    """One sentence of the rulebook."""

    number: int
    page: int
    says: str
    why_not: str = ""
    """Why no test holds it; empty where one does."""


def sentences() -> tuple[Sentence, ...]:
    """All sentences, in the order of the book."""
    listed = tomllib.loads((TESTS / "sentences.toml").read_text(encoding="utf-8"))["sentences"]
    return tuple(msgspec.convert(one, Sentence) for one in listed)


def marks() -> dict[int, list[tuple[str, str]]]:
    """Sentence -> how it is held, and by which test."""
    found: dict[int, list[tuple[str, str]]] = {}
    for path in sorted(TESTS.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for test in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            for number, how in _marked(test):
                found.setdefault(number, []).append((how, f"{path.stem}::{test.name}"))
    return found


def _marked(test: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.sentence":
            how = next((ast.literal_eval(word.value) for word in mark.keywords if word.arg == "how"), HOW[0])
            yield from ((ast.literal_eval(number), how) for number in mark.args)


def page() -> str:
    """The whole page."""
    held, all_of_them = marks(), sentences()
    counts = {how: sum(held.get(one.number, [("", "")])[0][0] == how for one in all_of_them) for how in HOW}
    nobody = sum(bool(one.why_not) for one in all_of_them)
    count = ", ".join(f"{counts[how]} {how}" for how in HOW)
    lines = [HEAD, f"{len(all_of_them)} sentences: {count}, {nobody} held by nobody.", "", *TABLE]
    for one in all_of_them:
        by = held.get(one.number, [])
        how, tests = by[0][0] if by else "–", "<br>".join(name for _, name in by)
        lines.append(f"| {one.number} | {one.page} | {one.says} | {how} | {tests or one.why_not} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
