"""The `tableside` command as people type it: data on stdout, one clear line on stderr, 0, 1 or 2 at the end."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from companion import cli
from companion.commands import rooms
from companion.core.session import Session
from companion.journal.store import Journal
from companion.machine.broker import BrokerMissingError
from companion.virtual import demo as virtual
from companion.virtual.result import Result as Played
from companion.wire.messages import SeatInfo
from tests.conftest import ROOT

GAMES = ROOT / "tests" / "games"
Tableside = Callable[..., Any]


@pytest.fixture
def tableside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tableside:
    """The command, with a state directory of its own."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "TABLESIDE_PRINT_JOIN"):
        monkeypatch.setenv(name, "")  # what a command sets is put back with it
    return lambda *words: CliRunner().invoke(cli.app, [str(word) for word in words])


def assert_refused(result: Any, *words: str) -> None:
    """It could not be done: exit code 1, nothing on stdout, one line that says why."""
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert all(word in result.stderr for word in ("tableside:", *words))


# tally ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["skytopia", "praga", "skyrise", "scorepad"])
def test_an_example_fits_its_schema_and_is_scored_in_every_language(
    tableside: Tableside, tmp_path: Path, game: str
) -> None:
    """What `--example` prints is what the command takes; each player has a column with the same total."""
    example = tableside("tally", game, "--example").stdout
    schema = json.loads(tableside("tally", game, "--schema").stdout)
    assert set(schema.get("required", ())) <= set(json.loads(example))
    (tmp_path / "end.json").write_text(example)
    result = json.loads(tableside("tally", game, tmp_path / "end.json", "--json").stdout)
    for language in ("en", "pl", "fr"):
        table = tableside("tally", game, tmp_path / "end.json", "--language", language).stdout
        for player in result["players"]:
            assert player["name"].split()[0] in table
            assert str(player["total"]) in table
            assert player["total"] == sum(line["points"] for line in player["lines"])
        for key in result["unconfirmed"]:
            assert key.split(".")[0] in table
        assert "/" not in table.splitlines()[1], "a text key instead of words"


def test_a_tally_says_what_it_cannot_use(tableside: Tableside, tmp_path: Path) -> None:
    """Each thing a file can be that is no final position has its own line."""
    path = tmp_path / "end.json"
    assert_refused(tableside("tally", "nosuch", path), "nosuch")
    assert_refused(tableside("tally", "scorepad", path), "no such file")
    assert_refused(tableside("tally", "scorepad", tmp_path), "cannot be read")
    path.write_text("[1, 2")
    assert_refused(tableside("tally", "scorepad", path), "not a JSON object")
    path.write_text('{"rounds": "many"}')
    assert_refused(tableside("tally", "scorepad", path), "end.json")
    path.write_bytes(b" " * 1_000_001)
    assert_refused(tableside("tally", "scorepad", path), "larger than 1 MB")
    asked = tableside("tally", "scorepad")
    assert asked.exit_code == 2
    assert "--example" in asked.stderr


def test_a_solo_game_ends_with_a_verdict(tableside: Tableside, tmp_path: Path) -> None:
    """Nobody else is there to beat, so the tally says in words how well it went."""
    shown = tableside("replay", GAMES / "praga" / "one-player.jsonl", "--json").stdout.splitlines()
    tally = json.loads(shown[-1])["tally"]
    assert tally["verdict"] in tally["notes"]


# replay --------------------------------------------------------------------------------------------------------


def test_a_recorded_game_is_told_move_by_move(tableside: Tableside) -> None:
    """In words with the tally below; as JSON one line a move."""
    game = GAMES / "praga" / "two-players-light.jsonl"
    recorded = [json.loads(line) for line in game.read_text().splitlines()]
    lines = tableside("replay", game, "--json").stdout.splitlines()
    assert [json.loads(line)["move"] for line in lines[:-1]] == [row["move"] for row in recorded if "move" in row]
    totals = [player["total"] for player in recorded[-1]["tally"]["players"]]
    assert [player["total"] for player in json.loads(lines[-1])["tally"]["players"]] == totals
    told = tableside("replay", game, "--language", "pl")
    assert told.exit_code == 0
    assert all(str(total) in told.stdout for total in totals)


def test_a_record_the_rules_refuse_is_no_game(tableside: Tableside, tmp_path: Path) -> None:
    """A missing file, a file of something else, and a tally somebody has improved."""
    assert_refused(tableside("replay", tmp_path / "none.jsonl"), "cannot be read")
    (tmp_path / "a.jsonl").write_text("{}\n")
    assert_refused(tableside("replay", tmp_path / "a.jsonl"), "line 1")
    lines = (GAMES / "praga" / "two-players-light.jsonl").read_text().splitlines()
    tally = json.loads(lines[-1])
    tally["tally"]["players"][0]["total"] += 1
    (tmp_path / "b.jsonl").write_text("\n".join([*lines[:-1], json.dumps(tally)]) + "\n")
    better = tableside("replay", tmp_path / "b.jsonl")
    assert better.exit_code == 1
    assert "differs from the recorded one" in better.stderr


# history and export --------------------------------------------------------------------------------------------


def finished_pad(games: Path, *names: str) -> str:
    """A pad of one round played to its end; its id."""
    journal = Journal(games)
    seats = tuple(SeatInfo(seat=seat, name=name) for seat, name in enumerate(names))
    session = Session.start(journal, "scorepad", {"rounds": 1}, {}, seats)
    session.play({"kind": "score", "values": {"p0": 5, "p1": 3}}, sender="display", cause="touch")
    session.play({"kind": "end"}, sender="display", cause="touch")
    session.end(sender="display")
    journal.close()
    return session.game


@pytest.fixture
def played(tableside: Tableside, tmp_path: Path) -> str:
    """One finished pad in the journal; its id."""
    return finished_pad(tmp_path / "state" / "games", "Ada", "Zoë")


def test_history_names_scores_and_winner(tableside: Tableside, played: str, tmp_path: Path) -> None:
    """For people a line a game, for programs everything, and plots where they are wanted."""
    shown = tableside("history").stdout
    assert "Ada 5  Zoë 3   won by Ada" in shown
    assert "Ada: 1 of 1 won" in shown
    assert played in shown
    assert json.loads(tableside("history", "--json").stdout)["statistics"]["players"]["Ada"]["wins"] == 1
    said = tableside("history", "--plots", tmp_path / "plots").stderr
    assert all(path.name in said for path in (tmp_path / "plots").iterdir())
    assert "wrote" in said


def test_a_table_without_games_has_no_history(tableside: Tableside, tmp_path: Path) -> None:
    """It says where it looked, and makes no journal by looking."""
    assert_refused(tableside("history"), "no games have been played here yet")
    assert not (tmp_path / "state" / "games").exists()


def test_a_journal_that_cannot_be_read_is_said(
    tableside: Tableside, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk's reason is handed on."""

    def shut(place: Path) -> Journal:
        raise PermissionError(13, "Permission denied", str(place))

    monkeypatch.setattr(Journal, "reading", shut)
    assert_refused(tableside("history"), "Permission denied")


def test_every_export_holds_the_game(tableside: Tableside, played: str, tmp_path: Path) -> None:
    """CSV, statistics, JSON, BG Stats, and the game itself, which replays to its tally."""
    rows = list(csv.DictReader(io.StringIO(tableside("export", "csv").stdout)))
    assert {"Ada", "Zoë"} <= {value for row in rows for value in row.values()}
    assert tableside("export", "statistics").stdout.count("Ada")
    assert json.loads(tableside("export", "json").stdout)
    assert tableside("export", "bgstats").stdout.count("\n") == 1
    said = tableside("export", played, "-o", tmp_path / "one.jsonl")
    assert (said.stdout, said.stderr) == ("", f"wrote {tmp_path / 'one.jsonl'}\n")
    assert tableside("replay", tmp_path / "one.jsonl").exit_code == 0
    assert_refused(tableside("export", "xml"), "xml", "tableside history")


# the table -----------------------------------------------------------------------------------------------------


def test_a_setting_is_written_as_section_key_and_value(tableside: Tableside) -> None:
    """Anything else is wrong usage, before anything is started."""
    for words in (["--set", "volume"], ["--set", "port=1"], ["--without", "kitchen"]):
        result = tableside("run", *words)
        assert result.exit_code == 2
        assert words[-1].split("=")[0] in result.stderr


def test_a_table_that_cannot_start_says_why(
    tableside: Tableside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings of this run count, mistakes in the file are said, and the state directory must be writable."""
    monkeypatch.setenv("TABLESIDE_TABLE_LANGUAGE", "en")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "tableside.toml").write_text("[web]\nport = 'x'\n")
    (tmp_path / "state").write_text("a file where the folder should be")
    result = tableside("run", "--set", "table.language=pl")
    assert result.exit_code == 1
    assert "safe mode" in result.stderr
    assert "TABLESIDE_STATE_DIR" in result.stderr
    assert json.loads(tableside("config", "show").stdout)["table"]["language"] == "pl"


def test_settings_are_shown_with_the_pin_masked(tableside: Tableside, tmp_path: Path) -> None:
    """And checked: fine, or each mistake with its place."""
    path = Path(tableside("config", "path").stdout.strip())
    assert tableside("config", "check").stderr == "The settings are fine.\n"
    path.parent.mkdir(parents=True)
    path.write_text('[display]\npin = "2468"\n[web]\nprot = 1\n')
    shown = tableside("config", "show").stdout
    assert json.loads(shown)["display"]["pin"] == "****"
    assert "2468" not in shown
    checked = tableside("config", "check")
    assert checked.exit_code == 1
    assert "prot" in checked.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["demo", "--bot", "genius"], "genius"),
        (["bench", "speed"], "speed"),
    ],
)
def test_unknown_names_are_wrong_usage(tableside: Tableside, words: list[str], said: str) -> None:
    """With the names there are."""
    result = tableside(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_the_demo_passes_only_when_both_tallies_agree(
    tableside: Tableside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a screen it says so, goes on and prints its report; whoever watched has seen the tally."""
    asked: list[dict[str, Any]] = []

    def run(game: str, players: int, seed: int, **how: Any) -> Played:
        asked.append(how)
        good = seed == 1
        return Played(game=game, players=players, seed=seed, truth={"A": 1}, companion={"A": 1}, equal=good, moves=9)

    monkeypatch.setattr(virtual, "run", run)
    good = tableside("demo", "--game", "scorepad", "--human", "2", "--report", tmp_path / "report.json")
    assert good.exit_code == 0
    assert "No screen was found" in good.stderr
    assert (asked[0]["headless"], asked[0]["humans"]) == (True, frozenset({1}))
    assert json.loads((tmp_path / "report.json").read_text()) == json.loads(good.stdout)
    monkeypatch.setenv("DISPLAY", ":7")
    bad = tableside("demo", "--seed", "2", "--report", tmp_path / "bad.json")
    assert bad.exit_code == 1
    assert json.loads((tmp_path / "bad.json").read_text())["equal"] is False
    assert not bad.stdout
    assert "the tallies differ" in bad.stderr
    assert asked[1]["headless"] is False


@pytest.mark.parametrize(
    ("trouble", "code", "said"),
    [(virtual.StalledError("not within 6 s"), 1, "not within 6 s"), (KeyboardInterrupt(), 0, "")],
)
def test_a_demo_that_stalls_or_is_stopped(
    tableside: Tableside, monkeypatch: pytest.MonkeyPatch, trouble: BaseException, code: int, said: str
) -> None:
    """A stall is a failure with its reason; Ctrl-C is not."""

    def run(*anything: Any, **how: Any) -> Played:
        raise trouble

    monkeypatch.setattr(virtual, "run", run)
    result = tableside("demo", "--headless")
    assert result.exit_code == code
    assert said in result.stderr


def test_an_unknown_game_has_no_demo(tableside: Tableside) -> None:
    """It is named."""
    assert_refused(tableside("demo", "--headless", "--game", "nosuch"), "nosuch")


def test_a_bench_beyond_its_budget_fails(tableside: Tableside, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are printed either way."""
    row = {"name": "core", "value": 3.0, "unit": "ms", "budget": 2.0, "ok": False, "peers": {}}
    monkeypatch.setattr("benches.measure", lambda names, **how: [row | {"ok": names == ["rules"]}])
    slow = tableside("bench", "core", "--json")
    assert (slow.exit_code, json.loads(slow.stdout)[0]["value"]) == (1, 3.0)
    assert tableside("bench", "rules").exit_code == 0


def test_a_broker_that_is_not_installed_is_said_before_the_unit_starts(
    tableside: Tableside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd shows this line; otherwise the files are there."""
    assert tableside("broker-files").exit_code == 0
    assert any((tmp_path / "state").rglob("*.conf"))

    def missing() -> tuple[str, str]:
        raise BrokerMissingError("Run: sudo apt-get install mosquitto")

    monkeypatch.setattr("companion.machine.broker.find_mosquitto", missing)
    assert_refused(tableside("broker-files"), "apt-get install mosquitto")


# care ----------------------------------------------------------------------------------------------------------


def test_a_backup_is_restored_only_when_that_was_said(tableside: Tableside, played: str, tmp_path: Path) -> None:
    """Without a terminal nobody can be asked: --yes, or nothing happens; --dry-run only tells."""
    archive = tmp_path / "kept.tar.gz"
    assert tableside("backup", "-o", archive).exit_code == 0
    assert "would back up" in tableside("restore", archive, "--dry-run").stderr
    assert_refused(tableside("restore", archive), "--yes")
    done = tableside("restore", archive, "--yes")
    assert done.exit_code == 0
    assert "1 file restored" in done.stderr
    (tmp_path / "torn.tar.gz").write_bytes(archive.read_bytes()[:40])
    assert_refused(tableside("restore", tmp_path / "torn.tar.gz", "--yes"))
    assert_refused(tableside("backup", "-o", archive / "x.tar.gz"))


def test_a_bundle_holds_a_picture_only_when_one_is_given(tableside: Tableside, tmp_path: Path) -> None:
    """And a picture that is not there is named."""
    assert tableside("bundle", "-o", tmp_path / "a.zip").stdout.strip().endswith("a.zip")
    assert_refused(tableside("bundle", "-o", tmp_path / "b.zip", "--picture", tmp_path / "none.jpg"), "none.jpg")


# the rooms' verbs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "room", "rest"),
    [
        (["read", "a.jpg", "--json"], "vision", ["read", "a.jpg", "--json"]),
        (["mat", "--players", "4"], "vision", ["mat", "--players", "4"]),
        (["cards", "teach"], "vision", ["cards", "teach"]),
        (["calibrate"], "vision", ["calibrate"]),
        (["check"], "vision", ["check"]),
        (["firmware", "flash"], "firmware_bridge", ["firmware", "flash"]),
        (["replay", "kept", "--readings"], "vision", ["evidence", "kept"]),
        (["evidence", "--list"], "vision", ["evidence", "--list"]),
    ],
)
def test_a_rooms_verb_is_handed_over_word_for_word(
    tableside: Tableside, monkeypatch: pytest.MonkeyPatch, words: list[str], room: str, rest: list[str]
) -> None:
    """The core does not import the rooms: the process becomes theirs."""
    became: list[list[str]] = []

    def execv(program: str, arguments: list[str]) -> None:
        became.append(arguments)
        raise SystemExit(0)

    monkeypatch.setattr(rooms.os, "execv", execv)
    assert tableside(*words).exit_code == 0
    assert became == [[sys.executable, "-P", "-m", room, *rest]]


@pytest.mark.parametrize(
    ("read", "code"),
    [
        pytest.param(False, 0, id="nobody reads any more: tableside history | head ends quietly"),
        pytest.param(True, 1, id="another pipe broke: a fault, and said"),
    ],
)
def test_only_a_reader_who_stops_reading_is_no_error(read: bool, code: int) -> None:
    broken = "def broken(**how): raise BrokenPipeError('the line went dead')"
    program = f"from companion import cli\n{broken}\ncli.app = broken\ncli.main()"
    reader, writer = os.pipe()
    if not read:
        os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == code
    assert ("the line went dead" in done.stderr) == read
    os.close(writer)
    if read:
        os.close(reader)


def test_the_version_is_printed(tableside: Tableside) -> None:
    """One line, for a report of a fault."""
    assert tableside("--version").stdout == f"tableside {cli.__version__}\n"
