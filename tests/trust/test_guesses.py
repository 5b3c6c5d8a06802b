"""Guessing at the door: it opens nothing, and it shuts nobody out, neighbours behind the same address included."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from companion.door import seats as chairs
from companion.door.join import Door, Joined, JoinRequest
from companion.door.seats import JoinRefused
from companion.wire.messages import JoinInfo
from tests.companion.desk import Desk
from tests.conftest import PATIENCE


class House:
    """A core in memory with a door, a clock of its own, and a screen that shows the code."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = 1000.0
        self.desk = Desk(directory)
        self.desk.table.join_address = "http://table"
        self.door, self.seats = Door(self.desk.table), self.desk.table.seats
        self.shown: list[str] = []
        self.desk.display.subscribe("join", lambda topic, info: self._show(info))
        self.desk.new()
        self.numbers = iter(range(10**6))
        monkeypatch.setattr(chairs.time, "monotonic", lambda: self.clock)

    def _show(self, info: JoinInfo) -> None:
        self.shown.append(info.code)

    def join(self, address: str = "10.0.0.2", cookie: str = "", **wish: Any) -> Joined | JoinRefused:
        answer: Future[Any] = Future()
        self.door.join(JoinRequest(**wish), cookie, address, answer)
        self.desk.pump()
        return answer.result(PATIENCE)

    def guess(self, address: str) -> int:
        """One more wrong code."""
        refused = self.join(address, code=f"W{next(self.numbers):05}")
        assert isinstance(refused, JoinRefused)
        return refused.status


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return House(tmp_path, monkeypatch)


def test_the_right_code_opens_from_the_guessers_own_address(house: House) -> None:
    """Ten wrong ones and the guesser is told to wait; the neighbour with the code on the screen sits down, also to watch."""
    assert [house.guess("10.0.0.66") for _ in range(12)] == [403] * 10 + [429] * 2
    assert isinstance(house.join("10.0.0.66", code=house.seats.code, seat=0), Joined)
    assert isinstance(house.join("10.0.0.66", code=house.seats.code.lower()), Joined)
    assert house.guess("10.0.0.66") == 429


def test_a_phones_key_opens_whoever_guesses_beside_it(house: House) -> None:
    """A reload behind the same address costs nobody the seat; wrong keys are counted with the codes."""
    ada = house.join("10.0.0.66", code=house.seats.code, seat=0)
    assert isinstance(ada, Joined)
    for _ in range(20):
        house.join("10.0.0.66", token="guess")
    refused = house.join("10.0.0.66", token="guess")
    assert isinstance(refused, JoinRefused) and refused.status == 429
    assert isinstance(house.join("10.0.0.66", cookie=ada.cookie, token=ada.token), Joined)


def test_four_hundred_addresses_have_one_limit(house: House) -> None:
    """Three guesses from each: after a hundred altogether each of them only hears that it has to wait."""
    told = [house.guess(f"10.1.{number // 200}.{number % 200}") for number in range(400) for _ in range(3)]
    assert told == [403] * chairs.ALTOGETHER + [429] * (1200 - chairs.ALTOGETHER)
    house.clock += chairs.WINDOW + 1
    assert house.guess("10.2.0.1") == 403, "a minute later a slip is a slip again"


def test_a_code_that_is_guessed_at_grows(house: House) -> None:
    """The screen shows the longer one; who scanned the short one a moment ago still gets in; then only the long one opens."""
    short = house.seats.code
    for number in range(chairs.ALTOGETHER):
        house.guess(f"10.1.0.{number}")
    long = house.seats.code
    assert len(short) == 6 and len(long) == 6 + chairs.MORE and long.startswith(short)
    assert house.shown[-1] == long
    assert isinstance(house.join(code=short), Joined)
    assert isinstance(house.join(code=long), Joined)
    house.clock += chairs.SHORT_FOR + 1
    refused = house.join(code=short)
    assert isinstance(refused, JoinRefused) and refused.status == 403
    assert isinstance(house.join(code=long), Joined)


def test_codes_stay_long_until_it_is_quiet(house: House) -> None:
    """A seat taken in between makes a new code, as long; the short half of a used one opens nothing more."""
    for number in range(chairs.ALTOGETHER):
        house.guess(f"10.1.0.{number}")
    short = house.seats.code[:6]
    assert isinstance(house.join(code=short, seat=0), Joined)
    assert len(house.seats.code) == 6 + chairs.MORE
    again = house.join(code=short, seat=1)
    assert isinstance(again, JoinRefused) and again.refusal.code in ("join/code", "join/slow")
    house.clock += chairs.CALM + 1
    assert isinstance(house.join(code=house.seats.code, seat=1), Joined)
    assert len(house.seats.code) == 6


def test_asking_who_plays_is_guessing_too(house: House) -> None:
    """Names only for the right code; a wrong one counts like any other."""

    def look(code: str) -> bytes:
        answer: Future[Any] = Future()
        house.door.look(code, "10.0.0.66", answer)
        told: bytes = answer.result(0)
        return told

    assert b"Ada" in look(house.seats.code)
    for number in range(10):
        assert b"Ada" not in look(f"WRONG{number}")
    assert house.guess("10.0.0.66") == 429
    assert b"Ada" in look(house.seats.code)
    assert b"Ada" not in house.door.describe()
    gone: Future[Any] = Future()
    gone.cancel()
    house.door.look(house.seats.code, "10.0.0.66", gone)


def test_a_phone_does_not_come_back_without_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every return is a row on disk and a user made anew: who does nothing else is told to try later, and keeps the seat."""
    ada = house.join(code=house.seats.code, seat=0)
    assert isinstance(ada, Joined)
    for _ in range(10):
        back = house.join(cookie=ada.cookie, token=ada.token)
        assert isinstance(back, Joined)
        ada = back
    late = house.join(cookie=ada.cookie, token=ada.token)
    assert isinstance(late, JoinRefused) and late.status == 503
    house.clock += 5
    assert isinstance(house.join(cookie=ada.cookie, token=ada.token), Joined)
