"""The set-up screen: games of our own, people who played before, games thrown away, robots in a row of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest

from benches import samples
from companion.game import Field, Text
from companion.wire.lobby import Again, Offer, Pad, Paused, Sitter
from display.scenes.paused import SURE
from display.touch import Tell
from display.view import View
from tests.display.test_client import Table
from tests.display.views import drawn

FIELDS = (
    Field("title", Text("scorepad/option/title"), "words", ""),
    Field("categories", Text("scorepad/title"), "list", ()),
)
PEOPLE = tuple(Sitter(name=name, language="pl") for name in ("Łucja", "Élodie", "Bob", "Magda"))
AWAY = Paused(id="g1", game="scorepad", title=Text("scorepad/title"), seats=(), ts=1.0, moves=3)


def lobby(language: str = "en", **local: Any) -> View:
    view = samples.lobby(language, 2, **local)
    assert view.state is not None
    assert view.state.lobby is not None
    pads = (Pad(game="scorepad", title="Rummikub", options={"rounds": 4, "categories": ["runs"]}),)
    setup = {**view.state.lobby.setup, "scorepad": Offer(title=Text("scorepad/title"), options=FIELDS, robots=False)}
    told = msgspec.structs.replace(view.state.lobby, people=PEOPLE, pads=pads, paused=(AWAY,), setup=setup)
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, lobby=told))


def table(folder: Path, size: tuple[int, int] = (800, 480), **local: Any) -> Table:
    made = Table(folder, size)
    made.show(lobby())
    made.client.put(**local)
    made.pass_time()
    return made


def test_rules_kept_under_a_name_come_back_with_a_touch(tmp_path: Path) -> None:
    """Newcomer D3: the name is the first thing asked, and the button that begins says it."""
    screen = table(tmp_path, setup={"game": "scorepad"}, variants=True)
    screen.tap("pad Rummikub")
    assert screen.client.view.pick("options") == {"rounds": 4, "categories": ["runs"], "title": "Rummikub"}
    labels = [label.text for label in drawn(screen.client.view, 1280, 720).labels()]
    assert any("Rummikub" in text and "Start" in text for text in labels)


def test_categories_are_a_list_with_plus_and_minus(tmp_path: Path) -> None:
    """Newcomer D2: nobody types commas; one already there is not taken twice."""
    screen = table(tmp_path, (1280, 720), setup={"game": "scorepad"}, variants=True)
    for word in ("a", "b", "a"):
        screen.tap("options:categories+")
        screen.tap(f"key-{word}")
        screen.tap("key-done")
    assert screen.client.view.pick("options") == {"categories": ["A", "B"]}
    screen.tap("options:categories-0")
    assert screen.client.view.pick("options") == {"categories": ["B"]}


def test_a_name_is_picked_from_who_played_before(tmp_path: Path) -> None:
    """Newcomer D4: those at the table are not offered; letters narrow the list; their language comes with them."""
    keys = {"where": "seat", "id": "0", "text": "Player 1", "fresh": True}
    screen = table(tmp_path, keys=keys)
    offered = [touch.id for touch in screen.screen.page.touches() if touch.id.startswith("known ")]
    here = {f"known {seat.name}" for seat in lobby().lobby.last[1:]}
    assert offered
    assert not here & set(offered)
    screen.tap(offered[-1])
    seat = screen.client.view.pick("setup")["seats"][0]
    assert (seat["name"], seat["language"]) == (offered[-1].removeprefix("known "), "pl")


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_a_group_sits_down_at_one_touch(tmp_path: Path, size: tuple[int, int]) -> None:
    """Who sat here last sits there already; another group that played here is one key away, robots included."""
    others = (Sitter(name="Łucja", colour="sky", language="pl"), Sitter(name="Robot", bot="easy"))
    view = lobby()
    assert view.state is not None
    told = msgspec.structs.replace(view.lobby, groups=(view.lobby.last, others))
    screen = Table(tmp_path, size)
    screen.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, lobby=told)))
    screen.pass_time()
    screen.tap("group 1")
    seats = screen.client.view.pick("setup")["seats"]
    assert [(seat["name"], seat["bot"]) for seat in seats] == [("Łucja", ""), ("Robot", "easy")]
    assert seats[0]["language"] == "pl"
    screen.tap("group 0")
    assert [seat["name"] for seat in screen.client.view.pick("setup")["seats"]] == [s.name for s in view.lobby.last]


def test_a_game_is_thrown_away_only_when_it_is_said_twice(tmp_path: Path) -> None:
    """Newcomer D6: the first touch asks."""
    screen = table(tmp_path, paused=True)
    screen.tap("discard g1")
    assert screen.client.view.pick(SURE) == "g1"
    page = drawn(lobby(paused=True, discard="g1"), 800, 480)
    acts = {touch.id: touch.act for touch in page.touches()}
    assert "resume g1" not in acts
    assert Tell("discard", {"game": "g1"}) in getattr(acts["discard-sure g1"], "acts", ())
    screen.tap("discard-keep g1")
    assert screen.client.view.pick(SURE) is None


@pytest.mark.parametrize("game", ["skytopia", "scorepad"])
def test_robots_stand_in_a_row_of_their_own_where_one_can_play(game: str) -> None:
    """Newcomer D10: not beside the languages, and not at all on the pad."""
    seats = [{"name": seat.name, "colour": seat.colour, "language": "en", "bot": ""} for seat in lobby().lobby.last]
    page = drawn(lobby(setup={"game": game, "edit": 0, "seats": seats, "depth": "full"}), 1280, 720)
    rows = {touch.id: touch.box[1] for touch in page.touches()}
    robots = {top for name, top in rows.items() if name.startswith("seat-bot-")}
    assert len(robots) == (1 if game == "skytopia" else 0)
    assert not robots & {top for name, top in rows.items() if name.startswith("seat-language-")}


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_room_that_is_left_belongs_to_the_sentences(size: tuple[int, int]) -> None:
    """Newcomer D13: what an option means is read from a chair; rows without a sentence stay as high as a finger."""
    told = Field("auctions", Text("scorepad/title"), "flag", False, help=Text("scorepad/title"))
    plain = msgspec.structs.replace(told, help=None)

    def height(field: Field) -> float:
        view = lobby(setup={"game": "scorepad"}, variants=True)
        assert view.state is not None and view.state.lobby is not None
        offer = Offer(title=Text("scorepad/title"), options=(field, plain), robots=False)
        shown = msgspec.structs.replace(view.state.lobby, setup={**view.state.lobby.setup, "scorepad": offer})
        page = drawn(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, lobby=shown)), *size)
        return float(next(touch.box[3] for touch in page.touches() if touch.id.startswith("options:auctions")))

    assert height(told) > 1.2 * height(plain)


def test_the_same_game_is_proposed_and_who_begins_keeps_the_chair(tmp_path: Path) -> None:
    """Newcomer C2: one touch starts it. Another who begins is a touch on the sheet, and nobody changes places for it."""
    view = lobby()
    assert view.state is not None
    fields = (Field("rows", Text("scorepad/title"), "number", 4, low=2, high=9),)
    setup = {**view.lobby.setup, "skytopia": Offer(title=Text("skytopia/title"), options=fields, starts=True)}
    told = msgspec.structs.replace(view.lobby, setup=setup, again=Again(game="skytopia", options={"rows": 7}, first=1))
    screen = Table(tmp_path, (800, 480))
    screen.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, lobby=told)))
    screen.pass_time()

    def begun() -> dict[str, Any]:
        (start,) = (touch.act for touch in screen.screen.page.touches() if touch.id == "start")
        assert isinstance(start, Tell)
        return start.args

    boxes = [touch.box for touch in screen.screen.page.touches() if touch.id in ("seat 0", "seat 1")]
    brass = screen.screen.page.c.brass_text
    flags = [
        pygame.mask.from_threshold(screen.screen.page.surface.subsurface(box), brass, (6, 6, 6)).count()
        for box in boxes
    ]
    assert flags[0] == 0 < flags[1], "the flag stands by who begins"
    seats = [seat["name"] for seat in begun()["seats"]]
    assert (begun()["game"], begun()["options"]) == ("skytopia", {"rows": 7, "first": 1, "depth": "full"})
    screen.tap("seat 0")
    screen.tap("seat-first")
    screen.tap("seat-done")
    assert begun()["options"] == {"rows": 7, "depth": "full"}
    assert [seat["name"] for seat in begun()["seats"]] == seats
    screen.tap("game-scorepad")
    assert "rows" not in begun()["options"], "variants of one game are not another's"
