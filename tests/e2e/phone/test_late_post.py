"""The post is late: whatever part of a moment a phone has, a touch never answers a question its person did not see."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from phone_guests import Guest
from phone_texts import in_the_end, plain
from playwright.sync_api import Browser, WebSocketRoute

from benches.phones import LiveTable
from tests.views import view_of

NEXT = '[data-choice="next"]'
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def packets(said: bytes) -> Iterator[bytes]:
    """What is said over MQTT, message by message: a kind, the length in groups of seven bits, so many bytes."""
    while said:
        groups = next(i for i in range(1, 5) if said[i] < 128)
        length = 1 + groups + sum((said[1 + i] & 127) << (7 * i) for i in range(groups))
        assert length <= len(said), "a message in two parts"
        yield said[:length]
        said = said[length:]


class Post:
    """Everything the table says to one phone goes through these hands, one message at a time when they are slow."""

    def __init__(self, guest: Guest) -> None:
        self.slow = False
        self.held: list[tuple[WebSocketRoute, bytes]] = []
        guest.context.route_web_socket(re.compile("^ws://"), self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        table = line.connect_to_server()
        line.on_message(table.send)
        table.on_message(lambda said: self._carry(line, said))

    def _carry(self, line: WebSocketRoute, said: str | bytes) -> None:
        assert isinstance(said, bytes)
        self.held += [(line, message) for message in packets(said)]
        if not self.slow:
            self.hand_over(len(self.held))

    def hand_over(self, count: int) -> None:
        """Deliver what came first."""
        for line, message in self.held[:count]:
            line.send(message)
        del self.held[:count]


@pytest.fixture
def guest(browser: Browser, table: LiveTable) -> Iterator[Guest]:
    """A player of a game of nine rounds."""
    table.new_game("scorepad", ["Ada", "Ben"], rounds=9)
    one = Guest(browser, table, 0)
    yield one
    one.leave()


def current_round(table: LiveTable) -> int:
    """The round the table is in."""
    assert table.state is not None
    return int(view_of(table.state)["round"])


def next_round(table: LiveTable) -> None:
    """Somebody else goes on, at the table's screen."""
    answer = table.move({"kind": "next"})
    assert answer.ok
    table.until(lambda: table.state is not None and table.state.seq == answer.seq, "the next round")


@in_the_end
def assert_moved_on(guest: Guest) -> None:
    """The page says so, and what to do."""
    words = guest.words()
    assert guest.texts(".note.bad p")[:2] == [
        plain(words.say("table/refuse/moved-on")),
        plain(words.say("table/do/moved-on")),
    ]


def test_a_touch_on_an_old_question_never_answers_the_new_one(guest: Guest, table: LiveTable) -> None:
    """After each message that makes up the next moment: the old question is refused, the new one is answered."""
    post = Post(guest)
    guest.sit()
    old = new = 0
    for count in range(4):
        guest.caught_up()
        post.slow = True
        next_round(table)
        table.until(lambda: guest.shown() and len(post.held) >= 3, "the next moment, in the hands of the post")
        post.hand_over(count)
        guest.page.evaluate(DRAWN)
        assert table.prompt is not None
        saw_it, before = guest.texts(".prompt") == [guest.say(table.prompt.ask.text)], current_round(table)
        waiting = len(post.held)
        guest.page.click(NEXT)
        table.until(lambda waiting=waiting: guest.shown() and len(post.held) > waiting, "the table's answer")
        post.slow = False
        post.hand_over(len(post.held))
        if saw_it:
            new += 1
            table.until(lambda before=before: current_round(table) == before + 1, "the round that was asked for")
        else:
            old += 1
            assert_moved_on(guest)
            table.settle()
            assert current_round(table) == before
    assert old and new


def test_a_page_drawn_anew_under_a_finger_changes_nothing_of_what_it_meant(guest: Guest, table: LiveTable) -> None:
    """Down on one question, up on the next: the finger meant the first, and the table has moved on."""
    guest.sit()
    guest.caught_up()
    guest.page.locator(NEXT).hover()
    guest.page.mouse.down()
    next_round(table)
    guest.caught_up()
    guest.page.mouse.up()
    assert_moved_on(guest)
    assert current_round(table) == 2
    guest.page.click(NEXT)
    table.until(lambda: current_round(table) == 3, "the round the next touch asked for")
