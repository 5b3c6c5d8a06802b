"""The virtual table beside the touchscreen: what the camera sees, and pieces that can be moved with the mouse.

A window of its own, opened by `tableside demo`. It shows what the virtual table publishes and tells it what a hand does;
the table's own screen stays what it would be in a living room.
"""

from __future__ import annotations

import io
import os
import signal
from types import FrameType
from typing import Any

import msgspec
import pygame

from companion.game import Picture, Text
from companion.wire.bus import Bus
from companion.wire.config import Config, load
from companion.wire.messages import Do, Health, State, VirtualHand, VirtualTruth
from companion.wire.room import connection
from display import fonts
from display.desktop import BESIDE, demo_windows
from display.page import Page
from display.paint.chronometer import put_chronometer
from display.paint.die import die as die_picture
from display.paint.sprite import ground, lay
from display.tables import screen_of
from display.theme import TOWER_ORDER, TOWERS, Theme, mix
from display.view import View
from display.wording import Wording


class Plan(msgspec.Struct, frozen=True):
    """Where everything stands in the full-size window."""

    picture: tuple[int, int, int, int]
    cards: tuple[int, int, int, int]
    dial: tuple[int, int, int]
    """Middle and radius of the ring."""


WIDE = Plan((12, 112, 616, 284), (12, 428, 466, 236), (560, 520, 68))
TALL = Plan((12, 112, 300, 284), (12, 428, 616, 236), (478, 254, 118))
"""For a market of more than two rows: upright, its picture is narrow and leaves room for a large dial."""
SUPPLY = 694
"""Where the dice lie that nobody has set yet."""
FRESH = 2
"""What a die from the supply shows first: not 1, the build value a game begins with, which nobody may set."""
LIVE_EVERY = 0.4


class Held(msgspec.Struct, frozen=True):
    """The die under the mouse button."""

    slot: str
    index: int
    colour: str
    face: int
    start: tuple[int, int]


class Beside:
    """The window's contents: one truth, one camera picture, one hand."""

    def __init__(self, bus: Bus, config: Config, size: tuple[int, int] = BESIDE) -> None:
        self.bus, self.size = bus, size
        self.k = min(size[0] / BESIDE[0], size[1] / BESIDE[1])
        self.theme = Theme(*size, light=False, language=config.table.language)
        self.words = Wording(config.table.language)
        self.counts = max(1, round(config.dial.counts_per_revolution * config.dial.gear / 6))
        self.truth = VirtualTruth(ts=0.0)
        self.state: State | None = None
        self.waits: Text | None = None
        """Why nothing happens, while nothing does."""
        self.picture: pygame.Surface | None = None
        self.held: Held | None = None
        self.mouse = (0, 0)
        self.dirty = True
        bus.subscribe("virtual/table", self._table)
        bus.subscribe("state", self._state)
        bus.subscribe("health/virtual", self._waits)
        bus.subscribe("picture/live", self._live)

    def _table(self, topic: str, message: Any) -> None:
        if isinstance(message, VirtualTruth):
            self.truth, self.dirty = message, True

    def _state(self, topic: str, message: Any) -> None:
        if isinstance(message, State):
            self.state, self.dirty = message, True
            self.words.names = {seat.seat: seat.name for seat in message.seats}

    def _waits(self, topic: str, message: Any) -> None:
        if isinstance(message, Health):
            self.waits, self.dirty = message.say, True

    def _live(self, topic: str, message: Any) -> None:
        try:
            self.picture = pygame.image.load(io.BytesIO(message), "live.jpg")
        except (pygame.error, TypeError):
            return  # half a picture is useless: the next one comes at once
        self.dirty = True

    def look(self, number: int) -> None:
        """Ask the camera what it sees."""
        self.bus.publish("do/vision", Do(id=f"live-{number}", client="beside", command="live"))

    # where things are ------------------------------------------------------------------------------------------

    def at(self, *lengths: float) -> tuple[int, ...]:
        """Lengths of the full-size window in pixels of this one."""
        return tuple(round(length * self.k) for length in lengths)

    @property
    def colours(self) -> tuple[str, ...]:
        """Everybody's colour."""
        return tuple(seat.colour for seat in self.state.seats) if self.state else ()

    @property
    def plan(self) -> Plan:
        """Where things stand now."""
        return TALL if self.rows > 2 else WIDE

    @property
    def dial(self) -> tuple[int, int, int]:
        """Middle and radius of the ring."""
        x, y, r = self.at(*self.plan.dial)
        return x, y, r

    @property
    def rows(self) -> int:
        """Rows of the market."""
        return max([int(name.rpartition("-")[2]) for name in self.truth.slots] or [2])

    def slot_box(self, slot: str) -> pygame.Rect:
        """Where a slot is drawn."""
        column, _, row = slot.partition("-")
        left, top, width, height = self.plan.cards
        w, h = width / 4, height / self.rows
        x = TOWER_ORDER.index(column) if column in TOWER_ORDER else 0
        return pygame.Rect(self.at(left + x * w + 3, top + (int(row) - 1) * h + 3, w - 6, h - 6))

    @property
    def side(self) -> int:
        """Edge of a die."""
        return round(max(18, min(30, self.plan.cards[3] // self.rows // 3)) * self.k)

    def die_spots(self) -> list[Held]:
        """Every die that can be taken, the supply last."""
        found = []
        for slot, what in self.truth.slots.items():
            box = self.slot_box(slot)
            for index, one in enumerate(what["dice"]):
                spot = (round(box.x + one["x"] * box.width), round(box.y + one["y"] * box.height))
                found.append(Held(slot, index, one["colour"], one["face"], spot))
        for number, colour in enumerate(self.colours):
            x, y = self.at(36 + number * 46, SUPPLY)
            found.append(Held("", 0, colour, FRESH, (x, y)))
        return found

    def slot_at(self, place: tuple[int, int]) -> str:
        """The slot under a point, if there is one."""
        return next((slot for slot in self.truth.slots if self.slot_box(slot).collidepoint(place)), "")

    # hands -----------------------------------------------------------------------------------------------------

    def event(self, event: pygame.event.Event) -> None:
        """A mouse does what a hand would."""
        if event.type == pygame.MOUSEMOTION:
            self.mouse = event.pos
            self.dirty = self.dirty or self.held is not None
        elif event.type == pygame.MOUSEWHEEL:
            self._turn(1 if event.y > 0 else -1)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.mouse = event.pos
            self._take(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held is not None:
            self._let_go(self.held, event.pos)
            self.held, self.dirty = None, True

    def _on_dial(self, place: tuple[int, int]) -> bool:
        x, y, r = self.dial
        return (place[0] - x) ** 2 + (place[1] - y) ** 2 <= r * r

    def _near(self, place: tuple[int, int]) -> Held | None:
        """The die under a point."""
        reach = self.side * 0.8
        near = [
            one
            for one in self.die_spots()
            if abs(one.start[0] - place[0]) <= reach and abs(one.start[1] - place[1]) <= reach
        ]
        return near[-1] if near else None

    def _turn(self, steps: int) -> None:
        """The wheel turns what the mouse is on: the dial by a notch, a die to its next face."""
        if self._on_dial(self.mouse):
            self._hand(VirtualHand(action="dial", steps=steps))
        elif (die := self._near(self.mouse)) is not None and die.slot:
            self._hand(VirtualHand(action="turn", slot=die.slot, die=die.index, steps=steps))

    def _take(self, place: tuple[int, int]) -> None:
        if self._on_dial(place):
            self._hand(VirtualHand(action="dial", steps=1 if place[0] >= self.dial[0] else -1))
            return
        self.held, self.dirty = self._near(place), True

    def _let_go(self, held: Held, place: tuple[int, int]) -> None:
        still = max(abs(place[0] - held.start[0]), abs(place[1] - held.start[1])) < self.side * 0.8
        to = self.slot_at(place)
        if still and held.slot:
            self._hand(VirtualHand(action="turn", slot=held.slot, die=held.index))
        elif to:
            box = self.slot_box(to)
            x, y = (place[0] - box.x) / box.width, (place[1] - box.y) / box.height
            hand = VirtualHand(action="move", slot=held.slot, die=held.index, colour=held.colour, to=to, x=x, y=y)
            self._hand(msgspec.structs.replace(hand, face=held.face))
        elif held.slot:
            self._hand(VirtualHand(action="move", slot=held.slot, die=held.index))

    def _hand(self, hand: VirtualHand) -> None:
        self.bus.publish("virtual/hand", hand)

    # drawing ---------------------------------------------------------------------------------------------------

    def draw(self, surface: pygame.Surface) -> None:
        """Everything; it changes rarely and is small."""
        surface.blit(ground(self.theme), (0, 0))
        colours = self.theme.colours
        self._line(surface, self.who(), (16, 4), 30, colours.brass_hi, 1)
        self._line(surface, self.what(), (16, 40), 22, colours.text, 2)
        self._line(surface, Text("beside/camera"), (16, 90), 17, colours.dim, 1)
        self._camera(surface)
        self._line(surface, Text("beside/table"), (16, 402), 17, colours.dim, 1)
        for slot, what in self.truth.slots.items():
            self._slot(surface, slot, str(what["card"] or ""))
        for one in self.die_spots():
            if one != self.held:
                self._die(surface, one.colour, one.face, one.start)
        self._line(surface, Text("beside/how"), (24 + 46 * len(self.colours), 668), 18, colours.dim, 2)
        notch = round(self.truth.dial / self.counts)
        faces = [(i % 6) + 1 for i in range(6)]
        put_chronometer(surface, *self.dial, self.theme, faces, (), turned=notch % 6, prices_shown=False)
        if self.held is not None:
            self._die(surface, self.held.colour, self.held.face, self.mouse)
        self.dirty = False

    def who(self) -> Text:
        """Which player the person at the mouse is."""
        seats = {seat.seat: seat for seat in (self.state.seats if self.state else ())}
        mine = [seats[seat] for seat in self.truth.you if seat in seats]
        if len(mine) != 1:
            return Text("beside/watch" if not mine else "beside/you-all")
        return Text("beside/you", {"name": mine[0].name, "colour": Text(f"display/player/{mine[0].colour}")})

    def what(self) -> Text:
        """What everybody waits for: something to put right first, then why nothing happens, else what is asked."""
        if self.state is None or self.state.phase != "playing" or self.state.prompt is None:
            phase = self.state.phase if self.state else ""
            return Text({"over": "beside/over", "lobby": "beside/start"}.get(phase, "beside/wait"))
        differs = [notice for notice in self.state.notices if notice.id.startswith("differs")]
        if differs:
            return differs[0].text
        return self.waits or self.state.prompt.ask.text

    def _camera(self, surface: pygame.Surface) -> None:
        """The picture the right way up: a mat taller than wide lies sideways before the camera."""
        frame = pygame.Rect(self.at(*self.plan.picture))
        pygame.draw.rect(surface, self.theme.colours.line, frame.inflate(4, 4), border_radius=10)
        pygame.draw.rect(surface, mix(self.theme.colours.line, (0, 0, 0), 0.5), frame)
        if self.picture is None:
            return
        shown = self.picture
        if self.rows > 2:
            shown = pygame.transform.rotate(shown, -90)
            wide, high = shown.get_size()
            shown = shown.subsurface(_middle(wide, high, min(high, round(wide * self.rows / 2.6))))
        wide, high = shown.get_size()
        k = min(frame.width / wide, frame.height / high)
        small = pygame.transform.smoothscale(shown, (int(wide * k), int(high * k)))
        surface.blit(small, small.get_rect(center=frame.center))

    def _slot(self, surface: pygame.Surface, slot: str, card: str) -> None:
        """A place of the market; what its card gives stands in its corner, as on the table's own screen."""
        enamel, box = TOWERS[slot.partition("-")[0]], self.slot_box(slot)
        if card:
            pygame.draw.rect(surface, mix(enamel.fill, (255, 248, 234), 0.25), box, border_radius=8)
            pygame.draw.rect(surface, enamel.fill, (*box.topleft, box.width, 8), border_top_left_radius=8,
                             border_top_right_radius=8)  # fmt: skip
        pygame.draw.rect(surface, enamel.fill, box, 2, border_radius=8)
        if card and self.state is not None and self.state.phase == "playing":
            side = min(box.height * 0.5, box.width * 0.34)
            page, what = Page(surface, self.theme, self.words), Picture(slot=slot, card=card)
            at = (box.x + side * 0.55, box.y + side * 0.62)
            screen_of(self.state.game).card(page, View(state=self.state), what, at, side, 1.0)

    def _die(self, surface: pygame.Surface, colour: str, face: int, place: tuple[int, int]) -> None:
        picture = die_picture(self.theme.player(colour), face, self.side, self.theme)
        lay(surface, picture, picture.get_rect(center=place).topleft)

    def _line(
        self, surface: pygame.Surface, text: Text, place: tuple[int, int], size: int, colour: Any, most: int
    ) -> None:
        said = (fonts.clean(self.words.say(text)),)
        (x, y), (pixels,) = self.at(*place), self.at(size)
        room = (self.size[0] - x - self.at(12)[0], round(pixels * 1.25 * most))
        lines, pixels, _ = fonts.fit(said, "sans", pixels, room, most, 0.6)
        for number, line in enumerate(lines):
            surface.blit(fonts.glyphs(line, "sans", pixels, colour), (x, y + round(number * pixels * 1.15)))


def _middle(wide: int, high: int, part: int) -> pygame.Rect:
    return pygame.Rect(0, (high - part) // 2, wide, part)


def run() -> int:
    """The window until it is closed or the demo goes; Ctrl-C is the demo's to answer."""
    config = load()
    over = False

    def ended(number: int, frame: FrameType | None) -> None:
        nonlocal over
        over = True

    signal.signal(signal.SIGTERM, ended)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pygame.display.init()
    pygame.font.init()
    places = demo_windows()
    x, y, *size = places[1] if places else (config.display.width, 0, *BESIDE)
    os.environ["SDL_VIDEO_WINDOW_POS"] = f"{x},{y}"
    surface = pygame.display.set_mode(size)
    bus = connection(config, "beside")
    window = Beside(bus, config, (size[0], size[1]))
    pygame.display.set_caption(window.words.say(Text("beside/title")))
    bus.start()
    number, due = 0, 0.0
    clock = pygame.time.Clock()
    while not over:
        bus.pump(0.02)
        now = pygame.time.get_ticks() / 1000
        if now >= due:
            number, due = number + 1, now + LIVE_EVERY
            window.look(number)
        for event in pygame.event.get():
            over = over or event.type == pygame.QUIT
            window.event(event)
        if window.dirty:
            window.draw(surface)
            pygame.display.flip()
        clock.tick(30)
    bus.stop()
    return 0
