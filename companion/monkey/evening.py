"""One game as the monkey plays it: legal moves mostly, and everything else that people and phones do in between."""

from __future__ import annotations

import random
import reprlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.box.printed import printed
from companion.core import registry
from companion.core.admin import COLOURS
from companion.core.session import Session
from companion.game import Ask, Field, Game
from companion.monkey.bent import bent, other_print
from companion.monkey.checks import Shadow, readable, recorded, same_after_restart, tellable
from companion.monkey.corrections import SHORTER, correction
from companion.monkey.faults import Ear, FaultFound
from companion.monkey.offers import Offer, Scene
from companion.monkey.rig import SCREEN, Guest, Rig
from companion.robots import LEVELS
from companion.robots.chairs import DONE, PHASE
from companion.wire.announced import package
from companion.wire.messages import Answer

NAMES = ("Ana", "Ana", "Ana (red)", "Magda", "Tomek", "Élodie", "Sam", "", "  ", "x" * 60, "#0", "Zoë 🎲")
PLAYFUL = 320
"""Steps in which anything happens; afterwards people only answer what they are asked."""
MOST_ANSWERS = 3000
"""Answers in which any game must come to its end."""
RELUCTANCE = 0.9
"""How often somebody who may end the game thinks again: a pad is written on for a while."""
REMEMBERED, LONGEST = 6, 300
"""Steps told with a fault, and letters of one."""
BRIEF = reprlib.Repr()
BRIEF.maxdict, BRIEF.maxlist, BRIEF.maxstring, BRIEF.maxlevel = 60, 30, 80, 8
"""A move as it is told, however deep it is."""


class Evening:
    """A table, a game on it, and what was done so far."""

    def __init__(self, game: str, place: Path, chance: random.Random, ear: Ear, tell: Callable[[str], None]) -> None:
        self.game, self.chance, self.watched, self.tell = game, chance, ear.watched, tell
        self.pack: Game = registry.pack(game).pack  # without its door: what it raises is to be seen
        self.step = 0
        self.steps: list[str] = []
        with self.watched("the table opens"):
            self.rig = Rig(place, chance)
        self.shadow: Shadow
        self.scene: Scene

    # what happened ---------------------------------------------------------------------------------------------

    def note(self, what: str) -> None:
        """Remember a step for the story."""
        line = f"{self.step}: {what if len(what) <= LONGEST else what[: LONGEST - 1] + '…'}"
        self.steps = [*self.steps[1 - REMEMBERED :], line]
        self.tell(line)

    def close(self) -> None:
        """Put everything away."""
        self.rig.stop()

    @property
    def session(self) -> Session:
        """The game on the table; it must be there."""
        found = self.rig.session
        if found is None or found.ended:
            raise FaultFound("exits", "no game", "the game is gone from the table")
        return found

    # the game --------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """A whole game; raises `FaultFound`."""
        self._sit_down()
        while self.step < PLAYFUL and not self._over():
            self.step += 1
            with self.watched("a step"):
                self._prank()
        answers = 0
        while not self._over():
            self.step, answers = self.step + 1, answers + 1
            with self.watched("an answer"):
                self._answer()
            if answers > MOST_ANSWERS:
                raise FaultFound("stuck", "endless", f"the game is not over after {MOST_ANSWERS} answers")
        for _ in range(3):
            self.step += 1
            with self.watched("a step after the end"):
                self._prank(over=True)
        self._put_away()

    def _over(self) -> bool:
        return self.scene.over

    def _sit_down(self) -> None:
        """The owner's corrections, seats and options; phones at some of the seats."""
        chance, pack = self.chance, self.pack
        low, high = pack.players
        count = chance.randint(low, high)
        colours = chance.sample(COLOURS, min(count, len(COLOURS))) + [""] * (count - len(COLOURS))
        robots = [chance.choice(tuple(LEVELS)) if chance.random() < 0.3 else "" for _ in colours]
        seats = [
            {"name": chance.choice(NAMES), "colour": one, "bot": bot} for one, bot in zip(colours, robots, strict=True)
        ]
        if chance.random() < 0.3:
            self._own_box({})
        elif self.game in SHORTER and chance.random() < 0.7:
            key, most = SHORTER[self.game]
            self._own_box({key: chance.randint(1, most)})
        options = {field.id: _option(field, chance) for field in pack.options() if chance.random() < 0.7}
        self.note(f"new game {options} {[seat['name'] for seat in seats]}")
        with self.watched("a new game"):
            answer = self.rig.order("new game", game=self.game, seats=seats, options=options)
        if not answer.ok:
            raise FaultFound("stuck", "new game", f"no game can begin with {options}: {answer.refusal}")
        self.shadow = Shadow(self.pack, self.session)
        self._look("the game began")
        for seat in range(count):
            if chance.random() < 0.6:
                self._join(seat)

    def _own_box(self, values: dict[str, Any]) -> None:
        for _ in range(self.chance.randrange(1, 6)):
            key, value = self._printed_value({})
            if key:
                values[key] = value
        self.note(f"box {BRIEF.repr(values)}")
        with self.watched("the owner's box"):
            self.rig.order("box", game=self.game, values=values)

    def _printed_value(self, overrides: dict[str, Any]) -> tuple[str, Any]:
        leaves = printed(package(self.game))
        if not leaves:
            return "", None
        key = self.chance.choice(list(leaves))
        return key, other_print(leaves[key], overrides.get(key, leaves[key].value), self.chance)

    # one step --------------------------------------------------------------------------------------------------

    def _prank(self, over: bool = False) -> None:
        """Something people do; every so often something they should not."""
        kinds: tuple[tuple[int, Callable[[], None]], ...] = (
            (0 if over else 130, self._answer),
            (22, self._bend),
            (22, self._correct),
            (14, self._our_copy_says_otherwise),
            (14, self._undo),
            (8, self._change_phones),
            (10, self._see),
            (3, self._order),
            (3, self._restart),
            (1, self._overnight),
            (2, self._say_it_twice),
        )
        self.chance.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    def _ask(self, client: str, move: Any, **more: Any) -> Answer | None:
        """A request, and everything that must hold after it."""
        self.note(f"{client.partition('-')[2][:2] or 'screen'} {BRIEF.repr(move)}{' ' + str(more) if more else ''}")
        before = self.session.seq, self.session.state
        with self.watched("a request"):
            answer = self.rig.ask(client, move, **more)
        if answer is not None and answer.refusal is not None:
            readable(answer.refusal)
        if answer is not None and answer.ok:
            self._look("a move")
        elif self.session.state is not before[1] and self.session.state != before[1]:
            raise FaultFound("differs", "refused", "a refused move changed the game")
        elif isinstance(move, dict) and not more:
            with self.watched("a refused move"):
                self.scene.accepts(move)  # refused for a reason, not because the rules broke on it
        return answer

    def _answer(self) -> None:
        """Somebody who is asked answers."""
        scene, chance = self.scene, self.chance
        if any(choice.move.get("kind") == DONE for choice in self.shown.choices) and chance.random() < 0.7:
            self._ask(self._anybody(), {"kind": DONE}, seq=self.session.seq)
            return
        told = self.rig.table.stories.otherwise(self.session)
        if (question := self.rig.table.question or told) is not None and chance.random() < 0.7:
            said = chance.randrange(-1, len(question.answers) + 1)
            self._ask(self._anybody(), {"kind": "@answer", "question": question.id, "answer": said})
            return
        with self.watched("what is offered"):
            on_prompt = scene.offers(chance)
            found = on_prompt if chance.random() < 0.5 else scene.legal()
        seat, move = chance.choice(found or on_prompt)
        if move.get("kind") == "end" and chance.random() < RELUCTANCE:
            seat, move = chance.choice(found or on_prompt)
        phone = self.rig.at(seat) if seat is not None else None
        client = phone.client if phone is not None and chance.random() < 0.6 else SCREEN
        answer = self._ask(client, move)
        if (seat, move) in on_prompt and (answer is None or not answer.ok) and scene.accepts(move):
            why = answer.refusal.code if answer is not None and answer.refusal is not None else "no answer"
            raise FaultFound("stuck", why, f"an answer the rules take is refused at the table: {why}")

    @property
    def shown(self) -> Ask:
        """What everybody is asked: the game's own question, or to move a robot's pieces."""
        return self.rig.table.robots.shown(self.session)

    def _anybody(self) -> str:
        """The screen, a phone at the table, or somebody who was never let in."""
        clients = [guest.client for guest in self.rig.guests]
        return self.chance.choice((SCREEN, SCREEN, *clients, *clients, "phone-w-nobody"))

    def _some_move(self) -> dict[str, Any]:
        known: list[Offer] = self.scene.offers(self.chance) + self.scene.legal()
        return dict(self.chance.choice(known)[1]) if known else {"kind": "end"}

    def _bend(self) -> None:
        """A move of the wrong kind, by the wrong hand, or with something in it that does not belong there."""
        chance, move = self.chance, self._some_move()
        match chance.randrange(6):
            case 0:
                move["seat"] = chance.randrange(-1, 9)
            case 1:
                inner = self._some_move()
                move["values"] = {**(move.get("values") or {}), chance.choice(("kind", "seat")): inner.get("kind")}
            case 2:
                move = {"kind": chance.choice(("correct", "peek", "enter", "box", "note", "@answer")), "values": move}
            case _:
                move = bent(move, chance)
        self._ask(self._anybody(), move if isinstance(move, dict) else {"kind": move})

    def _correct(self) -> None:
        session = self.session
        seat = self.chance.randrange(len(session.seats))
        made = correction(self.game, self.scene.shown, seat, self.chance)
        if made is not None:
            client = self._anybody()
            self._ask(client, made)
            for _ in range(self.chance.choice((0, 0, 0, 5))):
                self._ask(client, made)  # a key held down

    def _our_copy_says_otherwise(self) -> None:
        state = self.session.state
        box = getattr(state, "box", None)
        key, value = self._printed_value(dict(box.overrides) if box is not None else {})
        if key:
            self._ask(self._anybody(), {"kind": "box", "key": key, "value": value})

    def _undo(self) -> None:
        """The last moves are taken back, with or without everybody's consent."""
        for _ in range(self.chance.choice((1, 1, 2, 4))):
            self._ask(self._anybody(), {}, undo=True, consent=self.chance.random() < 0.5)

    def _see(self) -> None:
        """Camera or dial say something."""
        self.note("camera or dial say something")
        with self.watched("a reading"):
            self.rig.see()
        self._look("a reading")

    def _say_it_twice(self) -> None:
        """The same message arrives twice, or long after the game has moved on."""
        move, client = self._some_move(), self._anybody()
        if self.chance.random() < 0.5:
            self._ask(client, move, seq=self.chance.randrange(0, self.session.seq + 2))
            return
        name = f"twice-{self.step}"
        first, seq = self._ask(client, move, name=name), self.session.seq
        again = self._ask(client, move, name=name)
        if self.session.seq != seq or again != first:
            raise FaultFound("differs", "twice", "a message that came twice was carried out twice")

    # phones and power ------------------------------------------------------------------------------------------

    def _join(self, seat: int | None) -> None:
        name = self.chance.choice(("", "", *NAMES))[:40]
        self.note(f"a phone comes in at {seat} as {name!r}")
        with self.watched("a phone comes in"):
            self.rig.join(seat, name)

    def _change_phones(self) -> None:
        """Somebody comes, goes, comes back, only watches, or is sent away by the screen."""
        chance, rig = self.chance, self.rig
        seat = chance.choice((None, *range(len(self.session.seats))))
        guest: Guest | None = rig.at(seat)
        if guest is None:
            self._join(seat)
        elif chance.random() < 0.4:
            self.note(f"the phone at {seat} comes back")
            with self.watched("a phone comes back"):
                rig.come_back(guest)
        elif chance.random() < 0.5 and seat is not None:
            self.note(f"seat {seat} is freed")
            with self.watched("a seat is freed"):
                rig.order("free seat", seat=seat)
                rig.guests.remove(guest)
        else:
            self.note(f"the phone at {seat} leaves")
            with self.watched("a phone leaves"):
                rig.leave(guest)
        self._look("phones changed")

    def _order(self) -> None:
        """Somebody at the screen looks something up, or gives a seat another name."""
        seat, name = self.chance.randrange(-1, 9), self.chance.choice(NAMES)
        orders: tuple[tuple[str, dict[str, Any]], ...] = (
            ("name seat", {"seat": seat, "name": name}),
            ("name seat", {"seat": seat, "name": name}),
            ("rebuild", {}),
            ("new code", {}),
            ("box list", {"game": self.game}),
            ("hint", {}),
        )
        command, args = self.chance.choice(orders)
        self.note(f"the screen orders {command} {args}")
        with self.watched("an order"):
            self.rig.order(command, **args)
        self._look("an order")

    def _restart(self) -> None:
        """The power goes, and comes back."""
        self.rig.look_away()
        before = self.session
        self.note("the table is started anew")
        with self.watched("a new start"):
            self.rig.restart()
        same_after_restart(self.pack, before, self.session)
        self._look("a new start")

    def _overnight(self) -> None:
        """The game is put away and taken up again; phones have to come in anew."""
        self.rig.look_away()
        before = self.session
        if self.pack.over(before.state) or before.seq < 3:
            return
        self.note("the game is put away overnight")
        with self.watched("put away"):
            self.rig.order("end game")
            self.rig.guests.clear()
            self.rig.minds.asleep = True
            answer = self.rig.order("resume", game=before.game)
            self.rig.minds.asleep = False
        if not answer.ok:
            raise FaultFound("stuck", "resume", f"a game put away cannot be taken up: {answer.refusal}")
        same_after_restart(self.pack, before, self.session)
        self._look("taken up again")

    def _put_away(self) -> None:
        """The end: everything that is told of a finished game afterwards."""
        session = self.session
        with self.watched("the record"):
            same_after_restart(self.pack, session, Session.resume(self.rig.journal, session.game))
            recorded(self.rig.journal, session)
            self.rig.order("end game")
            self.rig.order("history")

    # what must hold --------------------------------------------------------------------------------------------

    def _look(self, after: str) -> None:
        """After every step: all views, prompts, tallies and exports can be made, nobody is stuck, the journal agrees."""
        session, pack = self.session, self.pack
        with self.watched(f"what is told after {after}"):
            self.scene = Scene(pack, session)
            tellable(session, self.scene)
            self.rig.readable()
            found = self.scene.stuck()
        if found is not None:
            seat, ask = found
            who = "the table" if seat is None else f"seat {seat}"
            raise FaultFound("stuck", f"{ask.phase}/{ask.text.key}", f"{who} is asked {ask.text.key} and has no answer")
        if self.shown.phase == PHASE and not self.shown.choices:
            raise FaultFound("stuck", "robot", "a robot thinks for ever")
        with self.watched("the journal told anew"):
            self.shadow.follow(session)


def _option(field: Field, chance: random.Random) -> Any:
    """What somebody chooses at the set-up."""
    if field.options:
        return chance.choice(field.options).value
    if field.kind == "number":
        return chance.randint(field.low or 0, min(field.high or 5, 5))
    if field.kind == "flag":
        return chance.random() < 0.5
    return chance.choice(("", "farms, roads", "farms"))
