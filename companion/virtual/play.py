"""The closed loop: bots decide, hands move virtual pieces, camera and dial report, the core follows (docs/design.md §7).

The truth is a game of its own, played with the bots' intentions; the core hears only sensors and the bots' phones. After
every move the core's public view must be the truth's.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.game import Expected, Game
from companion.virtual.gathering import Gathering, StalledError
from companion.virtual.slips import Slip, same_look, slip
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import Admin, Answer, JoinInfo

Chooser = Callable[[Game, Any, Sequence[Any], random.Random], Any]
PATIENCE = 6.0
"""Seconds a reading may take before somebody says it by touch."""
STALLED = 45.0
NAMES = ("Magda", "Tomek", "Élodie", "Sam")
COLOURS = ("sun", "leaf", "sky", "coral")


class Result(msgspec.Struct, kw_only=True):
    """The report of docs/design.md §8, and a little more."""

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


class Demo:
    """One game from new to tally."""

    def __init__(
        self,
        config: Config,
        pack: Game,
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
        self.options = options
        self.seats = [{"name": name, "colour": colour} for name, colour in zip(NAMES[:players], COLOURS, strict=False)]
        self.people = Gathering(config, connect, [seat["colour"] for seat in self.seats], self.chance)
        self.ears, self.host, self.pieces = self.people.ears, self.people.host, self.people.pieces
        self.truth: Any = None
        self._shown_by_mistake: list[Any] = []
        """Views of legal positions a slip of the hand looked like: reading them was right."""

    @property
    def join(self) -> JoinInfo | None:
        """What the screen shows to phones at this moment."""
        return self.people.join

    # truth and table -------------------------------------------------------------------------------------------

    def caught_up(self, state: Any) -> bool:
        """The core's public view is the truth's."""
        return self.ears.state is not None and self._same(bytes(self.ears.state.view), state)

    def reached(self, state: Any) -> bool:
        """The core has announced this since the decision began; a quick person may have gone on from there."""
        return self.caught_up(state) or any(self._same(view, state) for view in self.ears.views)

    def _same(self, view: bytes, state: Any) -> bool:
        return bool(msgspec.json.decode(view) == self.public(state))

    def public(self, state: Any) -> Any:
        """The public view as it arrives."""
        return msgspec.json.decode(msgspec.json.encode(self.pack.view(state, None)))

    # the game --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """New game, phones at their seats, dial at its zero."""
        self.people.need(lambda: self.ears.state is not None and self.host.bus.connected, 20, "the core")
        args = {"game": self.pack.id, "seats": self.seats, "options": self.options}
        name = self.host.send("admin", lambda name: Admin(id=name, client="host", command="new game", args=args))
        answer: Answer = self.people.need(lambda: self.host.answers.get(name), 10, "a new game")
        if not answer.ok:
            raise StalledError(f"the game was refused: {answer.refusal}")
        game = answer.result["game"]
        self.people.need(lambda: self.ears.state is not None and self.ears.state.game_id == game, 10, "its state")
        for seat, person in enumerate(self.seats):
            if seat not in self.humans:
                self.people.sit(seat, person["name"])
        names = tuple(person["name"] for person in self.seats)
        colours = [person["colour"] for person in self.seats]
        self.truth = self.pack.new({"depth": "full", **self.options, "colours": colours, "names": names}, {})
        self.people.set_zero(self.pack.expect(self.truth))
        self.people.teach_colours(self.pack.expect(self.truth))
        self.people.show()

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
            self.people.wait(lambda: None, self.pause)

    def _visible(self, expected: Expected) -> bool:
        """A sensor can show this change."""
        before = self.pack.expect(self.truth)
        by_camera = self.config.camera.source != "none" and expected.slots != before.slots
        by_dial = self.config.dial.source != "none" and expected.dial != before.dial
        return by_camera or by_dial

    def _by_phone(self, move: Any, after: Any) -> None:
        plain = self.pack.encode(move)
        seat = plain.get("seat")
        voice = self.people.phones.get(seat, self.host) if isinstance(seat, int) else self.host
        name = voice.move(plain, self.people.need(self._row, STALLED, "what is asked now"))
        answer: Answer = self.people.need(lambda: voice.answers.get(name), STALLED, f"an answer to {plain}")
        if not answer.ok:
            raise StalledError(f"the core refused {plain}: {answer.refusal}")
        self.people.need(lambda: self.reached(after), STALLED, f"the core after {plain}")
        self.result.told += 1
        if self.pieces.differing(self.pack.expect(after)):
            self.people.move_pieces(self.pack.expect(after))

    def _row(self) -> int | None:
        """The row of the present prompt: a phone says which question it answers."""
        return None if self.ears.state is None else self.ears.state.seq

    def _by_hand(self, move: Any, after: Any) -> None:
        expected = self.pack.expect(after)
        made = None
        if self.mistakes and self.chance.random() < self.mistakes:
            made = slip(self.pack.expect(self.truth), expected, self.chance)
        if made is not None:
            self._blunder(made)
        gone = self.people.move_pieces(expected)
        questions: set[str] = set()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.people.wait(lambda: self.caught_up(after) or self._question(questions), 0.5) is None:
                continue
            if self.caught_up(after):
                self.result.seen += 1
                self.result.latency_ms.append(1000 * (time.monotonic() - gone))
                return
            self._answer_question(move)
        self._by_touch(move, after)

    def _question(self, known: set[str]) -> bool:
        question = self.ears.question
        if question is None or question.id in known:
            return False
        known.add(question.id)
        self.result.questions += 1
        return True

    def _answer_question(self, move: Any) -> None:
        """People read the answers and touch the one that says what they did; the last one is "look again"."""
        question = self.ears.question
        if question is None:
            return
        mine = self.pack.describe(move)
        chosen = next((answer for answer in question.answers if answer.text == mine), question.answers[-1])
        if chosen.move is not None:
            self.host.move(chosen.move)

    def _by_touch(self, move: Any, after: Any) -> None:
        """The sensors did not tell: somebody takes back what is wrong, and says what is right."""
        self.result.touched += 1
        self.result.questions += 1
        for _ in range(6):
            if self.people.wait(lambda: self.caught_up(self.truth) or self.caught_up(after), 0.5):
                break
            self.people.answered(self.host.undo(), STALLED)
        if self.caught_up(after):
            return
        name = self.host.move(self.pack.encode(move))
        self.people.need(lambda: self.host.answers.get(name), STALLED, "an answer to a touch")
        if not self.host.answers[name].ok and not self.people.wait(lambda: self.caught_up(after), 1.0):
            raise StalledError(
                f"neither seen nor accepted: {self.pack.encode(move)}: {self.host.answers[name].refusal}"
            )
        self.people.need(lambda: self.caught_up(after), STALLED, "the core after a touch")

    def _count_misreads(self, after: Any) -> None:
        """Every state announced on the way must be one the table showed; anything else was read wrongly."""
        aim = self.public(after)
        shown = [self.public(self.truth), *self._shown_by_mistake]
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
            self.public(state) for state in outcomes if same_look(self.pack.expect(state), made.layout)
        ]
        before = self.ears.state.seq if self.ears.state else 0
        self.people.move_pieces(made.layout)
        # the turn that was forgotten shows nothing: the prompt goes on asking for it
        seconds = 1.0 if made.kind == "dial forgotten" else PATIENCE
        self.people.wait(lambda: bool(self._told_off() or (self.ears.state and self.ears.state.seq != before)), seconds)
        self.result.corrections += 1

    def _told_off(self) -> bool:
        """The screen says what differs, or asks."""
        state = self.ears.state
        differs = state is not None and any(notice.id.startswith("differs") for notice in state.notices)
        return differs or self.ears.question is not None

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
                (self.public(state), state) for state in (self.pack.play(self.truth, m).state for m in moves)
            ]
            found = next((state for known, state in ways if known == plain), None)
            if found is not None:
                del self.ears.views[: number + 1]
                return found
        return None

    def _follow_human(self, moves: Sequence[Any]) -> None:
        """A person decides by touch, phone, or with a hand on the pieces; what is not moved yet follows."""
        after = self.people.need(lambda: self._decided(moves), 3600, "the player's move")
        self.people.move_pieces(self.pack.expect(after))
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
        self.people.leave()
        return self.result

    def _compare(self) -> None:
        self.people.need(lambda: self.ears.state is not None and self.ears.state.tally is not None, 20, "the tally")
        state = self.ears.state
        assert state is not None
        assert state.tally is not None
        truth = self.pack.tally(self.truth)
        self.result.truth = {player.name: player.total for player in truth.players}
        self.result.companion = {player.name: player.total for player in state.tally.players}
        self.result.equal = truth == state.tally
