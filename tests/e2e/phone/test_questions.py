"""The camera is unsure: the phone asks as the screen does, and whoever answers first decides."""

from __future__ import annotations

from typing import Any

from phone_guests import Guest
from phone_texts import plain
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.wire.bus import MqttBus
from companion.wire.messages import CardSeen, DieSeen, MarketSeen, SlotSeen
from companion.wire.secrets import room_passwords, user_of
from tests.conftest import PATIENCE
from tests.views import view_of

NAMES = ["Magda", "Tomek"]


def to_first_placing(table: LiveTable) -> None:
    """Set the game up until a golem has to be placed."""
    for _ in range(60):
        table.pump(0.02)
        assert table.prompt is not None
        choices = [choice for choice in table.prompt.ask.choices if choice.off is None]
        if choices[0].id.startswith("place/"):
            return
        answer = table.move(choices[0].move)
        table.until(lambda seq=answer.seq: table.state is not None and table.state.seq == seq, "the next prompt")
    raise AssertionError("nobody ever placed a golem")


def die(owner: str, faces: dict[int, float]) -> DieSeen:
    """A die as the camera sees it."""
    shares = tuple(faces.get(face, 0.0) for face in range(1, 7))
    return DieSeen(owner=owner, owner_share=1.0, faces=shares, x=0.5, y=0.6)  # type: ignore[arg-type]


def reading(table: LiveTable, ts: float, more: dict[str, DieSeen]) -> MarketSeen:
    """The market as it lies, with some dice more."""
    assert table.state is not None
    colours = {seat.seat: seat.colour for seat in table.state.seats}
    slots: list[dict[str, Any]] = view_of(table.state)["market"]["slots"]
    seen = []
    for slot in slots:
        dice = [die(colours[one["owner"]], {one["face"]: 1.0}) for one in slot["dice"]]
        extra = more.get(slot["slot"])
        card = CardSeen(card=slot["card"], share=1.0 if slot["card"] is not None else 0.0)
        seen.append(SlotSeen(slot=slot["slot"], dice=(*dice, *([extra] if extra else [])), card=card, sure=not extra))
    return MarketSeen(state="ready", ts=ts, frame=int(ts * 10), slots=tuple(seen))


def test_an_unsure_die_is_asked_and_answered_on_the_phone(browser: Browser, table: LiveTable) -> None:
    """Two faces are equally likely; the phone offers both, best first, and the touched one is played."""
    table.new_game("skytopia", NAMES)
    to_first_placing(table)
    assert table.prompt is not None and table.state is not None
    seat = table.prompt.ask.seat
    assert seat is not None
    guest = Guest(browser, table, seat).sit()
    open_choices = [choice for choice in table.prompt.ask.choices if choice.off is None]
    slot = open_choices[0].group
    faces = [choice.picture["die"]["face"] for choice in open_choices if choice.group == slot][:2]
    camera = MqttBus(
        table=table.config.table.id,
        user=user_of(table.config.table.id, "vision"),
        password=room_passwords(table.config.state_dir)["vision"],
        port=table.config.broker.port,
    )
    camera.start()
    table.until(lambda: camera.connected, "the camera")
    owner = next(one.colour for one in table.state.seats if one.seat == seat)
    before = table.state.seq
    for number in range(3):
        unsure = die(owner, {faces[0]: 0.5, faces[1]: 0.48})
        camera.publish("sensor/market", reading(table, 1.0 + number, {slot: unsure}))
        assert camera.delivered(PATIENCE)
    table.until(lambda: table.prompt is not None and table.prompt.question is not None, "the question")
    question = table.prompt.question
    assert question is not None
    guest.reads(".question h2", [guest.say(question.text)])
    for answer in question.answers:
        said = plain(guest.page.locator(f'.question [data-choice="{answer.id}"]').inner_text())
        assert guest.say(answer.text) in said
    guest.assert_accessible()
    guest.page.locator(".question [data-choice]").first.click()
    table.until(lambda: table.state is not None and table.state.seq > before, "the answer to count")
    dice = next(one["dice"] for one in view_of(table.state)["market"]["slots"] if one["slot"] == slot)
    assert any(one["owner"] == seat and one["face"] == faces[0] for one in dice)
    guest.page.wait_for_selector(".question", state="detached")
    camera.stop()
    guest.leave()
