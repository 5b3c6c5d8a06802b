"""What the table says: its state with what is asked, and the lamp, to everybody; to each seat what only it may see."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Literal

import msgspec

from companion.core.guard import PackFailedError
from companion.core.log import Log
from companion.core.moment import moment
from companion.core.session import Session
from companion.core.telling import together
from companion.game import Ask, Event, Expected, Text
from companion.learn.lessons import option
from companion.past import bgstats
from companion.past.history import Play, called
from companion.past.lookup import again, open_values, paused
from companion.sensing import Mat
from companion.wire.lobby import Lobby, Offer
from companion.wire.messages import (
    NOTHING,
    Happened,
    JoinInfo,
    Lamp,
    Private,
    Prompt,
    SeatInfo,
    State,
    Undo,
)

if TYPE_CHECKING:
    from companion.core.table import Table

Shape = Literal["circle", "square", "triangle", "diamond", "hexagon", "cross"]
SHAPES: dict[str, Shape] = {
    "sun": "circle",
    "leaf": "square",
    "sky": "triangle",
    "coral": "diamond",
    "snow": "hexagon",
    "plum": "cross",
}
"""The light of a player is known by its shape too: not everybody tells the colours apart."""


class Announcer:
    """Tells the world what is true; what did not change is not said again where that would cost or disclose."""

    def __init__(self, table: Table) -> None:
        self.table, self.bus = table, table.bus
        self._log = Log(table.bus)
        self._join_said: JoinInfo | None = None
        self._usual: tuple[Mat | None] | None = None
        self._told: dict[int, tuple[str, int]] = {}
        """Seat -> the moment whose private part it was last told."""

    def publish(self, events: tuple[Event, ...]) -> None:
        """Everything that is true now, and what just happened."""
        state = self.state()
        self._publish_privates(state)  # first: the state then makes the moment whole on every phone
        self.bus.publish("state", state)
        self._log.publish(self.table.session)
        self._publish_join()
        seq = self.table.session.seq if self.table.session else 0
        for event in events:
            happened = Happened(
                kind=event.kind, seq=seq, seat=event.seat, text=event.text, params=event.params, ts=self.bus.now()
            )
            self.bus.publish(f"event/{event.kind.replace('/', '-').replace('_', '-')}", happened)
        self.bus.publish("lamp", self.lamp())
        self.table.hall.tell(state)

    def state(self) -> State:
        """This moment as everybody may see it, complete."""
        session = self.table.session
        return self._lobby() if session is None or session.ended else self._game(session)

    def _lobby(self) -> State:
        table = self.table
        return State(
            table=table.config.table.id,
            phase="safe" if table.config.safe else "lobby",
            games=tuple(table.packs),
            lobby=Lobby(
                setup={
                    name: Offer(
                        title=pack.title(),
                        players=pack.players,
                        options=(*pack.options(), *option(name)),
                        robots=pack.robots,
                        colours=pack.colours,
                        starts=pack.starts,
                    )
                    for name, pack in table.packs.items()
                },
                last=table.owner.last_players(),
                groups=table.owner.groups(),
                people=table.owner.people(),
                pads=table.owner.pads(),
                paused=paused(table.journal, table.packs),
                again=again(table.journal, table.packs),
                box=open_values(table.owner, table.packs),
            ),
            notices=(*table.notices, *table.hall.notices),
            mat=self._usual_mat(),
            dial=table.session.dial if table.session else None,
            ts=self.bus.now(),
        )

    def _usual_mat(self) -> Mat | None:
        """Between games: the mat of the last one, else that of the first game that has one, for as many as can play it."""
        if self.table.session is not None and self.table.session.mat is not None:
            return self.table.session.mat
        if self._usual is None:
            mats: list[Mat | None] = []
            for pack in self.table.packs.values():
                with contextlib.suppress(PackFailedError):
                    mats.append(pack.mat(pack.players[1]))
            self._usual = (next((mat for mat in mats if mat is not None), None),)
        return self._usual[0]

    def _game(self, session: Session) -> State:
        table, moment = self.table, session.moment
        return State(
            table=table.config.table.id,
            phase="over" if moment.over else "playing",
            game=session.pack.id,
            game_id=session.game,
            seq=session.seq,
            seats=tuple(self._seated(seat) for seat in session.seats),
            view=moment.public.json,
            prompt=Prompt(ask=table.robots.shown(session), question=table.question),
            panels=moment.panels,
            mat=session.mat,
            standing=_standing(moment.expect),
            dial=session.dial,
            tally=moment.tally,
            play_link=self._play_link(session),
            depth=session.options.get("depth") or "full",
            clock=session.clock.told(),
            hints=tuple(session.hints) if any(session.hints) else (),
            undo=self._undo_offer(session),
            notices=(*table.notices, *table.wishes.notices(session), *table.lessons.said(), *table.hall.notices),
            games=tuple(table.packs),
            ts=self.bus.now(),
        )

    def then(self, session: Session, seq: int) -> State | None:
        """How the table stood after a move that stands, as everybody could see it; nothing is asked there any more."""
        at = next((at for at, done in enumerate(session.done) if done.row.seq == seq), None)
        if at is None:
            return None
        after = session.done[at + 1].before if at + 1 < len(session.done) else session.state
        past = moment(session.pack, after, len(session.seats))
        return msgspec.structs.replace(
            self._game(session),
            phase="playing",
            seq=seq,
            view=past.public.json,
            panels=past.panels,
            prompt=Prompt(ask=Ask(session.done[at].seat, together(session.done[at].said) or Text("robot/move"))),
            tally=None,
            clock=None,
            undo=None,
            notices=(),
        )

    def _play_link(self, session: Session) -> str:
        tally = session.moment.tally
        if tally is None:
            return ""
        last = session.done[-1].row if session.done else session.first
        return bgstats.link(
            Play(session.game, session.pack.id, session.first.ts, last.ts, tally, title=called(session.first))
        )

    def _seated(self, seat: SeatInfo) -> SeatInfo:
        return msgspec.structs.replace(seat, phone=self.table.seats.at(seat.seat) is not None)

    def _undo_offer(self, session: Session) -> Undo | None:
        if not session.done:
            return None
        last = session.done[-1]
        return Undo(
            text=together(last.said) or Text("undo/last"),
            seat=last.seat,
            consent=last.reveals,
            asked=self.table.undo_asked,
            otherwise=self.table.stories.otherwise(session),
        )

    def join_info(self) -> JoinInfo | None:
        """How a phone comes to the table; said to the touchscreen and to nobody else."""
        address, code = self.table.join_address, self.table.seats.code
        return JoinInfo(url=f"{address}/#{code}", code=code, address=address) if address else None

    def _publish_join(self) -> None:
        info = self.join_info()
        if info is not None and info != self._join_said:
            self._join_said = info
            self.bus.publish("join", info)

    def _publish_privates(self, state: State) -> None:
        """To every phone with a seat its own part of this moment, once."""
        for phone in self.table.seats.phones.values():
            if phone.seat is not None and self._told.get(phone.seat) != (state.game_id, state.seq):
                self._send_private(state, phone.seat)

    def tell_again(self, seat: int) -> None:
        """A phone listens now: secrets are never kept by the broker, so what was said before it came is said again."""
        self._send_private(self.state(), seat)

    def _send_private(self, state: State, seat: int) -> None:
        session = self.table.session
        if session is None or state.phase != "playing" or seat >= len(state.seats):
            return
        self._told[seat] = (state.game_id, state.seq)
        moment, own = session.moment, session.moment.own[seat]
        private = Private(
            seat=seat,
            game=state.game_id,
            seq=state.seq,
            view=own.json if own else NOTHING,
            panels=moment.own_panels[seat],
        )
        self.bus.publish(f"seat/{seat}/private", private)

    def lamp(self) -> Lamp:
        """What the lights show: whose turn it is, where the dial builds, that something is wrong."""
        session = self.table.session
        if session is None or session.ended:
            return Lamp()
        asked = session.moment.ask.seat
        seat = next((seat for seat in session.seats if seat.seat == asked), None)
        return Lamp(
            seat=asked,
            colour=seat.colour if seat else "",
            build=_notch(session),
            warning=any(notice.kind in ("warn", "bad") for notice in self.table.notices),
            pattern=SHAPES.get(seat.colour, "circle") if seat else "off",
        )


def _notch(session: Session) -> int | None:
    """The notch the dial should be turned to, as it is cut."""
    wanted = session.moment.expect.dial
    return wanted if wanted is None or session.dial is None else session.dial.notch(wanted)


def _standing(expected: Expected) -> dict[str, str] | None:
    """The pieces the game knows of; how a bare spot looks is the camera's to learn."""
    spots = {slot.slot: slot.piece for slot in expected.slots if slot.piece is not None}
    return {spot: piece for spot, piece in spots.items() if piece} if spots else None
