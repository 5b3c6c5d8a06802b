"""Orders from the touchscreen, one by one, and what the owner types in a terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.box import terminal
from companion.box.owner import Owner
from companion.box.printed import _leaves, check, load, printed
from companion.journal.recorded import RecordError, read, write
from tests.companion.desk import Desk

SKYTOPIA = "companion.games.skytopia"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_seat_gets_another_name_and_no_other_seat_does(desk: Desk) -> None:
    """A name is trimmed; a seat that is not there is refused."""
    assert not desk.admin("name seat", seat=0, name="Zofia").ok
    desk.new()
    assert desk.admin("name seat", seat=1, name="  Zofia  ").ok
    assert [seat.name for seat in desk.state.seats] == ["Ada", "Zofia"]
    for seat, name in ((7, "x"), (-1, "x"), (0, "   ")):
        assert not desk.admin("name seat", seat=seat, name=name).ok


def test_a_freed_seat_says_whether_somebody_sat_there(desk: Desk) -> None:
    """Twice is once."""
    desk.new()
    desk.sit(1)
    assert desk.admin("free seat", seat=1).result == {"freed": True}
    assert desk.admin("free seat", seat=1).result == {"freed": False}


def test_a_new_code_voids_the_old_one(desk: Desk) -> None:
    """For a code that was seen by the wrong people."""
    before = desk.table.seats.code
    assert desk.admin("new code").ok
    assert desk.table.seats.code != before


@pytest.mark.parametrize("order", ["resume", "rebuild"])
def test_an_order_about_no_game_is_refused(desk: Desk, order: str) -> None:
    """There is nothing to go on with and nothing to lay out."""
    refused = desk.admin(order)
    assert refused.refusal is not None
    assert refused.refusal.code == "table/bad-request"


def test_shutting_down_is_remembered_until_the_core_sees_it(desk: Desk) -> None:
    """The answer leaves first."""
    assert desk.admin("shut down").ok
    assert desk.table.shut_down


def test_the_box_can_be_corrected_before_a_game(desk: Desk, tmp_path: Path) -> None:
    """Good values are kept, wrong ones refused whole."""
    assert desk.admin("box", game="skytopia", values={"setup.coins": 7}).ok
    assert not desk.admin("box", game="skytopia", values={"setup.coins": "many"}).ok
    assert not desk.admin("box", game="nosuch", values={}).ok
    assert Owner(tmp_path).box("skytopia") == {"setup.coins": 7}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    return tmp_path


def test_the_box_command_shows_sets_and_refuses(home: Path) -> None:
    """As a program uses it."""
    terminal.confirm("skytopia", json=False, settings=["setup.coins=7"], every=False)
    rows = json.loads(terminal.confirm("skytopia", json=True, settings=[], every=False))
    assert rows["setup.coins"]["value"] == 7
    assert rows["setup.coins"]["confirmed"]
    for game, settings in (
        ("skytopia", ["setup.coins"]),
        ("skytopia", ["setup.coins=many"]),
        ("skytopia", ["no.such=1"]),
        ("nosuch", []),
        ("scorepad", []),
    ):
        with pytest.raises(terminal.BoxError):
            terminal.confirm(game, json=False, settings=settings, every=False)
    with pytest.raises(terminal.BoxError, match="terminal"):
        terminal.confirm("skytopia", json=False, settings=[], every=True)


class Terminal(io.StringIO):
    """A person who types."""

    def isatty(self) -> bool:
        return True


def test_the_box_command_asks_on_a_terminal(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter confirms, a value corrects, nonsense is asked again, s skips, q ends and keeps what was said."""
    values = printed(SKYTOPIA)
    box = load(SKYTOPIA, {})
    open_keys = [key for key in values if not box.confirmed(key)]
    number = next(key for key in open_keys[2:] if isinstance(values[key].value, int) and not values[key].options)
    before = open_keys.index(number)
    lines = ["", "s", *([""] * (before - 2)), "nonsense", str(values[number].value), "q"]
    monkeypatch.setattr("sys.stdin", Terminal("\n".join(lines) + "\n"))
    terminal.confirm("skytopia", json=False, settings=[], every=True)
    kept = Owner(home).box("skytopia")
    assert open_keys[0] in kept
    assert open_keys[1] not in kept
    assert kept[number] == values[number].value
    monkeypatch.setattr("sys.stdin", Terminal(""))
    terminal.confirm("skytopia", json=False, settings=[], every=True)
    everything = {key: values[key].value for key in values}
    Owner(home).save("skytopia", everything)
    terminal.confirm("skytopia", json=False, settings=[], every=False)


@pytest.mark.parametrize(
    ("known", "given"),
    [
        (True, 1),
        (1, True),
        (1, 20_000),
        (1, "x"),
        ("x", 1),
        ("x", "x" * 200),
        ([1], 1),
        ([1], [1] * 2000),
        ([[1, 2]], [[1, "x"]]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": "x"}),
        (1.5, 1),
    ],
)
def test_a_value_keeps_its_shape_all_the_way_down(known: Any, given: Any) -> None:
    """Numbers stay numbers, words stay words."""
    from companion.box.printed import Printed

    leaf = {"k": Printed(value=known, source="test")}
    check(leaf, "k", known)
    with pytest.raises(ValueError, match="k"):
        check(leaf, "k", given)


def test_a_value_keeps_its_limits() -> None:
    """Below, above, and not among the options."""
    from companion.box.printed import Printed

    leaf = {"k": Printed(value=3, source="test", low=1, high=5), "o": Printed(value=1, source="test", options=(1, 2))}
    for key, value in (("k", 0), ("k", 6), ("o", 3), ("no", 1)):
        with pytest.raises(ValueError, match=key):
            check(leaf, key, value)
    with pytest.raises(ValueError, match="written as"):
        list(_leaves({"a": 5}))


@pytest.mark.parametrize(
    ("leaf", "good", "wrong"),
    [
        ({"value": [], "low": 0, "high": 60}, [0, 13, 60], ([-5], [500], ["x"], [{"a": 1}], [True], [[1]])),
        ({"value": [1, 2], "low": 0, "high": 9}, [9, 0, 4], ([10, 1], [-1, 1])),
        ({"value": {"gold": 1, "stone": 1}, "low": 0, "high": 9}, {"gold": 0, "stone": 9}, ({"gold": -1, "stone": 1},)),
        ({"value": ["wall"], "options": ("wall", "road")}, ["road", "wall"], (["wall", "banana"],)),
        ({"value": []}, [["1", "2"], "3", 4], ([[["1"]]],)),
    ],
)
def test_the_limits_of_a_list_or_a_table_hold_for_each_of_its_items(
    leaf: dict[str, Any], good: Any, wrong: tuple[Any, ...]
) -> None:
    """A printed row of 500 points, an action nobody knows or a price below nothing is in no copy."""
    from companion.box.printed import Printed

    known = {"k": Printed(source="test", **leaf)}
    check(known, "k", good)
    for value in wrong:
        with pytest.raises(ValueError, match="k"):
            check(known, "k", value)


@pytest.mark.parametrize("known", [1, "x", [1], [], {"a": 1}])
def test_a_value_nested_as_deep_as_a_message_may_be_is_refused_in_one_line(known: Any) -> None:
    """However deep it is, it is said in a few words."""
    from companion.box.printed import Printed

    deep: Any = []
    for _ in range(985):
        deep = [deep]
    with pytest.raises(ValueError, match="k") as refused:
        check({"k": Printed(value=known, source="test")}, "k", deep)
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x" * 20_000_001, "larger than"),
        (b"", "line 1"),
        (b"[]", "not a JSON object"),
        (b'{"format":"other"}', "begins with"),
        (b'{"format":"tableside-game-1"}', "missing"),
        (b'{"format":"tableside-game-1","game":"nosuch","options":{}}', "nosuch"),
        (b'{"format":"tableside-game-1","game":"scorepad","options":{}}\n\n{"x":1}', "expected"),
    ],
)
def test_what_is_no_recorded_game_is_refused_with_its_line(data: bytes, words: str) -> None:
    """One clear line, whatever the file is."""
    with pytest.raises(RecordError, match=words):
        read(data)


def test_a_record_without_a_tally_is_a_game_that_was_not_finished() -> None:
    """It is written and read all the same; its last state follows from its moves."""
    options = {"names": ["Ada", "Ben"]}
    data = write("scorepad", options, {}, [{"kind": "points", "seat": 0, "points": 4}], None)
    record = read(data)
    assert record.tally is None
    assert record.final().total(0) == 4
    with pytest.raises(RecordError, match="cannot begin"):
        list(read(write("scorepad", {"rounds": 10_000}, {}, [], None)).steps())
