"""Rules at hand on the screen: opened where the game stands, found by a word, and behind everything that is off."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benches import samples
from companion.game import Text
from companion.wire.messages import Refusal
from companion.wire.rules import rules
from companion.wire.words import Words
from display.view import Banner
from tests.display.test_client import Table
from tests.display.views import drawn


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


def a_refusal() -> Refusal:
    say, do = (Text(f"skytopia/{part}/face-taken", {"face": 3}) for part in ("refuse", "do"))
    return Refusal(code="skytopia/face-taken", say=say, do=do)


def refused(folder: Path, refusal: Refusal) -> Table:
    """A table whose last move was refused."""
    table = Table(folder)
    table.show(samples.table())
    table.client._change(refusal=refusal, banner=Banner("…", "", "bad", seconds=0))
    table.pass_time()
    return table


def test_what_was_refused_is_explained_where_it_is_touched(tmp_path: Path) -> None:
    table = refused(tmp_path, a_refusal())
    table.tap("banner")
    table.pass_time(0.5)
    assert Words("en").say(a_refusal().do) in shown(table)
    table.tap("close")
    assert table.client.view.pick("sheet") is None


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_an_explanation_says_what_is_wrong_what_to_do_and_which_rule(size: tuple[int, int], language: str) -> None:
    """With the page of the printed rulebook, in every language and size, and nothing cut off."""
    view = samples.table(language, sheet="refused skytopia/face-taken")
    page = drawn(msgspec.structs.replace(view, refusal=a_refusal()), *size, language=language)
    card = rules("skytopia").refused("face-taken")
    assert card is not None
    words, told = Words(language), " ".join(label.text.replace(" / ", " ") for label in page.labels())
    told = told.replace("\u00a0", " ")  # the screen keeps small words with the next one
    for said in (words.say(a_refusal().say), words.say(a_refusal().do), card.said(language)[1], card.page):
        assert said.replace("\u00a0", " ") in told
    assert all(label.fits for label in page.labels())


def test_a_banner_without_a_rule_goes_away(tmp_path: Path) -> None:
    table = refused(tmp_path, Refusal(code="table/disk", say=Text("table/refuse/disk"), do=Text("table/do/disk")))
    table.tap("banner")
    assert (table.client.view.pick("sheet"), table.client.view.banner) == (None, None)
