"""The core loop: rules, disk, world, answer; who may do what; undo that is fair (docs/design.md §2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.companion import toy
from tests.companion.desk import Desk, a_market
from tests.conftest import ROOT
from tests.views import view_of


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
    assert (view_of(before), before.seq) == (view_of(after), after.seq)
    assert [p["points"] for p in view_of(after)["players"]] == [0, 7]


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
    assert view_of(toys.state)["die"] is None


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


def test_after_an_undo_the_table_is_told_what_to_move_back(toys: Desk) -> None:
    """Undo for the table, ticked off by the camera."""
    toys.new("toy")
    toys.move(kind="place", seat=0, face=4)
    assert toys.request(undo=True).ok
    assert [notice.id for notice in toys.state.notices] == ["restore-gold-1"]
    toys.display.publish("sensor/market", a_market(ts=9.0))
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


def test_ending_a_game_voids_the_code_and_keeps_the_seats(desk: Desk) -> None:
    """A code is useless after the game; who sat at the table is there for the next one."""
    desk.new()
    code = desk.table.seats.code
    ada = desk.sit(0)
    desk.sit(None)
    assert desk.admin("end game").ok
    assert desk.state.phase == "lobby"
    assert list(desk.table.seats.phones) == [ada]
    assert code != desk.table.seats.code


def test_same_players_next_game(desk: Desk) -> None:
    """Who sat here last is offered again."""
    desk.new("scorepad", "Ada", "Ben", "Cleo")
    desk.admin("end game")
    assert [seat.name for seat in desk.state.lobby.last] == ["Ada", "Ben", "Cleo"]


def test_every_refusal_of_the_core_has_words() -> None:
    """No raw key is ever shown, in any language."""
    import re

    from companion.wire.words import LANGUAGES, Words

    source = "".join(file.read_text("utf-8") for file in (ROOT / "companion" / "core").glob("*.py"))
    codes = set(re.findall(r'refusal\("([a-z-]+)"', source))
    assert len(codes) > 8
    for language in LANGUAGES:
        words = Words(language)
        for code in codes:
            assert words.knows(f"table/refuse/{code}")
            assert words.knows(f"table/do/{code}")
