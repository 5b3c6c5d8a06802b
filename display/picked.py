"""What was picked on this screen: what stays of it when the table has moved on."""

from __future__ import annotations

from typing import Any

from companion.game import Ask
from companion.wire.messages import State


def put_away(local: dict[str, Any], known: State, state: State) -> dict[str, Any]:
    """What was put away was the old list of things to do, or the old difference: a new one is shown. A line of the list that
    a hand before the camera unticks again is not new, nor does a difference elsewhere open the list."""
    if _to_do(state) - _to_do(known):
        return without(local, "rebuild", "ticked", "hidden")
    return without(local, "hidden") if _open_items(state) - _open_items(known) else local


def _to_do(state: State) -> set[str]:
    """Every line of the list, done or not."""
    return {f"{notice.id} {notice.text!r}" for notice in state.notices if notice.kind == "todo"}


def _open_items(state: State) -> set[str]:
    """What is still to be put right, by name and words."""
    return {f"{notice.id} {notice.text.key}" for notice in state.notices if not notice.done and notice.kind != "info"}


def without(local: dict[str, Any], *names: str) -> dict[str, Any]:
    """The picks but these."""
    return {key: value for key, value in local.items() if key not in names}


def fields(ask: Ask | None) -> tuple[str, ...]:
    """The form's fields by name: one with the same fields stays filled in."""
    return tuple(field.id for field in ask.form.fields) if ask is not None and ask.form is not None else ()


def restored(state: State) -> bool:
    """The table has just begun again with what a backup held."""
    return any(notice.id == "care-restored" and notice.kind == "info" for notice in state.notices)
