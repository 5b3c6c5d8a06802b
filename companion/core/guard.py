"""The registry's door: a pack is anybody's code, and nothing it does may stop the table.

`Guarded` asks a pack what `companion.game.Game` lets it be asked, and hands on a plain copy of the answer. Whatever else comes
(an exception of any kind, an answer of another type, one that cannot be written down, none within two seconds, more memory than
any position needs) becomes one `PackFailedError`, which says in a sentence what happened. States and moves alone pass as they
are: only the pack knows what they mean.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from types import SimpleNamespace, TracebackType
from typing import Any, Literal, TypeVar

import msgspec

from companion.core.answers import (
    NonsenseError,
    Sight,
    anything,
    expected,
    game,
    kind_of_view,
    listed,
    outcome,
    owed,
    plain,
    refusal,
    sight,
    something,
    truth,
)
from companion.core.watch import EndedError, watch
from companion.game import Ask, Field, Game, Grid, RuleBroken, Tally, Text, View
from companion.panels import Panels
from companion.sensing import Dial, Mat, Toss

log = logging.getLogger("tableside.games")

How = Literal["raised", "slow", "memory", "nonsense", "ended"]
"""In which way: `ended` took the whole core with it."""
LOADING = 3.0
"""Times the watch's patience a pack has to be imported and to say what it is: a cold machine reads slowly."""


class PackFailedError(Exception):
    """A pack did what no pack may do. Nothing has changed by it; `why` is for people at the table."""

    def __init__(self, game: str, how: How, detail: str, title: Text | None = None) -> None:
        self.game, self.how = game, how
        self.brief = (detail.strip().splitlines() or [how])[-1][:200]
        """One line for whoever mends the pack; the whole of it is in the log."""
        super().__init__(f"The game {game!r} failed: {self.brief}")
        self.title: Text | str = title or game
        self.why = Text(f"pack/{how}")


# calling a pack ------------------------------------------------------------------------------------------------


class _Refusal(msgspec.Struct):
    error: Exception


def _run(
    pack: Any,
    name: str,
    arguments: tuple[Any, ...] | None,
    check: Callable[[Any], Any],
    may: tuple[type[Exception], ...],
) -> Any:
    """The only place where a pack is asked anything; from here on the watch may interrupt it."""
    try:
        answer = getattr(pack, name)
        if arguments is not None:
            answer = answer(*arguments)
    except may as wrong:
        return _Refusal(refusal(wrong))
    return check(answer)


watch.between |= {__name__}
watch.within = _run.__code__


def told(wrong: BaseException) -> str:
    """An exception in a few lines, for the log."""
    return "".join(traceback.format_exception(wrong, limit=-6, chain=False))[-2000:].strip()


Hook = TypeVar("Hook", bound=Callable[..., Any])


def _hook(of: Hook, check: Callable[[Any], Any], *may: type[Exception]) -> Hook:
    """One of `Game`'s functions behind the door; `may`: the exceptions by which it refuses."""
    name = of.__name__

    def call(self: Guarded, *arguments: Any) -> Any:
        return self.ask_for(name, arguments, check, may)

    call.__name__, call.__doc__ = name, of.__doc__
    return call  # type: ignore[return-value]


class Guarded(Game):
    """A pack behind the door. Made by the registry; raises `PackFailedError` when the pack cannot say what it is."""

    def __init__(self, name: str, find: Callable[[], Any]) -> None:
        self.id = name
        self._title: Text | None = None
        self.pack: Any = SimpleNamespace(find=find)
        with self.watched(LOADING):
            self.pack = self.ask_for("find", (), game)
            self.players = self.ask_for("players", None, plain(tuple[int, int]))
            self.secrets = self.ask_for("secrets", None, truth)
            self.out_of_turn = self.ask_for("out_of_turn", None, plain(tuple[str, ...]))
            self.robots = self.ask_for("robots", None, truth)
            self.starts = self.ask_for("starts", None, truth)
            self.colours = self.ask_for("colours", None, plain(tuple[str, ...]))
            self.sensor_depth = self.ask_for("sensor_depth", None, plain(int))
            self.hidden_moves = self.ask_for("hidden_moves", None, truth)
            self.bgg_id = self.ask_for("bgg_id", None, plain(int))
            self.view_type = self.ask_for("view_type", None, kind_of_view)
            self._sight = sight(self.view_type)
            self._options: tuple[Field, ...] = self.ask_for("options", (), plain(tuple[Field, ...]))
            self._title = self.ask_for("title", (), plain(Text))
            if self.ask_for("id", None, plain(str)) != name:
                raise self.failed("nonsense", f"it is announced as {name!r} and calls itself something else")
            if not 1 <= self.players[0] <= self.players[1] <= 8:
                raise self.failed("nonsense", f"a game for {self.players[0]} to {self.players[1]} players")

    def watched(self, times: float = 1.0) -> Watched:
        """Everything this pack is asked in a `with` block has one deadline. Nothing may be written to disk in it."""
        return Watched(self, times, searching=False)

    def searching(self, times: float = 1.0) -> Watched:
        """The pack itself, for a search that asks it hundreds of times: guarded once, and whatever goes wrong is the pack's."""
        return Watched(self, times, searching=True)

    def failed(self, how: How, detail: str) -> PackFailedError:
        """What went wrong. The core logs the whole of it; at a terminal the one line of the exception is enough."""
        log.log(logging.ERROR if watch.on_duty else logging.DEBUG, "the game %r failed (%s): %s", self.id, how, detail)
        return PackFailedError(self.id, how, detail, self._title)

    def ask_for(
        self,
        name: str,
        arguments: tuple[Any, ...] | None,
        check: Callable[[Any], Any],
        may: tuple[type[Exception], ...] = (),
    ) -> Any:
        """One answer of the pack, or one of its attributes when there are no arguments."""
        began = watch.begin(self.id)
        try:
            try:
                answer = _run(self.pack, name, arguments, check, may)
                if not isinstance(answer, _Refusal):
                    return answer
                how, detail = None, ""
            except BaseException as wrong:  # noqa: BLE001 - a pack is anybody's code; this is the door
                how, detail = _what(wrong)
        except EndedError as ended:  # while it was told what went wrong
            how, detail = ended.how, ""
        finally:
            if began:
                watch.end()
        # raised out here, so that nothing of the pack hangs on to it
        raise (
            answer.error
            if how is None
            else self.failed(how, f"{detail} (in {name})" if detail else f"{how} (in {name})")
        )

    # each hook with what it must answer ------------------------------------------------------------------------

    new = _hook(Game.new, something, ValueError, msgspec.ValidationError)
    decode = _hook(Game.decode, something, RuleBroken, msgspec.ValidationError)
    owner = _hook(Game.owner, plain(int | None))
    encode = _hook(Game.encode, plain(dict[str, Any]))
    ask = _hook(Game.ask, plain(Ask))
    moves = _hook(Game.moves, listed)
    play = _hook(Game.play, outcome, RuleBroken, msgspec.ValidationError)
    tally = _hook(Game.tally, plain(Tally))
    over = _hook(Game.over, truth)
    deal = _hook(Game.deal, owed)
    redact = _hook(Game.redact, plain(dict[str, Any] | None))
    publish = _hook(Game.publish, plain(list[dict[str, Any]]))
    describe = _hook(Game.describe, plain(Text | None))
    advise = _hook(Game.advise, anything)
    imagined = _hook(Game.imagined, something)
    statistics = _hook(Game.statistics, plain(dict[str, Any]))
    panels = _hook(Game.panels, plain(Panels))
    problems = _hook(Game.problems, plain(tuple[str, ...]))
    grids = _hook(Game.grids, plain(tuple[Grid, ...]))
    tells = _hook(Game.tells, plain(dict[str, Any]), ValueError, msgspec.ValidationError)
    mat = _hook(Game.mat, plain(Mat | None))
    dial = _hook(Game.dial, plain(Dial | None))
    toss = _hook(Game.toss, plain(Toss | None))
    seen = _hook(Game.seen, anything, RuleBroken)
    expect = _hook(Game.expect, expected)
    sensed = _hook(Game.sensed, listed)
    slot_text = _hook(Game.slot_text, plain(Text))
    differs = _hook(Game.differs, plain(tuple[Text, Text] | None))
    identify = _hook(Game.identify, anything)
    restore = _hook(Game.restore, plain(tuple[Text, ...] | None))
    score = _hook(Game.score, plain(Tally), ValueError)
    example = _hook(Game.example, plain(dict[str, Any]))
    schema = _hook(Game.schema, plain(dict[str, Any]))

    def title(self) -> Text:
        """As it was when the table started."""
        return self._title or Text(self.id)

    def options(self) -> tuple[Field, ...]:
        """As they were when the table started."""
        return self._options

    def view(self, state: Any, seat: int | None) -> View:
        """A copy of what this seat may see."""
        return self.sight(state, seat).view

    def sight(self, state: Any, seat: int | None) -> Sight:
        """The same with how it travels."""
        found: Sight = self.ask_for("view", (state, seat), self._sight)
        return found


def _what(wrong: BaseException) -> tuple[How, str]:
    """Which kind of failure an exception out of a pack is, and what the log should say of it."""
    if isinstance(wrong, KeyboardInterrupt) and not watch.on_duty:
        raise wrong  # somebody at a terminal has had enough
    if isinstance(wrong, EndedError):
        return wrong.how, ""
    if isinstance(wrong, MemoryError):
        return "memory", ""
    if isinstance(wrong, NonsenseError):
        return "nonsense", str(wrong)[:500]
    return "raised", told(wrong)


class Watched:
    """A `with` block in which a pack has one deadline for all it is asked."""

    def __init__(self, guarded: Guarded, times: float, *, searching: bool) -> None:
        self._guarded, self._times, self._searching = guarded, times, searching
        self._began = False

    def __enter__(self) -> Game:
        self._began = watch.begin(self._guarded.id, self._times)
        return self._guarded.pack if self._searching else self._guarded

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        if (
            wrong is None
            or isinstance(wrong, PackFailedError)
            or not (self._searching or isinstance(wrong, EndedError))
        ):
            if self._began:
                watch.end()
            return
        try:
            how, detail = _what(wrong)
        except EndedError as ended:
            how, detail = ended.how, ""
        finally:
            if self._began:
                watch.end()
        raise self._guarded.failed(how, detail or f"{how} (in all it was asked together)") from None
