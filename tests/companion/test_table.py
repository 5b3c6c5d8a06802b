"""The core loop: rules, disk, world, answer; who may do what; undo that is fair (DESIGN §2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import registry
from companion.bus import MemoryBroker, MemoryBus
from companion.config import Config, TableConfig
from companion.journal import Journal
from companion.messages import (
    Admin,
    Answer,
    CardSeen,
    DialSeen,
    DieSeen,
    MarketSeen,
    MoveRequest,
    Prompt,
    SlotSeen,
    State,
)
from companion.table import Table
from tests.companion import toy
from tests.conftest import ROOT


class Desk:
    """A core in memory with a display and phones at it."""

    def __init__(self, directory: Path, broker: MemoryBroker | None = None) -> None:
        self.directory = directory
        self.broker = broker or MemoryBroker()
        config = Config(table=TableConfig(id="table"), state_dir=directory)
        self.core: MemoryBus = self.broker.bus("companion")
        self.journal = Journal(directory / "games")
        self.table = Table(config, self.core, self.journal)
        self.core.start()
        self.table.publish(())
        self.display = self.broker.bus("display")
        self.heard: list[tuple[str, Any]] = []
        for pattern in ("state", "prompt", "event/+", "answer/+", "seat/+/private", "lamp"):
            self.display.subscribe(pattern, lambda topic, message: self.heard.append((topic, message)))
        self.display.start()
        self.numbers = iter(range(1, 10_000))

    def pump(self) -> None:
        while self.core.pump() + self.display.pump():
            pass

    def admin(self, command: Any, **args: Any) -> Answer:
        name = f"a{next(self.numbers)}"
        self.display.publish("admin", Admin(id=name, client="display", command=command, args=args))
        return self.answer(name)

    def answer(self, name: str) -> Answer:
        self.pump()
        return next(m for _, m in reversed(self.heard) if isinstance(m, Answer) and m.id == name)

    def request(self, client: str = "display", **fields: Any) -> Answer:
        name = fields.pop("id", None) or f"m{next(self.numbers)}"
        self.display.publish(f"move/{client}", MoveRequest(id=name, **fields))
        return self.answer(name)

    def move(self, client: str = "display", **move: Any) -> Answer:
        return self.request(client, move=move)

    def new(self, game: str = "scorepad", *names: str, **options: Any) -> None:
        seats = [{"name": name} for name in names or ("Ada", "Ben")]
        assert self.admin("new game", game=game, seats=seats, options=options).ok

    def sit(self, seat: int | None) -> str:
        phone, _ = self.table.seats.join(
            code=self.table.seats.code, seat=seat, name=f"phone {seat}", language="en", address="here"
        )
        return phone.client

    @property
    def state(self) -> State:
        self.pump()
        return next(m for _, m in reversed(self.heard) if isinstance(m, State))

    @property
    def prompt(self) -> Prompt:
        self.pump()
        return next(m for _, m in reversed(self.heard) if isinstance(m, Prompt))

    def points(self) -> list[int]:
        return [player["points"] for player in self.state.view["players"]]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """A desk where the toy game can be played."""
    monkeypatch.setattr(registry, "usable", lambda: {"toy": toy.pack})
    monkeypatch.setattr("companion.session.find_pack", lambda name: toy.pack)
    return Desk(tmp_path)


def test_a_move_is_on_disk_before_it_is_announced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is announced that is not on disk."""
    desk.new()
    order: list[str] = []
    append, publish = desk.journal.append, desk.core.publish
    monkeypatch.setattr(desk.journal, "append", lambda *a, **k: (order.append("disk"), append(*a, **k))[1])
    monkeypatch.setattr(desk.core, "publish", lambda t, m: (order.append(t.split("/")[0]), publish(t, m))[1])
    assert desk.move(kind="points", seat=0, points=5).ok
    assert order[0] == "disk"
    assert order.index("state") < order.index("answer")


def test_a_refused_move_is_not_on_disk_and_says_what_to_do(desk: Desk) -> None:
    """Nothing is on disk that the rules refused."""
    desk.new()
    rows = len(desk.journal.rows(desk.state.game_id))
    answer = desk.move(kind="points", seat=7, points=5)
    assert not answer.ok
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.refusal.do.key) == ("scorepad/no-seat", "scorepad/do/seat")
    assert rows == len(desk.journal.rows(desk.state.game_id))


def test_repeated_delivery_does_nothing_twice(desk: Desk) -> None:
    """MQTT may deliver twice; points are counted once, also after a restart."""
    desk.new()
    for _ in range(3):
        assert desk.request(id="same", move={"kind": "points", "seat": 0, "points": 5}).ok
    assert desk.points() == [5, 0]
    desk.journal.close()
    again = Desk(desk.directory)
    assert again.request(id="same", move={"kind": "points", "seat": 0, "points": 5}).ok
    assert again.points() == [5, 0]


def test_a_game_resumes_by_replay(desk: Desk) -> None:
    """Moves and undos come back exactly."""
    desk.new()
    for points in (3, 4, 5):
        desk.move(kind="points", seat=1, points=points)
    assert desk.request(undo=True).ok
    before = desk.state
    desk.journal.close()
    after = Desk(desk.directory).state
    assert (before.view, before.seq) == (after.view, after.seq)
    assert [p["points"] for p in after.view["players"]] == [0, 7]


def test_undo_appends_it_never_erases(desk: Desk) -> None:
    """The journal only grows."""
    desk.new()
    desk.move(kind="points", seat=0, points=5)
    rows = len(desk.journal.rows(desk.state.game_id))
    assert desk.request(undo=True).ok
    kinds = [row.kind for row in desk.journal.rows(desk.state.game_id)]
    assert rows + 1 == len(kinds)
    assert kinds[-1] == "undo"
    assert desk.points() == [0, 0]


def test_undo_with_nothing_to_undo_is_refused(desk: Desk) -> None:
    """An empty pad has nothing to take back."""
    desk.new()
    assert desk.request(undo=True).refusal.code == "table/nothing-to-undo"  # type: ignore[union-attr]


def test_a_spectator_cannot_move(desk: Desk) -> None:
    """Watching is reading."""
    desk.new()
    watcher = desk.sit(None)
    assert desk.move(watcher, kind="points", seat=0, points=5).refusal.code == "table/watching"  # type: ignore[union-attr]
    assert desk.move("nobody", kind="points", seat=0, points=5).refusal.code == "table/watching"  # type: ignore[union-attr]


def test_a_phone_moves_only_its_own_seat(desk: Desk) -> None:
    """Ben's phone cannot write on Ada's line; the screen may act for everybody."""
    desk.new()
    ben = desk.sit(1)
    assert desk.move(ben, kind="points", seat=0, points=5).refusal.code == "table/not-yours"  # type: ignore[union-attr]
    assert desk.move(ben, kind="points", seat=1, points=5).ok
    assert desk.move(kind="points", seat=0, points=2).ok
    assert desk.points() == [2, 5]


def test_a_phone_takes_back_only_its_own_last_move(desk: Desk) -> None:
    """Undo of another's move goes through them or the screen."""
    desk.new()
    ada, ben = desk.sit(0), desk.sit(1)
    desk.move(ada, kind="points", seat=0, points=5)
    assert desk.request(ben, undo=True).refusal.code == "table/not-your-move"  # type: ignore[union-attr]
    assert desk.request(ada, undo=True).ok


def test_undo_past_something_revealed_needs_everybodys_consent(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card turned up cannot be unseen: the others are asked first."""
    toys.new("toy")
    ada, ben = toys.sit(0), toys.sit(1)
    play = toy.pack.play
    monkeypatch.setattr(
        toy.pack, "play", lambda s, m: type(r := play(s, m))(r.state, r.events, reveals=True), raising=False
    )
    assert toys.move(ada, kind="place", seat=0, face=4).ok
    assert toys.request(ada, undo=True).refusal.code == "table/consent"  # type: ignore[union-attr]
    assert toys.state.undo is not None
    assert toys.state.undo.asked
    assert toys.request(ben, undo=True, consent=True).ok
    assert toys.state.view["die"] is None


def test_a_stale_move_is_refused(desk: Desk) -> None:
    """Two answers to one prompt: the first counts, the second hears that the table moved on."""
    desk.new()
    seq = desk.state.seq
    assert desk.request(move={"kind": "points", "seat": 0, "points": 1}, seq=seq).ok
    late = desk.request(move={"kind": "points", "seat": 0, "points": 1}, seq=seq)
    assert late.refusal.code == "table/moved-on"  # type: ignore[union-attr]


def test_a_full_disk_refuses_the_move_and_the_game_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be saved does not count."""
    desk.new()

    def full(*args: Any, **more: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(desk.journal._spare, "append", full)
        assert desk.move(kind="points", seat=0, points=5).refusal.code == "table/disk"  # type: ignore[union-attr]
    assert desk.points() == [0, 0]
    assert desk.move(kind="points", seat=0, points=5).ok


def _market(*dice: DieSeen, state: Any = "ready", ts: float = 1.0) -> MarketSeen:
    slot = SlotSeen(slot="gold-1", dice=dice, card=CardSeen(card="card", share=0.99))
    return MarketSeen(state=state, ts=ts, slots=(slot,))


def _die(owner: str, *faces: float) -> DieSeen:
    if len(faces) == 1:
        faces = tuple(0.99 if i + 1 == faces[0] else 0.002 for i in range(6))
    return DieSeen(owner=owner, owner_share=0.99, faces=faces, x=0.5, y=0.5)  # type: ignore[arg-type]


def test_a_settled_reading_is_committed(toys: Desk) -> None:
    """Camera and dial move the game by themselves."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market(_die("sun", 4)))
    assert toys.state.view["die"] == {"owner": 0, "face": 4}
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=2.0, position=1))
    toys.display.publish("sensor/market", _market(ts=3.0))
    assert toys.state.view["die"] is None
    assert toys.state.view["dial"]["position"] == 1
    causes = [row.cause for row in toys.journal.rows(toys.state.game_id)]
    assert causes == ["", "camera", "dial"]


def test_a_touched_move_waits_for_the_hand(toys: Desk) -> None:
    """Ada touches her choice first; the empty card is not taken for a change of mind, the die then confirms it."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market())
    assert toys.move(kind="place", seat=0, face=4).ok
    toys.display.publish("sensor/market", _market(ts=2.0))
    assert toys.state.view["die"] == {"owner": 0, "face": 4}
    assert toys.state.notices == ()
    toys.display.publish("sensor/market", _market(_die("sun", 4), ts=3.0))
    assert toys.state.view["die"] == {"owner": 0, "face": 4}
    toys.display.publish("sensor/market", _market(_die("sun", 6), ts=4.0))
    assert [notice.id for notice in toys.state.notices] == ["differs-gold-1"]


def test_the_dial_alone_ends_the_turn_while_the_die_still_lies_there(toys: Desk) -> None:
    """What a move makes happen may take the hand a moment."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market(_die("sun", 4)))
    toys.display.publish("sensor/dial", DialSeen(state="ready", ts=2.0, position=1))
    assert toys.state.view["dial"]["position"] == 1
    assert toys.state.notices == ()
    toys.display.publish("sensor/market", _market(ts=3.0))
    assert toys.state.view["dial"]["position"] == 1
    toys.display.publish("sensor/market", _market(_die("leaf", 5), ts=4.0))
    assert toys.state.view["die"] == {"owner": 1, "face": 5}


def test_no_reading_is_acted_on_while_a_hand_is_over_the_table(toys: Desk) -> None:
    """Explicit states, never a guess."""
    toys.new("toy")
    for state in ("hand", "settling", "too dark", "no camera", "drifted", "starting"):
        toys.display.publish("sensor/market", _market(_die("sun", 4), state=state))
        assert toys.state.view["die"] is None


def test_fiddling_with_the_die_just_placed_amends_the_move(toys: Desk) -> None:
    """Turned from 4 to 5 before anything else happened: it was the 5."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market(_die("sun", 4)))
    assert toys.state.view["die"]["face"] == 4
    toys.display.publish("sensor/market", _market(_die("sun", 5), ts=2.0))
    assert toys.state.view["die"]["face"] == 5
    assert toys.points() == [5, 0]


def test_a_die_taken_away_again_takes_the_move_back(toys: Desk) -> None:
    """The hand changed its mind."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market(_die("sun", 4)))
    toys.display.publish("sensor/market", _market(ts=2.0))
    assert toys.state.view["die"] is None


def test_an_illegal_table_is_said_with_what_to_do(toys: Desk) -> None:
    """Face 1 is forbidden: a notice, no move; put right, the notice goes."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market(_die("sun", 1)))
    assert [notice.id for notice in toys.state.notices] == ["differs-gold-1"]
    assert toys.state.view["die"] is None
    toys.display.publish("sensor/market", _market(ts=2.0))
    assert toys.state.notices == ()


def test_an_unsure_reading_is_one_question_answered_by_a_tap(toys: Desk) -> None:
    """Ranked answers; the chosen one is committed."""
    toys.new("toy")
    toys.display.publish("sensor/market", _market(_die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0)))
    question = toys.prompt.question
    assert question is not None
    assert toys.state.view["die"] is None
    assert toys.request(move=question.answers[1].move).ok
    assert toys.state.view["die"]["face"] == 4
    assert toys.prompt.question is None


def test_the_same_doubt_again_is_the_same_question(toys: Desk) -> None:
    """A finger already on its way to an answer is not told that the table has moved on."""
    toys.new("toy")
    for ts in (1.0, 2.0, 3.0):
        toys.display.publish("sensor/market", _market(_die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0), ts=ts))
        assert toys.prompt.question is not None
        assert toys.prompt.question.id == "q1"


def test_print_that_looks_a_little_like_a_die_blocks_nothing(toys: Desk) -> None:
    """A ghost beside the real die: no legal move explains both, the sure one alone makes sense."""
    toys.new("toy")
    ghost = _die("leaf", 0.1, 0.1, 0.5, 0.1, 0.1, 0.1)
    toys.display.publish("sensor/market", _market(ghost))
    assert toys.state.notices == ()
    toys.display.publish("sensor/market", _market(ghost, _die("sun", 4), ts=2.0))
    assert toys.state.view["die"] == {"owner": 0, "face": 4}


def test_after_an_undo_the_table_is_told_what_to_move_back(toys: Desk) -> None:
    """Undo for the table, ticked off by the camera."""
    toys.new("toy")
    toys.move(kind="place", seat=0, face=4)
    assert toys.request(undo=True).ok
    assert [notice.id for notice in toys.state.notices] == ["restore-gold-1"]
    toys.display.publish("sensor/market", _market(ts=9.0))
    assert toys.state.notices == ()


def test_a_game_put_away_is_laid_out_again_from_a_list(toys: Desk) -> None:
    """Rebuild list: every component with its place."""
    toys.new("toy")
    toys.move(kind="place", seat=0, face=4)
    assert toys.admin("rebuild").ok
    assert {"rebuild-gold-1", "rebuild-dial"} == {notice.id for notice in toys.state.notices}


def test_wrong_orders_are_refused_with_a_reason(desk: Desk) -> None:
    """Too many players, unknown game, nonsense: one clear line each, nothing changes."""
    for args in (
        {"game": "nosuch", "seats": []},
        {"game": "scorepad", "seats": [{"name": "x"}] * 9},
        {"game": "scorepad", "seats": [{"name": "x", "colour": "sun"}, {"name": "y", "colour": "sun"}]},
        {"game": "scorepad"},
        {"game": "scorepad", "seats": [{"name": "x"}], "options": {"rounds": 1000}},
    ):
        answer = desk.admin("new game", **args)
        assert not answer.ok
        assert answer.refusal.code == "table/bad-request"  # type: ignore[union-attr]
    assert desk.state.phase == "lobby"


def test_ending_a_game_frees_seats_and_voids_the_code(desk: Desk) -> None:
    """A code is useless after the game."""
    desk.new()
    code = desk.table.seats.code
    desk.sit(0)
    assert desk.admin("end game").ok
    assert desk.state.phase == "lobby"
    assert desk.table.seats.phones == {}
    assert code != desk.table.seats.code


def test_same_players_next_game(desk: Desk) -> None:
    """Who sat here last is offered again."""
    desk.new("scorepad", "Ada", "Ben", "Cleo")
    desk.admin("end game")
    assert [seat["name"] for seat in desk.state.view["last"]] == ["Ada", "Ben", "Cleo"]


def test_every_refusal_of_the_core_has_words() -> None:
    """No raw key is ever shown, in any language."""
    import re

    from companion.words import LANGUAGES, Words

    source = "".join((ROOT / "companion" / name).read_text() for name in ("table.py", "admin.py"))
    codes = set(re.findall(r'refusal\("([a-z-]+)"', source))
    assert len(codes) > 8
    for language in LANGUAGES:
        words = Words(language)
        for code in codes:
            assert words.knows(f"table/refuse/{code}")
            assert words.knows(f"table/do/{code}")
