"""New files for old ones, all or none: laid ready beside them, then exchanged by name alone.

Everything lies below one folder of ours (`.restore`): `state` holds what is to come, `old` what it replaced. A mark says
that all of it is there. Whatever ends the exchange half-way, the next start goes on with it when the mark is there, and
otherwise forgets it.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from companion.wire.files import own_folder, read_file, sync_folder, write_private

FOLDER, NEW, OLD, MARK = ".restore", "state", "old", "ready"


class Plan(msgspec.Struct, frozen=True):
    """Names below the state folder."""

    put: list[str]
    take: list[str]
    """What goes without anything coming in its place."""


def begin(state: Path) -> Path:
    """An empty folder; what is laid into `state` below it can be exchanged."""
    forget(state)
    own_folder(state / FOLDER / NEW)
    return state / FOLDER


def forget(state: Path) -> None:
    """Leave nothing of an exchange behind."""
    place = state / FOLDER
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        shutil.rmtree(place)


def obstacles(state: Path, names: list[str]) -> str:
    """What stands where one of these files, or its folder, belongs: neither is a link followed nor a folder replaced."""
    for name in names:
        path = state / name
        for folder in list(path.relative_to(state).parents)[:-1]:
            if (state / folder).is_symlink() or ((state / folder).exists() and not (state / folder).is_dir()):
                return f"{state / folder} is not a folder of the table's own"
        if path.is_dir() and not path.is_symlink():
            return f"{path} is a folder where a file belongs"
    return ""


def exchange(state: Path, plan: Plan) -> None:
    """Put everything in its place; an `OSError` leaves all as it was."""
    for folder in {(state / FOLDER / NEW / name).parent for name in plan.put}:
        sync_folder(folder)
    write_private(state / FOLDER / MARK, msgspec.json.encode(plan))
    with ExitStack() as way_back:
        way_back.callback((state / FOLDER / MARK).unlink)
        _move(state, plan, way_back)
        way_back.pop_all()
    forget(state)


def finish(state: Path) -> None:
    """Go on with an exchange the power interrupted, or forget one that was never complete."""
    mark = state / FOLDER / MARK
    with suppress(OSError):
        if mark.is_file():
            with suppress(msgspec.DecodeError):
                plan = msgspec.json.decode(read_file(mark), type=Plan)
                if not any(".." in name or name.startswith("/") for name in (*plan.put, *plan.take)):
                    _move(state, plan, ExitStack())
        forget(state)


def _move(state: Path, plan: Plan, way_back: ExitStack) -> None:
    """Each step can be repeated: what has been moved already is no longer where it is looked for."""
    new, old = state / FOLDER / NEW, state / FOLDER / OLD
    for name in [*plan.take, *plan.put]:
        here, coming = state / name, new / name
        if name in plan.put and not coming.exists():
            continue
        own_folder((old / name).parent)
        if here.exists() or here.is_symlink():
            here.rename(old / name)
            way_back.callback((old / name).rename, here)
        if name in plan.put:
            own_folder(here.parent)
            coming.rename(here)
            way_back.callback(here.rename, coming)
    for folder in {(state / name).parent for name in (*plan.take, *plan.put)}:
        if folder.is_dir():
            sync_folder(folder)
