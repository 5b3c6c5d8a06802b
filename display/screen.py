"""The window: opens where there is a screen, turns fingers, mouse and keys into touches, shows what changed."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

import pygame

from companion.wire.config import DisplayConfig
from display import scenes
from display.client import Client
from display.desktop import demo_windows
from display.page import Page
from display.scenes.keyboard import typed
from display.theme import Theme
from display.touch import Go, Spot, Touch
from display.turned import on_panel, own_way_up, piece, seen
from display.wording import Wording

log = logging.getLogger("tableside.display.screen")

FRAME = 1 / 30
LARGEST = 1920 * 1200
"""Points of a screen that are drawn on in time."""
HOLD = 0.4
REPEAT = 1 / 8


class NoScreenError(Exception):
    """There is nothing to draw on here."""


def open_window(config: DisplayConfig) -> pygame.Surface:
    """The window at its configured size; `NoScreenError` when this machine has no screen."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if config.driver != "auto":
        os.environ["SDL_VIDEODRIVER"] = config.driver
    asked = os.environ.get("SDL_VIDEODRIVER", "")
    try:
        pygame.display.init()
        pygame.font.init()
        flags = pygame.FULLSCREEN if config.fullscreen or pygame.display.get_driver() == "kmsdrm" else pygame.RESIZABLE
        if not asked and pygame.display.get_driver().lower() in ("dummy", "offscreen"):
            raise NoScreenError("no screen was found")
        size = own_size(config) if flags == pygame.FULLSCREEN else _size(config)
        surface = pygame.display.set_mode(size, flags)
    except pygame.error as wrong:
        raise NoScreenError(str(wrong)) from wrong
    pygame.display.set_caption("Tableside")
    pygame.event.set_allowed(None)
    pygame.event.set_allowed(
        [
            pygame.QUIT, pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION,
            pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION, pygame.VIDEORESIZE, pygame.VIDEOEXPOSE,
        ]
    )  # fmt: skip
    return surface


def _size(config: DisplayConfig) -> tuple[int, int]:
    """As configured; in a demo, what leaves the virtual table its place."""
    places = demo_windows()
    if places is None or "TABLESIDE_DISPLAY_WIDTH" in os.environ:
        return config.width, config.height
    x, y, width, height = places[0]
    os.environ["SDL_VIDEO_WINDOW_POS"] = f"{x},{y}"
    return width, height


def own_size(config: DisplayConfig) -> tuple[int, int]:
    """A screen that is ours alone is drawn on in its own size: another would be blurred by its scaler, or refused by a small
    panel. One too large to draw on in time is asked for the configured size instead."""
    own = next(iter(pygame.display.get_desktop_sizes()), (0, 0))
    return own if 0 < own[0] * own[1] <= LARGEST else (config.width, config.height)


class Screen:
    """One window and the client it shows."""

    def __init__(
        self, surface: pygame.Surface, client: Client, config: DisplayConfig, breath: Callable[[], None] | None = None
    ) -> None:
        self.surface, self.client, self.config, self.breath = surface, client, config, breath
        self.closed = False
        self.frames = 0
        self.scene = ""
        self.page = self._new_page()
        self._look: tuple[object, ...] = ()
        self._held: Touch | None = None
        self._shown = self._under = client.view
        """What the last frame showed, and what was shown when the finger came down."""
        self._next_repeat = 0.0
        self._focus = ""
        self._over = ""
        """Where what is held would be let go now."""
        self._drawn_at = -1.0
        self._damaged = True
        self._complained: set[str] = set()
        self.when_shown: Callable[[float], None] | None = None
        """Told the time of every frame that reached the screen: for measuring."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as people see them."""
        return own_way_up(self.surface.get_size(), self.config.turn)

    def _new_page(self) -> Page:
        known, (width, height) = self.client.settings.values, self.size
        language = str(known["language"])
        theme = Theme(
            width,
            height,
            int(known["text_size"]),
            known["theme"] == "light",
            known["palette"] == "strong",
            self.config.inches,
            bool(known["reduced_motion"]),
            language,
        )
        back = (
            pygame.Surface((width, height)).convert()
            if pygame.display.get_surface()
            else pygame.Surface((width, height))
        )
        page = Page(back, theme, Wording(language))
        page.breath = self.breath
        return page

    # -- one round of the loop ---------------------------------------------------------------------------------------

    def step(self, now: float) -> None:
        """Take events, let time pass, draw if anything changed."""
        for event in pygame.event.get():
            if event.type in (pygame.MOUSEBUTTONDOWN, pygame.FINGERDOWN, pygame.KEYDOWN) and self.client.dirty:
                self.draw(now)  # a second touch within one frame meets what the first one has changed
            self._event(event, now)
        held = self._held
        if held is not None and held.repeats and now >= self._next_repeat:
            self._next_repeat = now + REPEAT
            fresh = next((t for t in self.page.touches() if t.id == held.id), None)
            if fresh is not None:
                self.client.perform(fresh.act, fresh.id, self._shown)
        self.client.tick(now)
        self.closed = self.closed or bool(self.client.view.pick("closed"))
        banner = self.client.view.banner
        running = banner is not None and banner.seconds > 0 and now - self._drawn_at > 0.1
        if (
            self.client.dirty
            or self._damaged
            or running
            or (self.page.motion.due is not None and now >= self.page.motion.due)
            or (self.page.motion.active and now - self._drawn_at >= FRAME * 0.9)
        ):
            self.draw(now)

    def hurry(self) -> None:
        """Show what just came, unless a frame was shown a moment ago: then the loop does it."""
        now = time.monotonic()
        if now - self._drawn_at >= FRAME / 2:
            self.step(now)

    def draw(self, now: float) -> None:
        """One frame: only what changed reaches the screen."""
        look = (*self.client.settings.values.items(), self.size)
        if look != self._look:
            self._look, motion = look, self.page.motion
            self.page = self._new_page()
            self.page.motion = motion
        view = self._shown = self.client.view
        names = {seat.seat: seat.name for seat in view.seats}
        if names != self.page.words.names:  # every sentence may name somebody
            self.page.words.names = names
            self.page.spoil()
        name = scenes.named(view)
        if name != self.scene:
            self.scene = name
            self.page.spoil()
            self._focus = ""
        self.client.dirty = self._damaged = False
        self._present(self._painted(name, now))
        self._drawn_at = now
        if self.when_shown is not None:
            self.when_shown(time.perf_counter())

    def _painted(self, name: str, now: float) -> list[pygame.Rect]:
        """Paint the scene; a view that makes no sense gets the generic table, then the plain waiting picture."""
        view = self._shown
        for attempt in dict.fromkeys((name, "display.tables.generic:draw", "display.scenes.calibration:draw_waiting")):
            try:
                self.page.begin(now)
                scenes.find(attempt)(self.page, view)
                self._draw_focus()
                return self.page.finish()
            except Exception as wrong:  # a game's table is anybody's code, and so is what it draws
                if attempt not in self._complained:
                    self._complained.add(attempt)
                    log.warning("%s cannot draw this state: %r", attempt, wrong, exc_info=True)
                self.page.surface.set_clip(None)
                self.page.spoil()
        return []

    def _present(self, rects: list[pygame.Rect]) -> None:
        if not rects:
            return
        self.frames += 1
        light, turn = int(self.client.settings.values["brightness"]), self.config.turn
        rects = [rect.clip(self.page.surface.get_rect()) for rect in rects]
        places = [on_panel(rect, self.surface.get_size(), turn) for rect in rects]
        for rect, place in zip(rects, places, strict=True):
            self.surface.blit(piece(self.page.surface, rect, turn), place.topleft)
            if light < 100:
                level = round(255 * (0.25 + 0.75 * light / 100))
                self.surface.fill((level, level, level), place, special_flags=pygame.BLEND_RGB_MULT)
        pygame.display.update(places)

    def _draw_focus(self) -> None:
        marked = self._over or self._focus
        touch = next((t for t in self.page.touches() if t.id == marked), None) if marked else None
        if touch is None:
            return
        x, y, w, h = touch.box

        def paint() -> None:
            pygame.draw.rect(self.page.surface, self.page.c.brass_hi, (x, y, w, h), 3, border_radius=14)

        self.page.piece("focus", (x, y, w, h), touch.id, paint)

    # -- fingers, mouse, keys ----------------------------------------------------------------------------------------

    def _event(self, event: pygame.event.Event, now: float) -> None:
        match event.type:
            case pygame.QUIT:
                self._close()
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and not getattr(event, "touch", False):
                self.press(self._pointed(event.pos), now)
            case pygame.MOUSEBUTTONUP if event.button == 1 and not getattr(event, "touch", False):
                self.release(self._pointed(event.pos))
            case pygame.MOUSEMOTION if not getattr(event, "touch", False):
                self._slide(self._pointed(event.pos))
            case pygame.FINGERDOWN:
                self.press(self._finger(event), now)
            case pygame.FINGERUP:
                self.release(self._finger(event))
            case pygame.FINGERMOTION:
                self._slide(self._finger(event))
            case pygame.KEYDOWN:
                letter = typed(self.client.view, getattr(event, "unicode", ""))
                if letter is not None:
                    self.client.perform(letter)
                else:
                    self.key(pygame.key.name(event.key), now, shift=bool(event.mod & pygame.KMOD_SHIFT))
            case pygame.VIDEORESIZE | pygame.VIDEOEXPOSE:
                self.surface = pygame.display.get_surface() or self.surface
                self.page.spoil()
                self._damaged = True

    def _close(self) -> None:
        """A demo's window just closes; a table's asks first, for phones and a camera may be busy with it."""
        if os.environ.get("TABLESIDE_DEMO"):
            self.closed = True
        else:
            self.client.perform(Go("closing"))

    def _finger(self, event: pygame.event.Event) -> tuple[int, int]:
        x, y = seen(event.x, event.y, self.config.turn)
        width, height = self.size
        return round(x * width), round(y * height)

    def _pointed(self, at: tuple[int, int]) -> tuple[int, int]:
        across, down = self.surface.get_size()
        x, y = seen((at[0] + 0.5) / across, (at[1] + 0.5) / down, self.config.turn)
        width, height = self.size
        return int(x * width), int(y * height)

    def press(self, at: tuple[int, int], now: float) -> None:
        """A finger comes down: what it touches answers in this very frame."""
        if self.page.motion.active:
            self.page.motion.skip()
            self._damaged = True
        touch = self.page.touch_at(*at)
        self._held, self.page.pressed, self._under = touch, touch.id if touch else "", self._shown
        if touch is None:
            return
        self._damaged = True
        self._next_repeat = now + HOLD
        if touch.repeats:
            self.client.perform(touch.act, touch.id, self._under)

    def release(self, at: tuple[int, int]) -> None:
        """A finger goes up: on the same spot it counts, on one it was pulled to it drops there, elsewhere it was a change of
        mind."""
        held, self._held, self._over = self._held, None, ""
        if self.page.pressed:
            self.page.pressed = ""
            self._damaged = True
        if held is not None and not held.repeats and held.holds(*at):
            act = held.act
            if isinstance(act, Spot):
                act = act.at(*at, self.client.view.pick(act.key))
            self.client.perform(act, held.id, self._under)
        elif held is not None and (target := self._target(held, at)):
            self.client.perform(held.drops[target], target, self._under)

    def _target(self, held: Touch, at: tuple[int, int]) -> str:
        """What lies under the finger, if what it holds may be let go there."""
        under = self.page.touch_at(*at)
        return under.id if under is not None and under.id in held.drops else ""

    def _slide(self, at: tuple[int, int]) -> None:
        held = self._held
        if held is not None and held.drops:
            over = self._target(held, at)
            self._damaged |= over != self._over
            self._over = over
        elif held is not None and not held.holds(*at) and self.page.pressed:
            self.page.pressed, self._held = "", None
            self._damaged = True

    def key(self, name: str, now: float, *, shift: bool = False) -> None:
        """Keys do what touches do: digits answer, return confirms, tab walks, backspace takes back."""
        touches = self.page.touches()
        if name == "tab":
            ids = list(dict.fromkeys(t.id for t in touches))
            if ids:
                at = ids.index(self._focus) if self._focus in ids else (0 if shift else -1)
                self._focus = ids[(at + (-1 if shift else 1)) % len(ids)]
                self._damaged = True
            return
        chosen = None
        if name in ("return", "enter", "space") and self._focus:
            chosen = next((t for t in touches if t.id == self._focus), None)
        if chosen is None:
            wanted = "return" if name == "enter" else name
            chosen = next((t for t in reversed(touches) if t.key and t.key == wanted), None)
        if chosen is None and name == "return":
            chosen = next((t for t in touches if t.id in ("form-send", "sheet-close")), None)
        if chosen is not None:
            self.client.perform(chosen.act, chosen.id, self._shown)
