"""Yacht: what five dice count, when they may be thrown again, and how the table reads a tray."""

from __future__ import annotations

import random

import pytest

from companion.bots import bot
from companion.game import RuleBroken
from companion.games.yacht import best, pack
from companion.games.yacht.rules import CATEGORIES, Keep, Throw, Write, YachtState, points
from companion.sensing import Reading
from companion.wire.words import Words
from tests.whole_games import finish


def thrown(*dice: int, **more: object) -> YachtState:
    """One player after a throw."""
    state = pack.new({"names": ["Ada", "Ben"]}, {})
    return pack.play(state, Throw(0, tuple(dice))).state


@pytest.mark.parametrize(
    ("dice", "category", "worth"),
    [
        ((1, 1, 3, 4, 6), "ones", 2),
        ((6, 6, 6, 2, 1), "sixes", 18),
        ((2, 3, 4, 5, 6), "fours", 4),
        ((2, 2, 3, 3, 3), "full-house", 13),
        ((3, 3, 3, 3, 3), "full-house", 0),
        ((2, 2, 2, 2, 5), "four-alike", 8),
        ((4, 4, 4, 4, 4), "four-alike", 16),
        ((1, 2, 3, 4, 5), "little-straight", 30),
        ((1, 2, 3, 4, 6), "little-straight", 0),
        ((2, 3, 4, 5, 6), "big-straight", 30),
        ((1, 2, 3, 4, 6), "choice", 16),
        ((5, 5, 5, 5, 5), "yacht", 50),
        ((5, 5, 5, 5, 6), "yacht", 0),
    ],
)
def test_what_five_dice_count(dice: tuple[int, ...], category: str, worth: int) -> None:
    """Every row of the sheet."""
    assert points(dice, category) == worth


def test_three_throws_are_all() -> None:
    """What was kept stays; a fourth throw is refused, a full row too."""
    state = thrown(3, 3, 4, 5, 6)
    state = pack.play(state, Keep(0, (3, 3))).state
    with pytest.raises(RuleBroken, match="yacht/kept"):
        pack.play(state, Throw(0, (1, 2, 4, 5, 6)))
    for _ in range(2):
        state = pack.play(state, Throw(0, (3, 3, 3, 1, 2))).state
    with pytest.raises(RuleBroken, match="yacht/no-throw"):
        pack.play(state, Throw(0, (1, 2, 3, 4, 5)))
    state = pack.play(state, Write(0, "threes")).state
    assert state.turn == 1
    assert state.sheets[0][CATEGORIES.index("threes")] == 9
    state = pack.play(pack.play(state, Throw(1, (1, 1, 1, 1, 1))).state, Write(1, "yacht")).state
    state = pack.play(state, Throw(0, (3, 3, 3, 1, 2))).state
    with pytest.raises(RuleBroken, match="yacht/taken"):
        pack.play(state, Write(0, "threes"))


def reading(tray: tuple[int, ...], aside: tuple[int, ...], before: tuple[int, ...], fewest: int) -> Reading:
    """Dice in the tray and beside it, what lay there when the game last moved, and the fewest since."""
    return Reading({"tray": tray, "aside": aside}, {"tray": before, "aside": ()}, fewest)


def test_a_throw_is_what_lies_there_after_dice_were_picked_up() -> None:
    """Dice of the turn before that nobody touched are no throw."""
    fresh = pack.new({"names": ["Ada"]}, {})
    lying = (1, 2, 3, 4, 6)
    assert pack.seen(fresh, reading(lying, (), lying, 5)) is None
    assert pack.seen(fresh, reading(lying, (), lying, 0)) == Throw(0, lying)
    with pytest.raises(RuleBroken, match="too-few"):
        pack.seen(fresh, reading((1, 2, 3), (), (), 0))
    with pytest.raises(RuleBroken, match="too-many"):
        pack.seen(fresh, reading((1, 1, 1, 1, 1, 1), (), (), 0))


def test_a_die_taken_aside_is_kept() -> None:
    """Also one that is left alone in the tray while the others are in the hand."""
    state = thrown(3, 3, 4, 5, 6)
    assert pack.seen(state, reading((4, 5, 6), (3, 3), (3, 3, 4, 5, 6), 5)) == Keep(0, (3, 3))
    assert pack.seen(state, reading((3, 3), (), (3, 3, 4, 5, 6), 2)) == Keep(0, (3, 3))
    assert pack.seen(state, reading((3, 3, 4, 5, 6), (), (3, 3, 4, 5, 6), 5)) is None
    kept = pack.play(state, Keep(0, (3, 3))).state
    assert pack.seen(kept, Reading({"tray": (), "aside": (3, 3)}, {"tray": (4, 5, 6), "aside": (3, 3)}, 2)) is None
    again = Reading({"tray": (4, 5, 6), "aside": (3, 3)}, {"tray": (4, 5, 6), "aside": (3, 3)}, 2)
    assert pack.seen(kept, again) == Throw(0, (3, 3, 4, 5, 6)), "the same faces, but they were in a hand"


def test_dice_stay_one_by_one_by_touch_or_dial_and_only_the_others_are_entered() -> None:
    """Each touch keeps one more or frees it; the throw that follows is entered without what stayed."""
    state = thrown(3, 3, 4, 5, 6)
    offered = {choice.id: choice for choice in pack.ask(state).choices}
    assert [name for name in offered if "-" in name][:4] == ["keep-3", "keep-4", "keep-5", "keep-6"]
    for name in ("keep-3", "keep-3", "keep-6", "throw-6"):
        (choice,) = [one for one in pack.ask(state).choices if one.id == name]
        state = pack.play(state, pack.decode(choice.move)).state
    assert state.kept == (3, 3)
    assert "keep-3" not in {choice.id for choice in pack.ask(state).choices}, "there is no third three"
    dice = pack.panels(state, 0)[0].dice
    assert [(one.face, one.kept, one.choice) for one in dice if one.face == 3] == [(3, True, "throw-3")] * 2
    form = pack.ask(state).form
    assert [field.id for field in form.fields] == ["die-1", "die-2", "die-3"]
    state = pack.play(state, pack.decode({**form.move, "values": {"die-1": 3, "die-2": 1, "die-3": 6}})).state
    assert (state.dice, state.throws, state.kept) == ((1, 3, 3, 3, 6), 2, None)


def test_five_dice_never_stay_and_none_may() -> None:
    """Who keeps all five has thrown enough; who keeps none throws all five again."""
    state = thrown(2, 2, 2, 2, 5)
    for _ in range(4):
        state = pack.play(state, pack.decode(pack.ask(state).choices[0].move)).state
    assert state.kept == (2, 2, 2, 2)
    assert {choice.id for choice in pack.ask(state).choices if "-" in choice.id} & {"keep-2", "keep-5"} == set()
    for _ in range(4):
        (choice,) = [one for one in pack.ask(state).choices if one.id == "throw-2"]
        state = pack.play(state, pack.decode(choice.move)).state
    assert (state.kept, len(pack.ask(state).form.fields)) == ((), 5)


def test_the_robot_knows_what_every_position_is_worth() -> None:
    """One row left, three throws for five alike: 4.6029 % are known; a whole game without a mistake is worth 166.955."""
    _, _, _, worth = best._tables()
    assert worth[1 << CATEGORIES.index("yacht")] / 50 == pytest.approx(347_897 / 7_558_272, abs=1e-12)
    assert best.expectation() == pytest.approx(166.9551, abs=1e-3)


def test_robots_play_to_the_end_and_the_sheet_is_the_tally() -> None:
    """Twelve rows each, and the mean of a few games is near what is expected."""
    chance, totals = random.Random(4), []
    for _ in range(20):
        state = finish(pack, pack.new({"names": ["Ada", "Ben"]}, {}), [bot("planner")] * 2, chance)
        assert pack.over(state)
        totals += [player.total for player in pack.tally(state).players]
    assert 140 < sum(totals) / len(totals) < 195


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_every_sentence_is_said(language: str) -> None:
    """No key is shown to players."""
    words, state = Words(language, {0: "Ada", 1: "Ben"}), thrown(3, 3, 4, 5, 6)
    for here in (state, pack.play(state, Keep(0, (3, 3))).state, pack.new({"names": ["Ada"]}, {})):
        ask = pack.ask(here)
        said = [ask.text, ask.help, *(choice.text for choice in ask.choices), *(choice.note for choice in ask.choices)]
        assert not [text for text in said if text is not None and "yacht/" in words.say(text)]
