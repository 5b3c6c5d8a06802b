"""The closed loop in memory: a real core, virtual hands, and sensors that can be blind, unsure, wrong or late."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.core import registry
from companion.game import Text
from companion.virtual import gathering, play, waiting
from companion.virtual.play import Demo
from companion.virtual.seat import Voice
from companion.wire.config import CameraConfig, Config, DialConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import Answer, DialSeen, DieSeen, MarketSeen, MoveRequest, SlotSeen, VirtualHand
from tests.companion import toy
from tests.companion.desk import Desk
from tests.conftest import PATIENCE
from tests.views import view_of


class Sensors:
    """Camera and dial that report the virtual table as it is, or as badly as a test wants."""

    def __init__(self, broker: MemoryBroker, colours: Sequence[str]) -> None:
        self.bus, self.colours = broker.bus("sensors"), colours
        self.blind = False
        self.obeys = True
        self.face: Callable[[int], tuple[float, ...]] = _sure
        self.counts = 1
        self.bus.subscribe("virtual/table", self._look)
        self.bus.subscribe("do/+", self._order)
        self.bus.start()

    def _order(self, topic: str, order: Any) -> None:
        self.bus.publish(f"answer/{order.client}", Answer(id=order.id, ok=self.obeys))

    def _look(self, topic: str, truth: Any) -> None:
        self.bus.publish("sensor/dial", DialSeen(state="ready", ts=truth.ts, position=truth.dial // self.counts % 6))
        if self.blind:
            return
        slots = tuple(
            SlotSeen(slot=name, dice=tuple(self._die(die) for die in lying["dice"]))
            for name, lying in truth.slots.items()
        )
        state = "hand" if truth.hand is not None else "ready"
        self.bus.publish("sensor/market", MarketSeen(state=state, ts=truth.ts, slots=slots))

    def _die(self, die: Any) -> DieSeen:
        colour = die.get("colour") or die.get("owner")
        faces: Any = self.face(die["face"])
        return DieSeen(owner=colour, owner_share=0.99, faces=faces, x=die["x"], y=die["y"])


def _sure(face: int) -> tuple[float, ...]:
    return tuple(0.99 if i + 1 == face else 0.002 for i in range(6))


class World:
    """A core with the toy game, sensors, and a demo at it; every bus that listens lets the others work."""

    def __init__(self, tmp_path: Path) -> None:
        self.desk = Desk(tmp_path)
        self.sensors = Sensors(self.desk.broker, ("sun", "leaf"))

    def connect(self, name: str) -> Any:
        world = self

        class Listener(MemoryBus):
            def pump(self, timeout: float = 0.0) -> int:
                while world.desk.core.pump() + world.sensors.bus.pump():
                    pass
                handled = super().pump()
                if timeout and not handled:
                    time.sleep(0.001)
                return handled

        return Listener(self.desk.broker, name)

    def demo(self, *, camera: str = "virtual", dial: str = "virtual", **more: Any) -> Demo:
        config = Config(
            camera=CameraConfig(source=camera),  # type: ignore[arg-type]
            dial=DialConfig(source=dial),  # type: ignore[arg-type]
            state_dir=self.desk.directory,
        )
        choose = more.pop("choose", lambda pack, state, moves, chance: moves[0])
        made = Demo(config, toy.guarded, self.connect, players=2, seed=1, options={}, choose=choose, **more)
        self.sensors.counts = made.pieces.counts_per_notch
        return made

    def sit(self, people: Any, seat: int) -> None:
        """A phone's seat without a page to join by."""
        client = self.desk.sit(seat)
        people.phones[seat] = Voice(self.connect(client), client, "phone")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who do not wait long for a reading."""
    monkeypatch.setattr(play, "TABLE_SECONDS", 0.3)
    monkeypatch.setattr(gathering, "NOTICED", 0.3)


@pytest.fixture
def quick_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who know at once what they want."""
    monkeypatch.setattr(play, "HAND_GONE", 0.1)
    monkeypatch.setattr(play, "SECOND_THOUGHTS", 0.1)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(registry, "usable", lambda: {"toy": toy.guarded})
    monkeypatch.setattr("companion.core.session.find_pack", lambda name: toy.guarded)
    monkeypatch.setattr(play, "find_pack", lambda name: toy.guarded)
    monkeypatch.setattr(play, "STALLED", 5.0)
    made = World(tmp_path)
    monkeypatch.setattr(gathering.Gathering, "sit", lambda people, seat, name: made.sit(people, seat))
    return made


def test_sensors_alone_play_the_game_to_its_tally(world: World) -> None:
    """Six rounds of a die put down and a dial turned; nobody says anything, and both tallies agree."""
    result = world.demo().play()
    assert (result.problem, result.equal, result.misreads) == ("", True, 0)
    assert (result.seen, result.told, result.touched) == (12, 0, 0)
    assert result.truth == result.companion


def test_without_sensors_phones_tell_every_move(world: World) -> None:
    """The lowest rung: what no sensor can show is told, and the pieces follow."""
    result = world.demo(camera="none", dial="none").play()
    assert (result.problem, result.equal) == ("", True)
    assert (result.told, result.seen) == (12, 0)


@pytest.mark.usefixtures("impatient")
def test_a_blind_camera_leaves_it_to_touch(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is committed that nobody saw: somebody says it by touch, and the run counts it."""
    world.sensors.blind = True
    monkeypatch.setattr(waiting, "QUIET", 0.5)
    said = list[str]()
    world.sensors.bus.subscribe(
        "health/virtual", lambda topic, health: said.append(health.say.key if health.say else "")
    )
    result = world.demo(limit=2).play()
    assert "demo/waits/camera" in said, "nobody watches a still table without being told why"
    assert "as asked" in result.problem
    assert (result.moves, result.touched, result.seen) == (2, 1, 1)
    assert result.misreads == 0


@pytest.mark.usefixtures("impatient")
def test_a_wrong_face_is_a_misreading_and_is_taken_back(world: World) -> None:
    """The negative control: a reader that swaps faces fails the run, though the game goes on."""
    swapped = {2: 3, 3: 2}
    world.sensors.face = lambda face: _sure(swapped.get(face, face))
    demo = world.demo(limit=1)
    result = demo.play()
    assert result.misreads == 1
    assert result.touched == 1
    assert demo.caught_up(demo.truth)


def test_an_unsure_face_is_asked_about_and_answered(world: World) -> None:
    """People touch the answer that says what they did."""
    world.sensors.face = lambda face: tuple(0.48 if i in (face - 1, face % 6) else 0.01 for i in range(6))
    toy_words = lambda move: Text("toy/move", toy.pack.encode(move))  # noqa: E731
    toy.pack.describe = toy_words  # type: ignore[attr-defined]
    try:
        result = world.demo(limit=1).play()
    finally:
        del toy.pack.describe  # type: ignore[attr-defined]
    assert result.questions >= 1
    assert result.misreads == 0


@pytest.mark.usefixtures("impatient")
def test_a_question_without_the_right_answer_is_looked_at_again(world: World) -> None:
    """A pack without words offers nothing anybody recognises: the last answer, then touch."""
    world.sensors.face = lambda face: tuple(0.48 if i in (face - 1, face % 6) else 0.01 for i in range(6))
    result = world.demo(limit=1).play()
    assert (result.moves, result.touched, result.misreads) == (1, 1, 0)


def test_slips_of_the_hand_are_put_right(world: World) -> None:
    """Every hand errs; the game ends with the same tally and nothing was misread."""
    result = world.demo(mistakes=1.0).play()
    assert (result.problem, result.equal, result.misreads) == ("", True, 0)
    assert result.mistakes == result.corrections > 4


def _person(world: World, name: str, **fields: Any) -> None:
    """Somebody at the touchscreen."""
    world.desk.display.publish("move/display", MoveRequest(id=name, cause="touch", **fields))


def _lay(demo: Demo, face: int) -> None:
    """Somebody puts the golem of seat one on the card with the mouse."""
    demo.people._touched("virtual/hand", VirtualHand(action="move", colour="sun", to="gold-1", face=face))


def _steps_until(demo: Demo, fact: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, demo.truth
        demo.step()


def test_a_person_plays_for_a_seat(world: World) -> None:
    """Seat one is a human's: the demo waits, takes the move it sees, and moves what is left to be moved."""
    demo = world.demo(humans=frozenset({0}))
    demo.begin()
    assert list(demo.people.phones) == [1]
    demo.step()
    assert demo.truth.die is None, "nobody plays for a person"
    _lay(demo, 5)
    _steps_until(demo, lambda: demo.truth.die is not None)
    assert demo.truth.die.face == 5  # type: ignore[attr-defined]
    assert demo.pieces.slots["gold-1"][1][0].die.face == 5


@pytest.mark.usefixtures("quick_thoughts")
def test_after_an_undo_and_another_move_the_bot_answers(world: World) -> None:
    """Newcomer A1: a move, an undo, another move; the hands put the pieces right and the game goes on to its tally."""
    demo = world.demo(humans=frozenset({0}))
    demo.begin()
    _lay(demo, 5)
    _steps_until(demo, lambda: demo.truth.die is not None)
    _person(world, "p2", undo=True, consent=True)
    _steps_until(demo, lambda: demo.truth.die is None)
    assert demo.pieces.slots["gold-1"][1] == [], "hands take the golem back"
    _lay(demo, 2)
    _steps_until(demo, lambda: demo.truth.die is not None)
    demo.people._touched("virtual/hand", VirtualHand(action="dial", steps=1))
    _steps_until(demo, lambda: demo.truth.turn == 1 and demo.truth.die is not None)
    assert demo.truth.points == (2, 1), "the bot has answered"


@pytest.mark.usefixtures("quick_thoughts")
def test_a_die_turned_where_it_lies_does_not_stop_the_bots(world: World) -> None:
    """Newcomer A1, the other way: the placed golem is turned to another face, which amends the move."""
    demo = world.demo(humans=frozenset({0}))
    demo.begin()
    _lay(demo, 5)
    _steps_until(demo, lambda: demo.truth.die is not None)
    demo.people._touched("virtual/hand", VirtualHand(action="turn", slot="gold-1", steps=1))
    _steps_until(demo, lambda: demo.truth.points[0] == 6)
    demo.people._touched("virtual/hand", VirtualHand(action="dial", steps=1))
    _steps_until(demo, lambda: demo.truth.turn == 1 and demo.truth.die is not None)
    assert demo.caught_up(demo.truth)


@pytest.mark.usefixtures("quick_thoughts")
def test_a_die_laid_out_of_turn_is_cleared_away(world: World) -> None:
    """Newcomer A1: my golem on the bot's turn; the bot waits for the hand to go, then plays as if nothing had been."""
    demo = world.demo(humans=frozenset({0}))
    demo.begin()
    _lay(demo, 5)
    _steps_until(demo, lambda: demo.truth.die is not None)
    demo.people._touched("virtual/hand", VirtualHand(action="dial", steps=1))
    _steps_until(demo, lambda: demo.truth.turn == 1)
    demo.people._touched("virtual/hand", VirtualHand(action="move", colour="sun", to="gold-1", face=4))
    _steps_until(demo, lambda: demo.truth.die is not None)
    assert [one.die.owner for one in demo.pieces.slots["gold-1"][1]] == [1]
    assert demo.result.misreads == 0


@pytest.mark.parametrize("game", ["skytopia", "skyrise"])
def test_a_watched_demo_begins_at_the_first_decision_of_somebody(world: World, game: str) -> None:
    """Newcomer E3: what lays the table is said at once, whatever a game has of it; the toy's one move stands for it here."""
    pack = registry.pack(game)
    state = pack.new({"depth": "full", "names": ["Ada", "Ben"], "board": "table", "deal": "physical"}, {})
    for _ in range(play.SET_UP_MOVES):
        move = pack.moves(state)[0]
        if pack.encode(move)["kind"] not in play.SET_UP[game]:
            break
        state = pack.play(state, move).state
    assert pack.encode(move)["kind"] not in play.SET_UP[game]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "SET_UP", {"toy": ("place",)})
        patch.setattr(play, "SET_UP_MOVES", 1)
        demo = world.demo(humans=frozenset({0}), attended=True)
        demo.begin()
    assert demo.truth.points[0] > 0, "the seat of a person, who was not waited for"
    assert demo.caught_up(demo.truth)


@pytest.mark.usefixtures("quick_thoughts")
def test_the_next_game_is_played_by_the_same_bots_on_a_cleared_table(world: World) -> None:
    """Newcomer E6: *Next game* on the screen; nothing of the old one lies there, and nobody joins anew."""
    demo = world.demo(attended=True)
    games = demo.play_again_and_again()
    assert next(games).equal
    phones = dict(demo.people.phones)
    demo.pieces.slots["gold-1"] = ("", [gathering.Lying(toy.Die(0, 3), 0.5, 0.5, 0.0, 0)])
    seats = [{"name": seat.name, "colour": seat.colour} for seat in world.desk.state.seats]
    assert world.desk.admin("new game", game="toy", seats=seats, options={}).ok
    again = next(games)
    assert (again.problem, again.equal, again.moves) == ("", True, 12)
    assert demo.people.phones == phones


@pytest.mark.usefixtures("quick_thoughts")
def test_a_closed_window_ends_a_demo_in_the_middle_of_a_game(world: World) -> None:
    """Newcomer D5: whoever waits hears of it at once."""
    demo = world.demo(humans=frozenset({0}), attended=True)

    class ClosedError(Exception):
        pass

    def attend() -> None:
        if demo.truth is not None and demo.following.row:
            raise ClosedError

    demo.people.attend = attend
    with pytest.raises(ClosedError):
        next(demo.play_again_and_again())


def test_somebody_moves_for_a_bot(world: World) -> None:
    """What the core took for a legal move is one; the bot's own intention is dropped."""
    demo = world.demo()
    demo.begin()
    world.desk.display.publish("move/display", MoveRequest(id="q1", move={"kind": "place", "seat": 0, "face": 6}))
    demo.people.wait(lambda: demo.ears.state is not None and view_of(demo.ears.state)["die"], 2)
    demo.step()
    assert demo.truth.points[0] == 6
    assert demo.result.moves == 1


def test_a_hand_on_the_pieces_is_seen_and_goes(world: World) -> None:
    """A die is put down in the picture: a hand appears, then what it did; the dial needs no hand."""
    demo = world.demo()
    demo.begin()
    people, shown = demo.people, list[Any]()
    world.sensors.bus.subscribe("virtual/table", lambda topic, truth: shown.append(truth))
    people._touched("virtual/hand", VirtualHand(action="move", colour="sun", to="gold-1"))
    assert people.wait(lambda: len(shown) >= 2 and shown[-1].hand is None, 2)
    assert shown[0].hand is not None or any(truth.hand is not None for truth in shown)
    before = len(shown)
    people._touched("virtual/hand", VirtualHand(action="dial", steps=1))
    assert people.wait(lambda: len(shown) > before, 2)
    assert shown[-1].hand is None
    calm = len(shown)
    people._touched("virtual/hand", VirtualHand(action="turn", slot="red-9"))
    people.wait(lambda: None, 0.05)
    assert len(shown) == calm, "there is nothing to take there"
