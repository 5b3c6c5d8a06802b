"""The screen as a client: what it was told it shows, what is touched it sends, and nothing makes it fall over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest

from benches import samples
from companion.game import Text, seat_name
from companion.wire.config import CameraConfig, Config, DialConfig, DisplayConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import Admin, Answer, Happened, MoveRequest, Notice, Refusal
from display.client import ANSWER_SECONDS, Client
from display.screen import Screen
from display.touch import Go, Setting
from display.view import Banner
from tests.display.views import VIEWS


class Table:
    """A screen on a bus in memory, with the core played by the test."""

    def __init__(self, folder: Path, size: tuple[int, int] = (800, 480), *, welcomed: bool = True) -> None:
        self.broker = MemoryBroker()
        self.core = self.broker.bus("companion")
        self.bus: MemoryBus = self.broker.bus("display")
        shown = DisplayConfig(width=size[0], height=size[1], welcomed=welcomed)
        camera, dial = CameraConfig(source="virtual"), DialConfig(source="virtual")
        self.config = Config(display=shown, camera=camera, dial=dial, state_dir=folder)
        self.heard: list[Any] = []
        for topic in ("move/+", "admin", "do/+"):
            self.core.subscribe(topic, lambda _, message: self.heard.append(message))
        self.core.start()
        self.bus.start()
        self.client = Client(self.bus, self.config)
        self.screen = Screen(pygame.display.set_mode(size), self.client, self.config.display)
        self.now = 100.0

    def show(self, view: Any) -> None:
        """The core says what a sample view holds."""
        self.core.publish("state", view.state)
        self.pass_time()

    def pass_time(self, seconds: float = 0.03) -> None:
        self.now += seconds
        self.bus.pump()
        self.core.pump()
        self.screen.step(self.now)

    def tap(self, name: str) -> None:
        touch = next(t for t in self.screen.page.touches() if t.id == name)
        at = (touch.box[0] + touch.box[2] // 2, touch.box[1] + touch.box[3] // 2)
        self.screen.press(at, self.now)
        self.pass_time()
        self.screen.release(at)
        self.pass_time()

    def answer(self, *, ok: bool = True, refusal: Refusal | None = None) -> None:
        last = self.heard[-1]
        self.core.publish("answer/display", Answer(id=last.id, ok=ok, refusal=refusal))
        self.pass_time()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_a_touched_choice_is_sent_with_its_seat_and_row(table: Table) -> None:
    """A card, then a price: one move, of the player in turn, for the row that is shown."""
    table.show(samples.table())
    table.tap("red-2")
    table.tap("place/red-2/6")
    (sent,) = table.heard
    assert isinstance(sent, MoveRequest)
    assert (sent.move["seat"], sent.seq, sent.cause, sent.move["slot"]) == (0, 41, "touch", "red-2")
    assert table.client.view.pending == "place/red-2/6"
    table.answer()
    assert table.client.view.pending == ""


def test_a_choice_that_is_off_explains_itself_and_sends_nothing(table: Table) -> None:
    """Dashed, with its reason; touching it opens the reason."""
    table.show(samples.table())
    table.tap("red-2")
    table.tap("place/red-2/4")
    assert not table.heard
    assert any("coins short" in label.text for label in table.screen.page.labels())
    table.tap("sheet-close")
    assert table.client.view.pick("why") is None


def test_a_press_is_seen_in_the_same_frame(table: Table) -> None:
    """The pixels under the finger change before it is lifted."""
    table.show(samples.table())
    table.tap("red-2")
    touch = next(t for t in table.screen.page.touches() if t.id == "place/red-2/6")
    before = table.screen.surface.subsurface(touch.box).copy()
    table.screen.press((touch.box[0] + 30, touch.box[1] + 30), table.now)
    frames = table.screen.frames
    table.pass_time(0.0)
    after = table.screen.surface.subsurface(touch.box)
    assert table.screen.frames == frames + 1
    assert pygame.image.tobytes(before, "RGB") != pygame.image.tobytes(after, "RGB")


def test_sliding_off_is_a_change_of_mind(table: Table) -> None:
    """Down on a button, up elsewhere: nothing is sent."""
    table.show(samples.table())
    table.tap("red-2")
    touch = next(t for t in table.screen.page.touches() if t.id == "place/red-2/6")
    table.screen.press((touch.box[0] + 30, touch.box[1] + 30), table.now)
    table.screen.release((5, 5))
    assert not table.heard


def test_a_held_key_goes_on(table: Table) -> None:
    """After 400 ms, eight a second."""
    table.show(samples.pad())
    touch = next(t for t in table.screen.page.touches() if t.id == "p0+1")
    table.screen.press((touch.box[0] + 20, touch.box[1] + 20), table.now)
    for _ in range(30):
        table.pass_time(0.05)
    table.screen.release((touch.box[0] + 20, touch.box[1] + 20))
    assert 9 <= table.client.view.pick("form")["p0"] <= 11


def test_the_pad_is_played_by_keyboard_alone(table: Table) -> None:
    """Tab walks, space presses, return writes it down."""
    table.show(samples.pad())
    for _ in range(40):
        table.screen.key("tab", table.now)
        table.pass_time()
        if table.screen._focus == "p2+5":
            break
    table.screen.key("space", table.now)
    table.pass_time()
    assert table.client.view.pick("form") == {"p2": 5}
    table.screen._focus = ""
    table.screen.key("return", table.now)
    table.pass_time()
    assert table.heard[-1].move["values"]["p2"] == 5


def test_a_refusal_says_what_and_what_to_do(table: Table) -> None:
    """Aside, in this screen's language; it offers the owner's copy when the refusal rests on it."""
    table.show(samples.table())
    table.tap("red-2")
    table.tap("place/red-2/6")
    say, do = Text("display/demo/refused"), Text("display/demo/refused-do")
    table.answer(ok=False, refusal=Refusal(code="x", say=say, do=do, box="chronometer.prices"))
    labels = [label.text.replace(" / ", " ") for label in table.screen.page.labels()]
    assert any("already holds a 2" in text for text in labels)
    table.tap("banner-box")
    assert isinstance(table.heard[-1], Admin)
    assert table.heard[-1].command == "box list"


def test_what_the_camera_committed_can_be_undone_from_the_banner(table: Table) -> None:
    """Something happened that nobody touched: six seconds of undo."""
    table.show(samples.table())
    table.core.publish("event/placed", Happened(kind="placed", seq=42, text=Text("display/demo/place")))
    table.pass_time()
    assert table.client.view.banner is not None
    table.tap("banner-undo")
    assert table.heard[-1].undo
    table.core.publish("event/placed", Happened(kind="placed", seq=43, text=Text("display/demo/place")))
    table.answer()
    table.pass_time(7)
    assert table.client.view.banner is None


def test_an_undo_past_a_revealed_card_asks_everybody_first(table: Table) -> None:
    """The consent scene, then an undo that carries it."""
    view = samples.table()
    assert view.state is not None and view.state.undo is not None
    undo = msgspec.structs.replace(view.state.undo, consent=True)
    table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, undo=undo)))
    table.tap("undo")
    assert not table.heard
    table.tap("undo-yes")
    assert (table.heard[-1].undo, table.heard[-1].consent) == (True, True)


def test_a_name_given_on_a_phone_is_in_every_sentence_at_once(table: Table) -> None:
    """Newcomer C1. Nothing else has changed, and yet no answer goes on naming who sat there before."""
    view = samples.table("en", 3)
    assert view.state is not None
    assert view.state.prompt is not None
    ask = view.state.prompt.ask
    named = msgspec.structs.replace(ask.choices[0], text=Text("skytopia/describe/end_turn", {"seat": seat_name(0)}))
    ask = msgspec.structs.replace(ask, choices=(msgspec.structs.replace(named, group="", picture={}),))
    state = msgspec.structs.replace(view.state, prompt=msgspec.structs.replace(view.state.prompt, ask=ask))
    for name in ("Magda", "Łucja"):
        seats = (msgspec.structs.replace(state.seats[0], name=name), *state.seats[1:])
        table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(state, seats=seats)))
        assert any(f"{name} ends the turn" in label.text for label in table.screen.page.labels())


def test_a_wish_about_somebodys_value_is_answered_on_the_screen(table: Table) -> None:
    """Newcomer B3. It stands under the band with a yes and a no; a touch beside them puts it away unanswered."""
    table.show(VIEWS["a wish"]("en"))
    for said in ("yes", "no"):
        table.tap(f"wish-{said}")
        assert table.heard[-1].move == {"kind": "@wish", "wish": "wish-1", "yes": said == "yes"}
        assert table.heard[-1].seq is None, "it answers the wish, whatever is played meanwhile"
        table.answer()
    banner = next(touch for touch in table.screen.page.touches() if touch.id == "banner")
    beside = (banner.box[0] + 20, banner.box[1] + 20)
    table.screen.press(beside, table.now)
    table.pass_time()
    table.screen.release(beside)
    table.pass_time()
    assert not any(touch.id.startswith("wish") for touch in table.screen.page.touches())


def test_one_touch_says_that_a_move_was_another_one(table: Table) -> None:
    """The line stands quietly in the place of what just happened; a touch beside its button puts it away for good."""
    view = VIEWS["taken otherwise"]("en")
    table.show(msgspec.structs.replace(view, banner=Banner("Tomek sets a golem", undo=True)))
    table.pass_time(30)
    assert not any(label.text == "Tomek sets a golem" for label in table.screen.page.labels())
    assert any(touch.id == "undo" for touch in table.screen.page.touches()), "undo stands where it stood"
    table.tap("otherwise")
    assert table.heard[-1].move == {"kind": "@answer", "question": "q1", "answer": 0}
    assert table.heard[-1].seq == view.state.seq, "it answers the moment it was shown in"
    table.answer()
    banner = next(touch for touch in table.screen.page.touches() if touch.id == "banner")
    beside = (banner.box[0] + 20, banner.box[1] + 10)
    table.screen.press(beside, table.now)
    table.pass_time()
    table.screen.release(beside)
    table.pass_time()
    assert not any(touch.id == "otherwise" for touch in table.screen.page.touches())


def test_what_differs_stays_said_until_it_is_right(table: Table) -> None:
    """The camera sees another die: the card is marked, the words say what to do, a touch puts them away."""
    view = samples.table()
    assert view.state is not None
    wrong = Notice(
        id="differs-red-2", text=Text("display/demo/refused"), do=Text("display/demo/refused-do"), kind="warn"
    )
    table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=(wrong,))))
    table.pass_time(30)
    assert any("holds a 2" in label.text for label in table.screen.page.labels())
    table.tap("banner")
    assert not any("holds a 2" in label.text for label in table.screen.page.labels())
    table.show(view)
    table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=(wrong,))))
    assert any("holds a 2" in label.text for label in table.screen.page.labels())


def test_after_an_undo_the_list_is_shown_ticked_and_put_away(table: Table) -> None:
    """A new undo brings a new list, even when the last one was put away."""
    view = samples.rebuilt()
    table.show(samples.table())
    table.show(view)
    assert "tick restore-gold-3" in {t.id for t in table.screen.page.touches()}
    table.tap("tick restore-gold-3")
    assert any("2 of 5" in label.text for label in table.screen.page.labels())
    table.tap("rebuild-on")
    assert "red-2" in {t.id for t in table.screen.page.touches()}
    table.show(samples.table())
    table.show(view)
    assert "tick restore-gold-3" in {t.id for t in table.screen.page.touches()}


def test_a_list_put_away_stays_away_whatever_the_camera_sees_next(table: Table) -> None:
    """ "Play on anyway" needs no second touch: neither a line unticked by a hand nor a difference elsewhere is a new list."""
    view = samples.rebuilt()
    assert view.state is not None
    table.show(samples.table())
    table.show(view)
    table.tap("rebuild-on")
    notices = view.state.notices
    assert any(notice.done for notice in notices)
    unticked = tuple(msgspec.structs.replace(notice, done=False) for notice in notices)
    differs = Notice(id="differs-red-2", text=Text("display/demo/refused"), kind="warn", slot="red-2")
    for now in (unticked, notices, (*unticked, differs)):
        table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=now)))
        assert "red-2" in {t.id for t in table.screen.page.touches()}, now
    other = (*notices, Notice(id="restore-9", text=Text("display/demo/restore"), kind="todo"))
    table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=other)))
    assert "rebuild-on" in {t.id for t in table.screen.page.touches()}, "another list is shown"


def test_silence_is_noticed(table: Table) -> None:
    """No answer: the button comes back and a line says so."""
    table.show(samples.table())
    table.tap("red-2")
    table.tap("place/red-2/6")
    table.pass_time(ANSWER_SECONDS + 0.1)
    assert table.client.view.pending == ""
    assert table.client.view.banner is not None and table.client.view.banner.kind == "warn"


def test_without_the_broker_the_picture_stays_and_recovers(table: Table) -> None:
    """A clear banner while it is away; the table catches up by itself."""
    table.show(samples.table())
    table.bus.drop()
    table.pass_time(1)
    table.pass_time(1)
    banner = table.client.view.banner
    assert banner is not None and "connection" in banner.text
    assert table.client.view.state is not None
    table.bus.start()
    table.pass_time()
    assert table.client.view.banner is None


def test_a_new_game_is_started_with_seats_colours_and_options(table: Table) -> None:
    """What the core is asked for is what the set-up shows."""
    table.show(samples.lobby())
    table.tap("game-skyrise")
    table.tap("depth-light")
    table.tap("start")
    sent = table.heard[-1]
    assert isinstance(sent, Admin)
    assert sent.args["game"] == "skyrise"
    assert sent.args["options"] == {"long": False, "depth": "light"}
    assert [seat["name"] for seat in sent.args["seats"]] == ["Magda", "Tomek", "Élodie", "Sam"]


def test_a_name_is_typed_and_a_colour_swapped(table: Table) -> None:
    """Two players never share a colour."""
    table.show(samples.lobby())
    table.tap("seat 0")
    table.tap("colour-leaf")
    table.tap("seat-name")
    for key in ("key-delete",) * 5 + ("key-a", "key-d", "key-a", "key-done", "seat-done"):
        table.tap(key)
    seats = table.client.view.pick("setup")["seats"]
    assert [(s["name"], s["colour"]) for s in seats][:2] == [("Ada", "leaf"), ("Tomek", "sun")]


def test_a_form_is_filled_with_words_and_a_long_list(table: Table) -> None:
    """The keyboard and the picker belong to every form; what is entered is what is sent."""
    table.show(samples.entry_form())
    table.tap("form-leaf")
    while "form:g" not in {t.id for t in table.screen.page.touches()}:
        table.tap("form-leaf")
    table.tap("form:g")
    table.tap("pick e")
    table.tap("picker-done")
    while "form:t" not in {t.id for t in table.screen.page.touches()}:
        table.tap("form-leaf")
    table.tap("form:t")
    for key in ("key-delete",) * 5 + ("key-o", "key-k", "key-done"):
        table.tap(key)
    table.tap("form-send")
    sent = table.heard[-1].move
    assert sent["kind"] == "enter"
    assert (sent["values"]["g"], sent["values"]["t"], sent["values"]["n"]) == (["b", "d", "e"], "Ok", 4)


def test_settings_are_kept_and_asked_for_their_pin(table: Table) -> None:
    """Text size changes at once and is written down; with a PIN nobody else gets in."""
    table.show(samples.table())
    table.client.perform(Go("settings"))
    table.pass_time()
    table.tap("text_size=130")
    assert table.screen.page.theme.text_size == 130
    assert "text_size = 130" in (table.config.state_dir / "settings.toml").read_text()
    table.client.perform(Setting({"pin": "12", "lock": True}))
    table.client.perform(Go(""))
    table.client.perform(Go("menu"))
    table.pass_time()
    assert "text_size=130" not in {t.id for t in table.screen.page.touches()}
    table.tap("pin-1")
    table.tap("pin-2")
    assert "text_size=130" in {t.id for t in table.screen.page.touches()}
