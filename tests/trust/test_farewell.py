"""What is left on a broker that outlives the table, and what a clean end, a kill and a new evening leave behind."""

from __future__ import annotations

from pathlib import Path

from companion.journal.store import Journal
from companion.wire.config import Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import DialSeen, Health, Lamp, State
from companion.wire.room import Room
from companion.wire.topics import decode
from tests.companion.desk import Desk


def test_a_room_that_leaves_takes_its_retained_words_along(tmp_path: Path) -> None:
    """On a shared broker only "stopped" stays; a room that dies leaves its last word and its will."""
    corridor = MemoryBroker()
    with Room("firmware_bridge", Config(state_dir=tmp_path), corridor.bus("firmware_bridge")) as room:
        room.health()
        room.bus.publish("sensor/dial", DialSeen(state="ready", ts=1.0))
        room.bus.publish("lamp", Lamp())
        assert {"sensor/dial", "lamp"} <= set(corridor.kept)
    assert set(corridor.kept) == {"health/firmware_bridge"}
    left = decode("health/firmware_bridge", corridor.kept["health/firmware_bridge"])
    assert isinstance(left, Health)
    assert left.status == "stopped"


def test_a_room_that_fails_says_nothing_on_its_way_out(tmp_path: Path) -> None:
    """Its will speaks for it; what it knew last stays until it is back."""
    corridor = MemoryBroker()
    bus = corridor.bus("vision", ("health/vision", Health(room="vision", status="offline")))
    try:
        with Room("vision", Config(state_dir=tmp_path), bus) as room:
            room.bus.publish("sensor/dial", DialSeen(state="ready", ts=1.0))
            raise RuntimeError("the camera fell off")
    except RuntimeError:
        bus.start()
        bus.drop()
    left = decode("health/vision", corridor.kept["health/vision"])
    assert isinstance(left, Health)
    assert left.status == "offline"
    assert "sensor/dial" in corridor.kept


def test_after_a_game_nothing_of_it_is_retained(tmp_path: Path) -> None:
    """Names, points, prompts and lamps of a game that is over are not told to whoever comes next."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Wilhelmina", "Ben")
    assert desk.move(kind="points", seat=0, points=8151).ok
    assert any(b"8151" in payload for payload in desk.broker.kept.values())
    before = set(desk.broker.kept)
    assert desk.admin("end game").ok
    assert set(desk.broker.kept) <= before, "no topic more than during the game"
    state = decode("state", desk.broker.kept["state"])
    assert isinstance(state, State)
    assert (state.game, state.seats, state.prompt, state.tally, state.undo) == ("", (), None, None, None)
    assert decode("lamp", desk.broker.kept["lamp"]) == Lamp()
    assert not any(b"8151" in payload for topic, payload in desk.broker.kept.items() if topic != "state")


def test_secrets_are_never_retained(tmp_path: Path) -> None:
    """No seat's private view stays on the broker, during a game or after it."""
    desk = Desk(tmp_path)
    desk.new("skyrise", "Ada", "Ben", deal="digital")
    desk.sit(0)
    desk.table.publish(())
    desk.pump()
    assert not any(topic.startswith("seat/") for topic in desk.broker.kept)


def test_unclean_ends_are_counted_and_a_backup_counts_none(tmp_path: Path) -> None:
    """The mark of a running table is not part of what a backup restores."""
    from companion.machine import backup
    from companion.wire.config import Config

    journal = Journal(tmp_path / "state" / "games")
    journal.append("g1", "new", {"pack": "scorepad"})
    assert journal.unclean == 0
    config = Config(state_dir=tmp_path / "state", config_dir=tmp_path / "config")
    archive = backup.backup(config)  # while the table runs
    other = Config(state_dir=tmp_path / "other", config_dir=tmp_path / "other-config")
    backup.restore(other, archive)
    assert Journal(other.state_dir / "games").unclean == 0
    assert Journal(config.state_dir / "games").unclean == 1
