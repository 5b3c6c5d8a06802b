"""`python -m speech`: the table's voice, as the supervisor or systemd starts it."""

from __future__ import annotations

from speech.room import run

if __name__ == "__main__":
    raise SystemExit(run())
