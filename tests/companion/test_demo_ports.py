"""Ports of tables that are nobody's guess: the kernel gives each to one of them, for as long as it is wanted."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

import pytest

from companion.virtual import ports
from companion.virtual.gathering import StalledError
from companion.virtual.ports import NAMES, claimed_ports, hold, some_ports
from tests.conftest import PATIENCE


@pytest.fixture(autouse=True)
def nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Demos of other tests look for ports at the same time: here they are looked for where no demo goes."""
    first = 20_000 + 100 * (os.getpid() % 100)
    monkeypatch.setattr(ports, "FIRST", first)
    monkeypatch.setattr(ports, "LAST", first + 99)


def numbers(settings: Mapping[str, str]) -> list[int]:
    """The ports, in the order of their names."""
    return [int(settings[name]) for name in NAMES]


def in_a_row(settings: Mapping[str, str]) -> bool:
    """Whoever watches a demo finds its ports next to each other."""
    first, *more = numbers(settings)
    return more == [first + 1, first + 2]


def test_two_demos_that_look_at_the_same_moment_get_different_ports() -> None:
    """Nobody listens yet on what the first chose: the second takes others all the same."""
    with claimed_ports() as first, claimed_ports() as second:
        assert in_a_row(first) and in_a_row(second)
        assert not set(numbers(first)) & set(numbers(second))


def test_a_demo_goes_round_the_table_that_runs_here() -> None:
    """One port in use is enough: the three stay together."""
    with claimed_ports() as usual:
        last = numbers(usual)[2]
    with socket.socket() as running:
        running.bind(("127.0.0.1", last))
        with claimed_ports() as ours:
            assert in_a_row(ours)
            assert last not in numbers(ours)


def test_a_demo_that_ended_gives_its_ports_back() -> None:
    """Even after a failure."""
    with pytest.raises(ZeroDivisionError), claimed_ports() as first:
        raise ZeroDivisionError
    for port in numbers(first):
        hold(port).close()


def test_where_nothing_is_free_the_demo_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain word instead of a table that does not answer."""
    with claimed_ports() as all_there_are:
        monkeypatch.setattr(ports, "FIRST", numbers(all_there_are)[0])
        monkeypatch.setattr(ports, "LAST", numbers(all_there_are)[2])
        with pytest.raises(StalledError, match="ports"):
            claimed_ports().__enter__()


def test_a_held_port_is_in_no_servers_way_and_in_everybody_elses() -> None:
    """A server may begin, end and begin again on it; another who wants it for themselves is refused meanwhile."""
    with some_ports() as ours:
        for port in numbers(ours):
            for _ in range(2):
                with socket.create_server(("127.0.0.1", port)) as server:
                    socket.create_connection(("127.0.0.1", port), PATIENCE).close()
                    server.accept()[0].close()
            with pytest.raises(OSError, match="in use"):
                hold(port)
