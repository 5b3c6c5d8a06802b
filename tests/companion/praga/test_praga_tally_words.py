"""What the tally says of every line: its name, what it counted, and which unread numbers stand behind it."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from msgspec.structs import replace

from companion.box.printed import load
from companion.game import Text, seat_name
from companion.games.praga import scoring, sheet
from companion.games.praga.sheet import Sheet

PRINTED = load("companion.games.praga")
UNREAD = "track.technology_top"
"""A number nobody has confirmed."""


def a_sheet(**changes: Any) -> Sheet:
    """The example's player with some values changed."""
    one = {**copy.deepcopy(sheet.EXAMPLE["players"][0]), **changes}
    return sheet.read({"game": "praga", "players": [one]}, PRINTED).players[0]


def said(told: scoring.PlayerTally) -> dict[str, tuple[Text, int, Text | None]]:
    return {line.id: (line.text, line.points, line.reason) for line in told.lines}


def reason(name: str, **params: Any) -> Text:
    return Text(f"praga/reason/{name}", params)


def test_every_line_has_its_name_and_says_what_it_counted() -> None:
    told = scoring.player(PRINTED, a_sheet(name="Ada", v_tiles=["walls", "rows"], v_rows_points=7))
    seals = (Text("praga/seal/pair"),)

    assert told.seat == 0
    assert told.name == "Ada"
    assert {name: words for name, (words, _, _) in said(told).items()} == {
        line.id: Text(f"praga/line/{line.id}") for line in told.lines
    }
    assert {name: why for name, (_, _, why) in said(told).items()} == {
        "track": None,
        "plazas": None,
        "science": reason("science", n=6, each=2),
        "wall_row": None,
        "cathedral_row": None,
        "blue_tokens": reason("blue_tokens", n=4, each=2),
        "red_tokens": reason("red_tokens", n=3, each=3),
        "walls": reason("walls", n=4),
        "v/walls": reason("v/walls", n=4, each=2),
        "v/rows": None,
        "seals": reason("seals", seals=seals, gold=5, stone=8, pairs=5),
        "eggs": reason("eggs", n=2),
    }


def test_without_seals_and_without_a_name_nothing_is_made_up() -> None:
    told = scoring.player(PRINTED, a_sheet(name="", seals=[]))

    assert told.name == "P1"
    assert said(told)["seals"] == (Text("praga/line/seals"), 0, None)


@pytest.mark.parametrize("tile", ["mines", "quarries", "upgrades"])
def test_what_nobody_counted_is_nothing(tile: str) -> None:
    assert scoring.final_tile(PRINTED, a_sheet(**{tile: None}), tile) == (0, 0)


def test_rows_are_points_told_at_once_and_count_nothing() -> None:
    assert scoring.final_tile(PRINTED, a_sheet(v_tiles=["rows"], v_rows_points=7), "rows") == (7, 0)


def test_goods_and_tracks_stop_at_their_ends() -> None:
    plain = a_sheet()
    gains = replace(plain.plazas, gold=90, stone=90, technology=90, university=90)
    have = scoring.after_step_one(PRINTED, replace(plain, plazas=gains))
    assert (have["gold"], have["stone"]) == (int(PRINTED["limit.goods"]),) * 2
    assert have["university"] == int(PRINTED["track.university_top"])
    assert have["technology"] == 96, "an end nobody has read stops nothing"
    read = load("companion.games.praga", {UNREAD: 9})
    assert scoring.after_step_one(read, replace(plain, plazas=gains))["technology"] == 9


@pytest.mark.parametrize("line", ["track", "science", "v/walls"])
def test_a_line_names_the_unread_numbers_behind_it(line: str) -> None:
    told = scoring.player(PRINTED, a_sheet(), {line: (UNREAD,)})
    assert {one.id for one in told.lines if UNREAD in one.unconfirmed} == {line}
    assert scoring.tally(PRINTED, [a_sheet()], {0: {line: (UNREAD,)}}).unconfirmed.count(UNREAD) == 1


def test_a_tie_says_who_was_tied_and_who_began_later() -> None:
    both = [a_sheet(), a_sheet(seat=2, name="P2")]
    tied = (seat_name(0), seat_name(1))
    assert scoring.tally(PRINTED, both).tie_break == Text("praga/tie-break", {"winner": seat_name(1), "tied": tied})
    assert scoring.tally(PRINTED, both).notes == ()


@pytest.mark.parametrize(("more", "word"), [(0, "lost"), (1, "won")])
def test_alone_one_must_be_above_the_printed_number(more: int, word: str) -> None:
    good = int(PRINTED["solo.good"])
    track = a_sheet().track + good - scoring.player(PRINTED, a_sheet()).total + more
    told = scoring.tally(PRINTED, [a_sheet(track=track)])
    assert told.notes == (Text(f"praga/verdict/{word}", {"good": good, "total": good + more}),)
    assert (told.players[0].seat, told.players[0].name) == (0, "P1")
    assert told.players[0].extra == {"verdict": f"above {good}" if more else f"not above {good}"}


def test_gold_and_stone_apart_may_be_worth_more_than_in_pairs() -> None:
    assert scoring.best_split(PRINTED, ("gold", "stone", "pair"), 5, 8) == (26, 0)
    assert scoring.best_split(PRINTED, ("stone", "pair"), 5, 8) == (21, 5)
