"""A real table at a real hall: invited, joined, heard, its results stored; strangers and thieves get nowhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.wire.config import HALL as KEPT
from companion.wire.hall import Call, PlayerResult, Result, TableScore
from companion.wire.messages import State
from hall.brokers import HALL
from tests.conftest import PATIENCE, Client, Place, Run, until
from tests.hall.house import House, a_house

RESULT = Result(
    game="yacht", game_id="g-1", seq=9, began=1.0, ended=2.0, players=(PlayerResult(seat=0, name="Eve", points=999),)
)


@pytest.fixture
def house(dsn: str) -> Iterator[House]:
    with a_house(dsn) as found:
        yield found


def join(place: Place, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "companion.cli", "hall", "join", text],
        env=place.full_environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def play(client: Client, points: int) -> None:
    """A game of the score pad, to its end."""
    client.new_game("scorepad")
    assert client.move({"kind": "points", "seat": 0, "points": points}).ok
    assert client.move({"kind": "end"}).ok


@pytest.mark.long(15)
def test_an_evening(house: House, place: Place, tmp_path: Path) -> None:
    """Invite by command, join by command, play; the hall has it once, also after each part of it was killed."""
    invited = house.command("invite", "club-1")
    assert invited.returncode == 0, invited.stderr
    assert house.command("tables").stdout == "club-1\n"
    joined = join(place, invited.stdout.strip())
    assert joined.returncode == 0, joined.stderr
    kept = place.config().state_dir / KEPT
    assert kept.stat().st_mode & 0o077 == 0, "the key is the table's alone"
    ears = [house.ear("tables/#", broker=number) for number in (0, 1)]
    table = Run(place, "--without", "vision,display,firmware_bridge,speech").start()
    try:
        client = table.client()
        for ear in ears:
            until(lambda ear=ear: ear.last("tables/club-1/here") == b"1", 20, "the bridge")
        play(client, 5)
        until(lambda: len(house.store.results()) == 1, 20, "the result")
        for ear in ears:
            until(lambda ear=ear: b'"over"' in (ear.last("tables/club-1/score") or b""), 10, "the score at both")
        score = msgspec.json.decode(ears[0].last("tables/club-1/score") or b"", type=TableScore)
        assert [(seat.name, seat.points) for seat in score.seats] == [("Ada", 5), ("Ben", 0)]
        house.store.say({"hall/club-1/call": Call(kind="come")}, "Olga", "call")
        client.until(lambda: any(n.id == "hall-call" for n in client.last(State).notices), 10, "the call")
        for number, name in enumerate(("broker-0", "hall", "broker-1")):
            house.kill(name)
            play(client, 6 + number)
            until(
                lambda number=number: len(house.store.results()) == 2 + number,
                30,
                f"the result after {name} was killed",
            )
        said = {topic.split("/", 2)[2] for ear in ears for topic, _ in ear.heard}
        assert said <= {"score", "result", "here", "health/companion"}, "nothing else ever leaves a table"
        late = [house.ear("tables/+/here", broker=number) for number in (0, 1)]
        ears += late
        for ear in late:
            until(lambda ear=ear: ear.last("tables/club-1/here") == b"1", 20, "the bridge is back")
        assert house.command("revoke", "club-1").returncode == 0
        until(lambda: all(ear.last("tables/club-1/here") == b"" for ear in late), 10, "sent away")
    finally:
        table.stop()
        for ear in ears:
            ear.close()
    assert [one.result.players[0].points for one in house.store.results()] == [5, 6, 7, 8]
    assert house.command("export", "csv").stdout.count("club-1") == 8
    assert join(place, invited.stdout.strip().replace("#", "#AAAA")[:-4]).returncode == 1, "another hall's fingerprint"


def test_a_stolen_key_changes_its_own_score_and_nothing_else(house: House) -> None:
    """Whatever it says, wherever: others' scores, others' results, the organiser's words stay as they are; and it hears no more
    than its table does."""
    stolen, other = house.invite("stolen"), house.invite("other")
    ear = house.ear("tables/#", "hall/#")
    honest = house.stranger("other", other.key).hear("hall/other/call", "hall/all/message")
    thief = house.stranger("stolen", stolen.key, client="other").hear("#", "tables/#", "hall/#", "$SYS/#")
    mine, theirs = (
        msgspec.json.encode(TableScore(phase="lobby", title="mine")),
        b'{"phase":"lobby","title":"Eve was here"}',
    )
    everywhere = (
        "tables/other/score",
        "tables/other/result",
        "tables/other/here",
        "tables/stolen/evil",
        "tables/stolen/health/x",
    )
    for topic in (*everywhere, "hall/other/call", "hall/all/message", "hall/stolen/stored", "$CONTROL/x"):
        thief.say(topic, theirs)
    for number in range(50):
        thief.say(f"tables/stolen/result/{number}", theirs)
    thief.say("tables/stolen/score", mine)
    thief.say("tables/stolen/result", msgspec.json.encode(RESULT))
    until(lambda: ear.last("tables/stolen/score") == mine and ear.last("tables/stolen/result"), 10, "its own two")
    assert {topic for topic, _ in ear.heard if topic.startswith("tables/")} == {
        "tables/stolen/score",
        "tables/stolen/result",
    }
    until(house.store.results, 20, "its own result")
    assert {held.table for held in house.store.results()} == {"stolen"}
    assert honest.heard == []
    assert honest.lost == [], "nobody takes another's line over by its client id"
    assert {topic for topic, _ in thief.heard} <= {"hall/stolen/stored", "hall/all/here"}
    for one in (ear, honest, thief):
        one.close()


def test_who_is_not_invited_is_nobody(house: House) -> None:
    """A phone in the hall has no user there; a guessed or a revoked key opens nothing."""
    key = house.invite("club-1").key
    for user, password in (("", ""), ("club-1", "A" * 16), ("club-2", key), (HALL, ""), ("phone-1", "x")):
        stranger = house.stranger(user, password)
        assert not stranger.welcome
        stranger.close()
    table = house.stranger("club-1", key, broker=1)
    assert table.welcome
    assert house.store.revoke("club-1")
    until(lambda: table.lost, 10, "sent away at once")
    until(lambda: len(table.connected) > 1, 10, "another try")
    assert not table.welcome
    table.close()


def test_what_is_no_tables_word_is_left_out(house: House) -> None:
    """Nonsense, too much of it, too large: the hall goes on, and the next true word is heard."""
    key = house.invite("club-1").key
    table = house.stranger("club-1", key)
    pid = house.pid("hall")
    for payload in (b"", b"\xff\xfe", b"{" * 5000, b'{"phase":"lobby","title":"' + b"x" * 9000 + b'"}', b"[]", b"null"):
        for topic in ("score", "result", "health/vision", "here"):
            table.say(f"tables/club-1/{topic}", payload)
    # a number and a name that once stopped the thread which stores everybody's results
    told = msgspec.to_builtins(RESULT)
    table.say("tables/club-1/result", msgspec.json.encode(told | {"seq": 2**31}))
    odd = {"game_id": "g-0", "players": [{"seat": 0, "name": "\\u0000", "points": 1}]}
    table.say("tables/club-1/result", msgspec.json.encode(told | odd))
    until(house.store.results, 20, "an odd name")
    table.say("tables/club-1/result", msgspec.json.encode(RESULT))
    until(lambda: any(held.result.game_id == "g-1" for held in house.store.results()), 20, "the true word")
    assert house.pid("hall") == pid, "it was not even started again"
    table.close()


def test_an_invitation_is_read_off_a_screen(house: House, place: Place, tmp_path: Path) -> None:
    """The QR code of `invite`, in a picture."""
    import segno

    text = house.invite("club-9").text
    segno.make(text, micro=False).save(str(tmp_path / "code.png"), scale=5, border=4)
    joined = place.python("hall", "join", "--photo", str(tmp_path / "code.png"))
    assert joined.returncode == 0, joined.stderr
    assert place.config().hall.name == "club-9"
    assert place.python("hall", "join", "--photo", str(tmp_path / "none.png")).returncode == 1
    assert place.python("hall", "leave").returncode == 0
    assert place.config().hall.name == ""
    assert place.python("hall", "leave").returncode == 1
