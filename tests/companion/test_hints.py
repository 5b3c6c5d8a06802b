"""Hints: what the planner would do, in two steps, in every language, soon; whoever follows them plays better than greed."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.session import Session
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


def test_hints_are_counted_once_a_decision_where_the_table_wishes_it(desk: Desk, tmp_path: Path) -> None:
    """In the journal, so a restart forgets none; an answer given meanwhile still counts; one not counted leaves no trace."""
    desk.new("skytopia", "Ada", "Ben", depth="full")
    session = desk.table.session
    assert session is not None
    while session.moment.ask.seat is None or len(session.pack.moves(session.state)) < 2:
        assert desk.move(**session.pack.encode(session.pack.moves(session.state)[0])).ok
    seat, before = session.moment.ask.seat, desk.state.seq
    assert desk.admin("hint").ok
    assert (desk.state.hints, desk.state.seq) == ((), before)
    for _ in range(2):
        hint = desk.admin("hint", count=True).result
        assert (hint["game"], hint["seq"]) == (desk.state.game_id, desk.state.seq)
    assert desk.state.hints == tuple(int(one == seat) for one in range(2))
    move = session.pack.encode(session.pack.moves(session.state)[0])
    assert desk.request(move=move, seq=before, game=session.game).ok, "it answers the prompt from before the hint"
    again = Session.resume(desk.journal, session.game)
    assert (tuple(again.hints), again.left_out, len(again.done)) == (desk.state.hints, 0, len(session.done))


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
