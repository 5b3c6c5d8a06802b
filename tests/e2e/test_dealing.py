"""How the tests are dealt out to the workers: long ones first and evenly, each test once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.conftest import dealt_out, seconds


def a_test(name: int, took: float = 0.0) -> Any:
    mark = SimpleNamespace(args=(took,)) if took else None
    return SimpleNamespace(name=name, get_closest_marker=lambda kind: mark)


def test_every_worker_begins_with_its_share_of_the_long_ones_and_nothing_is_lost() -> None:
    """A run is cut into equal parts, one for each worker, in this order."""
    long = {3: 90.0, 7: 60.0, 11: 50.0, 40: 40.0, 41: 5.0}
    items = [a_test(number, long.get(number, 0.0)) for number in range(102)]
    dealt = dealt_out(items, 4)
    assert sorted(item.name for item in dealt) == list(range(102))
    starts, left = [0], 102
    for workers in (4, 3, 2):
        starts.append(starts[-1] + left // workers)
        left -= left // workers
    assert [dealt[start].name for start in starts] == [3, 7, 11, 40]
    assert dealt[starts[3] + 1].name == 41, "the one with least to do takes the next"
    short = [item.name for item in dealt if not seconds(item)]
    assert short == sorted(short), "files stay together"
    assert dealt_out(items, 1)[0].name == 3
    assert [item.name for item in dealt_out(items[:3], 4)] == [0, 1, 2], "fewer tests than workers"


def test_what_is_counted_comes_before_the_long_ones() -> None:
    """Evenly, too: every worker counts."""
    items = [a_test(number, 60.0 if number in (5, 6) else 0.0) for number in range(40)]
    dealt = [item.name for item in dealt_out(items, 2, items[10:15])]
    assert (dealt[:4], dealt[20:23]) == ([10, 11, 12, 5], [13, 14, 6])
    assert sorted(dealt) == list(range(40))
