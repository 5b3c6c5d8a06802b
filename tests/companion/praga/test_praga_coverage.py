"""The page that says which test holds which sentence of the rulebook is what the tests' marks say."""

from __future__ import annotations

from scripts.praga_coverage import HOW, PAGE, marks, page, sentences

WANTED = 265


def test_the_page_is_what_the_marks_say():
    """Written by the command, never by hand: `python scripts/praga_coverage.py`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_nearly_every_sentence_is_held_and_the_others_say_why_not():
    """Enforced, computed or prompted; a sentence that is held has no excuse, one that is not has one."""
    held, listed = marks(), sentences()
    assert [one.number for one in listed] == list(range(1, 283))
    assert set(held) <= {one.number for one in listed}
    assert {how for by in held.values() for how, _ in by} <= set(HOW)
    assert {one.number for one in listed if one.why_not} == {one.number for one in listed} - set(held)
    assert len(held) >= WANTED


def test_a_sentence_is_held_in_one_way():
    """Two tests may hold it, but they agree how."""
    assert not [number for number, by in marks().items() if len({how for how, _ in by}) > 1]
