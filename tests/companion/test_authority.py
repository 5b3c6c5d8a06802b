"""A phone speaks for its own seat: for nobody else, not out of turn, and not for the table (docs/design.md §2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core import authority
from companion.core.refusals import RefusedError
from companion.games.skyrise.wonders import WONDERS
from companion.wire.messages import Answer
from tests.companion.desk import Desk, a_die, a_market
from tests.companion.toy import Place, Turn
from tests.views import view_of


def code(answer: Answer) -> str:
    """Why not; empty when it was carried out."""
    return answer.refusal.code if answer.refusal else ""


def position(desk: Desk) -> Any:
    """The game as the rules have it."""
    assert desk.table.session is not None
    return desk.table.session.state


def put(desk: Desk, state: Any) -> None:
    """The game stands elsewhere."""
    assert desk.table.session is not None
    desk.table.session.state, desk.table.session._moment = state, None
    desk.table.publish(())


@pytest.fixture
def auction(desk: Desk) -> tuple[Desk, str, int]:
    """An auction among three, the phone of a player who is not in turn, and the seat that is."""
    desk.new("skyrise", "Ada", "Ben", "Cy")
    turn = position(desk).turn
    return desk, desk.sit((turn + 1) % 3), turn


# a form that says the move again ----------------------------------------------------------------------------------


def test_a_form_cannot_turn_a_harmless_move_into_another_players_bid(auction: tuple[Desk, str, int]) -> None:
    """What is looked at and what is played are one move: `kind` and `seat` stand in it once."""
    desk, phone, turn = auction
    bid = desk.prompt.ask.form.fields  # type: ignore[union-attr]
    piece, site = bid[0].value, bid[1].value
    before = position(desk)
    for outer in ("peek", "enter", "correct", "leave", "box"):
        own = {"kind": outer, "seat": (turn + 1) % 3}
        for values in (
            {"kind": "bid", "seat": turn, "piece": piece, "site": site},
            {"kind": "leave", "seat": turn},
            {"kind": "pass"},
            {"seat": turn},
        ):
            for move in ({**own, "values": values}, {"kind": outer, "values": values}):
                assert code(desk.move(phone, **move)) == "table/not-a-move"
    assert code(desk.move(phone, kind="bid", seat=turn, piece=piece, site=site)) == "table/not-yours"
    assert position(desk) is before


def test_nobody_reads_a_hand_by_trying_cards_on_its_owners_behalf(desk: Desk) -> None:
    """Twenty requests got twenty different answers once; now they are one."""
    desk.new("skyrise", "Ada", "Ben", "Cy")
    put(desk, position(desk).but(phase="choose"))
    phone = desk.sit(0)
    answers = set()
    for card in WONDERS:
        for values in ({"seat": 1, "cards": [card]}, {"cards": [card], "kind": "choose", "seat": 1}):
            found = desk.move(phone, kind="choose", seat=0, values=values)
            answers.add(msgspec.json.encode([found.ok, found.refusal, found.result]))
    assert len(answers) == 2, "one for each way of writing it"
    assert not any(player.chosen for player in position(desk).players)


def test_nobody_reads_a_patron_under_anothers_token(desk: Desk) -> None:
    """With printed tiles only the true value was accepted, also on another's behalf."""
    desk.new("skyrise", "Ada", "Ben", "Cy", deal="physical")
    state = position(desk).with_player(1, patrons=("B",)).but(patrons={"B": 4})
    put(desk, state)
    phone = desk.sit(0)
    found = {code(desk.move(phone, kind="peek", seat=0, letter="B", value=v, values={"seat": 1})) for v in range(2, 7)}
    assert found == {"table/not-a-move"}


def test_what_a_form_fills_in_stands_nowhere_else(desk: Desk) -> None:
    """Every game alike: a value that the move already has is refused, whichever of the two the rules would read."""
    attempts: dict[str, list[dict[str, Any]]] = {
        "scorepad": [{"kind": "score", "values": {"p0": 1, "seat": 1}}, {"kind": "score", "values": {"kind": "end"}}],
        "skytopia": [{"kind": "final", "values": {"kind": "deal"}}, {"kind": "deal", "values": {"seat": 0}}],
        "praga": [
            {"kind": "correct", "seat": 0, "values": {"seat": 1, "gold": 3}},
            {"kind": "correct", "box": 5, "values": {"box": 7}},
        ],
        "skyrise": [
            {"kind": "bid", "seat": 0, "piece": "red-5", "values": {"piece": "red-6", "site": "C.N"}},
            {"kind": "reveal", "objectives": {"0": "yellow"}, "values": {"objectives-0": "green"}},
            {"kind": "reveal", "objectives": 5, "values": {"objectives-0": "yellow"}},
        ],
    }
    for game, moves in attempts.items():
        desk.new(game)
        for move in moves:
            assert code(desk.move(**move)) == "table/not-a-move", move


def test_a_correction_of_the_box_is_kept_as_it_was_checked(desk: Desk) -> None:
    """Once the rules looked at one key while another was written down for all games to come."""
    desk.new("skyrise", "Ada", "Ben", "Cy")
    doubled = {"kind": "box", "key": "buildings.red.era-1.tall", "value": [2]}
    move = {**doubled, "values": {"key": "score.control", "value": 3}}
    assert code(desk.move(**move)) == "table/not-a-move"
    assert desk.table.owner.box("skyrise") == {}


# corrections -------------------------------------------------------------------------------------------------------


def test_a_line_on_the_pad_is_corrected_by_its_player_or_on_the_screen(desk: Desk) -> None:
    """Whoever keeps the pad writes everybody's round; what then stands there is changed by those it belongs to."""
    desk.new()
    ada, ben = desk.sit(0), desk.sit(1)
    assert desk.move(ben, kind="score", values={"p0": 5, "p1": 7}).ok
    assert desk.move(ben, kind="correct", entry=0, points=0).ok, "Ada is asked"
    assert code(desk.move(ben, kind="correct", entry=0, points=0, seat=1)) == "table/not-yours"
    assert desk.points() == [5, 7], "and has not answered"
    assert code(desk.move(ben, kind="correct", entry=1, points=8, seat=0)) == "table/not-yours", "not in Ada's name"
    assert desk.move(ben, kind="correct", entry=1, points=8, seat=1).ok
    assert desk.move(ada, kind="correct", entry=0, points=6, seat=0).ok
    assert desk.move(kind="correct", entry=0, points=4).ok
    assert desk.points() == [4, 8]


@pytest.mark.parametrize("what", ["turn", "dial", "deck", "round", "guilds", "end", "card"])
def test_a_phone_does_not_correct_what_is_the_tables(desk: Desk, what: str) -> None:
    """Its own seat in the move makes the dial, the market or the turn no more its own."""
    desk.new("skytopia")
    phone = desk.sit(1)
    before = position(desk)
    wanted: dict[str, Any] = {"kind": "correct", "what": what, "value": 2, "slot": "gold-1", "tower": "gold"}
    assert code(desk.move(phone, **wanted, seat=1)) == "table/at-the-screen"
    assert code(desk.move(phone, **wanted)) == "table/at-the-screen"
    assert position(desk) is before
    assert desk.move(phone, kind="correct", what="coins", value=3, seat=1).ok
    assert code(desk.move(phone, kind="correct", what="coins", value=3, seat=0)) == "table/not-yours"


def test_the_crane_is_set_right_on_the_screen(desk: Desk) -> None:
    """A player's board is theirs, the crane is everybody's."""
    desk.new("praga", "Ada", "Ben", depth="full")
    phone = desk.sit(1)
    for wanted in ({"box": 5}, {"values": {"box": 5}}, {"values": {"gold": 2}, "box": 5}):
        assert code(desk.move(phone, kind="correct", seat=1, **wanted)) == "table/at-the-screen"
    assert desk.move(phone, kind="correct", seat=1, values={"gold": 2}).ok
    assert desk.move(kind="correct", box=5).ok


def test_a_move_that_names_nobody_is_about_the_player_it_is_about(desk: Desk) -> None:
    """At the end of Praga a note without a name went to another than the one who is asked."""
    desk.new("praga", "Ada", "Ben", depth="full")
    session = desk.table.session
    assert session is not None
    put(desk, msgspec.structs.replace(session.state, turn=session.state.length + 1))
    asked = desk.prompt.ask.seat  # type: ignore[union-attr]
    phone = desk.sit(asked)
    assert session.state.active % 2 != asked
    assert code(desk.move(phone, kind="note", values={"points": -3})) == "table/not-yours"


def test_a_token_on_the_islands_is_the_tables(auction: tuple[Desk, str, int]) -> None:
    """Whoever would like another token somewhere says so at the table."""
    desk, phone, turn = auction
    for seat in (None, (turn + 1) % 3):
        assert code(desk.move(phone, kind="correct", site="C.N", token="", seat=seat)) == "table/at-the-screen"
    assert desk.move(kind="correct", site="C.N", token="").ok


# the box -----------------------------------------------------------------------------------------------------------


def test_a_phone_says_what_our_copy_says_only_where_the_table_asked(desk: Desk) -> None:
    """A printed value is the owner's, for all games to come: a phone changes the one its own refusal rests on, once."""
    desk.new("praga", "Ada", "Ben", depth="full")
    phone, other = desk.sit(0), desk.sit(1)
    tile = position(desk).crane.at(1)
    ours = {"kind": "box", "key": "crane.red.1", "value": 1, "seat": 0}
    assert desk.move(phone, kind="correct", seat=0, values={"gold": 1}).ok
    assert code(desk.move(phone, **ours)) == "table/at-the-screen", "in turn, but nobody asked"
    dear = desk.move(phone, kind="choose", tile=tile, seat=0)
    assert dear.refusal is not None
    assert dear.refusal.box == "crane.red.1"
    assert code(desk.move(other, **ours | {"seat": 1})) == "table/at-the-screen"
    assert code(desk.move(phone, **ours | {"key": "crane.red.2"})) == "table/at-the-screen"
    assert code(desk.move(phone, **ours | {"value": "much"})) == "praga/box"
    assert desk.move(phone, **ours).ok
    assert desk.table.owner.box("praga") == {"crane.red.1": 1}
    assert code(desk.move(phone, **ours | {"value": 0})) == "table/at-the-screen", "it was asked once"
    assert desk.move(phone, kind="choose", tile=tile, seat=0).ok


def test_undo_takes_a_correction_out_of_the_owners_box_too(desk: Desk) -> None:
    """What was taken back in this game does not hold in the next."""
    desk.table.owner.save("praga", {"crane.red.2": 5})
    desk.new("praga")
    owner = desk.table.owner
    assert desk.move(kind="box", key="crane.red.1", value=1).ok
    assert desk.move(kind="box", key="crane.red.1", value=2).ok
    assert desk.move(kind="box", key="crane.red.2", value=4).ok
    assert owner.box("praga") == {"crane.red.1": 2, "crane.red.2": 4}
    assert desk.request(undo=True).ok
    assert owner.box("praga") == {"crane.red.1": 2, "crane.red.2": 5}
    assert desk.request(undo=True).ok
    assert owner.box("praga") == {"crane.red.1": 1, "crane.red.2": 5}
    assert desk.admin("box", game="praga", values={"crane.red.1": 3}).ok
    assert desk.request(undo=True).ok
    assert owner.box("praga") == {"crane.red.1": 3, "crane.red.2": 5}, "somebody has spoken since"


# turns -------------------------------------------------------------------------------------------------------------


def test_going_home_is_ones_own_decision_at_any_time(auction: tuple[Desk, str, int]) -> None:
    """One leaves out of turn; nobody is sent home by another's phone."""
    desk, phone, turn = auction
    own = (turn + 1) % 3
    for other in {0, 1, 2} - {own}:
        assert code(desk.move(phone, kind="leave", seat=other)) == "table/not-yours"
    assert [player.gone for player in position(desk).players] == [False] * 3
    assert desk.move(phone, kind="leave", seat=own).ok
    assert position(desk).players[own].gone


def test_what_belongs_to_nobody_is_said_when_it_is_asked_for(desk: Desk) -> None:
    """In light play the final position may be entered at any time on the screen; one phone's turn does not end the game."""
    desk.new("skytopia", depth="light")
    phone = desk.sit(0)
    assert desk.prompt.ask.seat == 0  # type: ignore[union-attr]
    assert code(desk.move(phone, kind="final", values={})) == "table/at-the-screen"
    assert desk.move(phone, kind="last_round").ok, "this the turn offers"


def test_a_phone_answers_the_cameras_question_about_its_own_die_only(toys: Desk) -> None:
    """Which face Ada's die shows is asked of everybody's screen, and answered by Ada or at the table."""
    toys.new("toy")
    ada, ben = toys.sit(0), toys.sit(1)
    toys.display.publish("sensor/market", a_market(a_die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0)))
    asked = toys.prompt.question
    assert asked is not None
    for answer in asked.answers:
        assert code(toys.request(ben, move=answer.move)) == "table/not-your-turn"
    assert toys.prompt.question == asked
    assert toys.request(ada, move=asked.answers[1].move).ok
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}


def test_whoever_is_asked_says_nothing_about_anothers_die(toys: Desk) -> None:
    """Ada is in turn; a story in which Ben's die moves too is Ben's to tell, or the table's."""
    toys.new("toy")
    assert toys.table.session is not None
    authority.check_reading(toys.table.session, (Place(0, 3), Turn()), 0)
    with pytest.raises(RefusedError) as refused:
        authority.check_reading(toys.table.session, (Place(0, 3), Place(1, 4)), 0)
    assert refused.value.why.code == "table/not-yours"


def test_whose_a_move_is_depends_on_the_position(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may have moves that name nobody: whose they are it knows from the table as it stands."""
    toys.new("toy")
    session = toys.table.session
    assert session is not None
    monkeypatch.setattr(type(session.pack), "owner", lambda pack, state, move: state.turn, raising=False)
    authority.check_reading(session, (Turn(),), session.state.turn)


# the prompt --------------------------------------------------------------------------------------------------------


def test_a_phone_names_the_prompt_it_answers(desk: Desk) -> None:
    """A tap that does not say which question it was for might be meant for the one before."""
    desk.new(rounds=3)
    ada = desk.sit(0)
    row = desk.state.seq
    assert code(desk.request(ada, move={"kind": "next"}, seq=None)) == "table/moved-on"
    assert desk.request(ada, move={"kind": "next"}, seq=row).ok
    assert code(desk.request(ada, move={"kind": "next"}, seq=row)) == "table/moved-on"
    assert code(desk.request(ada, undo=True, seq=None)) == "table/moved-on"
    assert view_of(desk.state)["round"] == 2
    assert desk.move(kind="next").ok, "the screen is the table's own"


def test_where_all_answer_at_once_the_row_that_was_seen_is_named(desk: Desk) -> None:
    """Another's answer makes a new row under one's finger; one's own is still meant, and an unnamed one is refused."""
    desk.new("skyrise", "Ada", "Ben", "Cy")
    put(desk, position(desk).but(phase="choose"))
    seen = desk.state.seq
    for seat in range(2):
        card, phone = position(desk).players[seat].hand[0], desk.sit(seat)
        move = {"kind": "choose", "seat": seat, "cards": [card]}
        assert code(desk.request(phone, move=move, seq=None)) == "table/moved-on"
        assert desk.request(phone, move=move, seq=seen).ok


def test_a_phone_says_what_its_card_gives_when_its_game_asks_it(desk: Desk) -> None:
    """A wonder nobody has read: its owner's phone answers, no other, with nothing that was not offered; the box keeps it."""
    desk.new("skyrise", "Ada", "Ben", "Cy", auction="quick", board="drawn")
    ada, ben = desk.sit(0), desk.sit(1)
    state = position(desk)
    figure = next(piece for piece in state.own(0) if piece.wonder)
    built = msgspec.structs.replace(figure, where="built", site="C.N", card="olmsted")
    pending = (f"effect {figure.id}", "check")
    put(desk, state.with_pieces({figure.id: built}).but(era=2, phase="word", turn=0, pending=pending))
    answer = desk.prompt.ask.choices[0].move
    assert code(desk.move(ben, **answer)) == "table/not-yours"
    assert code(desk.move(ben, **{**answer, "seat": 1})) == "table/at-the-screen"
    assert code(desk.move(ada, **{**answer, "value": "unread"})) == "table/at-the-screen"
    assert code(desk.move(ada, **{**answer, "key": "score.control", "value": 9})) == "table/at-the-screen"
    assert desk.move(ada, **answer).ok
    assert desk.table.owner.box("skyrise") == {"wonders.olmsted.word": "as-told"}
