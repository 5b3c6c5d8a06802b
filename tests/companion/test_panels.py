"""What a game declares to be shown: typed, checked at the door, told with every moment."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.box.printed import printed
from companion.core.guard import Guarded, PackFailedError
from companion.core.moment import moment
from companion.core.registry import pack
from companion.game import Text
from companion.games.scorepad import pack as scorepad
from companion.panels import Cell, Clock, Column, Figure, Figures, Panel, Panels, Row, Table
from companion.wire import announced


class Showy(type(scorepad)):  # type: ignore[misc]
    """A score pad that shows what it is told to."""

    id = "scorepad"
    shown: tuple[Any, ...] = ()

    def panels(self, state: Any, seat: int | None) -> tuple[Any, ...]:
        """Whatever it was told."""
        return self.shown


def guarded(*shown: Any) -> tuple[Guarded, Any]:
    """Such a pad behind the door, and its first state."""
    pad = Showy()
    pad.shown = shown
    return Guarded("scorepad", lambda: pad), pad.new({"names": ["Ada", "Ben"]}, {})


def test_a_panel_travels_and_comes_back_as_it_was() -> None:
    """Everything a pack can show survives the wire."""
    sheet = Table((Column(seat=0),), (Row("Ones", (Cell(3, "best"),), choice="ones"), Row(Text("t"), (Cell(),))))
    some: tuple[Panel, ...] = (sheet, Clock(3, 12, Text("round"), stops=(6, 12), mark=6))
    assert some == msgspec.json.decode(msgspec.json.encode(some), type=Panels)


def test_a_game_that_shows_nothing_shows_no_panels() -> None:
    """The hook has a default."""
    skyrise = pack("skyrise")
    state = skyrise.new({"names": ["Ada", "Ben"]}, {})
    assert moment(skyrise, state, 2).panels == ()


@pytest.mark.parametrize(
    "wrong",
    [
        "a drawing",
        Figures((Figure(Text("who"), 3, seat=5),)),
        Clock(1, 0, Text("never")),
        Table((), tuple(Row("row", ()) for _ in range(41))),
    ],
)
def test_what_nobody_could_draw_is_refused_at_the_door(wrong: Any) -> None:
    """A seat nobody has, a clock without hours, a sheet without end: the move that leads there does not count."""
    pad, state = guarded(wrong)
    with pytest.raises(PackFailedError):
        moment(pad, state, 2)


def test_the_score_pad_shows_its_sheet() -> None:
    """A row for every round played, and everybody's total."""
    state = scorepad.new({"names": ["Ada", "Ben"], "rounds": 3}, {})
    for points in ({"p0": 4, "p1": 2}, {"p0": 1, "p1": 7}):
        state = scorepad.play(state, scorepad.decode({"kind": "score", "values": points})).state
    clock, sheet = scorepad.panels(state, None)
    assert isinstance(clock, Clock)
    assert (clock.done, clock.of) == (2, 3)
    assert isinstance(sheet, Table)
    assert [tuple(cell.value for cell in row.cells) for row in sheet.rows] == [(4, 2), (1, 7), (None, None), (5, 9)]


def test_pragas_clock_divides_the_game_at_every_drop() -> None:
    """The last drop is the end, and the mark is where Era II begins."""
    praga = pack("praga")
    state = praga.new({"names": ["Ada", "Ben", "Cas"]}, {})
    (clock,) = praga.panels(state, None)
    assert isinstance(clock, Clock)
    assert clock.of == clock.stops[-1]
    assert clock.mark is not None
    assert 0 < clock.mark < clock.of


GAMES = ("farkle", "praga", "scorepad", "skyrise", "skytopia", "yacht")


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_copy_says_its_game_can_be_told(game: str) -> None:
    """Each printed number at its lowest and at its highest, alone: what is asked and shown fits through the door."""
    own, names = pack(game), ["Ada", "Ben", "Cy", "Di"]
    leaves = {key: leaf for key, leaf in printed(announced.package(game)).items() if type(leaf.value) is int}
    boxes = [
        {key: end} for key, leaf in leaves.items() for end in (leaf.low, leaf.high) if end not in (None, leaf.value)
    ]
    begun = 0
    for box in [{}, *boxes]:
        try:
            state = own.new({"names": names[: own.players[1]]}, box)
        except ValueError:
            continue  # no such copy: said before the first move
        told = moment(own, state, len(names))
        assert told.ask.text.key
        begun += 1
    assert begun > len(boxes) / 2
