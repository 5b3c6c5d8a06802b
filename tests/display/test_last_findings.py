"""Small things a newcomer stumbled over on the screen: finished games, dots in the tally, small print, one name for one page."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from benches import samples, samples_aside
from companion.game import Choice, Text
from companion.games.skytopia import pack
from companion.wire.messages import Prompt
from companion.wire.words import Words
from display import fonts
from display.scenes.chart import ended
from display.scenes.past import games
from display.status import worst
from display.view import Banner
from tests.conftest import ROOT
from tests.display.test_client import Table
from tests.display.views import drawn
from tests.views import CODES
from tools.replay import views


@pytest.mark.parametrize("size", [(1280, 720), (800, 480), (480, 320), (720, 1280)])
def test_a_finished_game_says_who_is_who(size: tuple[int, int]) -> None:
    """Newcomer D11: names and totals stand above the bars; nobody has to tell colours apart."""
    view = samples_aside.past("en", **{"past-open": "game-0"})
    words = [label.text for label in drawn(view, *size).labels()]
    assert view.told.history is not None
    for player in view.told.history.games[0].players:
        assert any(player.name in text for text in words)
        assert str(player.total) in words


def test_a_chart_leads_to_the_totals() -> None:
    """Newcomer D11: it ended at 51 beside a total of 85; a game that has its last points in a round needs no further step."""
    assert ended(((0, 20, 51), (0, 9, 30)), (85, 30)) == (((0, 20, 51, 85), (0, 9, 30, 30)), True)
    assert ended(((0, 20, 85), (0, 9, 30)), (85, 30)) == (((0, 20, 85), (0, 9, 30)), False)
    assert ended(((0, 20, 51),), ()) == (((0, 20, 51),), False), "nobody has counted yet"
    view = samples.tally("en")
    assert view.state is not None
    assert view.state.tally is not None
    lines = tuple((0, player.total - 7) for player in view.state.tally.players)
    shown = msgspec.structs.replace(samples.skytopia(), chart=lines)
    state = msgspec.structs.replace(view.state, view=msgspec.Raw(msgspec.json.encode(shown)))
    page = drawn(msgspec.structs.replace(view, state=state, local={"revealed": True}), 1280, 720)
    assert [label.text for label in page.labels()].count("Total") == 2, "under the table, and where the lines end"


def test_bars_stand_in_the_order_of_the_names_above_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newcomer D11: the winner's first, as in the row of names."""
    barred: list[str] = []
    monkeypatch.setattr(games, "draw_sources", lambda page, play, box: barred.extend(one.name for one in play.players))
    labels = drawn(samples_aside.past("en", **{"past-open": "game-0"}), 1280, 720).labels()
    named = sorted((label.box[0], label.text) for label in labels if label.text in barred)
    assert [name for _, name in named] == barred
    assert len(barred) > 1


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)])
def test_a_game_that_kept_no_curve_promises_none_at_its_end(size: tuple[int, int]) -> None:
    view = samples.tally("en")
    assert view.state is not None
    shown = msgspec.structs.replace(samples.skytopia(), chart=())
    state = msgspec.structs.replace(view.state, view=msgspec.Raw(msgspec.json.encode(shown)))
    said = [label.text for label in drawn(msgspec.structs.replace(view, state=state), *size).labels()]
    assert "Total" in said and not any("curve" in text for text in said)


def test_dots_in_the_tally_have_a_legend() -> None:
    """Newcomer D12: where one stands, its meaning is said; else nothing is said of dots."""
    for doubts, key in ((("x",), "touch-doubts"), ((), "touch")):
        view = samples.tally("en")
        assert view.state is not None
        assert view.state.tally is not None
        players = tuple(
            msgspec.structs.replace(
                player, lines=tuple(msgspec.structs.replace(line, unconfirmed=doubts) for line in player.lines)
            )
            for player in view.state.tally.players
        )
        tally = msgspec.structs.replace(view.state.tally, players=players)
        state = msgspec.structs.replace(view.state, tally=tally)
        page = drawn(msgspec.structs.replace(view, state=state, local={"revealed": True}), 1280, 720)
        assert fonts.clean(page.say(f"display/tally/{key}")) in [
            label.text.replace(" / ", " ") for label in page.labels()
        ]


@pytest.mark.parametrize("size", [(1280, 720), (800, 480)])
def test_lines_of_a_long_tally_that_do_not_fit_are_a_touch_away(tmp_path: Path, size: tuple[int, int]) -> None:
    """Newcomer D11: seventeen lines of Skyrise; in words how many are below, and back above again."""
    *_, end = views(ROOT / "tests" / "games" / "skyrise" / "four-players-quick.jsonl", "en")
    table, read = Table(tmp_path, size), set[str]()
    table.show(end)
    table.pass_time(30)

    def rows() -> set[str]:
        return {touch.id.split()[1] for touch in table.screen.page.touches() if touch.id.startswith("cell ")}

    first = rows()
    assert any(re.fullmatch(r"\d+ more", label.text) for label in table.screen.page.labels())
    while any(re.fullmatch(r"\d+ more", label.text) for label in table.screen.page.labels()):
        read |= rows()
        table.tap("tally-more")
    read |= rows()
    assert read == {str(number) for number in range(17)}
    assert any(re.fullmatch(r"\d+ above", label.text) for label in table.screen.page.labels())
    table.tap("tally-more")
    assert rows() == first


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_small_print_can_be_read_at_800_by_480(language: str) -> None:
    """Newcomer D13: no line of the table is set smaller than twelve pixels, ink and descent included."""
    page = drawn(samples.table(language), 800, 480, language)
    rows = [label for label in page.labels() if not label.text.isdecimal()]
    smallest = min(label.box[3] / max(1, label.text.count(" / ") + 1) for label in rows)
    assert smallest >= 12


READ = (
    "skytopia/three-players",
    "skytopia/four-players",
    "skytopia/two-players-side-b",
    "praga/three-players",
    "skyrise/three-players-quick",
    "skyrise/four-players-quick",
)


@pytest.mark.parametrize("record", READ)
@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.usefixtures("blank_pictures")
def test_sentences_of_real_games_can_be_read_at_800_by_480(record: str, language: str) -> None:
    """Newcomer D13: what stands under the prompt is fourteen pixels at least, no sentence anywhere below twelve; Skyrise's
    numbers to bid with are never below fourteen, nor with three players its names of tokens and wonders, which nothing else says.
    Newcomer B2: nor does a screen say how we number cards, crests and tiles."""
    seen = list(views(ROOT / "tests" / "games" / f"{record}.jsonl", language))
    help_at, small, coded = 40, list[tuple[float, str]](), list[str]()
    for view in seen[:: len(seen) // 40]:
        for label in drawn(view, 800, 480, language).labels():
            pixels = round(label.box[3] / (1 + fonts.LINE * label.text.count(" / ")))
            least = 14 if help_at < label.box[1] + label.box[3] / 2 < 76 else 12
            words = len(label.text.replace(" / ", " ").split())
            named = record == "skyrise/three-players-quick" and words <= 3 and not label.text.isdecimal()
            numbered = record.startswith("skyrise") and len(label.text) > 1 and label.text.isdecimal()
            if (words > 3 and pixels < least) or ((named or numbered) and pixels < 14):
                small.append((pixels, label.text))
            coded += [label.text] if CODES.search(label.text) else []
    assert len(seen) > 40
    assert (small, coded) == ([], [])


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_a_page_is_called_as_the_key_that_opens_it(language: str) -> None:
    """Newcomer D14: and nothing is called ready that is not there."""
    page = drawn(samples.table(language), 800, 480, language)
    assert page.say("display/menu/health") == page.say("display/health/title")
    by_hand = msgspec.structs.replace(
        samples.table(language), settings={**samples.settings(language), "vision": "none", "firmware_bridge": "none"}
    )
    assert worst(by_hand).short.key == "display/health/by-hand"


def test_the_first_golem_says_where_it_goes() -> None:
    """Newcomer B14: its only answer was a price."""
    state = pack.new({"names": ["Ada", "Ben"]}, {})
    while not any(choice.id.startswith("start/") for choice in pack.ask(state).choices):
        state = pack.play(state, pack.moves(state)[0]).state
    said = [Words("en", {0: "Ada", 1: "Ben"}).say(choice.text) for choice in pack.ask(state).choices]
    assert all(re.search(r"\b[1-6]\b", words) and "row" in words for words in said)


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_answers_begin_with_a_capital_and_a_skipped_effect_is_no_pass(language: str) -> None:
    """Newcomer B15: also where the first word is a colour; whoever skips an effect has not passed."""
    view = samples.table(language, slot="")
    assert view.state is not None
    assert view.state.prompt is not None
    words = Text("skytopia/form/tower", {"colour": Text("skytopia/colour/violet")})
    ask = msgspec.structs.replace(view.state.prompt.ask, choices=(Choice("x", words, {"kind": "x"}),))
    state = msgspec.structs.replace(view.state, prompt=Prompt(ask=ask))
    page = drawn(msgspec.structs.replace(view, state=state), 1280, 720, language)
    said = page.say(words)
    assert said[:1].upper() + said[1:] in [label.text.replace(" / ", " ") for label in page.labels()]
    off = Text("skytopia/off/taken")
    ask = msgspec.structs.replace(ask, choices=(Choice("x", words, {"kind": "x"}, off=off),))
    view = msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, prompt=Prompt(ask=ask)))
    for local in ({}, {"why": "x"}):
        said = [label.text for label in drawn(msgspec.structs.replace(view, local=local), 1280, 720, language).labels()]
        assert (page.say(off).capitalize() in said, page.say(off) in said) == (True, False), (
            "what speaks against one, too"
        )
    banner = Banner("violet, row 1: what lies there is no golem", kind="bad")
    assert "Violet, row 1" in " ".join(
        one.text for one in drawn(msgspec.structs.replace(view, banner=banner), 1280, 720).labels()
    )
    catalogue = (ROOT / "companion/games/skytopia/words/en.po").read_text(encoding="utf-8")
    assert not re.search(r'msgstr "[^"]*\bpasses\b', catalogue)


def test_a_refusal_that_rests_on_a_printed_number_lets_you_say_otherwise() -> None:
    """Newcomer F4: there, and only there."""
    table = samples.table("en")
    for box, offered in (("chronometer.price_by_steps.1", True), ("", False)):
        banner = Banner("It costs 10", "Choose a cheaper one", "bad", box=box)
        page = drawn(msgspec.structs.replace(table, banner=banner), 1280, 720)
        assert ("banner-box" in {touch.id for touch in page.touches()}) is offered


def test_the_guides_promise_what_there_is() -> None:
    """Newcomer E3 and F5: how long a demo takes, and what light play follows."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "about ten minutes each, `--fast` two" in readme
    light = next(
        line
        for line in (ROOT / "docs/play.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| **light**")
    )
    assert "whose turn" in light
    assert "clock" not in light


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_names_of_fields_begin_with_a_capital_and_people_are_written_as_they_write_themselves(language: str) -> None:
    """Newcomer B15: “north-west island” is the name of a field, “bob” is Bob's own business."""
    seen = views(ROOT / "tests" / "games" / "skyrise" / "three-players-digital.jsonl", language)
    view = next(one for one in seen if one.prompt and one.prompt.ask.form)
    assert view.prompt is not None
    assert view.prompt.ask.form is not None
    field = view.prompt.ask.form.fields[0]
    page = drawn(view, 1280, 720, language)
    said, shown = page.say(field.text), [label.text for label in page.labels()]
    assert said[:1].islower(), "else this shows nothing"
    assert (said[:1].upper() + said[1:] in shown, said in shown) == (True, False)
    named = msgspec.structs.replace(field, text=Text("seat", {"n": 0}))
    form = msgspec.structs.replace(view.prompt.ask.form, fields=(named, *view.prompt.ask.form.fields[1:]))
    ask = msgspec.structs.replace(view.prompt.ask, form=form)
    assert view.state is not None
    seats = tuple(msgspec.structs.replace(seat, name=seat.name.lower()) for seat in view.state.seats)
    state = msgspec.structs.replace(view.state, prompt=Prompt(ask=ask), seats=seats)
    small = [label.text for label in drawn(msgspec.structs.replace(view, state=state), 1280, 720, language).labels()]
    assert seats[0].name in small
