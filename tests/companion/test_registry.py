"""How a game is found: by its entry point, whatever it is; and what becomes of one that cannot be used."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.box import printed as box
from companion.core import registry
from companion.core.guard import Guarded, PackFailedError
from companion.core.lastwords import LastWords, left_out
from companion.core.registry import UnknownGameError
from companion.core.watch import PACK_SECONDS, Watch
from companion.game import Ask, Text
from companion.wire import announced, words
from companion.wire.words import LANGUAGES, Words
from tests.companion import toy
from tests.companion.desk import Desk

GAME = """
from tests.companion.toy import Toy
class Other(Toy):
    id = "other"
pack = Other()
"""
Announce = Callable[..., None]


def forget() -> None:
    for cached in (
        announced.entries,
        registry._load,
        announced.folder,
        words.catalogue,
        words.read_package,
        box.printed,
    ):
        cached.cache_clear()


@pytest.fixture
def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Announce]:
    """Puts files where Python finds them, and a game called `other` among the announced ones."""
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def put(entry: str, files: dict[str, str]) -> None:
        (info / "entry_points.txt").write_text(f"[tableside.games]\nother = {entry}\n")
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        forget()

    yield put
    forget()
    for name in set(sys.modules) - before:
        if name.startswith("other"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("entry", "files", "package"),
    [
        ("other_one:pack", {"other_one.py": GAME}, ""),
        ("other_two:pack", {"other_two/__init__.py": GAME}, "other_two"),
        ("other_three.rules:pack", {"other_three/__init__.py": "", "other_three/rules.py": GAME}, "other_three"),
    ],
    ids=["one module", "a package", "a module in a package"],
)
def test_where_its_words_and_numbers_lie_is_known_however_it_is_laid_out(
    announce: Announce, tmp_path: Path, entry: str, files: dict[str, str], package: str
) -> None:
    """And the lobby, which asks for the numbers of every game, can be shown."""
    announce(entry, files)
    assert announced.package("other") == package
    assert registry.pack("other").id == "other"
    desk = Desk(tmp_path / "state")
    assert "other" in desk.state.games
    assert desk.admin("box list", game="other").result == {"game": "other", "values": [], "grids": []}
    assert desk.admin("box", game="other", values={}).ok


def test_words_are_read_without_running_anything(announce: Announce) -> None:
    """The screen says what a game is called although its code would end the screen."""
    title = 'msgid "other/title"\nmsgstr "The other game"\n'
    files = {"other_four/__init__.py": "raise SystemExit('not here')", "other_four/words/en.po": title}
    announce("other_four.rules:pack", files)
    assert Words("en").say("other/title") == "The other game"
    assert "other_four" not in sys.modules


WRONG = {
    "raises": ("raise KeyError('points')", "KeyError: 'points'"),
    "ends the program": ("raise SystemExit(3)", "SystemExit: 3"),
    "is not Python": ("pack = (", "SyntaxError"),
    "is no game": ("pack = 5", "it has no id, players, ask, decode, moves"),
    "is half a game": (
        "class Half:\n    id = 'other'\n    players = (1, 2)\npack = Half()",
        "it has no ask, decode, moves",
    ),
    "has another name": (GAME.replace('"other"', '"another"'), "calls itself"),
    "is for nobody": (GAME.replace('id = "other"', 'id = "other"; players = (3, 1)'), "3 to 1 players"),
    "has no title": (GAME.replace('id = "other"', 'id = "other"; title = lambda self: 5'), "in title"),
    "never comes": ("while True: pass", "slow"),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_game_that_cannot_be_used_is_left_out_and_said(
    announce: Announce, on_watch: Watch, tmp_path: Path, how: str
) -> None:
    """One line for whoever mends it, one sentence for the table, and all other games are there."""
    source, told = WRONG[how]
    others = registry.usable()
    announce("other_five:pack", {"other_five.py": source})
    if how == "never comes":
        on_watch.patience = 0.05
    found = registry._load("other")
    on_watch.patience = PACK_SECONDS
    assert isinstance(found, PackFailedError)
    with pytest.raises(UnknownGameError, match="is installed but cannot be used") as refused:
        registry.pack("other")
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    desk = Desk(tmp_path / "state")
    (notice,) = desk.state.notices
    assert notice.id == "pack-other"
    for language in LANGUAGES:
        assert "/" not in Words(language).say(notice.text).replace("toy/title", "")
    assert set(desk.state.games) == set(others)
    desk.new("scorepad")
    assert desk.move(kind="points", seat=0, points=1).ok


def test_printed_numbers_that_cannot_be_read_are_said(announce: Announce) -> None:
    """The lobby of every game asks for them: it must not be the place where they fail."""
    announce("other_six:pack", {"other_six/__init__.py": GAME, "other_six/components.toml": "[coins]\nstart = 5\n"})
    with pytest.raises(UnknownGameError, match=r"components\.toml cannot be read: coins\.start"):
        registry.pack("other")


def test_a_game_need_not_be_a_subclass() -> None:
    """What has the functions of a game is one; what it leaves out is the default."""
    names = ("id", "players", "title", "new", "decode", "ask", "moves", "play", "view", "tally", "over")
    duck = SimpleNamespace(**{name: getattr(toy.pack, name) for name in names})
    pack = Guarded("toy", lambda: duck)
    state = pack.new({"names": ["A", "B"]}, {})
    assert pack.play(state, pack.moves(state)[0]).state.die is not None
    assert pack.describe(pack.moves(state)[0]) is None
    assert pack.slot_text("gold-1") == Text("slot/name", {"slot": "gold-1"})
    assert (pack.options(), pack.out_of_turn, pack.sensor_depth, pack.expect(state).slots) == ((), (), 3, ())


@pytest.mark.parametrize(("busy", "forbearance", "ended"), [(False, 3.0, True), (True, 3.0, False), (True, 0.2, True)])
def test_a_pack_is_not_blamed_for_a_machine_that_has_no_time_for_it(
    on_watch: Watch, monkeypatch: pytest.MonkeyPatch, busy: bool, forbearance: float, ended: bool
) -> None:
    """Half a second passes in which the core could run and was not let, and is forgiven; slept away it is the pack's own. Nor
    is a pack forgiven for ever: people wait by the clock."""
    monkeypatch.setattr("companion.core.watch.FORBEARANCE", forbearance)
    state = toy.pack.new({"names": ["A", "B"]}, {})

    class Late(toy.Toy):
        def ask(self, state: toy.State) -> Ask:
            end = time.monotonic() + 0.5
            while time.monotonic() < end:
                pass
            return super().ask(state)

    late = Guarded("toy", Late)  # with the usual patience: what it is, it says in its own time
    on_watch.patience = 0.1
    began = time.monotonic()
    monkeypatch.setattr(on_watch, "_queued", lambda: time.monotonic() - began if busy else 0.0)
    with pytest.raises(PackFailedError) if ended else nullcontext():
        assert late.ask(state) == toy.pack.ask(state)


def test_ended_where_python_throws_exceptions_away_it_is_ended_again_outside(
    on_watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is up in a destructor, which swallows it: nobody hears of that, and the loop after it is ended. Other exceptions
    that are thrown away are told as always."""
    told: list[Any] = []
    monkeypatch.setattr(on_watch, "_thrown_away", told.append)
    swallowed: list[float] = []

    class Clinging:
        def __del__(self) -> None:
            end = time.monotonic() + 5
            while time.monotonic() < end:
                swallowed[:] = [end - time.monotonic()]
            raise KeyError("nobody ended it")

    class Late(toy.Toy):
        def ask(self, state: toy.State) -> Ask:
            Clinging()
            while True:
                pass

    late = Guarded("toy", Late)
    on_watch.patience = 0.1
    with pytest.raises(PackFailedError) as ended:
        late.ask(toy.pack.new({"names": ["A", "B"]}, {}))
    assert ended.value.how == "slow"
    assert swallowed[0] > 0, "it was ended in there first"
    assert told == []

    class Broken:
        def __del__(self) -> None:
            raise KeyError("as always")

    Broken()
    assert [type(lost.exc_value) for lost in told] == [KeyError]


def test_the_kernel_says_how_long_the_core_waited_for_a_processor(on_watch: Watch) -> None:
    """The clock of a pack stands still for as long as that, and for nothing else."""
    began = time.monotonic()
    before = on_watch._queued()
    time.sleep(0.2)
    waited = on_watch._queued() - before
    passed = time.monotonic() - began  # asked last: whatever was waited for lies within it
    assert 0 <= waited <= passed - 0.19, "sleeping is not waiting for a processor"


def test_elsewhere_a_pack_takes_as_long_as_it_takes(on_watch: Watch) -> None:
    """Signals go to the main thread: another one is not watched, and is not disturbed either."""
    state = toy.pack.new({"names": ["A", "B"]}, {})
    answers: list[Any] = []
    asking = threading.Thread(target=lambda: answers.extend((on_watch.begin("toy"), toy.guarded.ask(state))))
    asking.start()
    asking.join()
    assert answers == [False, toy.pack.ask(state)]


def test_who_took_the_core_along_is_left_out_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the pack that was at work when the core said its last words; another version, or a new day, and it is tried again."""
    monkeypatch.setenv("TABLESIDE_BOOT", "monday")
    version = {"pig": "1.0"}
    first = LastWords(tmp_path)
    assert left_out(tmp_path, first, version.__getitem__) == ()
    first.begin("pig", 60)
    killed = LastWords(tmp_path)
    assert left_out(tmp_path, killed, version.__getitem__) == (), "a plain kill leaves no words"
    killed.begin("pig", 60)
    (tmp_path / "last-words").open("ab").write(b"Fatal Python error: Aborted\n")
    after = LastWords(tmp_path)
    assert left_out(tmp_path, after, version.__getitem__) == ("pig",)
    first.end()
    killed.end()
    assert left_out(tmp_path, LastWords(tmp_path), version.__getitem__) == ("pig",)
    assert left_out(tmp_path, LastWords(tmp_path), lambda game: "1.1") == ()
    monkeypatch.setenv("TABLESIDE_BOOT", "tuesday")
    assert left_out(tmp_path, LastWords(tmp_path), version.__getitem__) == ()
