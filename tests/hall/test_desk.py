"""The organiser's desk, on a real store: every act leaves a trail and can be undone; tables are told what follows from it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.wire.hall import Call, Pairing
from hall.board import event_shown
from hall.database import Database
from hall.desk import (
    AddPlayers,
    CallTable,
    Correct,
    Desk,
    EndRound,
    Enter,
    GiveBye,
    Leave,
    NewEvent,
    PairRound,
    RefusedError,
    Say,
    StartRound,
    Undo,
    tables_in_order,
)
from hall.event import Event
from hall.rounds import Round, fewest_repeats, repeats
from hall.standings import results_of, standings, with_entered
from tests.hall.lively import a_result, players

TABLES = [f"table-{number}" for number in range(1, 13)]


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def desk(store: Database) -> Desk:
    return Desk(store, lambda: TABLES, Clock())


def the_event(desk: Desk) -> Event:
    return desk.store.events()[0][0]


def a_cup(desk: Desk, count: int = 8, size: int = 4) -> str:
    desk.do(NewEvent(name="Friday Cup!", game="yacht", players=tuple(players(count)), size=size))
    return the_event(desk).id


def told(desk: Desk, table: str) -> Pairing:
    return msgspec.json.decode(desk.store.sayings()[f"hall/{table}/pairing"], type=Pairing)


def play_all(desk: Desk, ended: float) -> None:
    event = the_event(desk)
    for placing in event.rounds[-1].placings:
        desk.store.record(placing.table, [a_result(placing, event.game, ended)])


def test_an_evening_from_the_desk(desk: Desk) -> None:
    """Six rounds of ten players: paired, started, played, ended; standings follow, nobody sits out who need not."""
    cup = a_cup(desk, 10)
    for number in range(1, 7):
        desk.do(PairRound(event=cup, minutes=45))
        desk.do(StartRound(event=cup))
        play_all(desk, 1000.0 + number)
        desk.do(EndRound(event=cup))

    event = the_event(desk)
    assert [played.number for played in event.rounds] == [1, 2, 3, 4, 5, 6]
    assert all(not played.byes for played in event.rounds)
    played = [Round(tuple(one.players for one in done.placings), done.byes) for done in event.rounds]
    assert repeats(played) == fewest_repeats(10, (4, 3, 3), 6), "as few as there can be"
    lines = standings(event, desk.store.results())
    assert sum(line.points for line in lines) == 6 * 10 * 12 // 2
    assert told(desk, "table-1").players == (), "nothing is paired there any more"


def test_every_act_is_undone_and_tables_hear_of_it(desk: Desk) -> None:
    cup = a_cup(desk)
    before = the_event(desk)
    act = desk.do(PairRound(event=cup, minutes=45))
    assert told(desk, "table-1").players == the_event(desk).rounds[0].placings[0].players

    desk.do(Undo(act=act))

    assert the_event(desk) == before
    assert told(desk, "table-1").players == ()
    assert [entry.who for entry in desk.store.trail()].count("organiser") == 3, "the undoing is in the trail too"


def test_a_started_round_tells_tables_when_it_ends(desk: Desk) -> None:
    cup = a_cup(desk)
    desk.do(PairRound(event=cup, minutes=45))
    assert told(desk, "table-2").ends == 0
    desk.do(StartRound(event=cup))
    assert told(desk, "table-2").ends == 1000 + 45 * 60


def test_a_correction_holds_and_can_be_undone(desk: Desk) -> None:
    cup = a_cup(desk, 2, 2)
    desk.do(PairRound(event=cup))
    play_all(desk, 1001)
    held = desk.store.results()[0]
    first, second = (player.name for player in held.result.players)
    act = desk.do(Correct(table=held.table, game_id=held.result.game_id, points={first: 1, second: 99}))

    assert standings(the_event(desk), desk.store.results())[0].name == second
    assert desk.store.results()[0].corrected
    desk.do(Undo(act=act))
    assert desk.store.results() == [held]


def test_who_gets_a_bye_leaves_the_table_and_a_table_of_one_is_none(desk: Desk) -> None:
    cup = a_cup(desk, 4, 2)
    desk.do(PairRound(event=cup))
    one, other = the_event(desk).rounds[0].placings[0].players
    desk.do(GiveBye(event=cup, player=one))

    assert the_event(desk).rounds[0].byes == (one, other)
    assert told(desk, "table-1").players == ()


def test_who_has_left_is_not_paired_until_back(desk: Desk) -> None:
    cup = a_cup(desk, 5, 2)
    desk.do(Leave(event=cup, player="Ada"))
    desk.do(PairRound(event=cup))
    assert "Ada" not in {name for one in the_event(desk).rounds[0].placings for name in one.players}
    desk.do(started_to_end(desk, cup))
    desk.do(Leave(event=cup, player="Ada", away=False))
    desk.do(AddPlayers(event=cup, players=("Zoé",)))
    desk.do(PairRound(event=cup))
    assert {"Ada", "Zoé"} <= {name for one in the_event(desk).rounds[1].placings for name in one.players}


def started_to_end(desk: Desk, cup: str) -> EndRound:
    desk.do(StartRound(event=cup))
    return EndRound(event=cup)


def test_calls_and_messages(desk: Desk) -> None:
    desk.do(CallTable(call=Call(kind="come"), table="table-3"))
    act = desk.do(Say(text="  Dinner!  "))
    assert b'"Dinner!"' in desk.store.sayings()["hall/all/message"]
    desk.do(Undo(act=act))
    assert b"Dinner" not in desk.store.sayings().get("hall/all/message", b"")


def test_what_cannot_be_is_refused_and_changes_nothing(desk: Desk) -> None:
    cup = a_cup(desk, 60, 4)
    before = desk.store.events()
    for wish, key in (
        (PairRound(event=cup), "hall/refuse/tables"),
        (PairRound(event="none"), "hall/refuse/no-event"),
        (StartRound(event=cup), "hall/refuse/no-round"),
        (AddPlayers(event=cup, players=("ada",)), "hall/refuse/name-twice"),
        (Leave(event=cup, player="Nobody"), "hall/refuse/no-player"),
        (Correct(table="table-1", game_id="none", points={"Ada": 1}), "hall/refuse/no-result"),
        (NewEvent(name="x", game="chess", players=("A", "B")), "hall/refuse/no-game"),
    ):
        with pytest.raises(RefusedError) as refused:
            desk.do(wish)
        assert refused.value.key == key
    assert desk.store.events() == before


def test_a_round_robin_ends_when_everybody_has_met(desk: Desk) -> None:
    desk.do(NewEvent(name="All", game="yacht", players=("A", "B", "C", "D"), size=2, system="round robin"))
    for _ in range(3):
        desk.do(PairRound(event="all"))
        desk.do(started_to_end(desk, "all"))
    with pytest.raises(RefusedError, match="all-met"):
        desk.do(PairRound(event="all"))


def test_table_two_comes_before_table_ten() -> None:
    assert tables_in_order(["table-10", "bar", "table-2"]) == ["bar", "table-2", "table-10"]


def test_what_no_table_told_is_entered_counts_and_is_taken_back(desk: Desk) -> None:
    """A table without a table: the organiser writes the points down; the standings, the screen and the export have them."""
    cup = a_cup(desk, 4, 2)
    desk.do(PairRound(event=cup))
    one, other = the_event(desk).rounds[0].placings[0].players
    act = desk.do(Enter(event=cup, round=1, table="table-1", points={other: 30, one: 12}))

    assert next((line.name, line.points) for line in standings(the_event(desk), [])) == (other, 12)
    shown = event_shown(the_event(desk), []).round
    assert shown is not None
    assert (shown.pairs[0].points, shown.pairs[0].entered, bool(shown.pairs[0].game_id)) == ((12, 30), True, True)
    exported = with_entered([the_event(desk)], [])
    assert [(player.name, player.points, player.won) for player in exported[0].result.players] == [
        (one, 12, False),
        (other, 30, True),
    ]
    assert desk.store.trail()[0].what == f"enter table-1: {other} 30, {one} 12"
    desk.do(Undo(act=act))
    assert with_entered([the_event(desk)], []) == []
    desk.do(Enter(event=cup, round=1, table="table-1", points={one: 1, other: 2}))
    desk.do(Enter(event=cup, round=1, table="table-1"))
    assert the_event(desk).rounds[0].placings[0].entered is None, "nobody's points take it back too"


def test_a_table_that_tells_later_doubles_nothing(desk: Desk) -> None:
    """The organiser's word holds, on the table's own game: one game stays one."""
    cup = a_cup(desk, 2, 2)
    desk.do(PairRound(event=cup))
    one, other = the_event(desk).rounds[0].placings[0].players
    desk.do(Enter(event=cup, round=1, table="table-1", points={one: 1, other: 99}))
    play_all(desk, 1001)

    held = with_entered([the_event(desk)], desk.store.results())
    assert [(h.result.game_id, h.corrected, h.result.players[1].points) for h in held] == [("table-1-1001", True, 99)]
    assert standings(the_event(desk), desk.store.results())[0].name == other


@pytest.mark.parametrize(
    ("wish", "key"),
    [
        ({"round": 2, "table": "table-1"}, "hall/refuse/no-round"),
        ({"round": 1, "table": "table-9"}, "hall/refuse/no-round"),
        ({"round": 1, "table": "table-1", "points": {"Eve": 3}}, "hall/refuse/other-players"),
    ],
)
def test_only_what_was_paired_can_be_entered(desk: Desk, wish: dict[str, Any], key: str) -> None:
    cup = a_cup(desk, 2, 2)
    desk.do(PairRound(event=cup))
    with pytest.raises(RefusedError, match=key):
        desk.do(Enter(event=cup, **wish))


def test_names_are_lines_a_pen_could_write(desk: Desk) -> None:
    desk.do(NewEvent(name="Fri\u202eday\x07\n Cup", game="yacht", players=("A\u202eda\x1b[2J", " Bo "), size=2))
    event = the_event(desk)
    assert event.name == "Fri\ufffdday\ufffd Cup"
    assert [entrant.name for entrant in event.entrants] == ["A da [2J", "Bo"]


def test_every_round_may_have_another_game(store: Database) -> None:
    """Yacht, then Farkle: each round counts the game it was paired for."""
    clock = Clock()
    desk = Desk(store, lambda: TABLES, clock)
    cup = a_cup(desk, 2, 2)
    for number, game in enumerate(("", "farkle"), 1):
        clock.now = 1000.0 * number
        desk.do(PairRound(event=cup, game=game))
        desk.do(StartRound(event=cup))
        placing = the_event(desk).rounds[-1].placings[0]
        for played in ("yacht", "farkle"):
            told = a_result(placing, played, clock.now + 1)
            desk.store.record(placing.table, [msgspec.structs.replace(told, game_id=f"{played}-{number}")])
        desk.do(EndRound(event=cup))
    counted = results_of(the_event(desk), desk.store.results())
    assert [one.result.game_id for one in counted.values()] == ["yacht-1", "farkle-2"]
