"""One moment is one message; an answer names the prompt it answers; each seat gets its own part of every row."""

from __future__ import annotations

import random

from companion.past import bgstats
from companion.past.history import plays
from companion.wire.messages import Answer, Private, State
from tests.companion.desk import Desk
from tests.views import shown_by, view_of


def refused(answer: Answer) -> str:
    """Why not; empty when it was done."""
    return answer.refusal.code if answer.refusal is not None else ""


def to_the_choosing(desk: Desk) -> None:
    """Play Skyrise by chance until everybody chooses wonders at the same time."""
    chance = random.Random(5)
    session = desk.table.session
    assert session is not None
    while session.pack.ask(session.state).phase != "choose":
        assert desk.move(**session.pack.encode(chance.choice(session.pack.moves(session.state)))).ok


def choose(desk: Desk, client: str, seat: int, seq: int) -> Answer:
    """This seat locks the first card of its hand, looking at that row."""
    session = desk.table.session
    assert session is not None
    hand = [card["card"] for card in shown_by(session.pack, session.state, seat)["secret"]["hand"]]
    return desk.request(client, move={"kind": "choose", "seat": seat, "cards": hand[:1]}, seq=seq)


def test_no_message_shows_a_row_with_the_question_of_another(desk: Desk) -> None:
    """Whatever a phone has heard last, what it draws and what it may answer belong together."""
    desk.new("scorepad", "Ada", "Ben", rounds=5)
    for _ in range(4):
        assert desk.move(kind="next").ok
    rows = [message for _, message in desk.heard if isinstance(message, State) and message.phase == "playing"]
    assert [state.seq for state in rows] == [1, 2, 3, 4, 5]
    for state in rows:
        assert state.prompt is not None
        assert state.prompt.ask.text.params["round"] == view_of(state)["round"]


def test_an_answer_to_the_game_before_is_refused_in_this_one(desk: Desk) -> None:
    """Both games stand at their first row: the row alone would not tell them apart."""
    desk.new("scorepad", "Ada", "Ben", rounds=3)
    before = desk.state
    desk.new("scorepad", "Ada", "Ben", rounds=3)
    late = desk.request(move={"kind": "next"}, game=before.game_id, seq=before.seq)
    assert refused(late) == "table/moved-on"
    assert view_of(desk.state)["round"] == 1
    assert desk.request(move={"kind": "next"}, game=desk.state.game_id, seq=desk.state.seq).ok


def test_where_several_answer_at_once_nobody_is_in_anothers_way(desk: Desk) -> None:
    """Everybody chooses looking at the same row; each choice counts once, and none counts for a later question."""
    desk.new("skyrise", "Ada", "Bo", "Cy", deal="digital")
    phones = [desk.sit(seat) for seat in range(3)]
    to_the_choosing(desk)
    seq = desk.state.seq
    assert choose(desk, phones[0], 0, seq).ok
    assert choose(desk, phones[1], 1, seq).ok
    assert refused(choose(desk, phones[0], 0, seq)) == "table/moved-on"
    assert choose(desk, phones[2], 2, seq).ok
    assert desk.prompt.ask.phase != "choose"
    assert refused(choose(desk, phones[1], 1, seq)) == "table/moved-on"


def test_after_an_undo_an_answer_to_a_row_before_it_is_refused(desk: Desk) -> None:
    """The question looks the same, but it is asked anew."""
    desk.new("skyrise", "Ada", "Bo", "Cy", deal="digital")
    phones = [desk.sit(seat) for seat in range(3)]
    to_the_choosing(desk)
    seq = desk.state.seq
    assert choose(desk, phones[0], 0, seq).ok
    assert desk.request(undo=True, consent=True).ok
    assert refused(choose(desk, phones[1], 1, seq)) == "table/moved-on"
    for never in (desk.state.seq + 1, desk.state.seq + 100, 2**53, -1, -(2**53)):
        assert refused(choose(desk, phones[1], 1, never)) == "table/moved-on"
    assert choose(desk, phones[1], 1, desk.state.seq).ok


def test_every_seat_gets_its_part_of_every_row_before_the_row_itself(desk: Desk) -> None:
    """Also a seat with nothing to hide, so that silence tells nobody anything; once a row, and nothing to watchers."""
    desk.new("skyrise", "Ada", "Bo", "Cy", deal="digital")
    for seat in (0, 2, None):
        desk.sit(seat)
    desk.pump()
    desk.heard.clear()
    desk.table.publish(())
    desk.table.publish(())
    to_the_choosing(desk)
    told: dict[int, list[int]] = {0: [], 2: []}
    newest = 0
    for _, message in desk.heard:
        if isinstance(message, Private):
            assert message.game == desk.state.game_id
            assert "hand" in view_of(message)["secret"]
            told[message.seat].append(message.seq)
        elif isinstance(message, State):
            newest = message.seq
            assert all(seqs[-1] == newest for seqs in told.values())
    assert told[0] == told[2] == list(range(told[0][0], newest + 1))


def test_a_seat_that_sees_no_more_than_everybody_is_told_nothing_but_the_row(desk: Desk) -> None:
    """A score pad has no secrets: its private messages are empty, and name the row all the same."""
    desk.new("scorepad", "Ada", "Ben")
    desk.sit(0)
    assert desk.move(kind="points", seat=1, points=5).ok
    last = next(message for _, message in reversed(desk.heard) if isinstance(message, Private))
    assert (last.seat, last.seq, view_of(last)) == (0, desk.state.seq, {})


def test_the_link_of_a_finished_game_is_the_one_that_is_exported(desk: Desk) -> None:
    """Screen, phones and `tableside export bgstats` log one and the same play; while the game goes on there is none."""
    desk.new("scorepad", "Ada", "Ben")
    assert desk.move(kind="points", seat=1, points=5).ok
    assert desk.state.play_link == ""
    assert desk.move(kind="end").ok
    said = desk.state.play_link
    assert desk.admin("end game").ok
    assert said == bgstats.link(plays(desk.journal)[0])
