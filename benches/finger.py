"""A finger on the touchscreen: makes a move through the real scenes and counts how often it touches them.

It sees what a person sees (`display.scenes` draws every view anew) and does what a person does: touches a choice, pulls it where
it belongs (one touch too), opens what is folded away, turns leaves, steps numbers. It always knows the shortest way, so its count
is what a practised hand needs; a key that is held down counts for each of its steps.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import msgspec
import pygame

from companion.game import Game, RuleBroken
from companion.wire.messages import Prompt, SeatInfo, State
from display import scenes
from display.page import Page
from display.paint.sprite import drawing
from display.theme import COLOUR_ORDER, Theme
from display.touch import Act, Both, Play, Put, Touch
from display.view import Told, View
from display.wording import Wording

Local = dict[str, Any]
"""What the screen remembers of earlier touches."""
Judge = Callable[[Act], float | None]
"""How far a touch is from what is wanted; nothing: it does not serve."""

FURTHEST = 4
"""Touches that may lie between what is shown and the key that makes the move."""
ASIDE = ("why", "keys", "banner", "scene")
"""What these open never holds a move."""


class OutOfReachError(Exception):
    """The screen offers no way to make this move."""


class Finger:
    """Plays one game on a screen of this size."""

    def __init__(self, pack: Game, names: tuple[str, ...], size: tuple[int, int] = (1280, 720)) -> None:
        pygame.display.init()
        pygame.font.init()
        if pygame.display.get_surface() is None:
            pygame.display.set_mode((64, 64))
        self.pack = pack
        self.seats = tuple(
            SeatInfo(seat=seat, name=name, colour=COLOUR_ORDER[seat % len(COLOUR_ORDER)])
            for seat, name in enumerate(names)
        )
        self.page = Page(pygame.Surface(size), Theme(*size), Wording("en", dict(enumerate(names))))
        self.page.motion.still = True

    def make(self, state: Any, move: Mapping[str, Any]) -> int:
        """Touches that this move takes in this state; `OutOfReachError` where the screen cannot say it."""
        wanted, told = self.pack.decode(move), self._told(state)
        goal = self.pack.play(state, wanted).state

        def makes(act: Act) -> float | None:
            return 0.0 if any(self._same(play.move, move, state, goal) for play in _plays(act)) else None

        if any(play.move == move for act in self._acts(told, {}) for play in _plays(act)):
            return 1  # it is offered as it is: nothing need be tried
        way = self._way(told, {}, makes)
        if way is None and isinstance(move.get("values"), Mapping):
            way = self._fill(told, move, makes)
        if way is None:
            shown = sorted(touch.id for touch in self._touches(told, {}))
            raise OutOfReachError(f"{dict(move)} cannot be made here; to be touched: {', '.join(shown)}")
        return len(way)

    def _same(self, made: Mapping[str, Any], move: Mapping[str, Any], state: Any, goal: Any) -> bool:
        """This is the move, or one of its kind that comes to the same."""
        if made.get("kind") != move.get("kind"):
            return False
        try:
            return bool(self.pack.play(state, self.pack.decode(made)).state == goal)
        except (RuleBroken, msgspec.ValidationError):
            return False

    # what is seen ------------------------------------------------------------------------------------------------

    def _told(self, state: Any) -> State:
        """What the core would tell the screen about this position."""
        return State(
            table="table",
            phase="playing",
            game=self.pack.id,
            seats=self.seats,
            view=msgspec.Raw(msgspec.json.encode(self.pack.view(state, None))),
            depth=getattr(state, "depth", "full"),
            prompt=Prompt(ask=self.pack.ask(state)),
        )

    def shown(self, state: Any, local: Local, answers: Told) -> list[Touch]:
        """What can be touched in a state, with what the screen remembers and what it was answered."""
        return self._touches(self._told(state), local, answers)

    def _touches(self, told: State, local: Local, answers: Told | None = None) -> list[Touch]:
        before, drawing["on"] = drawing["on"], False  # only places count here
        try:
            self.page.spoil()
            self.page.begin(0.0)
            scenes.draw(self.page, View(state=told, local=local, told=answers or Told()))
            self.page.finish()
            return self.page.touches()
        finally:
            drawing["on"] = before

    def _acts(self, told: State, local: Local) -> list[Act]:
        return [act for touch in self._touches(told, local) for act in (touch.act, *touch.drops.values())]

    # the way to a key --------------------------------------------------------------------------------------------

    def _way(self, told: State, start: Local, judge: Judge) -> list[Local] | None:
        """The shortest row of touches whose last one serves, each with what the screen then remembers."""
        seen, waiting = {repr(start)}, deque([(start, list[Local]())])
        while waiting:
            local, way = waiting.popleft()
            acts = self._acts(told, local)
            serving = [(how_far, i) for i, act in enumerate(acts) if (how_far := judge(act)) is not None]
            if serving:
                return [*way, _after(local, acts[min(serving)[1]])]
            for act in acts if len(way) + 1 < FURTHEST else ():
                then = _after(local, act)
                if _leads_on(act, local) and repr(then) not in seen:
                    seen.add(repr(then))
                    waiting.append((then, [*way, then]))
        return None

    def _fill(self, told: State, move: Mapping[str, Any], makes: Judge) -> list[Local] | None:
        """Open the form of this move, enter its values one by one, send it."""

        def sends(act: Act) -> float | None:
            return 0.0 if any(_bare(play.move) == _bare(move) for play in _plays(act)) else None

        def opens(act: Act) -> float | None:
            return 0.0 if set(move["values"]) & set(_puts(act).get("form") or ()) else None

        opening = self._way(told, {}, sends) or self._way(told, {}, opens)  # a form may not be sent before it is filled
        if opening is None:
            return None
        way, values = opening[:-1], {name: _listed(value) for name, value in move["values"].items()}
        while open_now := self._differing(told, way[-1] if way else {}, values):
            if any(makes(act) is not None for act in self._acts(told, way[-1] if way else {})):
                break  # what is left to say is said by the key that sends it
            more = self._way(told, way[-1] if way else {}, partial(_nearer, values=values, left=open_now))
            if more is None:
                return None
            way += more
        sending = self._way(told, way[-1] if way else {}, makes)
        return None if sending is None else way + sending

    def _differing(self, told: State, local: Local, values: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of the open form that do not stand as wanted yet, and what stands in them."""
        form = told.prompt.ask.form if told.prompt is not None else None
        shown = {field.id: field.value for field in (form.fields if form is not None else ())}
        entered = {**shown, **(local.get("form") or {})}
        return {name: now for name, value in values.items() if (now := _listed(entered.get(name))) != value}


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else value


def _bare(move: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in move.items() if name != "values"}


def _nearer(act: Act, values: Mapping[str, Any], left: Mapping[str, Any]) -> float | None:
    """How far the field changed by this touch then is from its value; nothing where it comes no nearer."""
    entered = _puts(act).get("form") or {}
    nearer = (
        far
        for name, now in left.items()
        if name in entered
        and _listed(entered[name]) != now
        and (far := _distance(values[name], _listed(entered[name]))) < _distance(values[name], now)
    )
    return min(nearer, default=None)


def _distance(wanted: Any, value: Any) -> float:
    if wanted == value:
        return 0.0
    if isinstance(wanted, list):
        return float(len(set(wanted) ^ set(value or ())))
    counted = isinstance(wanted, int) and isinstance(value, int) and not isinstance(wanted, bool)
    return float(abs(wanted - value)) if counted else float("inf")


def _plays(act: Act) -> Iterator[Play]:
    for one in act.acts if isinstance(act, Both) else (act,):
        if isinstance(one, Play):
            yield one


def _puts(act: Act) -> Local:
    found: Local = {}
    for one in act.acts if isinstance(act, Both) else (act,):
        if isinstance(one, Put):
            found |= one.values
    return found


def _after(local: Local, act: Act) -> Local:
    return {key: value for key, value in {**local, **_puts(act)}.items() if value is not None}


def _leads_on(act: Act, local: Local) -> bool:
    """Something is opened, turned over or put away; nothing is entered, and nothing that was entered is lost."""
    puts = _puts(act)
    if not puts or any(_plays(act)) or set(puts) & set(ASIDE):
        return False
    return puts.get("form", local.get("form")) == local.get("form")
