"""The Praga table on the touchscreen: every label whole, every key as large as a finger, every touch a legal move."""

from __future__ import annotations

import os
from functools import partial

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import msgspec
import pygame
import pytest

from benches import samples
from companion.game import RuleBroken, Text
from companion.games.praga import crane, pack
from companion.games.praga.state import Technology
from companion.wire.messages import DialSeen, Notice, Prompt, SeatInfo, State, Undo
from display.tables.praga import table as praga
from display.theme import COLOUR_ORDER
from display.touch import Play
from display.view import View
from display.wording import Wording
from tests.companion.praga.a_table import KNOWN, READ, a_table, choose_free, play
from tests.display import views
from tests.display.views import label_faults

SIZES = ((800, 480), (1280, 720), (1920, 1080), (720, 1280))
PAIRS = {
    "tiles.a.1": ["mines", "road"],
    "tiles.a.2": ["quarries", "building"],
    "tiles.a.3": ["wall", "upgrade"],
    "tiles.a.4": ["mines", "wall"],
}


@pytest.fixture(autouse=True, scope="module")
def _video():
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((64, 64))
    yield  # pygame stays up: fonts other tests of this process have cached would be gone with it


def mid_game(depth="full"):
    """Four players, turn 23, the third with three windows and a stored technology."""
    state = a_table(4, depth, PAIRS, gold=4, stone=5, points=46)
    third = msgspec.structs.replace(
        state.boards[2], gold_windows=1, silver_windows=2, technologies=(Technology(3, "upgrade", 3),), mines=8
    )
    wheel = crane.lay_out(11, {1: 1, 2: 2, 4: 3, 6: 4, 8: 5, 10: 6}, flagged=(3,))
    boards = (*state.boards[:2], third, state.boards[3])
    return msgspec.structs.replace(state, boards=boards, turn=22, crane=wheel)


def chosen():
    return play(mid_game(), {"kind": "choose", "tile": 4})


def acted():
    return play(chosen(), {"kind": "act", "action": "mines", "branch": "dig"})


def known(**board):
    """A copy of which everything was seen, with goods for most of it."""
    return choose_free(a_table(4, "full", {**KNOWN, "tiles.a.5": ["unknown", "unknown"]}, gold=6, stone=5, **board))


def began(action, **more):
    return play(known(), {"kind": "begin", "action": action, **more})


def unplaced():
    """A building asks for its plaza, and nobody has said yet where any of them lies."""
    state = a_table(2, "full", {**KNOWN, "tiles.a.5": ["unknown", "unknown"], "plazas.places": []}, gold=6, stone=5)
    return play(choose_free(state), {"kind": "begin", "action": "building", "tile": 1})


def hanging(*moves):
    """The crane is told before the first turn."""
    state = pack.new({"names": ["Magda", "Tomek"], "depth": "full"}, PAIRS)
    return play(state, *({"kind": "hang", **move} for move in moves))


STATES = {
    "hang a tile": (hanging, {}),
    "hang its second action": (lambda: hanging({"tile": 1}, {"action": "mines"}), {}),
    "known walls": (lambda: began("wall"), {}),
    "known upgrades": (lambda: began("upgrade"), {}),
    "known buildings": (lambda: began("building"), {}),
    "plazas": (lambda: began("building", tile=1), {}),
    "plazas, none on the map": (unplaced, {}),
    "plazas, one picked": (unplaced, {"plaza-pin": 10}),
    "the map": (lambda: a_table(4, "full", KNOWN), {"slot": "plazas", "plaza-pin": 3}),
    "the map, empty": (lambda: a_table(2), {"slot": "plazas"}),
    "sites": (lambda: began("building", tile=1, plaza=2), {}),
    "another wall": (lambda: began("wall"), {"slot": "entry"}),
    "road as last time": (lambda: began("road"), {}),
    "beside a tile": (lambda: play(known(), {"kind": "act", "action": "upgrade", "tile": 1}), {}),
    "a new space": (lambda: play(a_table(2, silver_windows=2), {"kind": "climb", "building": "wall"}), {}),
    "held": (lambda: pack.play(known(), pack.decode({"kind": "turn"})).state, {}),
    "choose": (mid_game, {}),
    "also": (mid_game, {"slot": "also"}),
    "unknown tiles": (lambda: a_table(2), {}),
    "poor": (lambda: a_table(3, gold=0), {}),
    "action": (chosen, {}),
    "more actions": (chosen, {"choices-page": 1}),
    "wheel": (acted, {}),
    "note": (acted, {"slot": "note"}),
    "wall": (lambda: play(chosen(), {"kind": "begin", "action": "wall"}), {}),
    "building": (lambda: play(choose_free(a_table(4, gold=9)), {"kind": "begin", "action": "building"}), {}),
    "dummy": (lambda: play(choose_free(a_table(1)), {"kind": "turn"}), {}),
    "light": (lambda: choose_free(mid_game("light")), {}),
    "era two": (lambda: msgspec.structs.replace(mid_game(), turn=50), {}),
    "form": (lambda: msgspec.structs.replace(mid_game(), turn=64), {}),
    "form, numbers": (lambda: msgspec.structs.replace(mid_game(), turn=64), {"form-leaf": 1, "form-leaf-of": 0}),
    "form, last leaf": (lambda: msgspec.structs.replace(mid_game(), turn=64), {"form-leaf": -1, "form-leaf-of": 0}),
    "put a player right": (mid_game, {"slot": "player 2"}),
    "put a player's tiles right": (mid_game, {"slot": "player 2", "form-leaf": 2, "form-leaf-of": 2}),
    "put a player's claims right": (mid_game, {"slot": "player 2", "form-leaf": 1, "form-leaf-of": 2}),
    "put a light player right": (lambda: mid_game("light"), {"slot": "player 1"}),
    "put the crane right": (mid_game, {"slot": "crane"}),
    "windows": (lambda: play(acted(), {"kind": "turn"}), {}),
}


def view_of(state, dial=None, **local):
    """What the screen is told about a game."""
    seats = tuple(SeatInfo(seat=i, name=name, colour=COLOUR_ORDER[i]) for i, name in enumerate(state.names))
    told = State(
        table="table",
        phase="playing",
        game="praga",
        seats=seats,
        view=msgspec.Raw(msgspec.json.encode(pack.view(state, None))),
        undo=Undo(text=Text("undo/last")),
        panels=pack.panels(state, None),
        depth=state.depth,
        prompt=Prompt(ask=pack.ask(state)),
    )
    health = samples.table().health
    return View(state=told, dial=dial, health=health, local=local)


drawn = partial(views.drawn, draw=praga.draw)


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.usefixtures("blank_pictures")
def test_no_label_is_cut_or_overlaps(name, size):
    """Three languages, three text sizes, four panels."""
    make, local = STATES[name]
    view = view_of(make(), **local)
    inches = 15.6 if size[0] == 1920 else 7.0
    faults = [
        f"{language} {text_size} %: {fault}"
        for text_size in (100, 125, 150)
        for language in ("en", "pl", "fr")
        for fault in label_faults(drawn(view, *size, language, text_size, inches=inches).labels(), *size)
    ]

    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.usefixtures("blank_pictures")
def test_touch_areas_are_as_large_as_a_finger_and_touches_are_legal(name, size):
    """Nine millimetres, and whatever is not crossed out the table accepts."""
    make, local = STATES[name]
    state = make()
    page = drawn(view_of(state, **local), *size, "pl", inches=15.6 if size[0] == 1920 else 7.0)
    small = [f"{t.id} {t.box}" for t in page.touches() if not t.small and min(t.box[2:]) < page.theme.touch]

    assert not small, f"smaller than {page.theme.touch}: {small}"
    for touch in page.touches():
        if isinstance(touch.act, Play):
            try:
                pack.play(state, pack.decode(touch.act.move))
            except RuleBroken as refused:
                pytest.fail(f"{touch.id} is refused: {refused.code}")


def test_the_wheel_follows_the_hand():
    """Half a notch further on the dial, half a notch further on the screen, and the goal is marked."""
    state = acted()

    def frame(position, angle=0.0, how="turning"):
        dial = DialSeen(ts=1.0, position=position, positions=12, state=how, angle=angle)
        return pygame.image.tobytes(drawn(view_of(state, dial), 1280, 720).surface, "RGB")

    still = frame(10, how="ready")
    assert still != frame(10, 0.5)
    assert still == frame(10)
    page = drawn(view_of(state), 1280, 720)
    assert praga.turned(page, view_of(state, DialSeen(ts=1.0, position=9, positions=12, state="ready")), 11) == -1


def test_a_wheel_in_the_wrong_place_is_told_where_it_belongs():
    """What differs stands before everything else beside the crane."""
    view = view_of(acted())
    say, do = (
        Text("praga/differs/wheel", {"seen": crane.place(3)}),
        Text("praga/differs/wheel/turn", {"n": 1, "station": crane.place(12)}),
    )
    notice = Notice(id="differs-dial", text=say, do=do, kind="warn", slot="dial")
    view = msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=(notice,)))
    shown = " ".join(label.text for label in drawn(view, 1280, 720).labels())

    assert "The arrow stands at the third red place" in shown.replace(" / ", " ")
    assert "the fifth blue place" in shown


def test_the_next_players_form_begins_at_its_first_leaf():
    """The leaf belongs to one form; turning it keeps what was entered."""
    state = msgspec.structs.replace(mid_game(), turn=64)
    page = drawn(view_of(state, **{"form-leaf": 1, "form-leaf-of": 0}), 800, 480, text_size=150)
    assert any(label.text.startswith("2 of") for label in page.labels()), [label.text for label in page.labels()]
    state = play(state, {"kind": "sheet", "seat": 0, "values": READ})
    page = drawn(view_of(state, **{"form-leaf": 1, "form-leaf-of": 0}), 800, 480, text_size=150)
    assert any(label.text.startswith("1 of") for label in page.labels())


@pytest.mark.parametrize(("touched", "field", "value"), [("player 2", "gold", 7), ("crane", "box", 9)])
def test_any_value_is_put_right_from_the_table(touched, field, value):
    """Touch the player or the crane, change the value, send: the table has it."""
    state = mid_game()
    page = drawn(view_of(state), 1280, 720)
    opened = next(t for t in page.touches() if t.id == touched)
    local = {key: one for key, one in opened.act.values.items() if one is not None}
    page = drawn(view_of(state, **local, form={field: value}), 1280, 720)
    send = next(t for t in page.touches() if t.id == "form-send")
    fixed = pack.play(state, pack.decode(send.act.move)).state

    assert value == (fixed.boards[2].gold if field == "gold" else fixed.crane.box)
    assert fixed.turn == state.turn


def test_a_mistaken_tile_is_put_right_from_the_table():
    """A technology of level III was another one, and a seal was claimed that nobody recorded."""
    state = mid_game()
    form = {"technology-3": "road", "seals": ("gold",), "claims-2": 1}
    page = drawn(view_of(state, slot="player 2", form=form), 1280, 720)
    send = next(t for t in page.touches() if t.id == "form-send")
    fixed = pack.play(state, pack.decode(send.act.move)).state

    assert [(one.level, one.effect) for one in fixed.boards[2].technologies] == [(3, "road")]
    assert (fixed.boards[2].seals, fixed.plazas[1].cubes) == (("gold",), (0, 0, 1, 0))


def test_a_tile_that_cannot_be_paid_explains_itself():
    """It is drawn dashed, and touching it does not send a move."""
    state = a_table(2, gold=0)
    page = drawn(view_of(state), 1280, 720)
    dear = next(t for t in page.touches() if t.id == f"tile-{state.crane.at(1)}")

    assert not isinstance(dear.act, Play)


def test_the_crane_shows_only_the_tiles_that_were_told_and_the_place_that_is_asked():
    """Before the first turn nobody knows what hangs at the other places, whatever the box knows of the tiles."""
    wheel = pack.view(hanging({"tile": 4}, {"action": "road"}), None).crane
    shown = [one.actions for one in wheel.stations if one.tile]

    assert shown == [("mines", "wall"), ("road",), (), (), (), ()]
    assert wheel.asked == 2
    assert pack.view(mid_game(), None).crane.asked == 0


def test_as_last_time_is_the_first_answer_of_a_road():
    """One touch, before the key that sends what would have to be filled in."""
    page = drawn(view_of(began("road")), 800, 480)
    answers = [t.id for t in page.touches() if t.id in ("as-last", "form-send")]
    assert answers == ["as-last", "form-send"]


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
@pytest.mark.usefixtures("blank_pictures")
def test_the_final_form_says_where_a_printed_number_is_read(size):
    """On a small panel too: at which row of the Hunger Wall, under which column of the Cathedral."""
    state = msgspec.structs.replace(mid_game(), turn=64)
    said = " ".join(
        label.text for leaf in (0, 1) for label in drawn(view_of(state, **{"form-leaf": leaf, "form-leaf-of": 0}), *size).labels()
    )  # fmt: skip
    for field in pack.ask(state).form.fields:
        if field.value is None:
            assert Wording("en", {}).say(field.help) in said.replace(" / ", " ")
