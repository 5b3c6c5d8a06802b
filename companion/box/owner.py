"""What belongs to the owner, not to one game: corrections of the box, and who played last."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.box.printed import check, printed
from companion.game import Game
from companion.journal.rows import UNREADABLE
from companion.wire import announced
from companion.wire.files import read_file, write_private
from companion.wire.lobby import Pad, Sitter
from companion.wire.messages import Word
from companion.wire.names import TITLE, clean

log = logging.getLogger("tableside.owner")
Kept = TypeVar("Kept")

SEATS = 8
PEOPLE, GROUPS, PADS, LARGEST = 24, 6, 8, 4096
"""People, tables and games of our own that are remembered, and bytes of one such game."""
UNNAMED = re.compile(r"\D* ?\d+")
"""A seat as the screen names it until somebody does: "Player 2", or a number alone."""
NOT_RULES = ("colours", "depth", "names", "robots", TITLE)
SAID = 8
"""Problems of one game's file that are said; whoever mends those sees the next."""


class _Kept(msgspec.Struct):
    """A player as an earlier game left them; other versions may have written more."""

    name: str = ""
    colour: Word = ""
    language: Word = ""
    bot: Word = ""


def _who(seats: list[_Kept]) -> list[tuple[str, bool]]:
    """A group by its people, whatever order they sat in."""
    return sorted((clean(one.name).casefold(), bool(one.bot)) for one in seats)


def _sitters(kept: list[_Kept]) -> tuple[Sitter, ...]:
    named = [(clean(one.name), one) for one in kept[:SEATS]]
    return tuple(
        Sitter(name=name, colour=one.colour, language=one.language, bot=one.bot) for name, one in named if name
    )


def _sorted_out(game: str, values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What can stand in the box of a game, and what is wrong with the rest; a game without printed values takes anything."""
    known, good, wrong_ones = printed(announced.package(game)), dict[str, Any](), list[str]()
    for key, value in values.items():
        try:
            if known:
                check(known, key, value)
            good[key] = value
        except ValueError as wrong:
            wrong_ones.append(str(wrong))
    return good, wrong_ones


class Owner:
    """Files in the state directory, each written atomically."""

    def __init__(self, state_dir: Path) -> None:
        self.directory = state_dir
        self.problems: dict[str, list[str]] = {}
        """By game: what could not be used, each once, for the screen to say."""

    def _path(self, game: str) -> Path:
        return self.directory / "box" / f"{re.sub(r'[^a-z0-9-]', '', game)}.json"

    def box(self, game: str) -> dict[str, Any]:
        """The owner's corrections of one game's printed values; what cannot be used is said and left aside."""
        path = self._path(game)
        try:
            values = msgspec.json.decode(read_file(path), type=dict[str, Any])
        except FileNotFoundError:
            return {}
        except (OSError, *UNREADABLE) as wrong:
            self._damaged(game, f"{path.name}: {wrong}")
            return {}
        good, wrong_ones = _sorted_out(game, values)
        for problem in wrong_ones:
            self._damaged(game, problem)
        return good

    def for_a_game(self, pack: Game) -> dict[str, Any]:
        """The corrections a game can begin with: where they do not fit together, those that fit the ones before them."""
        whole = self.box(pack.id)
        if not pack.problems(whole):
            return whole
        good: dict[str, Any] = {}
        for key, value in whole.items():
            wrong = pack.problems({**good, key: value})
            if wrong:
                self._damaged(pack.id, wrong[0])
            else:
                good[key] = value
        return good

    def _damaged(self, game: str, problem: str) -> None:
        problem = problem if len(problem) <= 120 else f"{problem[:119]}…"
        said = self.problems.setdefault(game, [])
        if problem not in said and len(said) < SAID:
            self.problems[game].append(problem)
            log.warning("the corrections of %s cannot all be used: %s; the shipped value stands", game, problem)

    def keep(self, game: str, learnt: Mapping[str, Any]) -> None:
        """What was corrected or learnt in play holds for the next games too; what cannot stand in a box is left aside."""
        good, _ = _sorted_out(game, learnt)
        if good:
            with self._unless_full("the correction holds for this game only"):
                self.save(game, {**self.box(game), **good})

    def take_back(self, game: str, learnt: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        """What told it was undone: what held before holds again, unless somebody has spoken since."""
        kept = self.box(game)
        mine = [key for key, value in learnt.items() if key in kept and kept[key] == value]
        if mine:
            rest = {key: value for key, value in kept.items() if key not in mine}
            with self._unless_full("the correction that was taken back holds for the next games"):
                self.save(game, rest | {key: before[key] for key in mine if key in before})

    def save(self, game: str, overrides: Mapping[str, Any]) -> None:
        """Write the corrections of one game; a file that could not be read is kept beside it."""
        path = self._path(game)
        if self.problems.get(game) and path.exists():
            path.replace(path.with_suffix(".damaged"))
        self.problems.pop(game, None)
        write_private(path, msgspec.json.format(msgspec.json.encode(dict(overrides)), indent=2))

    def last_players(self) -> tuple[Sitter, ...]:
        """Who sat here last: "same players, next game"."""
        return _sitters(self._read("players.json", list[_Kept]))

    def remember_players(self, seats: list[dict[str, Any]]) -> None:
        """Keep names, colours and languages for next time: who sits here now, and everybody who ever did."""
        with self._unless_full("the players' names are not remembered"):
            write_private(self.directory / "players.json", msgspec.json.encode(seats))
            now = [msgspec.convert(seat, _Kept) for seat in seats if not seat.get("bot")]
            here = {clean(one.name).casefold() for one in now}
            before = [one for one in self._read("people.json", list[_Kept]) if clean(one.name).casefold() not in here]
            write_private(self.directory / "people.json", msgspec.json.encode([*now, *before][:PEOPLE]))
            self._remember_group([msgspec.convert(seat, _Kept) for seat in seats])

    def _remember_group(self, seats: list[_Kept]) -> None:
        """Who sat together, robots too; a table where somebody's name was not typed yet is not a group."""
        if len(seats) < 2 or any(UNNAMED.fullmatch(clean(one.name)) for one in seats if not one.bot):
            return
        others = [group for group in self._read("groups.json", list[list[_Kept]]) if _who(group) != _who(seats)]
        write_private(self.directory / "groups.json", msgspec.json.encode([seats, *others][:GROUPS]))

    def groups(self) -> tuple[tuple[Sitter, ...], ...]:
        """Tables that have sat here together, the last one first."""
        found = (_sitters(group) for group in self._read("groups.json", list[list[_Kept]])[:GROUPS])
        return tuple(group for group in found if len(group) > 1)

    def people(self) -> tuple[Sitter, ...]:
        """Everybody who has played here, who came last first."""
        kept = ((clean(one.name), one) for one in self._read("people.json", list[_Kept])[:PEOPLE])
        return tuple(Sitter(name=name, colour=one.colour, language=one.language) for name, one in kept if name)

    def remember_pad(self, game: str, options: Mapping[str, Any]) -> None:
        """A game with a name of its own keeps its rules; the same name again has the newer ones."""
        title = clean(str(options.get(TITLE) or ""))
        if not title:
            return
        rules = {key: value for key, value in options.items() if key not in NOT_RULES}
        try:
            pad = msgspec.convert({"game": game, "title": title, "options": rules}, Pad)
        except msgspec.ValidationError:
            return
        others = [one for one in self.pads() if (one.game, one.title.casefold()) != (game, title.casefold())]
        with self._unless_full("the rules of this game are not remembered"):
            write_private(self.directory / "pads.json", msgspec.json.encode([pad, *others][:PADS]))

    def pads(self) -> tuple[Pad, ...]:
        """Games of our own, the last one first."""
        kept = self._read("pads.json", list[Pad])[:PADS]
        return tuple(one for one in kept if clean(one.title) == one.title and len(msgspec.json.encode(one)) < LARGEST)

    def _read(self, name: str, kind: type[list[Kept]]) -> list[Kept]:
        """A list somebody may have changed by hand: what is not one is empty."""
        try:
            found: list[Kept] = msgspec.json.decode(read_file(self.directory / name), type=kind)
        except (OSError, *UNREADABLE):
            return []
        return found

    @contextlib.contextmanager
    def _unless_full(self, what: str) -> Iterator[None]:
        """A disk that takes no more costs a convenience, never the game."""
        try:
            yield
        except OSError as wrong:
            log.warning("%s: %s", what, wrong)
