"""Finished games are kept, counted and handed out in formats others can read."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import msgspec
import pytest

from companion.core.session import Session
from companion.games.praga import pack as praga
from companion.games.scorepad import pack as scorepad
from companion.journal.recorded import read, write
from companion.journal.store import Journal
from companion.machine.backup import bundle
from companion.past import bgstats, history, plots
from companion.wire.bgstats import title
from companion.wire.config import load
from companion.wire.messages import SeatInfo
from tests.views import shown_by


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Three finished pads and one that is still open."""
    journal = Journal(tmp_path)
    seats = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Zoë"))
    for points in ((5, 3), (2, 9), (4, 4)):
        session = Session.start(journal, "scorepad", {"rounds": 2}, {}, seats)
        for _ in range(2):
            session.play(
                {"kind": "score", "values": {"p0": points[0], "p1": points[1]}}, sender="display", cause="touch"
            )
        session.play({"kind": "end"}, sender="display", cause="touch")
        session.end(sender="display")
    Session.start(journal, "scorepad", {}, {}, seats)
    return journal


def test_only_finished_games_count(journal: Journal) -> None:
    """The open one is not history yet."""
    found = history.plays(journal)
    assert len(found) == 3
    assert {"Ada", "Zoë"} == {player.name for player in found[0].tally.players}


def test_statistics_per_player_and_head_to_head(journal: Journal) -> None:
    """Wins, means, best scores; a shared victory is a win for both and beats nobody."""
    figures = history.statistics(history.plays(journal))
    assert {key: figures["players"]["Ada"][key] for key in ("plays", "wins")} == {"plays": 3, "wins": 2}
    assert figures["players"]["Zoë"]["games"]["scorepad"] == {"plays": 3, "mean": 10.7, "best": 18}
    assert figures["head_to_head"] == {"Ada": {"Zoë": 1}, "Zoë": {"Ada": 1}}


def test_csv_has_one_row_a_source_and_adds_up(journal: Journal) -> None:
    """Anybody's spreadsheet gets the same totals."""
    rows = list(csv.DictReader(io.StringIO(history.to_csv(history.plays(journal)))))
    totals: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row["play"], row["player"])
        totals[key] = totals.get(key, 0) + int(row["points"])
        assert int(row["total"]) >= 0
    assert {10, 6, 4, 18, 8} == set(totals.values())


def test_the_bg_stats_link_carries_the_play(journal: Journal) -> None:
    """Fully encoded, stable source ids, scores and winners."""
    play = history.plays(journal)[-1]
    link = bgstats.link(play)
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert len(link) < 2300
    data = json.loads(unquote(link.partition("data=")[2]))
    assert [player["score"] for player in data["players"]] == [10, 6]
    assert [player["winner"] for player in data["players"]] == [True, False]
    assert play.id == data["sourcePlayId"]


def test_the_bg_stats_link_knows_that_the_fewest_points_may_win(tmp_path: Path) -> None:
    """Golf: the ranks go the other way; of equal scores the winner is told by name, as a phone's link does."""
    journal = Journal(tmp_path)
    seats = tuple(SeatInfo(seat=i, name=name) for i, name in enumerate(("Ada", "Zoë", "Ola")))
    options = {"rounds": 2, "wins": "low", "tie_break": "last"}
    session = Session.start(journal, "scorepad", options, {}, seats)
    for points in ((1, 4, 9), (4, 1, 0)):
        values = {f"p{seat}": n for seat, n in enumerate(points)}
        session.play({"kind": "score", "values": values}, sender="display", cause="touch")
    session.play({"kind": "end"}, sender="display", cause="touch")
    session.end(sender="display")
    told = bgstats.play_in_words(history.plays(journal)[0])
    assert told["game"]["highestWins"] is False
    assert [(one["score"], one["winner"], one["rank"]) for one in told["players"]] == [
        (5, False, 1),
        (5, True, 1),
        (9, False, 3),
    ]


def test_exports_call_every_game_by_its_name() -> None:
    """Of one whose pack is gone only the id is known."""
    assert [title(game) for game in ("praga", "yacht", "gone")] == ["Praga Caput Regni", "Yacht", "gone"]


def test_csv_names_the_printed_values_nobody_confirmed() -> None:
    """A line that rests on one says so in the spreadsheet too."""
    tally = praga.score({"game": "praga", "players": [{**praga.example()["players"][0], "eggs": 1}]}, {})
    play = history.Play("g", "praga", 0.0, 60.0, tally)
    rows = {row["source"]: row["unconfirmed"] for row in csv.DictReader(io.StringIO(history.to_csv([play])))}
    assert (rows["eggs"], rows["walls"]) == ("scoring.eggs.1", "")


def test_a_game_is_exported_and_read_again(journal: Journal) -> None:
    """JSON lines, the format of recorded games."""
    game = history.plays(journal)[0].id
    one = history.record(journal, game)
    again = read(write(one.game, one.options, one.box, one.moves, one.tally))
    assert one.tally is not None
    assert [player["total"] for player in one.tally["players"]] == [
        player.total for player in again.pack.tally(again.final()).players
    ]


def test_plots_are_drawn(journal: Journal, tmp_path: Path) -> None:
    """Points and minutes per round, sources, head to head: valid SVG with every name in it."""
    written = plots.write_plots(history.plays(journal), tmp_path / "plots", journal)
    assert len(written) == 8
    for path in written:
        ElementTree.parse(path)
    assert "Score pad: where" in (tmp_path / "plots" / "scorepad-sources.svg").read_text(encoding="utf-8")
    assert "Zoë" in (tmp_path / "plots" / "head-to-head.svg").read_text(encoding="utf-8")


def test_a_journal_is_read_beside_a_running_core(journal: Journal) -> None:
    """`tableside history` while the table plays."""
    beside = Journal.reading(journal.directory)
    assert len(history.plays(beside)) == 3


NAMES = ("Ada", "Zoë", "Ola")
GAMES = [
    ("skytopia", {"sides": "B"}),
    ("skytopia", {"depth": "light"}),
    ("praga", {}),
    ("skyrise", {"deal": "digital"}),
    ("scorepad", {"rounds": 4}),
]


def played(journal: Journal, game: str, options: dict[str, object], until: int = 2000) -> Session:
    """A game of random legal moves at a table of its own."""
    seats = tuple(SeatInfo(seat=i, name=name) for i, name in enumerate(NAMES))
    session, chance = Session.start(journal, game, options, {}, seats), random.Random(f"{game} {options}")
    for number in range(until):
        if session.pack.over(session.state):
            break
        deal = session.pack.deal(session.state)
        if deal is not None:
            move = deal["move"] | deal["shuffle"]
        elif game == "scorepad":
            values = {f"p{seat}": chance.randint(0, 9) for seat in range(3)}
            move = {"kind": "score", "values": values} if number < 4 else {"kind": "end"}
        else:
            move = session.pack.encode(chance.choice(session.pack.moves(session.state)))
        session.play(move, sender="display", cause="touch")
    return session


@pytest.mark.parametrize(("game", "options"), GAMES, ids=lambda one: one if isinstance(one, str) else "")
def test_every_game_tells_its_points_per_round_and_by_source(
    tmp_path: Path, game: str, options: dict[str, str]
) -> None:
    """In JSON beside the tally, in CSV one row a round and source; both add up to what the track showed."""
    journal = Journal(tmp_path)
    session = played(journal, game, options)
    session.end(sender="display")
    found = history.plays(journal)
    assert len(found) == 1
    (told,) = history.to_json(found, journal)
    figures = told["statistics"]
    chart = shown_by(session.pack, session.state)["chart"]
    assert [player["name"] for player in figures["players"]] == list(NAMES)
    assert figures["rounds"] == max(len(player["rounds"]) for player in figures["players"])
    rows = list(csv.DictReader(io.StringIO(history.to_statistics_csv(found, journal))))
    for player in figures["players"]:
        track = chart[player["seat"]]
        reached = [sum(player["rounds"][: n + 1]) + player.get("before", 0) for n in range(len(player["rounds"]))]
        assert set(reached) <= {0, *track}
        if player["sources"] and game != "skytopia":
            assert sum(player["sources"].values()) == found[0].tally.players[player["seat"]].total
        mine = [row for row in rows if row["player"] == player["name"]]
        assert [int(row["points"]) for row in mine if row["by"] == "round"] == player["rounds"]
        assert {row["name"]: int(row["points"]) for row in mine if row["by"] == "source"} == player["sources"]
    assert any(player["rounds"] for player in figures["players"]) or options.get("depth") == "light"


def test_a_play_todays_rules_cannot_replay_keeps_its_tally(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its figures are left out, nothing else."""
    play = history.plays(journal)[0]
    monkeypatch.setattr(type(scorepad), "decode", lambda self, move: msgspec.convert(move, int))
    assert history.story(journal, play) == {}
    assert history.to_json([play], journal)[0]["tally"]["players"]


def two_hands(place: Path) -> Iterator[tuple[Journal, Session]]:
    """The same open game of Skyrise twice, moves and all, but with other cards in the players' hands."""
    for number in range(2):
        journal = Journal(place / str(number) / "games")
        seats = tuple(SeatInfo(seat=i, name=name) for i, name in enumerate(NAMES))
        session, chance = Session.start(journal, "skyrise", {"deal": "digital"}, {}, seats), random.Random(7)
        deal = session.pack.deal(session.state)  # type: ignore[attr-defined]
        piles = {name: pile[number:] + pile[:number] for name, pile in deal["shuffle"].items() if name in SECRET}
        session.play(deal["move"] | deal["shuffle"] | piles, sender="display", cause="touch")
        for _ in range(12):
            move = chance.choice(session.pack.moves(session.state))
            session.play(session.pack.encode(move), sender="display", cause="touch")
        yield journal, session


SECRET = ("objectives", "wonders", "patrons")


def test_an_open_game_is_exported_without_its_secrets(tmp_path: Path) -> None:
    """The export of a running game of Skyrise reads the same whatever cards the players hold."""
    told, kept = set(), set()
    for journal, session in two_hands(tmp_path):
        one = history.record(journal, session.game)
        told.add(write(one.game, one.options, one.box, one.moves, one.tally))
        kept.add(json.dumps([row.body for row in journal.rows(session.game)][1:]))
        assert len(one.moves) == len(session.done) == 13
        assert history.plays(journal) == []
    assert len(told) == 1
    assert len(kept) == 2, "the journal itself keeps the difference"


def test_a_bundle_of_a_running_game_tells_only_that_something_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And when, never what: the same whatever cards the players hold."""
    monkeypatch.setattr("companion.machine.doctor.examine", list)
    told = set()
    for _, session in two_hands(tmp_path):
        root = session.journal.directory.parent
        monkeypatch.setenv("TABLESIDE_STATE_DIR", str(root))
        with zipfile.ZipFile(bundle(load(), root / "bundle.zip")) as archive:
            (rows,) = json.loads(archive.read("journal.json")).values()
            rest = [archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".txt")]
        assert all(set(row) == {"seq", "kind", "cause", "ts"} for row in rows)
        told.add(json.dumps([[row["seq"], row["kind"], row["cause"]] for row in rows] + [one.decode() for one in rest]))
    assert len(told) == 1
