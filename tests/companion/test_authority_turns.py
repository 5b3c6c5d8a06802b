"""Whose turn it is to answer, question by question: without a game, so that every line is told apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.core import authority
from companion.core.refusals import RefusedError
from companion.game import Ask, Choice, Form, Text

ASKED = Text("ask")


def why(ask: Ask, kind: str, whose: int | None, *, named: bool = True) -> str:
    """Why seat 0 may not make this move now; empty when it may."""
    move: dict[str, Any] = {"kind": kind}
    pack = SimpleNamespace(encode=lambda made: made, owner=lambda state, made: whose, out_of_turn=())
    session = SimpleNamespace(pack=pack, state=None, moment=SimpleNamespace(ask=ask))
    try:
        authority.check(session, move, 0, named=named, offered="")  # type: ignore[arg-type]
    except RefusedError as refused:
        return refused.why.code
    return ""


@pytest.mark.parametrize(
    ("ask", "kind", "whose", "code"),
    [
        (Ask(1, ASKED), "go", 0, "table/not-your-turn"),
        (Ask(1, ASKED), "go", None, "table/not-your-turn"),
        (Ask(1, ASKED, waiting=(0,)), "go", 0, ""),
        (Ask(1, ASKED, waiting=(0,)), "go", None, "table/not-your-turn"),
        (Ask(None, ASKED), "go", None, ""),
        (Ask(0, ASKED), "go", 0, ""),
        (Ask(0, ASKED), "go", None, "table/at-the-screen"),
        (Ask(0, ASKED, (Choice("go", ASKED, {"kind": "go"}),)), "go", None, ""),
        (Ask(0, ASKED, form=Form((), {"kind": "final"}, ASKED)), "final", None, ""),
        (Ask(0, ASKED, form=Form((), {"kind": "final"}, ASKED)), "go", None, "table/at-the-screen"),
    ],
)
def test_an_answer_is_given_by_who_is_asked(ask: Ask, kind: str, whose: int | None, code: str) -> None:
    assert why(ask, kind, whose) == code


def test_an_answer_names_its_question() -> None:
    assert why(Ask(0, ASKED), "go", 0, named=False) == "table/moved-on"


def test_whose_a_move_was_is_asked_of_the_position_before_it() -> None:
    last = SimpleNamespace(before=0, row=SimpleNamespace(body={"kind": "go"}))
    pack = SimpleNamespace(decode=lambda body: body, owner=lambda state, made: state)
    session: Any = SimpleNamespace(pack=pack, done=[last])
    assert authority.may_take_back(session, 0)
    assert not authority.may_take_back(session, 1)
