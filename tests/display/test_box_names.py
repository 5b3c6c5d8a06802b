"""Every printed value has a name people understand, in three languages."""

from __future__ import annotations

import pygame
import pytest

from companion.box.printed import printed
from display.box_names import name_of, numbers, rebuilt, shown
from display.page import Page
from display.theme import Theme
from display.wording import Wording

GAMES = ("skytopia", "praga", "skyrise")


def _page(language: str) -> Page:
    return Page(pygame.Surface((64, 64)), Theme(language=language), Wording(language))


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_no_open_value_is_shown_by_its_key(game: str, language: str) -> None:
    """Only the map goes without a name: it is corrected on the islands themselves."""
    page = _page(language)
    for key, leaf in printed(f"companion.games.{game}").items():
        if leaf.certain or key.startswith("map."):
            continue
        name = name_of(page, game, key)
        assert name.key != "display/box/other", key
        words = page.say(name)
        assert "/" not in words.replace(" / ", ""), words
        assert "_" not in words, words
        for value in (leaf.value, *leaf.options):
            said = shown(page, game, value)
            assert said
            assert "_" not in said


def test_a_list_or_table_of_numbers_keeps_its_shape() -> None:
    """What is stepped one by one is put back where it came from."""
    for value, flat in (([[1, 1], [3, 2]], [1, 1, 3, 2]), ({"gold": 1, "stone": 2}, [1, 2]), ([7], [7])):
        assert numbers(value) == flat
        assert rebuilt(value, [n + 1 for n in flat]) == _more(value)
    assert numbers(["unknown", "unknown"]) is None
    assert numbers([]) is None
    assert numbers(True) is None
    assert numbers([0] * 9) is None


def _more(value: object) -> object:
    if isinstance(value, dict):
        return {key: _more(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_more(part) for part in value]
    assert isinstance(value, int)
    return value + 1
