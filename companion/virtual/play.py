"""The closed loop: bots decide, hands move virtual pieces, camera and dial report, the core follows (docs/design.md §7).

The truth is a game of its own, played with the bots' intentions; the core hears only sensors and the bots' phones. After
every move the core's public view must be the truth's.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from companion.core.guard import Guarded
from companion.core.registry import pack as find_pack
from companion.game import Expected
from companion.virtual.following import Following, MeddledError
from companion.virtual.gathering import HAND_GONE, STALLED, Gathering, StalledError, shown
from companion.virtual.result import Result
from companion.virtual.seat import COLOURS, NAMES
from companion.virtual.slips import Slip, same_look, slip
from companion.virtual.throwing import Throwing
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import Admin, Answer, JoinInfo

Chooser = Callable[[Guarded, Any, Sequence[Any], random.Random], Any]
TABLE_SECONDS = 6.0
"""Seconds the table may take over what the camera has read before somebody says it by touch."""
SECOND_THOUGHTS = 3.0
"""Seconds a bot waits after something was taken back: whoever undoes once often undoes twice."""
WAITING = 8.0
"""Seconds bots wait at most for hands that never rest."""
HASTY = 2.0
"""Seconds a bot gives the camera when somebody takes everything back: then it says what it did, and the game goes on."""
TRIES, IGNORED = 4, 2
HEARSAY = 0.5
"""Seconds by which a state may be heard later than the refusal that rests on it."""
SET_UP = {"skytopia": ("reveal", "guild", "city", "tile"), "skyrise": ("lay",)}
"""Kinds of moves that only lay the table."""
SET_UP_MOVES = 60


class Demo:
    """One game from new to tally."""

    def __init__(
        self,
        config: Config,
        pack: Guarded,
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
        attended: bool = False,
        you: str = "{name}",
    ) -> None:
        """`attended`: somebody watches or plays, so the table is laid at once and nothing they do ends the game. `you`: how
        a person's seat is called."""
        self.config, self.pack, self.choose = config, pack, choose
        self.patience = TABLE_SECONDS
        self.chance = random.Random(seed)
        self.mistakes, self.pause, self.humans, self.limit = mistakes, pause, humans, limit
        self.result = Result(game=pack.id, players=players, seed=seed)
        self.options, self.attended = options, attended
        names = [you.format(name=name) if seat in humans else name for seat, name in enumerate(NAMES[:players])]
        self.seats = [{"name": name, "colour": colour} for name, colour in zip(names, COLOURS, strict=False)]
        self.people = Gathering(config, connect, [seat["colour"] for seat in self.seats], self.chance)
        self.ears, self.host, self.pieces = self.people.ears, self.people.host, self.people.pieces
        self.pieces.you = tuple(sorted(humans))
        self.following = Following(config, self.people)
        self.spent: Callable[[], float] = lambda: 0.0
        """Seconds on a processor the table has taken so far."""
        self.truth: Any = None
        self._done = 0
        """Moves that stood when the journal was last read."""
        self._shown_by_mistake: list[Any] = []
        """Views of legal positions a slip of the hand looked like: reading them was right."""

    @property
    def join(self) -> JoinInfo | None:
        """What the screen shows to phones at this moment."""
        return self.people.join

    # truth and table -------------------------------------------------------------------------------------------

    def caught_up(self, state: Any) -> bool:
        """The core's public view is the truth's."""
        return self.ears.state is not None and self._same(shown(self.ears.state), state)

    def reached(self, state: Any) -> bool:
        """The core has announced this since the decision began; a quick person may have gone on from there."""
        return self.caught_up(state) or any(self._same(view, state) for view in self.ears.views)

    def _same(self, view: bytes, state: Any) -> bool:
        return bool(msgspec.json.decode(view) == self.public(state))

    def public(self, state: Any) -> Any:
        """What everybody is shown, as it arrives."""
        told = msgspec.Raw(self.pack.sight(state, None).json), self.pack.panels(state, None)
        return msgspec.json.decode(msgspec.json.encode(told))

    # the game --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """New game, phones at their seats, dial at its zero."""
        self.people.need(lambda: self.ears.state is not None and self.host.bus.connected, STALLED, "the core")
        args = {"game": self.pack.id, "seats": self.seats, "options": self.options}
        name = self.host.send("admin", lambda name: Admin(id=name, client="host", command="new game", args=args))
        answer: Answer = self.people.need(lambda: self.host.answers.get(name), STALLED, "a new game")
        if not answer.ok:
            raise StalledError(f"the game was refused: {answer.refusal}")
        game = answer.result["game"]
        self.people.need(lambda: self.ears.state is not None and self.ears.state.game_id == game, STALLED, "its state")
        self.sit_down()

    def sit_down(self) -> None:
        """The game on the table is played from where it stands: phones at the bots' seats, dial at its zero."""
        state = self.people.need(lambda: self.ears.state, STALLED, "the core")
        for seat in state.seats:
            if seat.seat not in self.humans and not (seat.phone and seat.seat in self.people.phones):
                self.people.sit(seat.seat, seat.name)
        self._read()
        self.pieces.mat, self.pieces.shape = self.pack.mat(len(state.seats)), self.pack.dial()
        self.throwing = Throwing(self.pack, self.people, self.result)
        self.people.prepare(self.pack.expect(self.truth), self.pack.colours)
        if self.throwing.watched:
            self.people.need(self.people.sees_the_mat, STALLED, "the camera to see the empty tray")
        if self.attended:
            self._set_up()

    def _set_up(self) -> None:
        """Nobody comes to watch cards being dealt: what a demo decides before the first golem is said at once."""
        for _ in range(SET_UP_MOVES):
            move = self.choose(self.pack, self.truth, self.pack.moves(self.truth), self.chance)
            if self.pack.encode(move)["kind"] not in SET_UP.get(self.pack.id, ()):
                break
            self.people.answered(self.host.move(self.pack.encode(move)), STALLED)
            self.people.wait(lambda: self.following.moved, HEARSAY)
            self._read()  # a person may have been quicker
        self.people.move_pieces(self.pack.expect(self.truth))

    def step(self) -> None:
        """One decision, carried out the way people would."""
        try:
            self.following.mind_people()
            move = None if self.pack.ask(self.truth).seat in self.humans else self._intended()
            if move is None:
                self._wait_for_a_person()
            else:
                self._play_for_a_bot(move)
        except MeddledError:
            self._follow()

    def _intended(self) -> Any:
        """A bot's decision; `None` when it is a person's after all."""
        moves = self.pack.moves(self.truth)
        move = self.choose(self.pack, self.truth, moves, self.chance)
        if self.pack.encode(move).get("seat") not in self.humans:
            return move
        others = [other for other in moves if self.pack.encode(other).get("seat") not in self.humans]
        return self.chance.choice(others) if others else None

    def _play_for_a_bot(self, move: Any) -> None:
        self.people.wait(self.following.minding(lambda: self.following.undisturbed(HAND_GONE)), WAITING)
        after = self.pack.play(self.truth, move).state
        self.ears.views.clear()
        if self.throwing.due(self.truth, move, after):
            self._until_seen(move, after, self.throwing.carry_out(self.truth, move, after))
        elif self._visible(self.pack.expect(after)):
            self._by_hand(move, after)
        else:
            self._by_phone(move, after)
        self._count_misreads(after)
        self.truth = after
        self.result.moves += 1
        if self.caught_up(after):
            self.following.followed()
        if self.pause:
            self.people.wait(lambda: None, self.pause)

    # people ----------------------------------------------------------------------------------------------------

    def _wait_for_a_person(self) -> None:
        """By touch, by phone, or with a hand on the pieces: whatever it is, the core writes it down."""
        if self.people.wait(lambda: self.following.moved, 1.0):
            raise MeddledError

    def _follow(self) -> None:
        """The core's journal says what became of it; the hands put right what a person left as it was."""
        before = self._done
        self._read()
        if self._done < before and not self.following.hindered:
            self.people.wait(lambda: self.following.moved, SECOND_THOUGHTS)
        self.people.wait(lambda: self.following.moved or self.following.undisturbed(HAND_GONE), WAITING)
        if self.following.moved:
            return  # it is not over yet
        self.result.moves += 1
        self.people.put_back(self.pack.expect(self.truth), lambda: self.following.moved or self.following.hindered)

    def _read(self) -> None:
        session = self.following.read()
        self.truth, self._done = session.state, len(session.done)
        self.ears.views.clear()

    def _visible(self, expected: Expected) -> bool:
        """A sensor can show this change."""
        before = self.pack.expect(self.truth)
        by_camera = self.config.camera.source != "none" and self.pieces.changed(before, expected)
        by_dial = self.config.dial.source != "none" and expected.dial != before.dial
        return by_camera or by_dial

    def _by_phone(self, move: Any, after: Any) -> None:
        plain = self.pack.encode(move)
        seat = plain.get("seat")
        voice = self.people.phones.get(seat, self.host) if isinstance(seat, int) else self.host
        name = voice.move(plain, self.people.need(lambda: self.ears.row, STALLED, "what is asked now"))
        answer: Answer = self.people.need(lambda: voice.answers.get(name), STALLED, f"an answer to {plain}")
        if not answer.ok:
            self.people.wait(self.following.minding(lambda: None), HEARSAY)
            raise StalledError(f"the core refused {plain}: {answer.refusal}")
        self.people.need(self.following.minding(lambda: self.reached(after)), STALLED, f"the core after {plain}")
        self.result.told += 1
        self.people.board_moves_on(self.pack.expect(self.truth), self.pack.expect(after))
        if self.pieces.differing(self.pack.expect(after)):
            self.people.move_pieces(self.pack.expect(after))

    def _by_hand(self, move: Any, after: Any) -> None:
        expected = self.pack.expect(after)
        erring = self.mistakes and self.chance.random() < self.mistakes
        made = slip(self.pack.expect(self.truth), expected, self.chance) if erring else None
        if made is not None:
            self._blunder(made)
        self._until_seen(move, after, self.people.move_pieces(expected))

    def _until_seen(self, move: Any, after: Any, gone: float) -> None:
        """The core follows by itself, or is told: what it asks is answered, and at last somebody says it by touch."""
        questions, spent, looks, ignored = set[str](), self.spent(), self.ears.looks, 0
        patience = min(self.patience, HASTY) if self.following.hindered else self.patience
        end = (begun := time.monotonic()) + patience
        while time.monotonic() < end and not self._blind(self.pack.expect(after)):
            told = self.following.minding(lambda: self.caught_up(after) or self._question(questions))
            if self.people.wait(told, 0.5) is None:
                before, gone = gone, self.people.put_right(self.pack.expect(after), gone)
                watched = self.config.camera.source != "none" and self.people.touched_at < before
                if gone > before:
                    end = min(gone, begun + WAITING) + patience  # it lies as it was meant only now
                elif self.attended and (ignored := ignored + self.people.reported(self.pack.expect(after))) > IGNORED:
                    break  # camera and dial have told it all, and the table makes nothing of it
                elif watched and self.ears.looks == looks and time.monotonic() < gone + STALLED:
                    end += 0.5  # the camera of a busy machine has not come to it yet: nobody says what it will see
                continue
            if self.caught_up(after):
                self.result.followed(time.monotonic() - gone, self.spent() - spent)
                return
            self._answer_question(move)
        self._by_touch(move, after)

    def _blind(self, expected: Expected) -> bool:
        """The camera says itself that it sees nothing, and the dial has not moved: nobody waits for them."""
        return self.ears.blind and expected.dial == self.pack.expect(self.truth).dial

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
            if self.people.wait(
                self.following.minding(lambda: self.caught_up(self.truth) or self.caught_up(after)), 0.5
            ):
                break
            self.people.answered(self.host.undo(), STALLED)
        if self.caught_up(after):
            return
        name = self.host.move(self.pack.encode(move))
        self.people.need(lambda: self.host.answers.get(name), STALLED, "an answer to a touch")
        if not self.host.answers[name].ok and not self.people.wait(
            self.following.minding(lambda: self.caught_up(after)), 1.0
        ):
            raise StalledError(
                f"neither seen nor accepted: {self.pack.encode(move)}: {self.host.answers[name].refusal}"
            )
        self.people.need(self.following.minding(lambda: self.caught_up(after)), STALLED, "the core after a touch")

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

    # slips -----------------------------------------------------------------------------------------------------

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
        seconds = 1.0 if made.kind == "dial forgotten" else self.patience
        self.people.wait(
            lambda: bool(self.ears.told_off or (self.ears.state and self.ears.state.seq != before)), seconds
        )
        self.result.corrections += 1

    # the end ---------------------------------------------------------------------------------------------------

    def play(self) -> Result:
        """The whole game; the report says how it went. Then everybody goes home."""
        try:
            return self.one_game(self.begin)
        finally:
            self.people.leave()

    def play_again_and_again(self) -> Iterator[Result]:
        """One game after the other, the next whenever somebody begins one on the screen."""
        yield self.one_game(self.begin)
        while True:
            self.people.wait(self._another, 3600)
            if self._another():
                yield self.one_game(self._take_up)

    def one_game(self, beginning: Callable[[], None]) -> Result:
        """From its beginning to the tally."""
        started = time.monotonic()
        try:
            beginning()
            self._steps()
            self._compare()
        except StalledError as wrong:
            self.result.problem = str(wrong)
        self.result.seconds = round(time.monotonic() - started, 1)
        self.result.frames = self.ears.frames
        return self.result

    def _steps(self) -> None:
        tries = 0
        while not self.pack.over(self.truth):
            if self.limit and self.result.moves >= self.limit:
                raise StalledError(f"stopped after {self.limit} moves, as asked")
            try:
                self.step()
                tries = 0
            except StalledError:
                tries += 1
                if not self.attended or tries == TRIES:
                    raise
                self._read()

    def _another(self) -> bool:
        """A game is played that is not the one the hands know."""
        state = self.ears.state
        return state is not None and state.phase == "playing" and state.game_id != self.following.game

    def _take_up(self) -> None:
        """Somebody began another game: the bots play it, on a cleared table."""
        state = self.people.need(lambda: self.ears.state, STALLED, "the core")
        self.pack = find_pack(state.game)
        self.result = Result(game=state.game, players=len(state.seats), seed=self.result.seed)
        self.people.clear_table([seat.colour for seat in state.seats])
        self.sit_down()

    def _compare(self) -> None:
        told = self.people.need(lambda: self.ears.state.tally if self.ears.state else None, STALLED, "the tally")
        self.result.compare(self.pack.tally(self.truth), told, getattr(self.truth, "auction", 0))
