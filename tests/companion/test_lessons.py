"""The first game: somebody who does only what its sentences say gets through it, in every language; anybody may leave it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.learn.lessons import lesson, option
from companion.wire.messages import Notice
from companion.wire.words import LANGUAGES, Words, read_package
from tests.companion.desk import Desk

GAMES = ("skytopia", "praga", "skyrise", "yacht", "farkle")
QUOTED = re.compile("[“„«]\u00a0?(.+?)\u00a0?[”»]")


def taught(tmp_path: Path, game: str) -> Desk:
    desk = Desk(tmp_path)
    lobby = desk.state.lobby
    assert lobby is not None
    options = {field.id: field.value for field in lobby.setup[game].options}
    assert options["lesson"] is False, "nobody is taught who did not ask for it"
    desk.new(game, "Ada", "Ben", **{**options, "lesson": True, "depth": "full"})
    return desk


def said(desk: Desk) -> Notice | None:
    return next((notice for notice in desk.state.notices if notice.id.startswith("lesson")), None)


def follow(desk: Desk, words: Words, chance: random.Random) -> bool:
    """Do what the sentence says between its quotation marks; `False` where it says nothing any more."""
    notice = said(desk)
    if notice is None or notice.id == "lesson-over":
        return False
    found = QUOTED.search(words.say(notice.text))
    assert found, words.say(notice.text)
    wanted, ask = found[1], desk.prompt.ask
    choice = next((one for one in ask.choices if one.off is None and words.say(one.text) == wanted), None)
    if choice is not None:
        move = choice.move
    else:
        assert ask.form is not None, f"nothing here is called {wanted!r}"
        assert words.say(ask.form.send) == wanted
        values = {field.id: field.value for field in ask.form.fields}
        if ask.form.move["kind"] == "throw":
            values = {name: chance.randint(1, 6) for name in values}
        move = {**ask.form.move, "values": msgspec.to_builtins(values)}
    answer = desk.move(**move)
    assert answer.ok, answer
    return True


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_follows_only_its_sentences_finishes_it(tmp_path: Path, game: str, language: str) -> None:
    desk, words, chance = taught(tmp_path, game), Words(language, {0: "Ada", 1: "Ben"}), random.Random(4)
    moves = 0
    while follow(desk, words, chance):
        moves += 1
        assert moves < 60, "the lesson ends because everything in it was done"
    over = said(desk)
    assert over is not None
    assert over.id == "lesson-over"
    assert desk.state.phase == "playing", "and the game goes on"
    session = desk.table.session
    assert session is not None
    plain: Any = session.pack.encode(session.pack.moves(session.state)[0])
    assert desk.move(**plain).ok
    assert said(desk) is None


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_somebody_do_something(game: str) -> None:
    known = lesson(game)
    assert known is not None
    assert 9 <= len(known.steps) <= 12
    for language in LANGUAGES:
        words = read_package(f"companion.games.{game}", language)
        for step in known.steps:
            (text,) = words[f"{game}/lesson/{step.id}"]
            assert "{do}" in text
            assert len(text) < 190


def test_it_can_be_left_at_any_moment_and_stays_left(tmp_path: Path) -> None:
    """Also by doing something else: another move is as good. A restart remembers."""
    desk = taught(tmp_path, "yacht")
    assert desk.move(kind="throw", seat=0, dice=[1, 1, 2, 5, 6]).ok
    assert said(desk) is not None
    before = desk.state.seq
    assert desk.admin("leave lesson").ok
    assert said(desk) is None
    assert desk.request(move={"kind": "write", "seat": 0, "category": "ones"}, seq=before).ok
    desk.journal.close()
    again = Desk(tmp_path)
    assert said(again) is None
    assert again.state.seq == before + 2


def test_an_undo_takes_its_step_back(tmp_path: Path) -> None:
    desk, words = taught(tmp_path, "yacht"), Words("en")
    first = said(desk)
    assert follow(desk, words, random.Random(1))
    assert said(desk) != first
    assert desk.request(undo=True).ok
    again = said(desk)
    assert again is not None
    assert first is not None
    assert again.text == first.text


def test_a_game_without_a_lesson_offers_none() -> None:
    assert option("scorepad") == ()
