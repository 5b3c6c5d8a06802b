"""What the board says and when: pure logic, no pins, no clock of its own."""

import frames

GAP_MS = 5
AGAIN_MS = 50
AFTERGLOW_MS = 300
BEAT_MS = 500
HOST_GONE_MS = 4000
DEBOUNCE_MS = 20
CLOCK = 0x3FFFFFFF


def since(now, then):
    """Milliseconds between two readings of a clock that wraps after twelve days."""
    return (now - then) & CLOCK


class Board:
    """Tells the counter's state over a wire: at once when it moves, a few times more after that, then as a heartbeat."""

    def __init__(self, counter, write, light, board_id, boot, leds):
        self.counter = counter
        self.write = write
        self.light = light
        self.board_id = board_id
        self.boot = boot
        self.leds = leds
        self.leaving = False
        self.presses = 0
        self.indexed = 0
        self.index_counts = 0
        self._splitter = frames.Splitter()
        self._number = 0
        self._told = 0
        self._edge = 0
        self._sent = 0
        self._moved = -GAP_MS
        self._fresh = False
        self._down = 0
        self._down_since = 0
        self._down_raw = 0
        self._heard = 0
        self._dark = True
        self._pixels = bytearray(3 * leds)

    def index(self):
        """The index switch closed; called from an interrupt, so it allocates nothing."""
        self.index_counts = self.counter.counts
        self.indexed = (self.indexed + 1) & 0xFFFF

    def heard(self, data, now):
        """Bytes from the host."""
        for kind, _, body in self._splitter.feed(data):
            self._heard = now
            if kind == frames.ASK_HELLO:
                self.hello()
                self._tell(now)
            elif kind == frames.ASK_COUNTS:
                self._tell(now)
            elif kind == frames.LIGHT:
                self._paint(body)
            elif kind == frames.LEAVE:
                self.leaving = True

    def step(self, now, down=0):
        """One round of the main loop at `now` milliseconds, the button being `down` (1) or not (0)."""
        self._button(now, down)
        counts = self.counter.counts
        if counts != self._told:
            self._told = counts
            self._edge = now
            self._fresh = True
        quiet = since(now, self._sent)
        if self._fresh and since(now, self._moved) >= GAP_MS:
            # only news keeps news waiting: after a repeated word the first step of a turn goes at once
            self._moved = now
            self._tell(now)
        elif quiet >= BEAT_MS:
            self._tell(now)
        elif quiet >= AGAIN_MS and since(now, self._edge) < AFTERGLOW_MS:
            # the last word of a turn must arrive even if its frame is lost
            self._tell(now)
        if not self._dark and since(now, self._heard) > HOST_GONE_MS:
            self._pixels = bytearray(3 * self.leds)
            self._dark = True
            self.light(self._pixels)

    def hello(self):
        """Who we are."""
        self._send(frames.HELLO, frames.pack_hello(frames.FIRMWARE, self.leds, self.boot, self.board_id))

    def _tell(self, now):
        self._fresh = False
        self._sent = now
        counter = self.counter
        body = frames.pack_counts(
            now,
            counter.counts,
            counter.impossible,
            self._edge,
            self.presses,
            self._down,
            self.indexed,
            self.index_counts,
            self.boot,
        )
        self._send(frames.COUNTS, body)

    def _send(self, kind, body):
        self._number = (self._number + 1) & 0xFFFF
        self.write(frames.frame(kind, self._number, body))

    def _button(self, now, down):
        if down != self._down_raw:
            self._down_raw = down
            self._down_since = now
        elif down != self._down and since(now, self._down_since) >= DEBOUNCE_MS:
            self._down = down
            self._fresh = True
            if down:
                self.presses = (self.presses + 1) & 0xFFFF

    def _paint(self, body):
        """Pixels `start, r, g, b, r, g, b, ...`; what lies beyond the ring is left out."""
        if not body or not self.leds:
            return
        at = 3 * body[0]
        colours = body[1 : 1 + len(self._pixels) - at] if at < len(self._pixels) else b""
        self._pixels[at : at + len(colours)] = colours
        self._dark = False
        self.light(self._pixels)
