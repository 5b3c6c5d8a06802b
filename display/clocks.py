"""How long everybody has taken, as it is shown: in steps of ten seconds, so that a quiet screen stays quiet."""

from __future__ import annotations

from typing import Any

from companion.game import Text, seat_name
from display.view import View

STEP = 10
"""Seconds; a clock that counts every one of them makes people hurry."""


def shown(view: View) -> bool:
    """Somebody wants to see it: by the settings, or by playing in light depth."""
    state = view.state
    if state is None or state.phase != "playing" or state.clock is None:
        return False
    return bool(view.settings.get("clocks")) or state.depth == "light"


def deciding(view: View) -> int | None:
    """Whose clock runs."""
    return view.prompt.ask.seat if view.prompt else None


def seconds(view: View, seat: int | None) -> int:
    """What this seat has taken by now, in whole steps; `None`: what was nobody's in particular."""
    clock = view.state.clock if view.state else None
    if clock is None:
        return 0
    taken = clock.table if seat is None else clock.spent[seat] if seat < len(clock.spent) else 0.0
    runs = not clock.stopped and seat == deciding(view)
    return int(taken + (_waited(view, float(view.pick("clock", 0))) if runs else 0.0)) // STEP * STEP


def said(taken: int) -> str:
    """Minutes and seconds."""
    return f"{taken // 60}:{taken % 60:02}"


def _waited(view: View, now: float) -> float:
    clock = view.state.clock if view.state else None
    return max(0.0, now - clock.since) if clock is not None else 0.0


def look(view: View, now: float) -> tuple[dict[str, Any], Text | None]:
    """What changes on the screen at this second of the day: the clock's step, and a kind word, said once a decision."""
    changes: dict[str, Any] = {}
    step = now // STEP * STEP
    if shown(view) and view.pick("clock") != step:
        changes["clock"] = step
    state, seat, wait = view.state, deciding(view), int(view.settings.get("nudge") or 0)
    if not wait or state is None or state.phase != "playing" or state.clock is None or state.clock.stopped:
        return changes, None
    here = (state.game_id, state.seq)
    if seat is None or _waited(view, now) < 60 * wait or view.pick("nudged") == here:
        return changes, None
    return {**changes, "nudged": here}, Text("clock/nudge", {"name": seat_name(seat)})
