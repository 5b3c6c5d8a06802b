"""Finished games are kept, counted and handed out in formats others can read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from companion import history, plots
from companion.journal import Journal
from companion.messages import SeatInfo
from companion.record import read, write
from companion.session import Session


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
    link = history.bg_stats_link(play)
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert len(link) < 2300
    data = json.loads(unquote(link.partition("data=")[2]))
    assert [player["score"] for player in data["players"]] == [10, 6]
    assert [player["winner"] for player in data["players"]] == [True, False]
    assert play.id == data["sourcePlayId"]


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
    """Points per round, sources, head to head: valid SVG with every name in it."""
    written = plots.write_plots(history.plays(journal), tmp_path / "plots")
    assert len(written) == 5
    for path in written:
        ElementTree.parse(path)
    assert "Zoë" in (tmp_path / "plots" / "head-to-head.svg").read_text(encoding="utf-8")


def test_a_journal_is_read_beside_a_running_core(journal: Journal) -> None:
    """`tableside history` while the table plays."""
    beside = Journal.reading(journal.directory)
    assert len(history.plays(beside)) == 3
