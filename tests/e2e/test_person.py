"""A person among the bots of the demo: by touch, and with a hand on the virtual pieces."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from companion.virtual.demo import FAST, bots_at
from companion.wire.messages import Answer, State, VirtualHand, VirtualTruth
from tests.conftest import PATIENCE, Client, Place, Run
from tests.views import view_of

READY = {"guilds": ["mechanics", "merchants", "artists"], "cities": [0, 1], "abilities": ["T1A", "T2A"]}


@pytest.mark.timeout(600)
@pytest.mark.long(18)
def test_a_person_plays_one_seat_and_the_bots_the_other(place: Place) -> None:
    """Seat 1 is played by touching choices and, once, by putting a golem on a card; truth and table stay one."""
    place.environment |= FAST | {
        "TABLESIDE_DIAL_SOURCE": "virtual",
        "TABLESIDE_CAMERA_SOURCE": "virtual",
    }
    run = Run(place, "--without", "display").start()
    config = place.config()
    demo = bots_at(config, "skytopia", players=2, seed=3, options=READY, humans=frozenset({0}), limit=24)
    played = threading.Thread(target=demo.play, daemon=True)
    try:
        person = Client.room(config, "display").listen("state", "answer/display").start()
        mouse = Client.room(config, "beside").listen("virtual/table").start()
        played.start()
        touched, dragged = set[int](), False
        end = time.monotonic() + 500
        while played.is_alive() and time.monotonic() < end:
            person.bus.pump(0.05)
            mouse.bus.pump(0.0)
            state: State | None = person.last(State)
            if state is None or state.prompt is None or state.prompt.ask.seat != 0 or state.seq in touched:
                continue
            choice = next(choice for choice in state.prompt.ask.choices if choice.off is None)
            by_hand = not dragged and choice.move["kind"] == "place"
            if by_hand and not _laid(mouse, state):
                continue  # other hands are still at it
            touched.add(state.seq)
            if by_hand:
                dragged = True
                _drag(mouse, choice.move, _lying(state, choice.move["slot"]))
            elif not person.move(choice.move, cause="touch").ok:
                touched.discard(state.seq)
        played.join(1.0)
        assert demo.result.problem == "stopped after 24 moves, as asked", demo.result
        assert demo.result.misreads == 0
        assert dragged
        assert len(touched) > 2
        assert demo.public(demo.truth)[0] in [
            view_of(message) for _, message in person.heard if isinstance(message, State)
        ]
        assert not [m for _, m in person.heard if isinstance(m, Answer) and not m.ok]
        for client in (person, mouse):
            client.bus.stop()
    finally:
        assert run.stop() == 0


def _drag(mouse: Client, move: dict[str, Any], lying: int) -> None:
    """From the supply to the card and turned to its face, as the window beside the screen tells it."""
    mouse.bus.publish("virtual/hand", VirtualHand(action="move", colour="sun", to=move["slot"], x=0.7, y=0.66))
    turn = VirtualHand(action="turn", slot=move["slot"], die=lying, steps=move["face"] - 1)
    mouse.bus.publish("virtual/hand", turn)
    assert mouse.bus.delivered(PATIENCE)


def _laid(mouse: Client, state: State) -> bool:
    """Every golem of the game lies on the virtual table."""
    truth = mouse.last(VirtualTruth)
    slots = [one["slot"] for one in view_of(state)["market"]["slots"]]
    return truth is not None and all(len(truth.slots[slot]["dice"]) == _lying(state, slot) for slot in slots)


def _lying(state: State, slot: str) -> int:
    return len(next(one["dice"] for one in view_of(state)["market"]["slots"] if one["slot"] == slot))
