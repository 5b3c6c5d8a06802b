"""A core in memory, and what sensors say to it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from companion.core.table import Table
from companion.journal.store import Journal
from companion.wire.config import Config, HallConfig, TableConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import (
    Admin,
    Answer,
    CardSeen,
    DieSeen,
    MarketSeen,
    MoveRequest,
    Prompt,
    SlotSeen,
    State,
)
from tests.conftest import PATIENCE
from tests.views import view_of


class Desk:
    """A core in memory with a display and phones at it."""

    def __init__(self, directory: Path, broker: MemoryBroker | None = None, hall: HallConfig | None = None) -> None:
        self.directory = directory
        self.broker = broker or MemoryBroker()
        config = Config(table=TableConfig(id="table"), state_dir=directory, hall=hall or HallConfig())
        self.core: MemoryBus = self.broker.bus("companion")
        self.journal = Journal(directory / "games")
        self.table = Table(config, self.core, self.journal)
        self.core.start()
        self.table.publish(())
        self.display = self.broker.bus("display")
        self.heard: list[tuple[str, Any]] = []
        for pattern in ("state", "event/+", "answer/+", "seat/+/private", "lamp"):
            self.display.subscribe(pattern, lambda topic, message: self.heard.append((topic, message)))
        self.display.start()
        self.numbers = iter(range(1, 10_000))

    def pump(self) -> None:
        while self.core.pump() + self.display.pump():
            pass

    def admin(self, command: Any, **args: Any) -> Answer:
        name = f"a{next(self.numbers)}"
        self.display.publish("admin", Admin(id=name, client="display", command=command, args=args))
        return self.answer(name)

    def answer(self, name: str) -> Answer:
        """What came back; finished games are looked up in a thread of their own."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.pump()
            found = next((m for _, m in reversed(self.heard) if isinstance(m, Answer) and m.id == name), None)
            if found is not None:
                return found
            self.core.pump(0.05)
        raise AssertionError(f"{name} was not answered")

    def request(self, client: str = "display", **fields: Any) -> Answer:
        """A request and its answer; a phone names the prompt it answers, as the page does, unless told otherwise."""
        if client.startswith("phone-"):
            fields.setdefault("seq", self.state.seq)
        name = fields.pop("id", None) or f"m{next(self.numbers)}"
        self.display.publish(f"move/{client}", MoveRequest(id=name, **fields))
        return self.answer(name)

    def move(self, client: str = "display", **move: Any) -> Answer:
        return self.request(client, move=move)

    def new(self, game: str = "scorepad", *names: str, **options: Any) -> None:
        seats = [{"name": name} for name in names or ("Ada", "Ben")]
        assert self.admin("new game", game=game, seats=seats, options=options).ok

    def sit(self, seat: int | None) -> str:
        session = self.table.session
        phone, _ = self.table.seats.join(
            code=self.table.seats.code,
            seat=seat,
            name=f"phone {seat}",
            language="en",
            address="here",
            game=session.game if session else "",
        )
        return phone.client

    @property
    def state(self) -> State:
        self.pump()
        return next(m for _, m in reversed(self.heard) if isinstance(m, State))

    @property
    def prompt(self) -> Prompt:
        prompt = self.state.prompt
        assert prompt is not None
        return prompt

    def points(self) -> list[int]:
        return [player["points"] for player in view_of(self.state)["players"]]


def a_market(*dice: DieSeen, state: Any = "ready", ts: float = 1.0) -> MarketSeen:
    """One slot as the camera says it."""
    slot = SlotSeen(slot="gold-1", dice=dice, card=CardSeen(card="card", share=0.99))
    return MarketSeen(state=state, ts=ts, slots=(slot,))


def a_die(owner: str, *faces: float) -> DieSeen:
    """A die that surely shows a face, or six shares."""
    if len(faces) == 1:
        faces = tuple(0.99 if i + 1 == faces[0] else 0.002 for i in range(6))
    return DieSeen(owner=owner, owner_share=0.99, faces=faces, x=0.5, y=0.5)  # type: ignore[arg-type]
