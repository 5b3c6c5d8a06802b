"""What the core does first: say what is wrong and which games cannot be used, and take up the one that was not put away."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

from companion.core import registry
from companion.core.guard import PackFailedError
from companion.core.registry import UnknownGameError
from companion.core.session import Session
from companion.game import Text
from companion.journal.store import JournalUnusableError

if TYPE_CHECKING:
    from companion.core.table import Table

log = logging.getLogger("tableside.table")

PROBLEMS = 8
"""Of the settings, said on the screen; `tableside config check` says all of them."""


def say_damage(table: Table) -> None:
    """What is wrong with the settings, and what was lost with the journal."""
    for number, problem in enumerate(table.config.problems[:PROBLEMS]):
        table.notice(f"config-{number}", Text("config/problem", {"problem": problem}), "warn")
    if table.journal.damage:
        damage = table.journal.damage
        table.notice("damage", Text("journal/damage", {"n": damage.lost, "file": damage.moved_to}), "bad")


def take_up_open_game(table: Table) -> None:
    """The newest game that is still open. One that cannot go on is put away, and the one before it has its turn."""
    for one in registry.unusable():
        table.notice(f"pack-{one.game}", Text("pack/unusable", {"game": one.title, "why": one.why}), "warn")
    for first, end in table.journal.games():
        name = str(first.body.get("pack") or "")
        if end is not None or not name:
            continue  # over, put away, or no game at all: who sits where is journalled too
        title = table.packs[name].title() if name in table.packs else name
        try:
            table.take_up(Session.resume(table.journal, first.game))
            return
        except (PackFailedError, UnknownGameError) as wrong:
            _put_away(table, first.game, title, wrong.why)
        except Exception as wrong:  # noqa: BLE001 - rows from elsewhere may hold anything; the table starts all the same
            log.error("the game %s of %s cannot be taken up: %r", first.game, name, wrong)
            _put_away(table, first.game, title, Text("pack/refused"))


def _put_away(table: Table, game: str, title: Text | str, why: Text) -> None:
    """Close a game that cannot go on. Its rows stay as they are: a mended pack takes it up where it was."""
    with contextlib.suppress(JournalUnusableError):  # then it is tried once more at the next start
        table.journal.append(game, "end", {"tally": {}, "over": False, "chart": []}, sender="companion")
    table.notice("put-away", Text("pack/put-away", {"game": title, "why": why}), "warn")
