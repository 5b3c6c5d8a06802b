"""Whoever asks over the corridor gets the answer to what they asked, or learns that there is none."""

from __future__ import annotations

from companion.wire.caller import Caller
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Answer, Do


def look(name: str) -> Do:
    """A request to the camera's room."""
    return Do(id=name, client="host", command="look")


def test_each_question_gets_its_own_answer() -> None:
    """Two are asked before the first is answered; answers come in the wrong order."""
    broker = MemoryBroker()
    room, bus = broker.bus("vision"), broker.bus("host")
    asked: list[str] = []
    room.subscribe("do/vision", lambda topic, message: asked.append(message.id))
    caller = Caller(bus, "host")
    room.start()
    bus.start()
    names = [caller.send("do/vision", look) for _ in range(2)]
    room.pump()
    assert asked == names
    for number, name in enumerate(reversed(names)):
        room.publish("answer/host", Answer(id=name, ok=True, seq=number))
    assert caller.listen(lambda: len(caller.answers) == 2, 5)
    assert [caller.answers[name].seq for name in names] == [1, 0]


def test_silence_is_told_from_an_answer() -> None:
    """Nobody is there: the caller hears nothing, not somebody else's answer."""
    broker = MemoryBroker()
    bus = broker.bus("host")
    caller = Caller(bus, "host")
    bus.start()
    broker.carry("answer/host", b'{"id":"another","ok":true}')
    assert caller.ask("do/vision", look, 0.0) is None


def test_two_callers_one_after_the_other_never_use_the_same_name() -> None:
    """Whoever answers remembers names: a repeated one would get the answer of the first."""
    names = {Caller(MemoryBroker().bus("host"), "host").send("do/vision", look) for _ in range(20)}
    assert len(names) == 20
