"""What the table must do now, in the order of a turn (rules, section 3)."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Ask, Choice, Form, Text
from companion.games.praga import copy, crane, final, forms, layout, moves, offers, plazas, technology, turn
from companion.games.praga.actions import PUT_OFF
from companion.games.praga.choosing import action_choices, branches, halves, tile_choice
from companion.games.praga.gains import thing
from companion.games.praga.legal import also, answers, climbs
from companion.games.praga.reminders import reminders
from companion.games.praga.state import Begun, Pending, PragaState


def ask(state: PragaState) -> Ask:
    """The one thing that is due; whoever still has a technology to pick may do so meanwhile."""
    found = _due(state)
    picking = tuple(one.seat for one in picks(state) if one.seat != found.seat)
    return msgspec.structs.replace(found, waiting=picking) if picking else found


def picks(state: PragaState) -> tuple[Pending, ...]:
    """Technologies drawn and not yet picked, each player's first; they may wait for the owner's next turn."""
    due, first = state.due(), dict[int, Pending]()
    for one in state.pending:
        if one.kind == "technology" and one != due and not state.played_out:
            first.setdefault(one.seat, one)
    return tuple(first.values())


def pick_of(state: PragaState, seat: int) -> Ask | None:
    """The pick this player may make while others play, or nothing."""
    return next((_pending(state, one) for one in picks(state) if one.seat == seat), None)


def _due(state: PragaState) -> Ask:
    due = state.due()
    if due is not None:
        return _pending(state, due)
    if state.played_out:
        return _final(state)
    if layout.open_now(state):
        return layout.ask(state)
    if state.dummy:
        return _dummy(state)
    if state.begun is not None:
        return _begun(state, state.begun)
    if state.hand is None:
        return _choose(state)
    return _rest(state)


def _final(state: PragaState) -> Ask:
    missing = tuple(seat for seat, sheet in enumerate(state.sheets) if sheet is None)
    if not missing:
        return Ask(None, Text("praga/ask/over"), phase="over")
    return form_of(state, missing[0], missing)


def form_of(state: PragaState, seat: int, waiting: tuple[int, ...] = ()) -> Ask:
    """The final form of one player."""
    confirm = state.depth == "full"
    form = Form(final.fields(state, seat), {"kind": "sheet", "seat": seat}, Text("praga/send/sheet"))
    key = "praga/ask/confirm" if confirm else "praga/ask/sheet"
    unsure = state.boards[seat].unlogged
    notes: tuple[Text, ...] = (Text("praga/remind/unlogged", {"n": unsure}),) if unsure and confirm else ()
    claimed = [i for i, plaza in enumerate(state.plazas, 1) if plaza.cubes[seat] and not plaza.done]
    if claimed:
        notes += (Text("praga/remind/claims", {"plazas": tuple(Text("praga/plaza", {"number": i}) for i in claimed)}),)
    return Ask(
        seat,
        Text(key),
        help=Text("praga/ask/sheet/help"),
        form=form,
        reminders=(Text("praga/remind/step-one"), *notes),
        phase="form",
        waiting=waiting,
    )


def wheel_change(state: PragaState, wheel: crane.Crane, tile: int) -> tuple[Text, ...]:
    """What hands do at the end of the turn: turn, move a tile that ran past, hook the used one."""
    after, lost = crane.turn(state.box, wheel, tile)
    change = [Text("praga/change/turn", {"n": wheel.notches, "station": crane.place(after.box)})]
    if lost:
        change.append(Text("praga/change/ran-past", {"station": crane.place(after.where(lost) or 0)}))
    return (*change, Text("praga/change/hook"))


def _turned(state: PragaState, primary: bool = True) -> Choice:
    n = state.crane.notches
    move: dict[str, Any] = {"kind": "turn"}
    if not state.dummy:
        move["seat"] = state.active
    return Choice("turn", Text("praga/choice/turned", {"n": n}), move, primary=primary)


def _dummy(state: PragaState) -> Ask:
    tile = crane.dummy_choice(state.crane)
    station = state.crane.where(tile) or 0
    return Ask(
        0,
        Text("praga/ask/dummy", {"station": crane.place(station)}),
        (_turned(state),),
        help=Text("praga/change/turn", {"n": state.crane.notches, "station": crane.place(state.crane.next_box)}),
        change=wheel_change(state, crane.take(state.crane, tile), tile),
        reminders=reminders(state),
        phase="dummy",
    )


def _choose(state: PragaState) -> Ask:
    tiles = [tile_choice(state, tile) for _, tile in state.crane.tiles()]
    choices = [*tiles, *(half for tile in tiles for half in halves(state, tile))]
    if state.depth == "full":
        choices += around(state, state.active)
    return Ask(
        state.active,
        Text("praga/ask/choose"),
        tuple(choices),
        help=Text("praga/ask/choose/help", {"n": state.crane.notches}),
        reminders=reminders(state),
        phase="choose",
    )


def _put_off(seat: int) -> Choice:
    return Choice("put-off", Text("praga/choice/put-off"), moves.encode(moves.Begin("", seat=seat)))


def _begun(state: PragaState, begun: Begun) -> Ask:
    """What is still to be said of an action: which one, its tile, its place, or what it gave."""
    seat = state.active
    later = (_later(state),) if state.held else ()
    if not begun.action:
        key = {"extra": "praga/ask/extra", "missed": "praga/ask/missed"}.get(begun.source, "praga/ask/any")
        choices = (*action_choices(state, seat, begun), *later)
        return Ask(seat, Text(key), choices, reminders=reminders(state), phase="action")
    key, move = f"praga/ask/action/{begun.action}", {"kind": "act", "action": begun.action, "seat": seat}
    choices, fields = (), forms.detail(state, seat, begun.action, begun)
    if begun.action in ("mines", "quarries"):
        key, choices, fields = "praga/ask/act", branches(state, seat, begun.action), ()
    if begun.plaza:
        key, choices, fields = "praga/ask/site", tuple(offers.sites(state, seat, begun)), forms.site_fields(state)
    elif begun.tile:
        key, choices, fields = "praga/ask/where", tuple(offers.around(state, seat, begun)), ()
    elif begun.action in copy.HEXES:
        choices = tuple(offers.hexes(state, seat, begun))
        if begun.action == "building":
            fields, move = forms.building_fields(state, begun), {**move, "kind": "begin"}
    elif begun.action == "road":
        choices = tuple(offers.as_last_time(state, seat))
    if begun.tile:
        again = moves.encode(moves.Begin("building", seat=seat))
        choices = (*choices, Choice("again", Text("praga/choice/again"), again))
    elif begun.source in PUT_OFF:
        choices = (*choices, _put_off(seat))
    help_ = _help(state, seat, begun) if fields or begun.tile else None
    return Ask(
        seat,
        Text(key),
        (*choices, *later),
        help=help_,
        form=Form(fields, move, Text("praga/send/action")) if fields else None,
        reminders=reminders(state),
        phase="action",
    )


def _help(state: PragaState, seat: int, begun: Begun) -> Text:
    """What is easily forgotten of an action, of the road by the section that is entered."""
    if begun.tile:
        return Text("praga/ask/site/help" if begun.plaza else "praga/ask/where/help")
    section = state.boards[seat].road + 1
    if begun.action != "road" or section < 4:
        return Text(f"praga/ask/action/{begun.action}/help")
    full = state.planks >= int(state.box["limit.planks"])
    empty = section == 5 and state.bridge_fives >= int(state.box["limit.bridge_fives"])
    return Text(f"praga/ask/road/{section}-{'empty' if empty else 'full' if full else 'open'}")


def _later(state: PragaState) -> Choice:
    return Choice("later", Text("praga/choice/later"), moves.encode(moves.Later(state.active)))


def _rest(state: PragaState) -> Ask:
    seat, hand = state.active, state.hand
    if hand is None:
        raise AssertionError("asked for the rest of a turn before a tile was chosen")
    note = Form(forms.note_fields(state), {"kind": "note", "seat": seat}, Text("praga/send/note"), aside=True)
    if state.depth == "full" and not hand.acted:
        last = _later(state) if state.held else _turned(state, primary=False)
        choices = (*action_choices(state, seat, Begun("tile")), *around(state, seat), last)
        key = "praga/ask/held" if state.held else "praga/ask/act"
        return Ask(seat, Text(key), choices, None, note, (), reminders(state), "action")
    change = wheel_change(state, state.crane, hand.tile)
    last = _later(state) if state.held else _turned(state)
    choices = (*around(state, seat), last) if state.depth == "full" else (last,)
    quick = offers.beside(state, seat) if state.depth == "full" else offers.quick_points(seat)
    text = Text("praga/ask/turn", {"n": state.crane.notches})
    help_ = Text("praga/ask/turn/help", {"station": crane.place(state.crane.next_box)})
    return Ask(seat, text, (*choices, *quick), help_, note, change, reminders(state), "wheel")


def around(state: PragaState, seat: int) -> tuple[Choice, ...]:
    """Bonus, extra action, climbs, seals, technologies, as choices."""
    known = tuple(_also(state, move) for move in also(state, seat))
    arrows = tuple(_also(state, move) for move in climbs(state, seat, "arrow") if move.building in state.moved)
    told = (*offers.landings(state, seat), *_recall(state, seat), *_complete(state, seat))
    return (*told, *known, *arrows, *_reach(state, seat), *_refresh(state, seat))


def _recall(state: PragaState, seat: int) -> tuple[Choice, ...]:
    """Actions of earlier turns that were not recorded."""
    return tuple(
        Choice(
            f"recall-{which}" if which else "recall",
            Text("praga/choice/recall", {"round": one.turn // state.seats + 1}),
            moves.encode(moves.Recall(seat, which)),
            group="recall",
        )
        for which, one in enumerate(state.boards[seat].missed)
    )


def _complete(state: PragaState, seat: int) -> tuple[Choice, ...]:
    """A plaza built at this turn may be full now."""
    if "building" not in (*state.did, *state.late):
        return ()
    return tuple(
        Choice(
            f"complete-{number}",
            Text("praga/choice/complete", {"plaza": plazas.name(state, number)}),
            moves.encode(moves.Complete(number, seat)),
            group="complete",
        )
        for number in state.built
        if plazas.stands(state, number)
    )


def _refresh(state: PragaState, seat: int) -> tuple[Choice, ...]:
    """Two hex tiles of a row go under their stacks for one good, once a turn."""
    if state.refreshed:
        return ()
    goods = [good for good in ("gold", "stone") if getattr(state.boards[seat], good)]
    return tuple(
        Choice(
            f"refresh-{good}",
            Text(f"praga/choice/refresh/{good}"),
            moves.encode(moves.Refresh(good, seat)),  # type: ignore[arg-type]
            group="refresh",
        )
        for good in goods
    )


def _reach(state: PragaState, seat: int) -> tuple[Choice, ...]:
    level, steps = technology.next_level(state, seat), state.boards[seat].technology
    if level is None or not steps or int(state.box[f"track.technology.{level}"]) > steps:
        return ()
    text = Text("praga/choice/reach", {"level": Text(f"praga/level/{level}")})
    return (Choice("reach", text, moves.encode(moves.Reach(seat)), group="technology"),)


def _also(state: PragaState, move: moves.AnyMove) -> Choice:
    sent = moves.encode(move)
    match move:
        case moves.Bonus():
            kind = turn.bonus_kind(state)
            text = Text(
                f"praga/choice/bonus/{kind}", {"track": Text(f"praga/track/{move.track}")} if move.track else {}
            )
            return Choice(f"bonus-{move.track or kind}", text, sent, group="bonus", picture={"bonus": kind})
        case moves.Extra():
            return Choice(f"extra-{move.pay}", Text(f"praga/choice/extra/{move.pay}"), sent, group="extra")
        case moves.Climb():
            building = Text(f"praga/building/{move.building}")
            key = f"praga/choice/climb/{move.by}" + ("-level" if move.enters else "")
            params: dict[str, Any] = {"building": building, "level": Text(f"praga/level/{move.enters or 1}")}
            if move.enters:
                price = technology.entry_price(state, move.building, move.enters)
                params["price"] = tuple(thing(name, n) for name, n in price.items() if n)
            return Choice(f"climb-{move.building}-{move.enters}-{move.by}", Text(key, params), sent, group="climb")
        case moves.Seal():
            text = Text("praga/choice/seal", {"seal": Text(f"praga/seal/{move.seal}")})
            return Choice(f"seal-{move.seal}", text, sent, group="seal")
        case moves.Learn():
            text = Text(f"praga/technology/{move.effect}")
            return Choice(f"learn-{move.effect}", text, sent, group="technology")
        case moves.Use():
            tile = technology.stored(state, state.active, move.level)
            effect = Text(f"praga/technology/{tile.effect if tile else 'any'}")
            text = Text("praga/choice/use", {"effect": effect})
            if move.track:
                params = {"track": Text(f"praga/track/{move.track}"), "good": Text(f"praga/good/{move.produce}")}
                text = Text("praga/choice/advance", params)
            return Choice(f"use-{move.level}-{move.track}-{move.produce}", text, sent, group="technology")
        case _:
            raise AssertionError(f"no words for {move}")


def _pending(state: PragaState, due: Pending) -> Ask:
    seat = due.seat
    if due.kind in ("plaza", "resource"):
        return _reward(state, due)
    choices = tuple(_answer(due, move) for move in answers(state, due))
    params: dict[str, Any] = {}
    if due.kind == "technology":
        params = {"level": Text(f"praga/level/{due.what}")}
    elif due.kind == "windows":
        params = {"n": turn.owed_windows(state, due)}
    elif due.kind == "token":
        params = {"track": Text(f"praga/track/{due.what}")}
    elif due.kind == "good":
        params = {"what": Text("praga/good-of/road" if due.what == "road" else f"praga/technology/{due.what}")}
    help_ = {"technology": Text("praga/ask/technology/help"), "final": Text(f"praga/ask/final/{due.what}")}.get(
        due.kind
    )
    return Ask(seat, Text(f"praga/ask/{due.kind}", params), choices, help=help_, phase=due.kind)


def _reward(state: PragaState, due: Pending) -> Ask:
    """A plaza's reward is picked where it is known, else entered; a first six or nine may have freed none."""
    move = {"kind": "reward", "seat": due.seat}
    form = Form(forms.gain_fields(), move, Text("praga/send/reward"))
    if due.kind == "resource":
        good, mark = due.what.split("-")
        text = Text("praga/ask/resource", {"n": int(mark), "good": Text(f"praga/good/{good}")})
        return Ask(due.seat, text, (Choice("none", Text("praga/choice/none"), move),), form=form, phase="reward")
    number, row = plazas.of(due)
    where = plazas.name(state, number) if number else Text("praga/plaza/any")
    text = Text(f"praga/ask/plaza/{row or 'one'}", {"plaza": where})
    known = tuple(offers.rewards(state, due))
    if not row:
        form = Form(forms.reward_fields(), move, form.send)
    help_ = Text("praga/ask/plaza/help")
    return Ask(due.seat, text, known, help_, form, reminders=reminders(state), phase="reward")


def _answer(due: Pending, move: moves.AnyMove) -> Choice:
    sent = moves.encode(move)
    match move:
        case moves.Token():
            return Choice(f"token-{move.token}", Text(f"praga/token/{move.token}"), sent)
        case moves.Learn():
            return Choice(f"learn-{move.effect}", Text(f"praga/technology/{move.effect}"), sent)
        case moves.Final():
            key = "praga/choice/none" if move.tile == "none" else f"praga/v/{move.tile}"
            return Choice(f"final-{move.tile}", Text(key), sent)
        case moves.Good():
            return Choice(
                f"good-{move.good}", Text(f"praga/good/{move.good}"), sent, picture={"gain": move.good, "n": 1}
            )
        case moves.Windows():
            given = [("gold_windows", move.gold), ("silver_windows", move.silver)]
            things = tuple(thing(name, n) for name, n in given if n)
            return Choice(f"windows-{move.gold}-{move.silver}", Text("praga/choice/windows", {"things": things}), sent)
        case _:
            raise AssertionError(f"no words for {due.kind}")
