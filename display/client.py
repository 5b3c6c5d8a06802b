"""This screen as a client of the table: what it was told, what was picked, and what it asks for. No pixels here."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

import msgspec

from companion.wire.bus import Bus
from companion.wire.config import Config, load
from companion.wire.game_log import LogPage
from companion.wire.messages import (
    Admin,
    Answer,
    DialSeen,
    Do,
    Happened,
    Health,
    JoinInfo,
    MarketSeen,
    Message,
    MoveRequest,
    State,
)
from display import clocks
from display.camera_watch import CameraWatch
from display.patience import Patience
from display.picked import fields, put_away, restored, without
from display.settings import Settings
from display.touch import Act, Both, Go, Order, Play, Put, Setting, TakeBack, Tell
from display.view import Banner, View
from display.wording import Wording

CLIENT = "display"
ANSWER_SECONDS = 3.0
"""A request nobody has answered by then is said to be unanswered."""
PICTURES_KEPT = 12
_LEARNT = {"calibrate": "calibration/found", "sample colours": "calibration/learnt"} | {
    "place sites": "calibration/placed"
}
"""Orders to the camera whose success is worth a word."""
LOOKED_UP = {name: name for name in ("box", "care", "hand", "hint", "history", "then")} | {"box list": "box"}
"""Orders whose answer is something to show, and the name it is kept under."""
_BEHIND_PIN = ("menu", "settings", "pin", "calibration", "rebuild", "welcome", "box", "care")
_STAYS = ("care", "join", "health", "settings", "calibration", "welcome", "box", "past")
"""Scenes a change in the lobby does not close."""
HELD = 45.0
"""Seconds without a touch after which the curtain falls over what one player was shown."""
_OF_ONE_ASK = ("slot", "choices-page", "offers-leaf", "form-paid", "why", "sheet", "picker", "picker-leaf")


class Waiting(msgspec.Struct, frozen=True):
    """A request on its way."""

    id: str
    touch: str
    since: float
    form: bool = False
    about: str = ""
    """The name under which its answer is kept to be shown."""


class Client:
    """Holds the view and turns acts into messages."""

    def __init__(self, bus: Bus, config: Config) -> None:
        self.bus, self.settings = bus, Settings(config)
        self.view = View(settings=self.settings.values, connected=bus.connected, problems=config.problems)
        self.dirty = True
        self.now = 0.0
        self.sounds: list[str] = []
        """What happened since the last frame, for whoever makes sound of it."""
        self.urgent: Callable[[], None] | None = None
        """Called when a hand turns the dial: the ring follows before the next round of the loop."""
        self._waiting: Waiting | None = None
        self._away_since: float | None = None
        self._ever_connected = False
        self._touched = 0.0
        self._camera = CameraWatch(bus, CLIENT)
        self._patience = Patience()
        for topic, handler in (
            ("state", self._on_state),
            ("join", self._on_join),
            ("event/+", self._on_event),
            ("log/+", self._on_log),
            ("sensor/dial", self._on_dial),
            ("sensor/market", self._on_market),
            ("health/+", self._on_health),
            ("picture/+", self._on_picture),
            (f"answer/{CLIENT}", self._on_answer),
        ):
            bus.subscribe(topic, handler)
        if not self.settings.values["welcomed"]:
            self.put(scene="welcome")

    @property
    def words(self) -> Wording:
        """This screen's language, knowing everybody's name."""
        return Wording(str(self.settings.values["language"]), {seat.seat: seat.name for seat in self.view.seats})

    def _change(self, **fields: Any) -> None:
        self.view = msgspec.structs.replace(self.view, **fields)
        self.dirty = True

    def put(self, **values: Any) -> None:
        """Remember or forget what was picked here."""
        local = {**self.view.local, **values}
        self._change(local={key: value for key, value in local.items() if value is not None})

    # -- what comes in -----------------------------------------------------------------------------------------------

    def _on_state(self, topic: str, state: State) -> None:
        known, local = self.view.state, self.view.local
        if known is None or known.game_id != state.game_id or known.phase != state.phase:
            scene = self.view.pick("scene")
            stays = scene if scene in _STAYS and not state.game_id else None
            local = {
                key: value
                for key, value in local.items()
                if key == "pin" or (stays is not None and (key == "scene" or key.startswith(stays)))
            }
            if state.phase == "over":
                self.sounds.append("winner")
        else:
            local = put_away(local, known, state)
        self._change(state=state, local=self._asked(state, local))
        if restored(state) and known is not None and not restored(known):
            self._begin_anew()
        self._look_again(state)

    def _asked(self, state: State, local: dict[str, Any]) -> dict[str, Any]:
        """What was picked for another question is forgotten; a form that still has the same fields stays filled in."""
        before = self.view.prompt.ask if self.view.prompt else None
        after = state.prompt.ask if state.prompt else None
        if before == after:
            return local
        if after is not None and (before is None or before.seat != after.seat):
            self.sounds.append("turn")
        local = without(local, *_OF_ONE_ASK)
        return local if fields(before) == fields(after) else without(local, "form", "form-leaf", "wrong")

    def _begin_anew(self) -> None:
        """Everything was brought back from a backup: settings are read again, and rooms that keep files of theirs start again."""
        self.settings = Settings(load())
        self._change(settings=self.settings.values)
        for room in ("vision", "firmware_bridge"):
            self.bus.publish(f"do/{room}", Do(id=_new_id(), client=CLIENT, command="restart"))

    def _look_again(self, state: State) -> None:
        """Behind the open curtain: what is still asked there is shown as it stands now, else the curtain falls."""
        hand = self.view.told.hand
        if hand is None or hand.seq == state.seq:
            return
        if state.prompt is not None and hand.seat in state.prompt.ask.waiting:
            self.perform(Tell("hand", {"seat": hand.seat}))
        else:
            self._drop_curtain()

    def _drop_curtain(self) -> None:
        """What one player was shown is forgotten."""
        self._change(told=msgspec.structs.replace(self.view.told, hand=None))
        if self.view.pick("scene") == "curtain":
            self.put(scene=None, curtain=None, **{"curtain-form": None})

    def _on_join(self, topic: str, join: JoinInfo) -> None:
        self._change(join=join)

    def _on_event(self, topic: str, event: Happened) -> None:
        self.sounds.append({"points": "committed", "coins": "coins"}.get(event.kind, "committed"))
        mine = self._waiting is not None
        if event.text is None or mine or self.view.pick("scene"):
            return
        banner = self.view.banner
        if banner is not None and banner.kind != "info":
            return
        undo = self.view.state.undo if self.view.state else None
        self._say(self.words.say(event.text), undo=undo is not None and event.kind not in ("undone", "new game"))

    def _on_log(self, topic: str, page: LogPage) -> None:
        log = {**self.view.log, page.page: page}
        if self.view.pick("scene") == "log":
            self._change(log=log)
        else:  # nobody looks at it: no reason to paint
            self.view = msgspec.structs.replace(self.view, log=log)

    def _on_dial(self, topic: str, seen: DialSeen) -> None:
        known = self.view.dial
        if known is not None and known.position != seen.position:
            self.sounds.append("detent")
        self._change(dial=seen)
        if self.urgent is not None:
            self.urgent()

    def _on_market(self, topic: str, seen: MarketSeen) -> None:
        self._change(market=seen)

    def _on_health(self, topic: str, health: Health) -> None:
        known = self.view.health.get(health.room)
        if known is not None and (known.status, known.say, known.do) == (health.status, health.say, health.do):
            return
        self._change(health={**self.view.health, health.room: health})

    def _on_picture(self, topic: str, blob: bytes) -> None:
        pictures = {**self.view.pictures, topic.removeprefix("picture/"): blob}
        while len(pictures) > PICTURES_KEPT:
            pictures.pop(next(iter(pictures)))
        self._change(pictures=pictures)

    def _on_answer(self, topic: str, answer: Answer) -> None:
        about = self._camera.asked(answer.id)
        if about:
            why = answer.refusal
            known = answer.result if why is None else {"say": why.say, "do": why.do}
            self._change(told=self.view.told.and_then(about, known))
            return
        waiting = self._waiting
        if waiting is None or waiting.id != answer.id:
            return
        self._waiting = None
        self._change(pending="")
        if answer.ok:
            if waiting.about:
                self._change(told=self.view.told.and_then(waiting.about, answer.result))
            if waiting.about in _LEARNT:
                key = f"display/{_LEARNT[waiting.about]}"
                self._say(self.words.say(key), self.words.say(f"{key}/do"))
            self.sounds.append("committed")
            if waiting.form:
                self.put(form=None, wrong=None)
            if self.view.banner is not None and self.view.banner.kind == "bad":
                self._change(banner=None)
            return
        refusal = answer.refusal
        self.sounds.append("refusal")
        if refusal is None:
            return
        if refusal.code == "table/consent":
            self.put(scene="undo")
            return
        words = self.words
        self._change(refusal=refusal)
        if refusal.field:  # the form opens where it is to be mended
            was = (self.view.pick("form") or {}).get(refusal.field)
            self.put(wrong={"id": refusal.field, "was": was}, **{"form-leaf": None, "form-of": None})
        self._say(words.say(refusal.say), words.say(refusal.do), "bad", seconds=10.0, box=refusal.box)

    # -- what goes out -----------------------------------------------------------------------------------------------

    def perform(self, act: Act, touch: str = "", seen: View | None = None) -> None:
        """Do what a touch asks for; `seen` is what was shown when the finger came down."""
        self._touched = self.now
        shown = (seen or self.view).state
        game, seq = (shown.game_id, shown.seq) if shown else ("", None)
        match act:
            case Both():
                for one in act.acts:
                    self.perform(one, touch, seen)
            case Put():
                self._put(act.values)
            case Go():
                self._go(act.scene)
            case Setting():
                self.settings.keep(act.values)
                self._change(settings=self.settings.values)
            case Play():
                # a correction, a printed value or a yes to one names what it is about: it answers no prompt
                row = None if act.move.get("kind") in ("correct", "box", "@wish") else seq
                request = MoveRequest(id=_new_id(), move=act.move, game=game, seq=row, cause="touch")
                self._send(f"move/{CLIENT}", request, request.id, touch, form=touch == "form-send")
            case TakeBack():
                request = MoveRequest(id=_new_id(), undo=True, consent=act.consent, game=game, seq=seq, cause="touch")
                self._send(f"move/{CLIENT}", request, request.id, touch or "undo")
            case Tell():
                told = Admin(id=_new_id(), client=CLIENT, command=act.command, args=act.args)  # type: ignore[arg-type]
                self._send("admin", told, told.id, touch, about=LOOKED_UP.get(act.command, ""))
            case Order():
                order = Do(id=_new_id(), client=CLIENT, command=act.command, args=act.args)
                self._send(f"do/{act.room}", order, order.id, touch, about=act.command)

    def _put(self, values: dict[str, Any]) -> None:
        if "banner" in values:
            values = {key: value for key, value in values.items() if key != "banner"}
            self._change(banner=None)
        if values.get("pin"):
            values = {**values, "pin": self._pin(values["pin"])}
        if values:
            self.put(**values)

    def _pin(self, typed: str) -> str | None:
        """What is typed of a PIN; a wrong one is taken away, and too many of them are followed by a pause."""
        pin = str(self.settings.values["pin"])
        if self._patience.left(self.now):
            return None
        if len(typed) < len(pin):
            return typed
        self._patience.tried(self.now, right=typed == pin)
        return typed if typed == pin else None

    def _go(self, scene: str) -> None:
        settings = self.settings.values
        locked = settings["lock"] and settings["pin"] and self.view.pick("pin") != settings["pin"]
        if locked and scene in _BEHIND_PIN:
            scene = "settings"
        if not scene:
            self.put(scene=None, sure=None, **{"sure-off": None, "pin": None})
            return
        self.put(scene=scene, sheet=None, why=None)

    def _send(self, topic: str, message: Message, id: str, touch: str, *, form: bool = False, about: str = "") -> None:
        if not self.bus.connected:
            self._say_away()
            return
        self._waiting = Waiting(id, touch, self.now, form, about)
        self._change(pending=touch)
        self.bus.publish(topic, message)

    # -- time --------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Let time pass: banners run out, silence is noticed."""
        self.now = now
        banner = self.view.banner
        if banner is not None and banner.seconds and now > banner.since + banner.seconds:
            self._change(banner=None)
        if self.view.pick("pin-wait") != (left := self._patience.left(now) or None):
            self.put(**{"pin-wait": left})
        if self.view.told.hand is not None and (self.view.pick("scene") != "curtain" or now > self._touched + HELD):
            self._drop_curtain()
        changes, kind_word = clocks.look(self.view, time.time())
        if changes:
            self.put(**changes)
        if kind_word is not None and self.view.banner is None:
            self._say(self.words.say(kind_word), seconds=12.0)
        waiting = self._waiting
        if waiting is not None and now > waiting.since + ANSWER_SECONDS:
            self._waiting = None
            self._change(pending="")
            self._say_key("no-answer", "warn")
        self._watch_connection(now)
        self._camera.look(self.view, now, camera=self.settings.values["vision"] != "none")

    def _watch_connection(self, now: float) -> None:
        connected = self.bus.connected
        if connected != self.view.connected:
            self._change(connected=connected)
        if connected:
            self._ever_connected, self._away_since = True, None
            if self.view.banner is not None and self.view.banner.kind == "away":
                self._change(banner=None)
        elif self._ever_connected:
            if self._away_since is None:
                self._away_since = now
            elif now > self._away_since + 0.7 and (self.view.banner is None or self.view.banner.kind != "away"):
                self._say_away()

    def _say_away(self) -> None:
        self._say_key("health/broker/away", "away", seconds=0.0)

    def _say_key(self, key: str, kind: str, seconds: float = 8.0) -> None:
        self._say(self.words.say(f"display/{key}"), self.words.say(f"display/{key}/do"), kind, seconds=seconds)

    def _say(
        self, text: str, do: str = "", kind: str = "info", *, seconds: float = 6.0, undo: bool = False, box: str = ""
    ) -> None:
        self._change(banner=Banner(text, do, kind, undo, self.now, seconds, box))


def _new_id() -> str:
    return uuid.uuid4().hex
