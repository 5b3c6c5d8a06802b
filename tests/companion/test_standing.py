"""Pieces at spots: declared, expected, read, explained and said."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.game import Ask, Expected, Game, Outcome, SlotExpected, Tally, Text, View
from companion.senses.explain import Difference, Explanation, Seen, explain, slot_chance
from companion.senses.notices import difference_notices, restore_notices
from companion.sensing import Area, BoardSpot, Mat
from companion.wire.messages import SeatInfo, SlotSeen

SEATS = (SeatInfo(seat=0, name="Ada", colour="sun"), SeatInfo(seat=1, name="Ben", colour="sky"))
OWNERS = {seat.colour: seat.seat for seat in SEATS}


class Put(msgspec.Struct, frozen=True, tag="put", tag_field="kind"):
    """A piece on a spot."""

    spot: str
    colour: str


class Cubes(Game):
    """Two spots; anybody puts a cube on an empty one."""

    id, players = "cubes", (2, 2)

    def title(self) -> Text:
        return Text("cubes")

    def new(self, options: Any, box: Any) -> Any:
        return ("", "")

    def decode(self, move: Any) -> Any:
        return msgspec.convert(dict(move), Put)

    def ask(self, state: Any) -> Ask:
        return Ask(None, Text("put"))

    def moves(self, state: Any) -> list[Put]:
        raise AssertionError("a camera is asked what it can show")

    def sensed(self, state: Any) -> list[Put]:
        return [Put(name, colour) for i, name in enumerate("ab") if not state[i] for colour in ("sun", "sky")]

    def play(self, state: Any, move: Put) -> Outcome:
        return Outcome(tuple(move.colour if name == move.spot else was for name, was in zip("ab", state, strict=True)))

    def view(self, state: Any, seat: int | None) -> View:
        return View()

    def tally(self, state: Any) -> Tally:
        return Tally((), ())

    def over(self, state: Any) -> bool:
        return False

    def expect(self, state: Any) -> Expected:
        return Expected(tuple(SlotExpected(name, piece=piece) for name, piece in zip("ab", state, strict=True)))


def seen(**spots: dict[str, float]) -> Seen:
    return Seen({name: SlotSeen(slot=name, pieces=shares) for name, shares in spots.items()}, OWNERS)


def found(**spots: dict[str, float]) -> Explanation:
    return explain(Cubes(), ("", ""), seen(**spots))


def test_a_piece_that_is_plainly_seen_is_the_move_that_put_it_there() -> None:
    told = found(a={"sky": 0.99, "": 0.01}, b={"": 1.0})
    assert (told.kind, told.candidates[0].moves) == ("found", (Put("a", "sky"),))


def test_two_pieces_put_down_between_two_looks_are_one_story_whichever_came_first() -> None:
    told = found(a={"sky": 1.0}, b={"sun": 1.0})
    assert told.kind == "found" and set(told.candidates[0].moves) == {Put("a", "sky"), Put("b", "sun")}


def test_a_doubtful_piece_is_asked_about_and_a_shadow_is_not() -> None:
    assert found(a={"sky": 0.9, "": 0.1}, b={"": 1.0}).kind == "found"
    assert found(a={"sky": 0.75, "": 0.25}, b={"": 1.0}).kind == "question"
    assert found(a={"sky": 0.6, "": 0.4}, b={"": 1.0}).kind == "same"


def test_a_piece_whose_colour_is_doubtful_is_asked_about() -> None:
    told = found(a={"sky": 0.6, "sun": 0.4}, b={"": 1.0})
    assert told.kind == "question" and {one.moves[0].colour for one in told.candidates} == {"sky", "sun"}


def test_a_confident_spot_is_never_bent() -> None:
    empty = SlotExpected("a", piece="")
    assert slot_chance(empty, SlotSeen(slot="a", pieces={"sun": 0.96, "": 0.04}), OWNERS) == 0.0
    assert 0 < slot_chance(empty, SlotSeen(slot="a", pieces={"sun": 0.6, "": 0.4}), OWNERS) < 0.4
    assert slot_chance(SlotExpected("a"), SlotSeen(slot="a", pieces={"sun": 1.0}), OWNERS) == 1.0


def test_what_differs_names_whose_piece_it_is() -> None:
    (difference,) = explain(Cubes(), ("sun", ""), seen(a={"sky": 1.0}, b={"": 1.0})).differences
    assert difference == Difference("a", expected_piece=(0,), seen_piece=(1,))
    (notice,) = difference_notices(Cubes(), ("sun", ""), (difference,))
    assert [str(notice.text.params[key].key) for key in ("seen", "expected")] == ["piece/of", "piece/of"]  # type: ignore[union-attr]
    (strange,) = explain(Cubes(), ("sun", ""), seen(a={"plum": 1.0}, b={"": 1.0})).differences
    assert strange.seen_piece == (-1,)


def test_a_table_put_back_is_told_in_pieces() -> None:
    (notice,) = restore_notices(Cubes(), ("", ""), ("sky", ""), SEATS)
    assert notice.text.params["dice"] == Text("piece/of", {"name": Text("seat", {"n": 1})})


def test_a_mat_has_something_to_look_at_inside_itself_and_no_name_twice() -> None:
    spot = BoardSpot("one", 20, 20, 9)
    assert Mat(40, 40, spots=(spot,)).spots_in_order() == (spot,)
    for spots in ((), (spot, spot), (BoardSpot("one", 38, 20, 9),), (BoardSpot("one", 20, 4, 9),)):
        with pytest.raises(ValueError, match=r"areas or spots|outside|one name"):
            Mat(40, 40, spots=spots)
    with pytest.raises(ValueError, match="one name"):
        Mat(40, 40, (Area("one", 0, 0, 10, 10, ("cards",)),), spots=(spot,))
