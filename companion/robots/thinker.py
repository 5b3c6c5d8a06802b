"""The core's end of the process in which robots think: started when there is something to think about, ended when it takes
too long, started anew for the next question."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.robots.thinking import Think, Thought

log = logging.getLogger("tableside.robots")

THINKING_SECONDS = 20.0
"""Seconds for one answer, on a machine with too much to do; a mind of ours needs less than half of one."""
NOT_FOR_CHILDREN = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "CREDENTIALS_DIRECTORY", "TABLESIDE_SUPERVISOR")

Heard = Callable[[Thought | None], None]


class Thinker:
    """One process, one question at a time; the last question asked is the one that counts."""

    def __init__(self, directory: Path, call: Callable[[Callable[[], None]], None]) -> None:
        """`call` runs something in the core's own thread."""
        self._directory, self._call = directory, call
        self._process: subprocess.Popen[bytes] | None = None
        self._asked = 0
        self._waiting: tuple[int, Heard, float] | None = None

    def ask(self, game: str, seq: int, chairs: dict[int, str], heard: Heard, *, hint: bool = False) -> None:
        """Put a question; `heard` gets the thought in the core's thread, or `None` when there will be none."""
        self._asked += 1
        question = Think(self._asked, game, seq, chairs, hint)
        self._waiting = (question.id, heard, time.monotonic() + THINKING_SECONDS)
        try:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            process.stdin.flush()
        except OSError as wrong:
            log.warning("robots cannot think: %s", wrong)
            self.rest()
            self._call(lambda: self._ended(question.id))

    def look_after(self) -> None:
        """Called by the clock: a mind that does not come back is given up."""
        if self._waiting is not None and time.monotonic() > self._waiting[2]:
            log.warning("a robot thought for more than %s s", THINKING_SECONDS)
            name = self._waiting[0]
            self.rest()
            self._ended(name)

    def rest(self) -> None:
        """Nobody has anything to think about; the process gives its memory back."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            environment = {name: value for name, value in os.environ.items() if name not in NOT_FOR_CHILDREN}
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "companion.robots.thinking", str(self._directory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                process_group=0,  # Ctrl-C is for the supervisor; this ends with its last question
            )
            threading.Thread(target=self._listen, args=(self._process,), daemon=True, name="thinker").start()
        return self._process

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread of its own: every answer is handed over; after the last one, that there will be no more."""
        assert process.stdout is not None
        with process.stdout as answers:
            for line in answers:
                try:
                    thought = msgspec.json.decode(line, type=Thought)
                except msgspec.DecodeError:  # somebody's pack prints
                    continue
                self._call(lambda thought=thought: self._heard(thought))  # type: ignore[misc]
        self._call(lambda: self._gone(process))

    def _heard(self, thought: Thought) -> None:
        if self._waiting is not None and self._waiting[0] == thought.id:
            heard, self._waiting = self._waiting[1], None
            heard(thought)

    def _gone(self, process: subprocess.Popen[bytes]) -> None:
        if process is self._process:
            log.warning("the robots' mind has gone (%s)", process.poll())
            self.rest()
            if self._waiting is not None:
                self._ended(self._waiting[0])

    def _ended(self, name: int) -> None:
        if self._waiting is not None and self._waiting[0] == name:
            heard, self._waiting = self._waiting[1], None
            heard(None)
