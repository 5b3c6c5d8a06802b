"""What the page shows, from what tables say."""

from __future__ import annotations

import msgspec

from companion.game import Text
from companion.wire.hall import Call
from companion.wire.messages import Health
from hall.board import Board
from hall.messages import Said
from tests.hall.lively import a_score, camera_away, here, said


def test_news_is_what_changed_and_nothing_else() -> None:
    board = Board("Café")
    for number in range(1, 1001):
        board.hear(here(number))
        board.hear(said(number))
    first = board.news(0)
    assert first is not None and len(first.tables) == 1000

    board.hear(said(7, 2))
    board.hear(said(8, 1))
    news = board.news(0)

    assert news is not None and list(news.tables) == ["table-7"]
    assert len(msgspec.json.encode(news)) < 700
    assert board.news(0) is None


def test_an_echo_of_an_older_score_is_not_shown() -> None:
    board = Board()
    board.hear(said(1, 5))
    board.hear(said(1, 4))
    shown = board.shown["table-1"]
    assert shown.round == a_score(1, 5).round


def test_who_needs_help_is_said_in_words() -> None:
    board = Board()
    board.hear(said(12))
    assert board.shown["table-12"].help == (Text("hall/help/away"),)
    board.hear(here(12))
    assert board.shown["table-12"].help == ()
    board.hear(camera_away(12))
    assert board.shown["table-12"].help == (Text("hall/help/camera"),)
    dark = Text("vision/dark", {"n": 1})
    board.hear(Said("table-12", "health", Health(room="vision", status="online", say=dark)))
    assert board.shown["table-12"].help == (dark,)


def test_a_revoked_table_is_gone_from_the_page() -> None:
    board = Board()
    board.hear(here(1))
    board.news(0)
    board.forget("table-1")
    news = board.news(0)
    assert news is not None and news.tables == {"table-1": None}
    board.hear(here(1, False))
    assert board.news(0) is None, "its last word comes after it is gone"


def test_a_call_is_shown_until_it_is_taken_back() -> None:
    board = Board()
    board.hear(here(3))
    board.keep([], [], {"hall/table-3/call": msgspec.json.encode(Call(kind="come"))})
    assert board.shown["table-3"].call == "come"
    board.keep([], [], {})
    assert board.shown["table-3"].call == ""
