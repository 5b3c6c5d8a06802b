"""The virtual table beside the touchscreen: what the camera sees, and pieces that can be moved with the mouse.

A window of its own, opened by `tableside demo`. It shows what the virtual table publishes and tells it what a hand does;
the table's own screen stays what it would be in a living room.
"""

from __future__ import annotations

import io
import os
from typing import Any

import msgspec
import pygame

from companion.game import Text
from companion.wire.bus import Bus
from companion.wire.config import Config, load
from companion.wire.messages import Do, State, VirtualHand, VirtualTruth
from companion.wire.room import connection
from display import fonts
from display.paint.chronometer import put_chronometer
from display.paint.die import die as die_picture
from display.paint.sprite import ground, lay
from display.theme import TOWER_ORDER, TOWERS, Theme, mix
from display.wording import Wording

SIZE = (640, 720)
PICTURE = pygame.Rect(12, 44, 616, 346)
PLAN = pygame.Rect(12, 436, 466, 236)
DIAL = (560, 520, 68)
"""Middle and radius of the small ring."""
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

    def __init__(self, bus: Bus, config: Config) -> None:
        self.bus = bus
        self.theme = Theme(*SIZE, light=False, language=config.table.language)
        self.words = Wording(config.table.language)
        self.counts = max(1, round(config.dial.counts_per_revolution * config.dial.gear / 6))
        self.truth = VirtualTruth(ts=0.0)
        self.colours: tuple[str, ...] = ()
        self.picture: pygame.Surface | None = None
        self.held: Held | None = None
        self.mouse = (0, 0)
        self.dirty = True
        bus.subscribe("virtual/table", self._table)
        bus.subscribe("state", self._state)
        bus.subscribe("picture/live", self._live)

    def _table(self, topic: str, message: Any) -> None:
        if isinstance(message, VirtualTruth):
            self.truth, self.dirty = message, True

    def _state(self, topic: str, message: Any) -> None:
        if isinstance(message, State):
            self.colours, self.dirty = tuple(seat.colour for seat in message.seats), True

    def _live(self, topic: str, message: Any) -> None:
        try:
            self.picture = pygame.image.load(io.BytesIO(message), "live.jpg")
        except (pygame.error, TypeError):
            return  # half a picture is no picture: the next one comes at once
        self.dirty = True

    def look(self, number: int) -> None:
        """Ask the camera what it sees."""
        self.bus.publish("do/vision", Do(id=f"live-{number}", client="beside", command="live"))

    # where things are ------------------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        """Rows of the market."""
        return max([int(name.rpartition("-")[2]) for name in self.truth.slots] or [2])

    def slot_box(self, slot: str) -> pygame.Rect:
        """Where a slot is drawn."""
        column, _, row = slot.partition("-")
        w, h = PLAN.width // 4, PLAN.height // self.rows
        x = TOWER_ORDER.index(column) if column in TOWER_ORDER else 0
        return pygame.Rect(PLAN.x + x * w + 3, PLAN.y + (int(row) - 1) * h + 3, w - 6, h - 6)

    @property
    def side(self) -> int:
        """Edge of a die."""
        return max(18, min(30, PLAN.height // self.rows // 3))

    def die_spots(self) -> list[Held]:
        """Every die that can be taken, the supply last."""
        found = []
        for slot, what in self.truth.slots.items():
            box = self.slot_box(slot)
            for index, one in enumerate(what["dice"]):
                spot = (round(box.x + one["x"] * box.width), round(box.y + one["y"] * box.height))
                found.append(Held(slot, index, one["colour"], one["face"], spot))
        for number, colour in enumerate(self.colours):
            found.append(Held("", 0, colour, 1, (PLAN.x + 24 + number * 46, 696)))
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
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.mouse = event.pos
            self._take(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held is not None:
            self._let_go(self.held, event.pos)
            self.held, self.dirty = None, True

    def _take(self, place: tuple[int, int]) -> None:
        x, y, r = DIAL
        if (place[0] - x) ** 2 + (place[1] - y) ** 2 <= r * r:
            self._hand(VirtualHand(action="dial", steps=1 if place[0] >= x else -1))
            return
        reach = self.side * 0.8
        near = [
            one
            for one in self.die_spots()
            if abs(one.start[0] - place[0]) <= reach and abs(one.start[1] - place[1]) <= reach
        ]
        self.held, self.dirty = (near[-1] if near else None), True

    def _let_go(self, held: Held, place: tuple[int, int]) -> None:
        still = max(abs(place[0] - held.start[0]), abs(place[1] - held.start[1])) < self.side * 0.8
        to = self.slot_at(place)
        if still and held.slot:
            self._hand(VirtualHand(action="turn", slot=held.slot, die=held.index))
        elif to:
            box = self.slot_box(to)
            x, y = (place[0] - box.x) / box.width, (place[1] - box.y) / box.height
            hand = VirtualHand(action="move", slot=held.slot, die=held.index, colour=held.colour, to=to, x=x, y=y)
            self._hand(hand)
        elif held.slot:
            self._hand(VirtualHand(action="move", slot=held.slot, die=held.index))

    def _hand(self, hand: VirtualHand) -> None:
        self.bus.publish("virtual/hand", hand)

    # drawing ---------------------------------------------------------------------------------------------------

    def draw(self, surface: pygame.Surface) -> None:
        """Everything; it changes rarely and is small."""
        surface.blit(ground(self.theme), (0, 0))
        colours = self.theme.colours
        self._line(surface, "beside/camera", (PICTURE.x + 4, 10), 20, colours.text)
        pygame.draw.rect(surface, colours.line, PICTURE.inflate(4, 4), border_radius=10)
        if self.picture is not None:
            surface.blit(pygame.transform.smoothscale(self.picture, PICTURE.size), PICTURE)
        else:
            pygame.draw.rect(surface, mix(colours.line, (0, 0, 0), 0.5), PICTURE)
        self._line(surface, "beside/table", (PLAN.x + 4, 402), 20, colours.text)
        for slot, what in self.truth.slots.items():
            self._slot(surface, slot, bool(what["card"]))
        for one in self.die_spots():
            if one != self.held:
                self._die(surface, one.colour, one.face, one.start)
        self._line(surface, "beside/how", (PLAN.x + 30 + 46 * len(self.colours), 680), 14, colours.faint)
        notch = round(self.truth.dial / self.counts)
        faces = [(i % 6) + 1 for i in range(6)]
        put_chronometer(surface, *DIAL, self.theme, faces, (), turned=notch % 6, prices_shown=False)
        if self.held is not None:
            self._die(surface, self.held.colour, self.held.face, self.mouse)
        self.dirty = False

    def _slot(self, surface: pygame.Surface, slot: str, card: bool) -> None:
        enamel, box = TOWERS[slot.partition("-")[0]], self.slot_box(slot)
        if card:
            pygame.draw.rect(surface, mix(enamel.fill, (255, 248, 234), 0.25), box, border_radius=8)
            pygame.draw.rect(surface, enamel.fill, (*box.topleft, box.width, 8), border_top_left_radius=8,
                             border_top_right_radius=8)  # fmt: skip
        pygame.draw.rect(surface, enamel.fill, box, 2, border_radius=8)

    def _die(self, surface: pygame.Surface, colour: str, face: int, place: tuple[int, int]) -> None:
        picture = die_picture(self.theme.player(colour), face, self.side, self.theme)
        lay(surface, picture, picture.get_rect(center=place).topleft)

    def _line(self, surface: pygame.Surface, key: str, place: tuple[int, int], size: int, colour: Any) -> None:
        said = (fonts.clean(self.words.say(Text(key))),)
        lines, pixels, _ = fonts.fit(said, "sans", size, (SIZE[0] - place[0] - 12, size * 3), 2, 0.6)
        for number, line in enumerate(lines):
            surface.blit(fonts.glyphs(line, "sans", pixels, colour), (place[0], place[1] + number * pixels))


def run() -> int:
    """The window until it is closed or the table goes."""
    config = load()
    os.environ["SDL_VIDEO_WINDOW_POS"] = f"{config.display.width},0"
    pygame.display.init()
    pygame.font.init()
    surface = pygame.display.set_mode(SIZE)
    pygame.display.set_caption("Tableside: the virtual table")
    bus = connection(config, "beside")
    window = Beside(bus, config)
    bus.start()
    number, due = 0, 0.0
    clock = pygame.time.Clock()
    while True:
        bus.pump(0.02)
        now = pygame.time.get_ticks() / 1000
        if now >= due:
            number, due = number + 1, now + LIVE_EVERY
            window.look(number)
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                bus.stop()
                return 0
            window.event(event)
        if window.dirty:
            window.draw(surface)
            pygame.display.flip()
        clock.tick(30)
