"""Small sounds made here, not recorded: a wooden tick, brass notes, a felt tap. Silent at volume 0."""

from __future__ import annotations

import cmath
import logging
import math
from array import array
from collections.abc import Iterable

import pygame

log = logging.getLogger("tableside.display.sound")

RATE = 22_050
# name: (frequency, seconds, fade per second) one after the other
_SCORES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "detent": ((1900, 0.03, 120),),
    "turn": ((523, 0.18, 9), (784, 0.32, 7)),
    "committed": ((180, 0.09, 40),),
    "coins": ((3100, 0.16, 22),),
    "refusal": ((130, 0.11, 26), (104, 0.18, 20)),
    "winner": ((523, 0.18, 6), (659, 0.18, 6), (784, 0.18, 6), (1047, 0.4, 5)),
}


def _wave(name: str, volume: float) -> array[int]:
    """Left and right alike, 16 bits each: a tone with a little of its octave, struck softly and dying away."""
    samples = array("h")
    for frequency, seconds, fade in _SCORES[name]:
        turn, fading = cmath.rect(1.0, math.tau * frequency / RATE), math.exp(-fade / RATE)
        phase, loudness = 1 + 0j, volume * 0.6 / 1.3 * 32767
        for i in range(int(RATE * seconds)):
            level = int((phase.imag + 0.3 * (phase * phase).imag) * loudness * min(1.0, i * 400 / RATE))
            samples.extend((level, level))
            phase, loudness = phase * turn, loudness * fading
    return samples


class Sound:
    """Plays what happened; a machine without a loudspeaker just stays quiet."""

    def __init__(self) -> None:
        self._ready: bool | None = None
        self._made: dict[tuple[str, int], pygame.mixer.Sound] = {}

    def play(self, names: Iterable[str], volume: int) -> None:
        """Each sound once, at 0 to 100."""
        if volume <= 0 or not self._open():
            return
        for name in dict.fromkeys(names):
            if name in _SCORES:
                key = (name, volume)
                if key not in self._made:
                    self._made[key] = pygame.mixer.Sound(buffer=_wave(name, volume / 100))
                self._made[key].play()

    def _open(self) -> bool:
        if self._ready is None:
            try:
                pygame.mixer.init(RATE, -16, 2, 512)
                self._ready = True
            except pygame.error as wrong:
                log.info("no sound here: %s", wrong)
                self._ready = False
        return self._ready
