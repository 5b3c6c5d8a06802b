"""What the screen looks up arrives as the struct it was told as (`companion/wire/replies.py`)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.game import Grid, Text
from companion.wire import topics
from companion.wire.messages import Answer
from companion.wire.past import Past
from companion.wire.replies import (
    Backup,
    BoxList,
    BoxValue,
    Camera,
    Cameras,
    CareTold,
    Checked,
    Hand,
    Hint,
    Newer,
    Reply,
    Sites,
    Stick,
    Version,
)
from display.view import Told

CORNER = Text("vision/check/corner/say", {"corner": Text("vision/corner/2"), "n": 3})
TOLD: dict[str, Reply] = {
    "box": BoxList(
        "praga",
        (BoxValue(key="tiles.a.1", value=["wall", "road"], first=True, options=("wall", "road")),),
        (Grid("wall", Text("praga/grid/wall"), 5, 5),),
    ),
    "care": CareTold(
        (Stick("STICK", "/media/STICK", 900, (Backup("a.zip", 1.5),), (Newer("b.zip", "0.2.0"),)),),
        True,
        Version("0.1.0", True, "0.0.9"),
    ),
    "hand": Hand(1, 7, msgspec.Raw(b'{"name":"Ada"}')),
    "hint": Hint("game", 7, Text("hint/kind/bid"), CORNER, (CORNER,), Text("hint/why", {"n": 3})),
    "history": Past(games=(), count=0, players={}, beat={"Ada": {"Ben": 2}}, sources={}),
    "cameras": Cameras((Camera("v4l2", "/dev/video2", "Webcam"),)),
    "check": Checked(0.4, {"light": 0.4}, {"die_px": 50.0}, CORNER, Text("vision/check/corner/do")),
    "sites": Sites({"c-n": (0.5, 0.25)}),
}


def heard(name: str, reply: Reply) -> Any:
    """What the screen makes of an answer that went over the wire."""
    sent = topics.encode(Answer(id="1", ok=True, result=reply.plain()))
    answer = topics.decode("answer/display", sent)
    assert isinstance(answer, Answer)
    return getattr(Told().and_then(name, answer.result), name)


@pytest.mark.parametrize("name", TOLD)
def test_an_answer_is_read_as_it_was_written(name: str) -> None:
    """Texts inside texts included."""
    assert heard(name, TOLD[name]) == TOLD[name]


def test_what_is_no_answer_says_nothing() -> None:
    """Of another shape, or to something nobody looks up; what was known of the rest stays."""
    known = Told().and_then("sites", TOLD["sites"].plain())
    assert known.and_then("box", {"values": "x"}) == known
    assert known.and_then("live start", {"seconds": 3}) == known
    assert known.and_then("sites", {"sites": 3}).sites is None
