"""The registry's door: a pack is anybody's code, and nothing it does may stop the table.

`Guarded` asks a pack what `companion.game.Game` lets it be asked, and hands on a plain copy of the answer. Whatever else comes
(an exception of any kind, an answer of another type, one that cannot be written down, none within two seconds, more memory than
any position needs) becomes one `PackFailedError`, which says in a sentence what happened. States and moves alone pass as they
are: only the pack knows what they mean.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Callable, Sequence
from types import SimpleNamespace, TracebackType
from typing import Any, Literal, TypeVar

import msgspec

from companion.game import Ask, Event, Expected, Field, Game, Outcome, RuleBroken, Tally, Text
from companion.watch import LIMIT, EndedError, watch

log = logging.getLogger("tableside.games")

How = Literal["raised", "slow", "memory", "nonsense", "ended"]
"""In which way: `ended` took the whole core with it."""
LARGEST = 256 * 1024
"""Bytes of one answer as it travels: half of what the rooms accept as a message."""
LOADING = 5.0
"""Seconds a pack has to be imported and to say what it is."""
EVENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _/-]{0,39}")
"""What an event may be called: it becomes a part of its topic."""


class PackFailedError(Exception):
    """A pack did what no pack may do. Nothing has changed by it; `why` is for people at the table."""

    def __init__(self, game: str, how: How, detail: str, title: Text | None = None) -> None:
        self.game, self.how = game, how
        self.brief = (detail.strip().splitlines() or [how])[-1][:200]
        """One line for whoever mends the pack; the whole of it is in the log."""
        super().__init__(f"The game {game!r} failed: {self.brief}")
        self.title: Text | str = title or game
        self.why = Text(f"pack/{how}")


# what an answer must be ----------------------------------------------------------------------------------------


class NonsenseError(Exception):
    """An answer nobody can use; the message says why."""


class Player(msgspec.Struct):
    """What every client reads of a player in a view; the rest is between the pack and its own scene."""

    seat: int | None = None
    name: str = ""
    points: int | float | None = None


class Shown(msgspec.Struct):
    """What every client reads of a view."""

    players: list[Player] = []
    chart: list[list[int | float]] | None = None
    ask: Ask | None = None


class Refused(msgspec.Struct):
    """What a refusal says."""

    code: str
    say: Text
    do: Text
    page: str
    box: str


class Owed(msgspec.Struct, forbid_unknown_fields=True):
    """What chance is asked for."""

    move: dict[str, Any]
    shuffle: dict[str, list[Any]] = {}


_encoder = msgspec.json.Encoder()


def written(answer: Any) -> bytes:
    """An answer as it travels."""
    try:
        data = _encoder.encode(answer)
    except Exception as wrong:
        raise NonsenseError(f"an answer that cannot be written down: {wrong}") from wrong
    if len(data) > LARGEST:
        raise NonsenseError(f"an answer of {len(data)} bytes")
    return data


def plain(kind: Any) -> Callable[[Any], Any]:
    """A check: the same answer once more, made of exactly the types that were promised."""
    decoder = msgspec.json.Decoder(kind)
    return lambda answer: read(decoder, written(answer))


def read(decoder: msgspec.json.Decoder[Any], data: bytes) -> Any:
    """What was written, if it is what was promised."""
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as wrong:
        raise NonsenseError(f"an answer of the wrong kind: {wrong}") from wrong


_owed, _expected, _events, _refused = plain(Owed | None), plain(Expected), plain(tuple[Event, ...]), plain(Refused)
_shown = msgspec.json.Decoder(Shown)


def anything(answer: Any) -> Any:
    """A move, or none."""
    return answer


def something(answer: Any) -> Any:
    """A state or a move: whatever the pack likes, but not nothing."""
    if answer is None:
        raise NonsenseError("nothing at all")
    return answer


def truth(answer: Any) -> bool:
    """Yes or no."""
    if answer is not True and answer is not False:
        raise NonsenseError("neither yes nor no")
    return bool(answer)


def listed(answer: Any) -> Sequence[Any]:
    """Something with a length: a generator may have no end."""
    if not isinstance(answer, Sequence):
        raise NonsenseError("no list")
    return answer


def outcome(answer: Any) -> Outcome:
    """A move carried out."""
    if not isinstance(answer, Outcome):
        raise NonsenseError("no outcome")
    events: tuple[Event, ...] = _events(answer.events)
    for event in events:
        if not EVENT.fullmatch(event.kind):
            raise NonsenseError(f"an event called {event.kind!r}")
    return Outcome(something(answer.state), events, truth(answer.reveals))


def expected(answer: Any) -> Expected:
    """What the sensors should see, with dice as dice are."""
    found: Expected = _expected(answer)
    if any(not 1 <= die.face <= 6 for slot in found.slots for die in slot.dice):
        raise NonsenseError("a die with another face than 1 to 6")
    return found


def owed(answer: Any) -> dict[str, Any] | None:
    """What chance is asked for, if anything."""
    found: Owed | None = _owed(answer)
    return None if found is None else {"move": found.move, "shuffle": found.shuffle}


def view(answer: Any) -> bytes:
    """A view as it travels, which every client can draw."""
    data = written(answer)
    read(_shown, data)
    return data


def game(answer: Any) -> Game:
    """A pack. One that is no `Game` but has what a game must have is taken for one: the rest is `Game`'s default."""
    if isinstance(answer, Game):
        return answer
    known = [name for name in (*Game.__annotations__, *vars(Game)) if not name.startswith("_")]
    has = {name: getattr(answer, name) for name in known if hasattr(answer, name)}
    missing = [name for name in ("id", "players", *sorted(Game.__abstractmethods__)) if name not in has]
    if missing:
        raise NonsenseError(f"no game: it has no {', '.join(missing)} (see companion.game.Game)")
    kept = {name: staticmethod(value) if callable(value) else value for name, value in has.items()}
    made: Game = type("Lookalike", (Game,), kept)()
    return made


def refusal(wrong: Exception) -> Exception:
    """A refusal is an answer too: it is made anew from what it says."""
    if isinstance(wrong, RuleBroken):
        said = _refused({name: getattr(wrong, name) for name in Refused.__struct_fields__})
        return RuleBroken(said.code, said.say, said.do, said.page, said.box)
    kind = msgspec.ValidationError if isinstance(wrong, msgspec.ValidationError) else ValueError
    return kind(str(wrong)[:500])


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
            self.out_of_turn = self.ask_for("out_of_turn", None, plain(tuple[str, ...]))
            self.sensor_depth = self.ask_for("sensor_depth", None, plain(int))
            self._options: tuple[Field, ...] = self.ask_for("options", (), plain(tuple[Field, ...]))
            self._title = self.ask_for("title", (), plain(Text))
            if self.ask_for("id", None, plain(str)) != name:
                raise self.failed("nonsense", f"it is announced as {name!r} and calls itself something else")
            if not 1 <= self.players[0] <= self.players[1] <= 8:
                raise self.failed("nonsense", f"a game for {self.players[0]} to {self.players[1]} players")

    def watched(self, seconds: float = LIMIT) -> Watched:
        """Everything this pack is asked in a `with` block has one deadline. Nothing may be written to disk in it."""
        return Watched(self, seconds, searching=False)

    def searching(self, seconds: float = LIMIT) -> Watched:
        """The pack itself, for a search that asks it hundreds of times: guarded once, and whatever goes wrong is the pack's."""
        return Watched(self, seconds, searching=True)

    def failed(self, how: How, detail: str) -> PackFailedError:
        """What went wrong, logged."""
        log.error("the game %r failed (%s): %s", self.id, how, detail)
        return PackFailedError(self.id, how, detail, self._title)

    def ask_for(
        self,
        name: str,
        arguments: tuple[Any, ...] | None,
        check: Callable[[Any], Any],
        may: tuple[type[Exception], ...] = (),
    ) -> Any:
        """One answer of the pack, or one of its attributes when there are no arguments."""
        began = watch.begin(self.id, LIMIT)
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
    describe = _hook(Game.describe, plain(Text | None))
    statistics = _hook(Game.statistics, plain(dict[str, Any]))
    problems = _hook(Game.problems, plain(tuple[str, ...]))
    expect = _hook(Game.expect, expected)
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

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        """A copy of what this seat may see."""
        found: dict[str, Any] = msgspec.json.decode(self.shown(state, seat))
        return found

    def shown(self, state: Any, seat: int | None) -> bytes:
        """The same as it travels."""
        data: bytes = self.ask_for("view", (state, seat), view)
        return data


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

    def __init__(self, guarded: Guarded, seconds: float, *, searching: bool) -> None:
        self._guarded, self._seconds, self._searching = guarded, seconds, searching
        self._began = False

    def __enter__(self) -> Game:
        self._began = watch.begin(self._guarded.id, self._seconds)
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
        raise self._guarded.failed(how, detail) from None
