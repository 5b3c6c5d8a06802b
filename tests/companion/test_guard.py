"""Whatever a pack does in any of its functions at any moment, the table answers and every other game can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core import registry
from companion.core.guard import Guarded
from companion.core.session import Session
from companion.core.telling import SENTENCES
from companion.core.watch import PACK_SECONDS, watch
from companion.game import Event, Outcome, Text
from companion.wire.messages import Answer
from companion.wire.topics import decode
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk, a_die, a_market
from tests.companion.toy import State, Toy
from tests.companion.troubles import PLAYED, WAYS, Fault
from tests.views import view_of

REFUSED = {"table/pack-failed", "table/bad-request", "table/not-yours"}
"""What a table says of a move whose game goes wrong; one that calls it somebody else's is believed."""


def the_pad_can_be_played(desk: Desk) -> None:
    """A whole game of something else, on the same table."""
    desk.new("scorepad", "Ada", "Ben")
    assert desk.move(kind="points", seat=0, points=7).ok
    assert desk.points() == [7, 0]
    assert desk.move(kind="end").ok
    assert desk.admin("end game").ok


def said(answer: Answer) -> str:
    """Why it was refused; whatever it was, there are words for it in every language."""
    assert answer.refusal is not None
    for language in LANGUAGES:
        for text in (answer.refusal.say, answer.refusal.do):
            assert "/" not in Words(language).say(text).replace("trouble/title", "")
    return answer.refusal.code


@pytest.mark.parametrize("where", PLAYED)
def test_a_game_that_goes_wrong_when_it_begins(where: str, fault: Fault, in_memory: Path) -> None:
    """It is refused, or begins; nothing half begun is left behind."""
    desk = Desk(in_memory)
    for how in WAYS:
        fault.set(where, how)
        began = desk.admin("new game", game="trouble", seats=[{"name": "Ada"}, {"name": "Ben"}])
        if not began.ok:
            assert said(began) in ("table/pack-failed", "table/bad-request"), how
            assert desk.state.phase == "lobby"
        fault.clear()
        the_pad_can_be_played(desk)
        assert [end is not None for _, end in desk.journal.games()] == [True] * len(desk.journal.games())


@pytest.mark.parametrize("where", PLAYED)
def test_a_game_that_goes_wrong_while_it_is_played(where: str, fault: Fault, in_memory: Path) -> None:
    """A move, a reading and an undo either count or are refused with nothing changed; what is on disk can be taken up."""
    desk = Desk(in_memory)
    for how in WAYS:
        desk.new("trouble", "Ada", "Ben")
        assert desk.move(kind="put", seat=0, face=4).ok
        seated = desk.table.seats.at(1)  # from one game to the next people sit on
        phone = seated.client if seated else desk.sit(1)
        fault.set(where, how)
        answers = [desk.move(phone, kind="put", seat=1, face=2)]
        if desk.table.session is not None:
            desk.core.publish("sensor/market", a_market(a_die("sun", 5)))
            answers += [desk.request(undo=True, consent=True), desk.admin("rebuild")]
        assert {said(answer) for answer in answers if not answer.ok} <= REFUSED, how
        session = desk.table.session
        fault.clear()
        if session is not None:
            assert Session.resume(desk.journal, session.game).state == session.state, how
            assert view_of(desk.state)["players"][0]["points"] == session.state.points[0]
            assert desk.move(kind="put", seat=0, face=1).ok
        else:
            assert [notice.id for notice in desk.state.notices] == ["put-away"]
        the_pad_can_be_played(desk)


@pytest.mark.parametrize("where", PLAYED)
def test_a_game_that_goes_wrong_at_its_end(where: str, fault: Fault, in_memory: Path) -> None:
    """The last move counts or does not; put away it can be in any case."""
    desk = Desk(in_memory)
    for how in WAYS:
        desk.new("trouble", "Ada", "Ben")
        assert desk.move(kind="put", seat=0, face=4).ok
        fault.set(where, how)
        desk.move(kind="end")
        assert desk.admin("end game").ok, how
        assert desk.state.phase == "lobby"
        fault.clear()
        the_pad_can_be_played(desk)


@pytest.mark.parametrize("where", PLAYED)
def test_a_game_that_goes_wrong_when_it_is_taken_up(where: str, fault: Fault, in_memory: Path) -> None:
    """The table starts. A game that cannot go on is put away with its journal whole, and goes on once it is mended."""
    for number, how in enumerate(WAYS):
        desk = Desk(in_memory / str(number))
        desk.new("trouble", "Ada", "Ben")
        assert desk.move(kind="put", seat=0, face=4).ok
        game = desk.state.game_id
        desk.journal.close()
        fault.set(where, how)
        again = Desk(desk.directory)
        kept = again.table.session is not None
        assert [notice.id for notice in again.state.notices] == ([] if kept else ["put-away"]), how
        watch.patience = PACK_SECONDS
        the_pad_can_be_played(again)
        again.journal.close()
        fault.clear()
        mended = Desk(desk.directory)
        assert mended.admin("resume", game=game).ok, how
        assert mended.points() == [4, 0]
        assert mended.request(id="later", move={"kind": "put", "seat": 0, "face": 1}).ok
        assert mended.points() == [5, 0]
        mended.journal.close()


def test_every_function_a_table_asks_was_seen_to_fail(fault: Fault, in_memory: Path) -> None:
    """The tests above would be worth nothing if a fault were never met: these refuse the move that meets it."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    met = []
    for where in PLAYED:
        fault.set(where, "error")
        if not desk.move(kind="put", seat=0, face=1).ok:
            met.append(where)
        fault.clear()
        if desk.table.session is None:
            desk.new("trouble", "Ada", "Ben")
    assert met == ["ask", "deal", "decode", "encode", "expect", "moves", "over", "panels", "play", "view"]


class Talkative(Toy):
    """A game with much to say about every move."""

    def play(self, state: State, move: Any) -> Outcome:
        events = tuple(Event("said", 0, Text("toy/said")) for _ in range(1100))
        return Outcome(super().play(state, move).state, events)


def test_what_a_game_says_of_one_move_fits_on_a_page(monkeypatch: pytest.MonkeyPatch, in_memory: Path) -> None:
    """However many sentences: the table still says how it stands, and whoever listens can read it, after a restart too."""
    packs = {"toy": Guarded("toy", Talkative)}
    monkeypatch.setattr(registry, "usable", lambda: packs)
    monkeypatch.setattr("companion.core.session.find_pack", packs.__getitem__)
    desk = Desk(in_memory)
    desk.new("toy", "Ada", "Ben")
    for _ in range(2):
        session = desk.table.session
        assert session is not None
        first, *_ = session.pack.moves(session.state)
        assert desk.request(move=session.pack.encode(first)).ok
        sizes = {topic: (decode(topic, payload), len(payload))[1] for topic, payload in desk.broker.kept.items()}
        assert max(sizes.values()) < 100_000
        assert len(session.done[-1].said) == SENTENCES
        desk.journal.close()
        desk = Desk(in_memory)
    desk.journal.close()
