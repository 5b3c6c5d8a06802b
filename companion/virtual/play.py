"""The closed loop: bots decide, hands move virtual pieces, camera and dial report, the core follows (DESIGN §7).

The truth is a game of its own, played with the bots' intentions; the core hears only sensors and the bots' phones. After
every move the core's public view must be the truth's.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.bus import MqttBus
from companion.config import Config
from companion.game import Die, Expected, Pack
from companion.messages import Admin, Answer, Do, Health, JoinInfo, MarketSeen, Prompt, State
from companion.virtual.pieces import Lying, Pieces
from companion.virtual.seat import Voice, join
from companion.virtual.slips import Slip, slip

Chooser = Callable[[Pack, Any, Sequence[Any], random.Random], Any]
PATIENCE = 6.0
"""Seconds a reading may take before somebody says it by touch."""
STALLED = 45.0


class StalledError(Exception):
    """The table did not follow."""


class Result(msgspec.Struct, kw_only=True):
    """The report of DESIGN §8, and a little more."""

    game: str
    players: int
    seed: int
    truth: dict[str, int] = {}
    companion: dict[str, int] = {}
    equal: bool = False
    frames: int = 0
    misreads: int = 0
    questions: int = 0
    corrections: int = 0
    seconds: float = 0.0
    moves: int = 0
    seen: int = 0
    """Moves committed from sensors alone."""
    told: int = 0
    """Moves told by phone, because no sensor can show them."""
    touched: int = 0
    """Moves a sensor should have shown, but somebody had to say."""
    mistakes: int = 0
    latency_ms: list[float] = []
    """Hand gone to move announced, one value a move."""
    problem: str = ""


class Ears:
    """What everybody at the table can hear."""

    def __init__(self, bus: MqttBus) -> None:
        self.bus = bus
        self.state: State | None = None
        self.prompt: Prompt | None = None
        self.market: MarketSeen | None = None
        self.health: dict[str, Health] = {}
        self.views: list[bytes] = []
        bus.subscribe("state", self._state)
        bus.subscribe("prompt", self._prompt)
        bus.subscribe("sensor/market", self._market)
        bus.subscribe("health/+", self._healthy)

    def _state(self, topic: str, message: Any) -> None:
        self.state = message
        self.views.append(msgspec.json.encode(message.view))

    def _prompt(self, topic: str, message: Any) -> None:
        self.prompt = message

    def _market(self, topic: str, message: Any) -> None:
        self.market = message

    def _healthy(self, topic: str, message: Any) -> None:
        self.health[message.room] = message


class Demo:
    """One game from new to tally."""

    def __init__(
        self,
        config: Config,
        pack: Pack,
        connect: Callable[[str], MqttBus],
        *,
        players: int,
        seed: int,
        options: dict[str, Any],
        choose: Chooser,
        mistakes: float = 0.0,
        pause: float = 0.0,
        humans: frozenset[int] = frozenset(),
        limit: int = 0,
    ) -> None:
        self.config, self.pack, self.choose = config, pack, choose
        self.chance = random.Random(seed)
        self.mistakes, self.pause, self.humans, self.limit = mistakes, pause, humans, limit
        self.result = Result(game=pack.id, players=players, seed=seed)
        self.ears = Ears(connect("virtual"))
        self.ears.bus.start()
        self.join: JoinInfo | None = None
        screen = connect("host")
        screen.subscribe("join", self._shown)
        self.host = Voice(screen, "host", "touch")
        self.options = options
        self.phones: dict[int, Voice] = {}
        names = ("Magda", "Tomek", "Élodie", "Sam")[:players]
        self.seats = [
            {"name": name, "colour": colour}
            for name, colour in zip(names, ("sun", "leaf", "sky", "coral"), strict=False)
        ]
        self.truth: Any = None
        self._hand_leaves = 0.0
        self._shown_by_mistake: list[Any] = []
        """Views of legal positions a slip of the hand looked like: reading them was right."""
        notches = 6
        self.pieces = Pieces([seat["colour"] for seat in self.seats], self.chance, 1)
        self.pieces.counts_per_notch = self._counts_per_notch(notches)
        self.ears.bus.subscribe("virtual/hand", self._touched)

    def _counts_per_notch(self, notches: int) -> int:
        return round(self.config.dial.counts_per_revolution * self.config.dial.gear / notches)

    # waiting ---------------------------------------------------------------------------------------------------

    def wait(self, condition: Callable[[], Any], seconds: float) -> Any:
        """Listen until something is so; `None` when it is not in time."""
        end = time.monotonic() + seconds
        while True:
            self.ears.bus.pump(0.005)
            for voice in (self.host, *self.phones.values()):
                voice.bus.pump()
            now = time.monotonic()
            if self._hand_leaves and now > self._hand_leaves:
                self._hand_leaves = 0.0
                self.show()
            found = condition()
            if found or now > end:
                return found or None

    def need(self, condition: Callable[[], Any], seconds: float, what: str) -> Any:
        """The same, but it must be."""
        found = self.wait(condition, seconds)
        if found is None:
            raise StalledError(f"not within {seconds:.0f} s: {what}")
        return found

    def _view(self, state: Any) -> bytes:
        return msgspec.json.encode(self.pack.view(state, None))

    def caught_up(self, state: Any) -> bool:
        """The core's public view is the truth's."""
        return self.ears.state is not None and self._same(msgspec.json.encode(self.ears.state.view), state)

    def reached(self, state: Any) -> bool:
        """The core has announced this since the decision began; a quick person may have gone on from there."""
        return self.caught_up(state) or any(self._same(view, state) for view in self.ears.views)

    def _same(self, view: bytes, state: Any) -> bool:
        return bool(msgspec.json.decode(view) == self._plain(state))

    def _plain(self, state: Any) -> Any:
        """The public view as it arrives."""
        return msgspec.json.decode(self._view(state))

    # the game --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """New game, phones at their seats, dial at its zero."""
        self.need(lambda: self.ears.state is not None and self.host.bus.connected, 20, "the core")
        args = {"game": self.pack.id, "seats": self.seats, "options": self.options}
        self.host.bus.publish("admin", Admin(id="new", client="host", command="new game", args=args))
        answer: Answer = self.need(lambda: self.host.answers.get("new"), 10, "a new game")
        if not answer.ok:
            raise StalledError(f"the game was refused: {answer.refusal}")
        game = answer.result["game"]
        self.need(lambda: self.ears.state is not None and self.ears.state.game_id == game, 10, "its state")
        for seat, person in enumerate(self.seats):
            if seat not in self.humans:
                self._sit(seat, person["name"])
        names = tuple(person["name"] for person in self.seats)
        colours = [person["colour"] for person in self.seats]
        self.truth = self.pack.new({"depth": "full", **self.options, "colours": colours, "names": names}, {})
        self._set_zero(self.pack.expect(self.truth))
        self._teach_colours(self.pack.expect(self.truth))
        self.show()

    def _sit(self, seat: int, name: str) -> None:
        code = str(self.need(self._code, 10, "the join code"))
        self.phones[seat] = join(self.config, code, seat, name)
        self.need(lambda: self.phones[seat].bus.connected, 10, f"phone {seat}")
        self.need(lambda: self._code() != code, 10, "the next code")

    def _code(self) -> str:
        return self.join.code if self.join is not None else ""

    def _shown(self, topic: str, message: Any) -> None:
        self.join = message

    def _set_zero(self, expected: Expected) -> None:
        """The dial is unconfirmed after power-on: the player says where it stands."""
        if expected.dial is None or self.config.dial.source == "none":
            return
        self.pieces.counts_per_notch = self._counts_per_notch(expected.dial_positions)
        self.show()
        for attempt in range(20):
            name = f"zero-{attempt}"
            order = Do(id=name, client="host", command="confirm", args={"position": expected.dial})
            self.host.bus.publish("do/firmware_bridge", order)
            answer = self._answered(name, 3)
            if answer is not None and answer.ok:
                self.pieces.start = expected.dial
                return
            time.sleep(0.2)
        raise StalledError("the dial could not be confirmed")

    def _teach_colours(self, expected: Expected) -> None:
        """As at any set-up: one die of each player on the empty mat, and the camera learns them under this lamp."""
        if self.config.camera.source == "none" or not expected.slots:
            return
        rows = self.config.camera.rows
        slots = [f"{column}-{row}" for row in range(1, rows + 1) for column in ("blue", "gold", "red", "violet")]
        for seat, slot in zip(range(len(self.seats)), slots, strict=False):
            self.pieces.slots[slot] = ("", [Lying(Die(seat, 1), 0.5, 0.5, 10.0, 5)])
        for slot in slots[len(self.seats) :]:
            self.pieces.slots[slot] = ("", [])
        self.show()
        colours = [seat["colour"] for seat in self.seats]
        for attempt in range(40):
            name = f"colours-{attempt}"
            order = Do(id=name, client="host", command="calibrate", args={"colours": colours, "rows": rows})
            self.host.bus.publish("do/vision", order)
            answer = self._answered(name, 3)
            if answer is not None and answer.ok:
                break
            self.wait(lambda: None, 0.5)
        self.pieces.slots = {slot: ("", []) for slot in slots}

    def _answered(self, name: str, seconds: float) -> Answer | None:
        self.wait(lambda: name in self.host.answers, seconds)
        return self.host.answers.get(name)

    def show(self) -> None:
        """Tell camera and dial how the table looks now."""
        self.ears.bus.publish("virtual/table", self.pieces.truth())

    def _touched(self, topic: str, message: Any) -> None:
        """Somebody reaches into the picture: a hand is seen, then what it did."""
        reached = self.pieces.centre(message.to or message.slot) if message.action != "dial" else None
        if not self.pieces.touched(message):
            return
        if reached is not None:
            self.pieces.hand = dict(zip(("x", "y"), reached, strict=True))
            self.show()
            self.pieces.hand, self._hand_leaves = None, time.monotonic() + 0.4
        self.pieces.ts += 0.6
        if reached is None:
            self.show()

    def step(self) -> None:
        """One decision, carried out the way people would."""
        moves = self.pack.moves(self.truth)
        asked = self.pack.ask(self.truth).seat
        if asked in self.humans or self._touched_by_somebody(moves):
            self._follow_human(moves)
            return
        move = self.choose(self.pack, self.truth, moves, self.chance)
        after = self.pack.play(self.truth, move).state
        self.ears.views.clear()
        if self._visible(self.pack.expect(after)):
            self._by_hand(move, after)
        else:
            self._by_phone(move, after)
        self._count_misreads(after)
        self.truth = after
        self.result.moves += 1
        if self.pause:
            self.wait(lambda: None, self.pause)

    def _visible(self, expected: Expected) -> bool:
        """A sensor can show this change."""
        before = self.pack.expect(self.truth)
        by_camera = self.config.camera.source != "none" and expected.slots != before.slots
        by_dial = self.config.dial.source != "none" and expected.dial != before.dial
        return by_camera or by_dial

    def _by_phone(self, move: Any, after: Any) -> None:
        plain = self.pack.encode(move)
        seat = plain.get("seat")
        voice = self.phones.get(seat, self.host) if isinstance(seat, int) else self.host
        name = voice.ask(plain)
        answer: Answer = self.need(lambda: voice.answers.get(name), STALLED, f"an answer to {plain}")
        if not answer.ok:
            raise StalledError(f"the core refused {plain}: {answer.refusal}")
        self.need(lambda: self.reached(after), STALLED, f"the core after {plain}")
        self.result.told += 1
        if self.pieces.differing(self.pack.expect(after)):
            self._move_pieces(self.pack.expect(after))

    def _move_pieces(self, expected: Expected) -> float:
        """Hands do it; returns when the hand was gone."""
        gone = time.monotonic()
        for truth in self.pieces.perform(expected):
            if truth.hand is None:
                gone = time.monotonic()
            self.ears.bus.publish("virtual/table", truth)
            if truth.hand is not None:
                self.wait(lambda: self.ears.market is not None and self.ears.market.state in ("hand", "settling"), 1.0)
        return gone

    def _by_hand(self, move: Any, after: Any) -> None:
        expected = self.pack.expect(after)
        made = None
        if self.mistakes and self.chance.random() < self.mistakes:
            made = slip(self.pack.expect(self.truth), expected, self.chance)
        if made is not None:
            self._blunder(made)
        gone = self._move_pieces(expected)
        questions: set[str] = set()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.wait(lambda: self.caught_up(after) or self._question(questions), 0.5) is None:
                continue
            if self.caught_up(after):
                self.result.seen += 1
                self.result.latency_ms.append(1000 * (time.monotonic() - gone))
                return
            self._answer_question(move)
        self._by_touch(move, after)

    def _question(self, known: set[str]) -> bool:
        question = self.ears.prompt.question if self.ears.prompt is not None else None
        if question is None or question.id in known:
            return False
        known.add(question.id)
        self.result.questions += 1
        return True

    def _answer_question(self, move: Any) -> None:
        """People read the answers and touch the one that says what they did; the last one is "look again"."""
        question = self.ears.prompt.question if self.ears.prompt is not None else None
        if question is None:
            return
        words = getattr(self.pack, "describe", None)
        mine = words(move) if words else None
        chosen = next((answer for answer in question.answers if answer.text == mine), question.answers[-1])
        if chosen.move is not None:
            self.host.ask(chosen.move)

    def _by_touch(self, move: Any, after: Any) -> None:
        """The sensors did not tell: somebody takes back what is wrong, and says what is right."""
        self.result.touched += 1
        self.result.questions += 1
        for _ in range(6):
            if self.wait(lambda: self.caught_up(self.truth) or self.caught_up(after), 0.5):
                break
            self._answered(self.host.undo(), STALLED)
        if self.caught_up(after):
            return
        name = self.host.ask(self.pack.encode(move))
        self.need(lambda: self.host.answers.get(name), STALLED, "an answer to a touch")
        if not self.host.answers[name].ok and not self.wait(lambda: self.caught_up(after), 1.0):
            raise StalledError(
                f"neither seen nor accepted: {self.pack.encode(move)}: {self.host.answers[name].refusal}"
            )
        self.need(lambda: self.caught_up(after), STALLED, "the core after a touch")

    def _count_misreads(self, after: Any) -> None:
        """Every state announced on the way must be one the table showed; anything else was read wrongly."""
        aim = self._plain(after)
        shown = [self._plain(self.truth), *self._shown_by_mistake]
        while self.ears.views:
            view = msgspec.json.decode(self.ears.views.pop(0))
            if view == aim:
                break  # what comes after it belongs to the next decision
            self.result.misreads += view not in shown
        self._shown_by_mistake = []

    # people ----------------------------------------------------------------------------------------------------

    def _blunder(self, made: Slip) -> None:
        """A hand errs. When the table says so, or believes it because it was a legal move, it is put right."""
        self.result.mistakes += 1
        outcomes = (self.pack.play(self.truth, move).state for move in self.pack.moves(self.truth))
        self._shown_by_mistake = [
            self._plain(state) for state in outcomes if same_look(self.pack.expect(state), made.layout)
        ]
        before = self.ears.state.seq if self.ears.state else 0
        self._move_pieces(made.layout)
        # the turn that was forgotten shows nothing: the prompt goes on asking for it
        seconds = 1.0 if made.kind == "dial forgotten" else PATIENCE
        self.wait(lambda: bool(self._told_off() or (self.ears.state and self.ears.state.seq != before)), seconds)
        self.result.corrections += 1

    def _told_off(self) -> bool:
        """The screen says what differs, or asks."""
        state, prompt = self.ears.state, self.ears.prompt
        differs = state is not None and any(notice.id.startswith("differs") for notice in state.notices)
        return differs or (prompt is not None and prompt.question is not None)

    def _touched_by_somebody(self, moves: Sequence[Any]) -> bool:
        """A person moved for a bot: what the core took for a move is one."""
        if self.caught_up(self.truth):
            return False
        views = list(self.ears.views)
        found = self._decided(moves)
        self.ears.views = views
        return found is not None

    def _decided(self, moves: Sequence[Any]) -> Any:
        """The first position the core went to from here by one of these moves; what it announced before is forgotten."""
        if not self.ears.views:
            return None
        ways: list[tuple[Any, Any]] = []
        for number, view in enumerate(self.ears.views):
            plain = msgspec.json.decode(view)
            ways = ways or [
                (self._plain(state), state) for state in (self.pack.play(self.truth, m).state for m in moves)
            ]
            found = next((state for known, state in ways if known == plain), None)
            if found is not None:
                del self.ears.views[: number + 1]
                return found
        return None

    def _follow_human(self, moves: Sequence[Any]) -> None:
        """A person decides by touch, phone, or with a hand on the pieces; what is not moved yet follows."""
        after = self.need(lambda: self._decided(moves), 3600, "the player's move")
        self._move_pieces(self.pack.expect(after))
        self.truth = after
        self.result.moves += 1

    # the end ---------------------------------------------------------------------------------------------------

    def play(self) -> Result:
        """The whole game; the report says how it went."""
        started = time.monotonic()
        try:
            self.begin()
            while not self.pack.over(self.truth):
                if self.limit and self.result.moves >= self.limit:
                    raise StalledError(f"stopped after {self.limit} moves, as asked")
                self.step()
            self._compare()
        except StalledError as wrong:
            self.result.problem = str(wrong)
        self.result.seconds = round(time.monotonic() - started, 1)
        vision = self.ears.health.get("vision")
        self.result.frames = int(vision.figures.get("frames", 0)) if vision else 0
        for voice in (self.host, *self.phones.values()):
            voice.bus.stop()
        self.ears.bus.stop()
        return self.result

    def _compare(self) -> None:
        self.need(lambda: self.ears.state is not None and self.ears.state.tally is not None, 20, "the tally")
        state = self.ears.state
        assert state is not None
        assert state.tally is not None
        truth = self.pack.tally(self.truth)
        self.result.truth = {player.name: player.total for player in truth.players}
        self.result.companion = {player.name: player.total for player in state.tally.players}
        self.result.equal = truth == state.tally


def same_look(one: Expected, other: Expected) -> bool:
    """Two expectations a camera and a dial cannot tell apart."""
    slots = [sorted((slot.slot, tuple(sorted(slot.dice))) for slot in each.slots) for each in (one, other)]
    return slots[0] == slots[1] and one.dial == other.dial
