"""Every label of every scene is whole, inside its place, and clear of the others, at every size and language."""

from __future__ import annotations

import pytest

from tests.display.views import VIEWS, drawn, label_faults

SIZES = ((800, 480), (1280, 720), (1920, 1080), (720, 1280))
LANGUAGES = ("en", "pl", "fr")
TEXT_SIZES = (100, 125, 150)
"""The middle one only where most tables are: 1280x720."""


@pytest.mark.parametrize("scene", VIEWS)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.usefixtures("blank_pictures")
def test_no_label_is_cut_or_overlaps(scene: str, size: tuple[int, int]) -> None:
    """Three languages and the text sizes each."""
    inches = 15.6 if size[0] == 1920 else 7.0
    wrong = [
        f"{language} {text_size} %: {fault}"
        for text_size in (TEXT_SIZES if size == (1280, 720) else TEXT_SIZES[::2])
        for language in LANGUAGES
        for fault in label_faults(
            drawn(VIEWS[scene](language), *size, language, text_size, inches=inches).labels(), *size
        )
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("scene", VIEWS)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.usefixtures("blank_pictures")
def test_touch_areas_are_as_large_as_a_finger(scene: str, size: tuple[int, int]) -> None:
    """Nine millimetres at the panel's stated size; dense rows that have keys beside them are the exception."""
    inches = 15.6 if size[0] == 1920 else 7.0
    page = drawn(VIEWS[scene]("pl"), *size, "pl", inches=inches)
    least = page.theme.touch
    small = [f"{t.id} {t.box}" for t in page.touches() if not t.small and min(t.box[2], t.box[3]) < least]
    assert not small, f"smaller than {least}: {small}"


def test_a_long_text_in_a_small_place_is_reported_as_cut() -> None:
    """The measure itself can fail: a sentence that no place holds is seen."""
    page = drawn(VIEWS["waiting"]("en"), 800, 480)
    page.piece("x", (0, 0, 50, 20), "", lambda: page.text("a sentence far too long for its place", (0, 0, 50, 20)))
    page.spoil()
    page.finish()
    assert [label.text for label in page.labels() if not label.fits]
