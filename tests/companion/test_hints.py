"""Hints: what the planner would do, in two steps, in every language, soon; whoever follows them plays better than greed."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game import Text
from companion.learn.hints import KINDS
from companion.robots import mind
from companion.robots.thinking import advantage, turn
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.table.hints.close()
    desk.journal.close()


def texts(hint: dict[str, Any]) -> list[Text]:
    return msgspec.convert([hint["kind"], hint["what"], hint["why"], *hint["then"]], list[Text])


@pytest.mark.parametrize("game", ["skytopia", "praga", "skyrise"])
def test_a_hint_says_a_direction_a_move_and_a_reason(desk: Desk, game: str) -> None:
    """In words of every language, for a move the rules allow, and nothing is played by it."""
    desk.new(game, "Ada", "Ben", depth="full")
    session, chance, hinted = desk.table.session, random.Random(5), 0
    assert session is not None
    for _ in range(60):
        if hinted == 4:
            break
        if desk.prompt.ask.seat is None:
            assert desk.admin("hint").refusal.code == "table/no-hint"
        elif len(session.pack.moves(session.state)) > 1:
            seq = session.seq
            hint = desk.admin("hint").result
            assert (hint["game"], hint["seq"]) == (session.game, seq)
            assert session.seq == seq
            hinted += 1
            for language in LANGUAGES:
                words = Words(language, {0: "Ada", 1: "Ben"})
                assert not [said for text in texts(hint) if "/" in (said := words.say(text)) and " " not in said]
        assert desk.move(**session.pack.encode(chance.choice(session.pack.moves(session.state)))).ok
    assert hinted == 4


def test_a_hint_is_there_within_half_a_second(desk: Desk) -> None:
    """Of the time it takes itself: the first one also starts its process, and a busy machine has others to serve."""
    desk.new("skytopia", "Ada", "Ben", depth="full")
    session, chance = desk.table.session, random.Random(5)
    assert session is not None
    pack, state, took = session.pack.pack, session.state, list[float]()
    for number in range(150):
        if pack.over(state):
            break
        seat = pack.ask(state).seat
        if number % 6 == 0 and seat is not None and len(pack.moves(state)) > 1:
            began = time.process_time()
            moves = turn(pack, state, seat, mind("hard"), chance)[:1]
            advantage(pack, state, seat, moves[0])
            took.append(time.process_time() - began)
        state = pack.play(state, chance.choice(pack.moves(state))).state
    took.sort()
    assert took[int(len(took) * 0.95)] <= 0.5


def test_every_direction_has_its_words() -> None:
    keys = [f"hint/kind/{kind}" for kind in (*KINDS, "other")]
    keys += [f"hint/rounds/{pace}" for pace in ("soon", "between", "late")]
    for language in LANGUAGES:
        assert [key for key in keys if not Words(language).knows(key)] == []


def test_the_planner_sees_an_advantage_in_what_it_advises(desk: Desk) -> None:
    """Over many decisions what it would do promises more than the average: else its reason would be empty."""
    desk.new("skytopia", "Ada", "Ben", depth="full")
    session, chance = desk.table.session, random.Random(8)
    assert session is not None
    pack, state, better = session.pack.pack, session.state, list[float]()
    for number in range(120):
        seat = pack.ask(state).seat
        if number % 5 == 0 and seat is not None and len(pack.moves(state)) > 1:
            better.append(advantage(pack, state, seat, turn(pack, state, seat, mind("hard"), chance)[0]))
        state = pack.play(state, chance.choice(pack.moves(state))).state
    assert sum(better) / len(better) > 0.3
