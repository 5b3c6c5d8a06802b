"""Demos and a table on one machine: none takes another's ports."""

from __future__ import annotations

import socket

import pytest

from companion.virtual import ports
from companion.virtual.gathering import StalledError
from companion.virtual.ports import NAMES, claimed_ports


@pytest.fixture(autouse=True)
def a_quiet_corner(monkeypatch: pytest.MonkeyPatch, unused_corner: int) -> None:
    """Ports nothing else on this machine looks at."""
    monkeypatch.setattr(ports, "FIRST", unused_corner)
    monkeypatch.setattr(ports, "LAST", unused_corner + 9)


@pytest.fixture(scope="module")
def unused_corner() -> int:
    """The first of nine ports in a row that are free."""
    return next(first for first in range(20000, 30000, 9) if all(ports._free(first + i) for i in range(9)))


def test_two_demos_that_look_at_the_same_moment_get_different_ports(unused_corner: int) -> None:
    """Nobody listens yet on what the first chose: the second takes the next all the same."""
    with claimed_ports() as first, claimed_ports() as second:
        assert first == {name: str(unused_corner + i) for i, name in enumerate(NAMES)}
        assert second == {name: str(unused_corner + 3 + i) for i, name in enumerate(NAMES)}


def test_a_demo_goes_round_the_table_that_runs_here(unused_corner: int) -> None:
    """One port in use is enough: the three stay together."""
    with socket.socket() as running:
        running.bind(("127.0.0.1", unused_corner + 2))
        with claimed_ports() as ours:
            assert ours[NAMES[0]] == str(unused_corner + 3)


def test_a_demo_that_ended_gives_its_ports_back() -> None:
    """The next one gets the usual ports again, even after a failure."""
    with pytest.raises(ZeroDivisionError), claimed_ports() as first:
        raise ZeroDivisionError
    with claimed_ports() as again:
        assert first == again


def test_where_nothing_is_free_the_demo_says_so() -> None:
    """A plain word instead of a table that does not answer."""
    with claimed_ports(), claimed_ports(), claimed_ports(), pytest.raises(StalledError, match="ports"):
        claimed_ports().__enter__()
