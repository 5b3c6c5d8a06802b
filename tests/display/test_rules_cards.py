"""Rules at hand on the screen: opened where the game stands, found by a word, and behind everything that is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from benches import samples
from companion.wire.rules import rules
from tests.display.test_client import Table


def shown(table: Table) -> str:
    return " | ".join(label.text.replace(" / ", " ") for label in table.screen.page.labels())


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_the_rules_open_at_the_present_prompt(tmp_path: Path, size: tuple[int, int]) -> None:
    table = Table(tmp_path, size)
    table.show(samples.table())
    table.tap("menu")
    table.tap("menu-rules")
    ask = table.client.view.prompt.ask
    card = rules("skytopia").asked(ask.text.key)
    if card is None:  # sample views ask with words of their own
        assert "rules-find" in {touch.id for touch in table.screen.page.touches()}
        table.tap("rule assign")
        card = next(one for one in rules("skytopia").cards if one.id == "assign")
    assert card.said("en")[1] in shown(table)
    assert all(label.fits for label in table.screen.page.labels())
    table.tap("rules-all")
    assert "rule goal" in {touch.id for touch in table.screen.page.touches()}
    assert all(label.fits for label in table.screen.page.labels())


def test_a_word_finds_its_rule(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.show(samples.table())
    table.client.put(scene="rules")
    table.pass_time()
    table.tap("rules-find")
    for letter in "forge":
        table.tap(f"key-{letter}")
    table.tap("key-done")
    names = {touch.id for touch in table.screen.page.touches()}
    assert "rule move" in names
    assert "rule goal" not in names


def test_what_is_off_names_its_rule(tmp_path: Path) -> None:
    """Newcomer B10. Also where its reason is no refusal of the rules: then the rule of what is asked stands there."""
    table = Table(tmp_path)
    table.show(samples.table())
    off = next(choice for choice in table.client.view.prompt.ask.choices if choice.off is not None)
    table.client.put(why=off.id)
    table.pass_time(0.5)
    assert "sheet-close" in {touch.id for touch in table.screen.page.touches()}
    assert all(label.fits for label in table.screen.page.labels())
