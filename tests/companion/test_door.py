"""The door without a broker: who is let in, who is asked first, and what a copied key is worth."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.table import Table
from companion.door import presence
from companion.door.join import Door, Joined, JoinRequest
from companion.door.seats import JoinRefused, Phone
from companion.journal.store import Journal
from companion.wire.config import Config, TableConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import Admin, Private, State
from companion.wire.presence import Here, Knock


class House:
    """A core with a door in memory, and everything that is said in it."""

    def __init__(self, directory: Path) -> None:
        self.broker = MemoryBroker()
        self.core: MemoryBus = self.broker.bus("companion")
        self.journal = Journal(directory / "games")
        self.table = Table(Config(table=TableConfig(id="table"), state_dir=directory), self.core, self.journal)
        self.door = Door(self.table)
        self.core.start()
        self.ear = self.broker.bus("ear")
        self.heard: list[tuple[str, Any]] = []
        for pattern in ("state", "knock/+", "seat/+/private"):
            self.ear.subscribe(pattern, lambda topic, message: self.heard.append((topic, message)))
        self.ear.start()
        self.order("new game", game="scorepad", seats=[{"name": "Ada"}, {"name": "Bo"}])

    def order(self, command: Any, **args: Any) -> None:
        self.ear.publish("admin", Admin(id=f"a-{command}", client="display", command=command, args=args))
        self.pump()

    def pump(self) -> None:
        while self.core.pump() + self.ear.pump():
            pass

    def ask(self, cookie: str = "", address: str = "10.0.0.2", **body: Any) -> Future[Joined | JoinRefused]:
        answer: Future[Joined | JoinRefused] = Future()
        self.door.join(JoinRequest(**body), cookie, address, answer)
        self.pump()
        return answer

    def sit(self, seat: int | None) -> Joined:
        joined = self.ask(code=self.table.seats.code, seat=seat).result(0)
        assert isinstance(joined, Joined)
        return joined

    def again(self, who: Joined) -> Future[Joined | JoinRefused]:
        """Whoever holds this key knocks with it."""
        return self.ask(cookie=who.cookie, token=who.token)

    def back(self, who: Joined) -> Joined:
        """The same, and the seat is taken up again."""
        joined = self.again(who).result(0)
        assert isinstance(joined, Joined)
        return joined

    def gone_from(self, seat: int) -> Joined:
        """Somebody sat down, listened, and left with a last will."""
        who = self.sit(seat)
        self.here(who)
        self.here(who, here=False)
        return who

    def here(self, who: Joined, line: str = "line-1", **more: Any) -> None:
        self.ear.publish(f"here/{who.client}", Here(line=line, **more))
        self.pump()

    def knocks(self) -> list[Knock]:
        return [message for _, message in self.heard if isinstance(message, Knock)]

    def notices(self) -> list[str]:
        state = next(message for _, message in reversed(self.heard) if isinstance(message, State))
        return [notice.id for notice in state.notices]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(presence, "REPLY_SECONDS", 0.05)
    one = House(tmp_path)
    yield one
    one.journal.close()


def refused(answer: Future[Joined | JoinRefused]) -> tuple[int, str]:
    result = answer.result(0)
    assert isinstance(result, JoinRefused)
    return result.status, result.refusal.code


def test_nobody_sits_down_on_a_robots_chair(house: House) -> None:
    """Its hand is nobody's to look at, and its moves are its own; it is shown as taken. Nor does a phone sit on into it."""
    house.order("new game", game="skytopia", seats=[{"name": "Ada"}, {"name": "Bo"}])
    house.sit(0)
    house.order("new game", game="skytopia", seats=[{"name": "Ada", "bot": "easy"}, {"name": "Bo"}])
    assert house.table.session is not None
    assert house.table.session.seats[0].bot
    assert house.table.seats.phones == {}
    taken = [seat["taken"] for seat in msgspec.json.decode(house.door.describe())["seats"]]
    assert taken == [True, False]
    assert refused(house.ask(code=house.table.seats.code, seat=0)) == (409, "join/taken")
    assert house.sit(1).seat == 1
    house.order("end game")  # and the robots' process with it


def test_nobody_takes_anothers_name_and_with_it_their_chair(house: House) -> None:
    """Bo's phone says it is Ada; in the next game Ada sits on that chair, and it is not Bo's phone that sits there for her."""
    joined = house.ask(code=house.table.seats.code, seat=1, name="ada").result(0)
    assert isinstance(joined, Joined)
    session = house.table.session
    assert session is not None
    assert [seat.name for seat in session.seats] == ["Ada", "ada 2"]
    house.order("new game", game="scorepad", seats=[{"name": "Bo"}, {"name": "Ada"}])
    assert not any(phone.seat is not None for phone in house.table.seats.phones.values())


def test_who_gives_no_name_sits_under_the_one_of_the_chair(house: House) -> None:
    """Two phones without a name are no reason to number anybody."""
    house.sit(0)
    house.sit(1)
    session = house.table.session
    assert session is not None
    assert [seat.name for seat in session.seats] == ["Ada", "Bo"]


def test_half_a_key_opens_nothing(house: House) -> None:
    """A stolen cookie without the page's half, or the page's half without the cookie: both are refused."""
    ada, bo = house.sit(0), house.sit(1)
    assert refused(house.ask(token=ada.token)) == (403, "join/token")
    assert refused(house.ask(cookie=ada.cookie, token="x")) == (403, "join/token")
    assert refused(house.ask(cookie=ada.cookie, token=bo.token)) == (403, "join/token")
    assert house.knocks() == []


def test_a_copied_key_is_refused_while_its_owner_sits_there(house: House) -> None:
    """The owner answers the knock; the copy stays outside; table and owner are told; the owner's key stays good."""
    ada = house.sit(0)
    house.here(ada)
    thief = house.ask(cookie=ada.cookie, token=ada.token, address="10.0.0.66")
    assert not thief.done()
    house.here(ada, knock=house.knocks()[0].knock)
    assert refused(thief) == (409, "join/held")
    assert house.notices() == ["knocked-0"]
    house.here(ada, here=False)
    assert isinstance(house.again(ada).result(0), Joined)


def test_a_reload_takes_the_seat_up_at_once(house: House) -> None:
    """The page's last will came first: nobody is asked, the key and the password are new."""
    ada = house.gone_from(0)
    again = house.back(ada)
    assert (again.client, again.seat) == (ada.client, 0)
    assert {again.token, again.cookie, again.password}.isdisjoint({ada.token, ada.cookie, ada.password})
    assert house.knocks() == [] and house.notices() == []


def test_a_phone_that_fell_silent_is_not_in_its_own_way(house: House) -> None:
    """The network vanished, so no last will came; the knock stays unanswered and the phone gets its seat."""
    ada = house.sit(0)
    house.here(ada)
    back = house.again(ada)
    assert not back.done()
    house.core.pump(2.0)
    house.pump()
    assert isinstance(back.result(0), Joined)
    assert house.notices() == []


def test_a_late_last_will_ends_no_newer_line(house: House) -> None:
    """The old connection is found dead after the new one is up: the seat is still guarded."""
    ada = house.sit(0)
    house.here(ada, "line-1")
    house.here(ada, "line-2")
    house.here(ada, "line-1", here=False)
    thief = house.again(ada)
    assert not thief.done()
    assert len(house.knocks()) == 1


def test_a_key_used_elsewhere_is_noticed_when_its_owner_returns(house: House) -> None:
    """A whole copy took the seat while the owner slept: the owner's old key gives it away, and the table is told."""
    ada = house.gone_from(0)
    thief = house.back(ada)
    house.here(thief, "line-9")
    assert refused(house.again(ada)) == (403, "join/spent")
    assert house.notices() == ["knocked-0"]
    house.order("free seat", seat=0)
    assert refused(house.again(thief)) == (403, "join/token")


def test_an_answer_lost_on_the_way_locks_nobody_out(house: House) -> None:
    """The new key never arrived: the old one is good until the new one was heard of."""
    ada = house.sit(0)
    house.again(ada).result(0)
    second = house.back(ada)
    house.here(second)
    assert refused(house.again(ada)) == (403, "join/spent")


def test_a_reload_in_mid_answer_locks_nobody_out(house: House) -> None:
    """The browser kept the new cookie, but the page never saw its half: old half and new cookie are still good, once."""
    ada = house.sit(0)
    lost = house.back(ada)
    back = house.ask(cookie=lost.cookie, token=ada.token).result(0)
    assert isinstance(back, Joined)
    house.here(back)
    assert refused(house.ask(cookie=back.cookie, token=ada.token)) == (403, "join/spent")


def test_keys_survive_a_restart_and_spent_ones_stay_spent(house: House, tmp_path: Path) -> None:
    """The journal knows the present key of each seat and which ones it replaced."""
    ada = house.sit(0)
    keys = [ada]
    for number in range(3):
        back = house.back(keys[-1])
        house.here(back, f"line-{number}")
        house.here(back, f"line-{number}", here=False)
        keys.append(back)
    from companion.door.seats import Seats

    seats = Seats(house.journal)
    present = seats.at(0)
    assert present is not None
    assert seats.again(f"{keys[-1].token}.{keys[-1].cookie}", "x") == present
    for old in keys[:2]:
        with pytest.raises(JoinRefused) as spent:
            seats.again(f"{old.token}.{old.cookie}", "x")
        assert (spent.value.refusal.code, spent.value.seat) == ("join/spent", 0)


def test_standing_up_frees_the_seat(house: House) -> None:
    """Whoever stands up is gone at once; the seat is open to the next code, and the key is void."""
    ada = house.sit(0)
    house.here(ada)
    left: Future[bytes | JoinRefused] = Future()
    house.door.leave(ada.token, ada.cookie, "10.0.0.2", left)
    house.pump()
    assert left.result(0) == b"{}"
    assert house.table.seats.at(0) is None
    assert refused(house.again(ada)) == (403, "join/token")
    assert house.sit(0).client != ada.client


def test_who_was_told_to_come_later_has_changed_nothing(house: House) -> None:
    """The page gives up after some seconds; a core that was busy until then does not act on it, and does not fall over it."""
    ada = house.sit(0)
    house.here(ada)
    for ask in (house.door.leave, house.door.past):
        given_up: Future[bytes | JoinRefused] = Future()
        given_up.cancel()
        ask(ada.token, ada.cookie, "10.0.0.2", given_up)
        house.pump()
    assert house.table.seats.at(0) is not None
    late: Future[Joined | JoinRefused] = Future()
    late.cancel()
    house.door.join(JoinRequest(code=house.table.seats.code, seat=1), "", "10.0.0.3", late)
    house.pump()
    assert house.table.seats.at(1) is None


def test_a_page_that_gives_up_while_the_broker_works_is_not_answered(house: House) -> None:
    """Between the seat and its welcome; the core goes on."""
    answer: Future[Joined | JoinRefused] = Future()
    house.door.join(JoinRequest(code=house.table.seats.code, seat=0), "", "10.0.0.3", answer)
    assert answer.cancel()
    house.pump()
    assert answer.cancelled()
    assert house.table.seats.at(0) is not None


def test_somebody_sits_down_while_the_page_looks_who_is_there(house: House) -> None:
    """The page describes the table in threads of its own; who comes at that moment does not end its look."""
    phones: dict[str, Any] = house.table.seats.phones

    class Meanwhile:
        """A watcher; whoever looks at them is interrupted by one more."""

        @property
        def seat(self) -> None:
            phones[f"late-{len(phones)}"] = Phone("late", None, "", "en", "")

    phones |= {"first": Meanwhile(), "second": Phone("second", 1, "", "en", "")}
    found = house.table.seats.at(1)
    assert found is not None
    assert found.client == "second"


def test_only_the_key_stands_a_phone_up(house: House) -> None:
    """Nobody empties a chair from outside."""
    ada = house.sit(0)
    left: Future[bytes | JoinRefused] = Future()
    house.door.leave("guess", ada.cookie, "10.0.0.66", left)
    assert isinstance(left.result(0), JoinRefused)
    assert house.table.seats.at(0) is not None


def test_secrets_come_when_the_phone_listens(house: House) -> None:
    """Nothing is said to an empty room: the private view follows the phone's own word that it is there."""
    house.order("new game", game="skyrise", seats=[{"name": n} for n in ("Ada", "Bo")], options={"deal": "digital"})
    house.heard.clear()
    ada = house.sit(0)
    for number in range(3):
        house.heard.clear()
        house.here(ada, f"line-{number}")
        assert [topic for topic, message in house.heard if isinstance(message, Private)] == ["seat/0/private"]


def test_tries_at_a_held_seat_run_out(house: House) -> None:
    """Nobody makes the owner's phone answer all evening."""
    ada = house.sit(0)
    house.here(ada)
    for _ in range(10):
        thief = house.ask(cookie=ada.cookie, token=ada.token, address="10.0.0.66")
        house.here(ada, knock=house.knocks()[-1].knock)
        assert refused(thief) == (409, "join/held")
    assert refused(house.ask(cookie=ada.cookie, token=ada.token, address="10.0.0.66")) == (429, "join/slow")


def test_a_code_is_worth_nothing_after_the_game(house: House) -> None:
    """Neither at the tally nor in the next game."""
    code = house.table.seats.code
    house.ear.publish("move/display", _end())
    house.pump()
    assert house.table.announcer.state().phase == "over"
    assert refused(house.ask(code=code)) == (403, "join/code")
    code = house.table.seats.code
    house.order("new game", game="scorepad", seats=[{"name": "Ada"}, {"name": "Bo"}])
    assert refused(house.ask(code=code, seat=0)) == (403, "join/code")
    code = house.table.seats.code
    house.order("end game")
    assert refused(house.ask(code=code)) == (403, "join/code")


def _end() -> Any:
    from companion.wire.messages import MoveRequest

    return MoveRequest(id="end", move={"kind": "end"}, cause="touch")
