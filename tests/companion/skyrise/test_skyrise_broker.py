"""A whole game on the real broker while every role listens to everything: no secret before its time."""

from __future__ import annotations

import json
import random
from operator import itemgetter
from typing import Any

from companion.games.skyrise.wonders import WONDERS
from companion.wire.messages import MoveRequest, State
from companion.wire.secrets import room_passwords, user_of
from companion.wire.topics import encode
from tests.companion.test_hostile import BASE, Stranger, join
from tests.conftest import Client, Run, until
from tests.views import view_of

GREEDY = ("#", "+/#", BASE + "#", BASE + "seat/+/private", BASE + "answer/+", BASE + "move/+", "$SYS/#")
PLAIN = ("state", "event/+", "health/+", "sensor/market", "sensor/dial", "seat/0/private", "seat/1/private")


class Phone:
    """A seat that plays fair and listens to everything it can."""

    def __init__(self, table: Run, display: Client, seat: int | None) -> None:
        me = join(table, display, seat)
        self.seat, self.me = seat, me
        self.spy = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
        listen(self.spy)
        self.spy.client.subscribe(f"{BASE}answer/{me['client']}", 1)
        self.numbers = iter(range(1, 1000))

    def told(self) -> dict[str, Any]:
        """What this seat was last told in private."""
        topic = f"{BASE}seat/{self.seat}/private"
        return next((json.loads(body) for heard, body in reversed(list(self.spy.heard)) if heard == topic), {})

    def view(self) -> dict[str, Any]:
        """The last private view of this seat."""
        return dict(self.told().get("view", {}))

    def move(self, move: dict[str, Any]) -> dict[str, Any]:
        """Ask for a move and wait for the answer."""
        name = f"m{next(self.numbers)}"
        request = MoveRequest(id=name, move=move, seq=self.told()["seq"])
        self.spy.client.publish(f"{BASE}move/{self.me['client']}", encode(request), 1)

        def answered() -> dict[str, Any] | None:
            for topic, body in list(self.spy.heard):
                if topic == f"{BASE}answer/{self.me['client']}" and json.loads(body)["id"] == name:
                    return dict(json.loads(body))
            return None

        return dict(until(answered, 10, f"an answer to {move['kind']}"))


def listen(spy: Stranger) -> None:
    """Subscribe to all there is: by greedy patterns, which the broker refuses, and topic by topic."""
    assert spy.inside
    for pattern in (*GREEDY, *(BASE + topic for topic in PLAIN)):
        spy.client.subscribe(pattern, 1)


def one_step(display: Client, chance: random.Random) -> None:
    """The table's own screen answers the public question by chance."""
    ask, seq = display.last(State).prompt.ask, display.last(State).seq
    legal = view_of(display.last(State))["auction"]["legal"]
    if ask.phase == "bid" and chance.random() < 0.5:
        move = ask.choices[0].move
    elif ask.phase in ("open", "bid"):
        piece = chance.choice(sorted(legal))
        move = {**ask.form.move, "values": {"piece": piece, "site": chance.choice(legal[piece])}}
    else:
        move = chance.choice([choice for choice in ask.choices if choice.off is None]).move
    answer = display.move(move, cause="touch")
    assert answer.ok, answer
    display.until(lambda: display.last(State).seq > seq)


def names(view: dict[str, Any]) -> list[str]:
    """The wonder cards in a hand."""
    return [card["card"] for card in view["secret"]["hand"]]


def choose(display: Client, phones: list[Phone]) -> None:
    """Everybody locks two cards in secret; the first changes their mind through an undo."""
    for phone in phones:
        until(lambda phone=phone: phone.view().get("ask"), 10, "the secret question")  # type: ignore[misc]
    hand, theirs = names(phones[0].view()), names(phones[1].view())
    no = phones[0].move({"kind": "choose", "seat": 0, "cards": theirs[:2]})
    assert no["refusal"]["code"] == "skyrise/not-in-hand"
    assert phones[0].move({"kind": "choose", "seat": 1, "cards": theirs[:2]})["refusal"]["code"] == "table/not-yours"
    assert phones[0].move({"kind": "choose", "seat": 0, "cards": hand[:2]})["ok"]
    display.until(lambda: view_of(display.last(State))["waiting"] == [1])
    name = "undo-choice"
    assert display.ask("move/display", MoveRequest(id=name, undo=True, cause="touch")).ok
    display.until(lambda: view_of(display.last(State))["waiting"] == [0, 1])
    for phone in phones:
        cards = names(phone.view())[1:3]
        assert phone.move({"kind": "choose", "seat": phone.seat, "cards": cards})["ok"]
    display.until(lambda: view_of(display.last(State))["era"] == 2 and display.last(State).prompt.ask.phase == "open")


def hidden(payload: str, cards: set[str]) -> list[str]:
    """Those cards that are named in a payload."""
    return [card for card in cards if f'"{card}"' in payload or f"wonder/{card}" in payload]


def test_every_role_listens_to_everything_and_finds_no_secret(table: Run) -> None:
    """Two seats, a spectator, the screen and two rooms through a whole game with a digital deal."""
    chance = random.Random(7)
    display = table.client()
    display.new_game("skyrise", deal="digital", board="drawn")
    phones = [Phone(table, display, seat) for seat in (0, 1)]
    watcher = Phone(table, display, None)
    config = table.place.config()
    passwords = room_passwords(config.state_dir)
    rooms = [Stranger(config.broker.port, user_of("table", r), passwords[r]) for r in ("vision", "firmware_bridge")]
    for room in rooms:
        listen(room)
    for _ in range(400):
        phase = display.last(State).prompt.ask.phase
        if phase == "choose":
            choose(display, phones)
        elif phase == "over":
            break
        else:
            one_step(display, chance)
    assert display.last(State).phase == "over"
    until(lambda: any(b'"phase":"over"' in body for _, body in list(watcher.spy.heard)), 10)

    kept = {
        card
        for player in view_of(display.last(State))["players"]
        for card in map(itemgetter("card"), player["wonders"])
    }
    assert len(kept) == 4
    spies = {"seat 0": phones[0].spy, "seat 1": phones[1].spy, "spectator": watcher.spy}
    spies |= {f"room {i}": room for i, room in enumerate(rooms)}
    for who, spy in spies.items():
        seat = int(who[-1]) if who.startswith("seat") else None
        own = set(names(phones[seat].view())) if seat is not None else set()
        mine = [names(json.loads(b)["view"]) for t, b in spy.heard if t == f"{BASE}seat/{seat}/private"]
        own |= {card for hand in mine for card in hand}
        assert len(own) == (5 if seat is not None else 0)
        revealed = False
        for topic, body in spy.heard:
            assert "/private" not in topic or topic == f"{BASE}seat/{seat}/private", f"{who} heard {topic}"
            said = body.decode()
            revealed = revealed or '"era":2' in said or '"kind":"chosen"' in said
            secret = set(WONDERS) - own - (kept if revealed else set())
            assert not hidden(said, secret), f"{who} learnt {hidden(said, secret)} from {topic}"
        assert len(spy.heard) > 50 or who.startswith("room")
        spy.close()
    log = table.log.read_text(encoding="utf-8")
    assert not hidden(log, set(WONDERS))
