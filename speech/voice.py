"""The voice: espeak-ng as a program, one process for each thing said. What is newest interrupts; what happened waits its turn."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections import deque

VOICES = {"en": "en-gb", "pl": "pl", "fr": "fr-fr"}
SPEED = 165
"""Words a minute."""
WAITING = 3
"""So many things that happened wait to be said; older ones are passed over, for they are on the screen."""


class Voice:
    """Says one thing at a time."""

    def __init__(self, program: str | None = None) -> None:
        self.program = program or shutil.which("espeak-ng")
        self.said: list[str] = []
        self._now: subprocess.Popen[bytes] | None = None
        self._next: deque[tuple[str, str]] = deque(maxlen=WAITING)

    @property
    def there(self) -> bool:
        """This machine can speak."""
        return self.program is not None

    def interrupt(self, text: str, language: str) -> None:
        """Say this now, whatever was being said."""
        self.hush()
        self._begin(text, language)

    def queue(self, text: str, language: str) -> None:
        """Say this when nothing else is being said."""
        self._next.append((text, language))
        self.go_on()

    def go_on(self) -> None:
        """Begin with what waits, once the last thing is said."""
        if self._now is not None and self._now.poll() is None:
            return
        if self._next:
            self._begin(*self._next.popleft())

    def hush(self) -> None:
        """Be silent, and forget what waits."""
        self._next.clear()
        process, self._now = self._now, None
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()

    def _begin(self, text: str, language: str) -> None:
        if self.program is None or not text:
            return
        self.said = [*self.said, text][-50:]
        command = [self.program, "-v", VOICES.get(language, "en-gb"), "-s", str(SPEED), "--stdin"]
        try:
            self._now = self._start(command)
        except OSError:
            self.program = None  # taken away while the table runs
            return
        assert self._now.stdin is not None
        with contextlib.suppress(OSError), self._now.stdin as ears:
            ears.write(text.encode())

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        silent = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=silent, stderr=silent)
