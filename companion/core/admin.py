"""What the touchscreen may order: new game, end, free a seat, box corrections, shut down. Role *table* only."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.box.printed import check, printed
from companion.core.chance import supply_chance
from companion.core.guard import PackFailedError
from companion.core.naming import rename
from companion.core.refusals import RefusedError, failed, refusal
from companion.core.session import Session
from companion.door.seats import JoinRefused, Phone, new_code
from companion.game import Event, Text
from companion.journal.store import JournalUnusableError
from companion.machine import broker
from companion.past.history import Finished
from companion.past.lookup import box_list, unfinished
from companion.past.told import past
from companion.robots import LEVELS
from companion.senses.notices import rebuild_notices
from companion.wire import announced
from companion.wire.colours import of_the_pieces
from companion.wire.messages import Admin, Answer, SeatInfo
from companion.wire.names import clean
from companion.wire.past import Past
from companion.wire.replies import BoxList, CareTold, Hand, Reply, Then

if TYPE_CHECKING:
    from companion.core.table import Table

COLOURS = ("sun", "leaf", "sky", "coral", "snow", "plum")


class SeatWanted(msgspec.Struct, forbid_unknown_fields=True):
    """A seat as the set-up screen sends it."""

    name: str
    colour: str = ""
    language: str = ""
    bot: str = ""


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `new game`."""

    game: str
    seats: list[SeatWanted]
    options: dict[str, Any] = {}


class CareWanted(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `care`: what to do, on which stick, with which of its archives."""

    do: Literal["look", "backup", "bundle", "restore", "update", "back"]
    stick: str = ""
    archive: str = ""


def carry_out(table: Table, request: Admin) -> Reply | dict[str, Any] | None:
    """One order; raises `RefusedError` with everything unchanged. `None`: it is answered later."""
    try:
        match request.command:
            case "new game":
                return _new_game(table, msgspec.convert(request.args, NewGame))
            case "end game":
                put_away(table)
                return {}
            case "resume":
                return _resume(table, str(request.args["game"]))
            case "discard":
                return _discard(table, str(request.args["game"]))
            case "free seat":
                return _free_seat(table, int(request.args["seat"]))
            case "name seat":
                return _name_seat(table, int(request.args["seat"]), str(request.args["name"]))
            case "new code":
                table.seats.code = new_code()
                table.publish(())
                return {}
            case "box":
                return _box(table, str(request.args["game"]), request.args)
            case "box list":
                return box_list(table.owner, table.packs, str(request.args["game"]))
            case "history":
                _look_back(table, request)
                return None
            case "hint":
                count = request.args.get("count") is True
                table.hints.ask(lambda found: _answer_later(table, request, found), count=count)
                return None
            case "clock":
                return _stop_clock(table, stopped=request.args["stopped"] is True)
            case "then":
                return _then(table, int(request.args["seq"]))
            case "care":
                return _care(table, msgspec.convert(request.args, CareWanted))
            case "leave lesson":
                return _leave_lesson(table)
            case "rebuild":
                return _rebuild(table)
            case "hand":
                return _hand(table, int(request.args["seat"]))
            case "shut down":
                table.shut_down = True
                return {}
    except (msgspec.ValidationError, KeyError, TypeError, ValueError) as wrong:
        raise RefusedError(refusal("bad-request", reason=str(wrong)[:200])) from wrong
    except PackFailedError as wrong:
        raise RefusedError(failed(wrong)) from wrong
    except JournalUnusableError as wrong:
        raise RefusedError(refusal(wrong.code)) from wrong
    except OSError as wrong:
        raise RefusedError(refusal("disk")) from wrong


def _new_game(table: Table, wanted: NewGame) -> dict[str, Any]:
    pack = table.packs.get(wanted.game)
    if pack is None:
        raise ValueError(f"there is no game called {wanted.game!r}")
    low, high = pack.players
    if not low <= len(wanted.seats) <= high:
        raise ValueError(f"{wanted.game} is for {low} to {high} players")
    robots = pack.robots and wanted.options.get("depth", "full") == "full"
    unknown = {seat.bot for seat in wanted.seats} - {"", *LEVELS}
    if unknown:
        raise ValueError(f"there is no robot called {min(unknown)!r}; known: {', '.join(LEVELS)}")
    colours = of_the_pieces([seat.colour for seat in wanted.seats], pack.colours)
    seats = tuple(
        SeatInfo(
            seat=i,
            name=clean(seat.name) or f"{i + 1}",
            colour=colours[i] or COLOURS[i % len(COLOURS)],
            language=seat.language or table.config.table.language,
            bot=seat.bot if robots else "",
        )
        for i, seat in enumerate(wanted.seats)
    )
    if len({seat.colour for seat in seats}) < min(len(seats), len(COLOURS)):
        raise ValueError("two seats have the same colour")
    options = {"depth": "full", **wanted.options, "colours": [seat.colour for seat in seats]}
    options |= {"robots": bots} if (bots := [seat.seat for seat in seats if seat.bot]) else {}
    box = table.owner.for_a_game(pack)
    for problem in table.owner.problems.get(wanted.game, ()):
        table.notice(f"box-{problem}", Text("box/damaged", {"game": pack.title(), "problem": problem}), "bad")
    before = _playing(table)
    session = Session.start(table.journal, wanted.game, options, box, seats, sender="display", after=before)
    with contextlib.suppress(JournalUnusableError):  # then it is dealt below, or with the next request
        _deal_or_go_back(session, before)
    if table.session is not None:
        table.seats.code = new_code()  # the code of one game is worth nothing in the next
    _clear_table(table, session)
    table.owner.remember_players([msgspec.to_builtins(seat) for seat in seats])
    table.owner.remember_pad(wanted.game, wanted.options)
    table.session = session
    supply_chance(session)
    table.publish((Event("new game", None, Text("event/new-game")),))
    table.senses.look("camera")
    return {"game": session.game}


def _same_chairs(table: Table, after: Session) -> set[int]:
    """Chairs whose phone belongs to who will sit there: by the name shown in the last game, given at its start or at the door."""
    before, last = table.session, table.owner.last_players()
    known = [{seat.name} for seat in last] if before is None else []
    if before is not None:
        known = [
            {old.name, str(new["name"])} for old, new in zip(before.seats, before.first.body["seats"], strict=True)
        ]
    return {
        phone.seat
        for phone in table.seats.phones.values()
        if phone.seat is not None
        and phone.seat < len(after.seats)
        and not after.seats[phone.seat].bot
        and after.seats[phone.seat].name in {phone.name, *(known[phone.seat] if phone.seat < len(known) else ())}
    }


def _playing(table: Table) -> Session | None:
    """The game on the table, while it goes on."""
    return table.session if table.session is not None and not table.session.ended else None


def _deal_or_go_back(session: Session, before: Session | None) -> None:
    """A game that cannot be dealt gives the table back to the one whose place it took."""
    try:
        supply_chance(session)
    except PackFailedError:
        with contextlib.suppress(JournalUnusableError):
            if before is None:
                session.end(sender="companion")
            else:
                before.reopen(sender="companion", after=session)
        raise


def _resume(table: Table, game: str) -> dict[str, Any]:
    """Take a game up again that was put away, as far as its pack can take it; the one on the table is put away for it."""
    before = _playing(table)
    if game not in _put_away_games(table):
        raise ValueError("there is no such game to go on with")
    session = Session.resume(table.journal, game, as_far_as_it_goes=True)
    session.reopen(sender="display", after=before)
    with contextlib.suppress(JournalUnusableError):
        _deal_or_go_back(session, before)
    _clear_table(table, session)
    table.take_up(session)
    table.publish((Event("resumed", None, Text("event/resumed")),))
    with contextlib.suppress(PackFailedError):  # then people lay it out without a list
        _rebuild(table)
    return {"game": game}


def _discard(table: Table, game: str) -> dict[str, Any]:
    """A game that was put away is offered no more. The journal only grows: a row says so."""
    if game not in _put_away_games(table):
        raise ValueError("there is no such game to throw away")
    table.journal.append(game, "end", {"tally": {}, "over": False, "chart": [], "discarded": True}, sender="display")
    table.publish(())
    return {}


def _put_away_games(table: Table) -> set[str]:
    """Games that can be gone on with, but for the one on the table."""
    before = _playing(table)
    return {first.game for first, _ in unfinished(table.journal, table.packs)} - {before.game if before else ""}


def _clear_table(table: Table, session: Session) -> None:
    """For another game: phones follow to their chairs in it or go, and nothing is left of what was seen, asked and said."""
    dismiss(table, table.seats.follow(session.game, _same_chairs(table, session)))
    table.readings.forget()
    table.question, table.notices = None, tuple(n for n in table.notices if n.kind == "bad")


def put_away(table: Table) -> None:
    """Nothing is played any more. Phones keep their seats for the next game; this one can be taken up unless it was over."""
    if table.session is not None and not table.session.ended:
        table.session.end(sender="display")
    dismiss(table, table.seats.rest())
    table.session, table.question = None, None
    table.notices = tuple(n for n in table.notices if n.kind == "bad")
    table.publish((Event("ended", None, Text("event/ended")),))


def _free_seat(table: Table, seat: int) -> dict[str, Any]:
    phone = table.seats.free(seat)
    if phone is not None:
        dismiss(table, [phone])
    table.publish(())
    return {"freed": phone is not None}


def _name_seat(table: Table, seat: int, name: str) -> dict[str, Any]:
    session = table.session
    if session is None or not 0 <= seat < len(session.seats) or not clean(name):
        raise ValueError("there is no such seat")
    rename(table, seat, name=clean(name), sender="display")
    table.publish(())
    return {}


def _stop_clock(table: Table, *, stopped: bool) -> dict[str, Any]:
    _going_on(table).stop_clock(sender="display", stopped=stopped)
    table.publish(())
    return {}


def _going_on(table: Table) -> Session:
    session = _playing(table)
    if session is None:
        raise ValueError("no game is being played")
    return session


def _then(table: Table, seq: int) -> Then:
    found = table.announcer.then(table.session, seq) if table.session is not None else None
    if found is None:
        raise ValueError("there is no such move")
    return Then(found)


def _care(table: Table, wanted: CareWanted) -> CareTold:
    return table.care.look() if wanted.do == "look" else table.care.begin(wanted.do, wanted.stick, wanted.archive)


def _leave_lesson(table: Table) -> dict[str, Any]:
    _going_on(table).leave_lesson(sender="display")
    table.publish(())
    return {}


def _hand(table: Table, seat: int) -> Hand:
    """What only this seat may see, for the screen that was handed to its player; a seat with a phone has it there."""
    session = table.session
    if session is None or not 0 <= seat < len(session.seats):
        raise ValueError("there is no such seat")
    if table.seats.at(seat) is not None or session.seats[seat].bot:
        raise RefusedError(refusal("on-the-phone"))
    own = session.moment.own[seat]
    return Hand(seat, session.seq, (own or session.moment.public).json)


def dismiss(table: Table, phones: list[Phone]) -> None:
    """Withdraw the users of phones that have left."""
    commands = [c for phone in phones for c in broker.dismiss(table.config.table.id, phone.client)]
    if commands:
        table.bus.control(commands, lambda: None)


def _look_back(table: Table, request: Admin) -> None:
    """Finished games are looked up in a thread of their own: moves are answered meanwhile."""

    def told(found: Past | None) -> None:
        table.bus.call(lambda: _answer_later(table, request, found))

    def tell(finished: Finished) -> Past:
        return past(finished, table.packs, lines=True)

    table.archive.ask(request.client, "screen", tell, told)


def _answer_later(table: Table, request: Admin, found: Reply | None) -> None:
    """What was found meanwhile, or that it has to be asked for again."""
    why = None if found is not None else JoinRefused(503, "later").refusal
    answer = Answer(id=request.id, ok=found is not None, result=found.plain() if found else {}, refusal=why)
    table.bus.publish(f"answer/{request.client}", answer)


def _box(table: Table, game: str, said: Mapping[str, Any]) -> BoxList:
    """Values of the owner's copy, or what a grid of it shows."""
    told = table.packs[game].tells(table.owner.box(game), said["tell"]) if "tell" in said else said["values"]
    values = dict(told)
    known = printed(announced.package(table.packs[game].id))
    for key, value in values.items():
        check(known, key, value)
    pack, before = table.packs[game], table.owner.box(game)
    for problem in set(pack.problems({**before, **values})) - set(pack.problems(before)):
        raise ValueError(problem)
    table.owner.save(game, {**before, **values})
    with contextlib.suppress(KeyError):
        table.publish(())
    return box_list(table.owner, table.packs, game)


def _rebuild(table: Table) -> dict[str, Any]:
    """A game put away overnight is laid out again from a list."""
    session = table.session
    if session is None:
        raise ValueError("no game is open")
    kept = tuple(n for n in table.notices if n.kind == "bad")
    empty = session.pack.new(session.options, session.first.body["box"])
    table.notices = (*kept, *rebuild_notices(session.pack, empty, session.state, session.seats))
    table.publish(())
    table.senses.look("camera")
    return {"items": len(table.notices) - len(kept)}
