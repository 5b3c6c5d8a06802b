"""What the table must do now: whose decision, the choices with price or gain, the change expected, reminders."""

from __future__ import annotations

from companion.game import Ask, Choice, Picture, Text, seat_name
from companion.games.skytopia import abilities, ask_setup, effects, market, phrases, setup, turn
from companion.games.skytopia.ask_effects import ask_effect, naming, rotate_choice, skip_choice, take_choice
from companion.games.skytopia.moves import Activate, Reveal, Take, TurnDial, encode
from companion.games.skytopia.printed import COLOURS, UNKNOWN
from companion.games.skytopia.state import SkytopiaState, slot_names

KEY = phrases.KEY


def ask(state: SkytopiaState) -> Ask:
    """The present decision."""
    if not state.stack:
        return Ask(None, phrases.plain("ask/over"), phase="over")
    pending = state.stack[-1]
    if pending.kind in setup.STEPS:
        return ask_setup.ask(state, pending)
    made = ask_effect(state, pending) if pending.kind == "effect" else _ASKS[pending.kind](state)
    return _reminded(state, made)


def _reminded(state: SkytopiaState, made: Ask) -> Ask:
    """The same with what is most easily forgotten."""
    notes = [_owed(one.seat, one.coins, one.points, one.source) for one in state.owed]
    kind = state.stack[-1].kind
    if kind == "dial":
        right = (state.first - 1) % len(state.players)
        notes.append(Text(KEY + "remind/marker", {"seat": seat_name(right)}))
    if kind in ("assign", "dial") and state.last:
        left = state.last - state.round
        notes.append(phrases.plain("remind/last") if left <= 0 else Text(KEY + "remind/left", {"n": left}))
    if not notes:
        return made
    return Ask(made.seat, made.text, made.choices, made.help, made.form, made.change, tuple(notes), made.phase)


def _owed(seat: int, coins: int, points: int, source: str) -> Text:
    what = phrases.points(points) if points else phrases.coins(coins)
    key = "remind/pays" if coins < 0 else "remind/gets"
    what = phrases.coins(-coins) if coins < 0 else what
    return Text(KEY + key, {"seat": seat_name(seat), "what": what, "why": phrases.source(source)})


def _finish(state: SkytopiaState) -> Ask:
    seat, names = state.turn, slot_names(state.rows)
    slots = turn.finished(state)
    choices, change = [], []
    for slot in slots:
        name, tower = names[slot], COLOURS[slot // state.rows]
        text = Text(KEY + "choice/finish", {"slot": phrases.slot(name), "colour": phrases.colour(tower)})
        finish: Picture = {"slot": name, "card": _shown(state.slots[slot].card), "tower": tower}
        move = {"kind": "finish", "seat": seat, "slot": name}
        choices.append(Choice(f"finish/{name}", text, move, group=name, picture=finish, primary=slot == slots[0]))
        change.append(Text(KEY + "change/finish", {"slot": phrases.slot(name), "colour": phrases.colour(tower)}))
        for die in state.slots[slot].dice:
            if die.owner != seat:
                gets = phrases.coins(state.numbers.compensation)
                change.append(Text(KEY + "change/back", {"seat": seat_name(die.owner), "coins": gets}))
    text = Text(KEY + "ask/finish", {"seat": seat_name(seat), "n": len(slots), "face": state.build})
    same = len({slot // state.rows for slot in slots}) < len(slots)
    help_ = phrases.plain("help/order") if same else None
    return Ask(seat, text, tuple(choices), help_, change=tuple(change), phase=state.phase)


def _shown(card: str) -> str | None:
    return None if card == UNKNOWN else card


def _towers(state: SkytopiaState) -> Ask:
    seat = state.turn
    choices: list[Choice] = []
    for k, colour in enumerate(COLOURS):
        if k in state.received:
            move = Activate(seat, colour)
            height = len(state.players[seat].towers[k])
            text = Text(KEY + "choice/tower", {"colour": phrases.colour(colour)})
            note = Text(KEY + "note/tower", {"n": height})
            picture: Picture = {"tower": colour}
            choices.append(Choice(f"activate/{colour}", text, encode(move), note, picture=picture, primary=not choices))
    choices.append(skip_choice(seat, "choice/no-tower"))
    text = Text(KEY + "ask/towers", {"seat": seat_name(seat)})
    return Ask(seat, text, tuple(choices), phrases.plain("help/towers"), phase=state.phase)


def _add(state: SkytopiaState) -> Ask:
    choices = []
    for move in effects.addable(state):
        card = state.slots[market.find_slot(state, move.slot)].card
        text = Text(KEY + "choice/add", {"card": phrases.card(card), "slot": phrases.slot(move.slot)})
        picture: Picture = {"slot": move.slot, "card": _shown(card)}
        choices.append(Choice(f"add/{move.slot}", text, encode(move), group=move.slot, picture=picture))
    text = Text(KEY + "ask/add", {"seat": seat_name(state.turn)})
    return Ask(state.turn, text, tuple(choices), change=(phrases.plain("change/add"),), phase=state.phase)


def _ability(state: SkytopiaState) -> Ask:
    when, seat = turn.WHEN[state.stack[-1].kind], state.turn
    slot = abilities.to_identify(state, when)
    if slot >= 0:
        name = slot_names(state.rows)[slot]
        cards = market.unseen(state, slot // state.rows)
        choices = [naming(state.numbers, move) for move in abilities.identify_moves(state, slot, cards)]
        text = Text(KEY + "ask/which", {"where": phrases.slot(name)})
        return Ask(seat, text, tuple(choices), phrases.plain("help/which"), phase=state.phase)
    cost = state.numbers.ability["T3B"]["cost"]
    pay = Text(KEY + "note/pay", {"coins": phrases.coins(cost)})
    turns = [rotate_choice(state, move, pay) for move in abilities.options(state, when)]
    text = Text(KEY + "ask/turn", {"seat": seat_name(seat), "coins": phrases.coins(cost)})
    change = (phrases.plain("change/rotate"), phrases.plain("change/bank"))
    return Ask(seat, text, (*turns, skip_choice(seat, "choice/no-turn")), change=change, phase=state.phase)


def _assign(state: SkytopiaState) -> Ask:
    seat = state.turn
    if not state.players[seat].home:
        return _take_back(state)
    choices = tuple(_placings(state))
    purse = phrases.coins(state.players[seat].coins)
    text = Text(KEY + "ask/place", {"seat": seat_name(seat)})
    help_ = Text(KEY + "help/place", {"coins": purse, "face": state.build})
    return Ask(seat, text, choices, help_, change=(phrases.plain("change/place"),), phase=state.phase)


def _placings(state: SkytopiaState) -> list[Choice]:
    """Every card with every face; what is not possible says why."""
    seat, build, numbers = state.turn, state.build, state.numbers
    coins, price, steps = state.players[seat].coins, numbers.price[build], numbers.steps[build]
    choices = []
    for name, slot in zip(slot_names(state.rows), state.slots, strict=True):
        if not slot.card:
            continue
        for face in range(1, 7):
            off = None
            if face == build:
                off = phrases.plain("off/build")
            elif face in slot.faces:
                off = phrases.plain("off/taken")
            elif price[face] > coins:
                off = phrases.short(price[face] - coins)
            picture: Picture = {"die": {"owner": seat, "face": face}, "slot": name}
            note = None
            if face != build:
                picture |= {"coins": price[face], "rounds": steps[face]}
                note = phrases.pay_note(price[face], steps[face])
            move = {"kind": "place", "seat": seat, "slot": name, "face": face}
            text = Text(KEY + "choice/place", {"face": face, "slot": phrases.slot(name)})
            choices.append(Choice(f"place/{name}/{face}", text, move, note, off, name, picture))
    return choices


def _take_back(state: SkytopiaState) -> Ask:
    seat, names = state.turn, slot_names(state.rows)
    may = market.take_backs(state, seat)
    choices = [take_choice(Take(seat, names[slot], face), None) for slot, face in may]
    text = Text(KEY + "ask/take-back", {"seat": seat_name(seat)})
    change = (phrases.plain("change/take-back"),)
    return Ask(seat, text, tuple(choices), phrases.plain("help/take-back"), change=change, phase=state.phase)


def _refill(state: SkytopiaState) -> Ask:
    names, gaps = slot_names(state.rows), market.gaps(state)
    name = names[gaps[0]]
    choices = reveal_choices(state, gaps[0])
    text = Text(KEY + "ask/refill", {"slot": phrases.slot(name)})
    change = tuple(Text(KEY + "change/refill", {"slot": phrases.slot(names[gap])}) for gap in gaps)
    return Ask(None, text, choices, change=change, phase="refill")


def reveal_choices(state: SkytopiaState, gap: int) -> tuple[Choice, ...]:
    """The cards that may turn up in a gap, and "we will name it later"."""
    name = slot_names(state.rows)[gap]
    cards = [naming(state.numbers, Reveal(card, name)) for card in market.unseen(state, gap // state.rows)]
    later = Choice(f"reveal/{name}/later", phrases.plain("choice/later"), encode(Reveal(None, name)), group=name)
    return (*cards, later)


def _dial(state: SkytopiaState) -> Ask:
    text = Text(KEY + "ask/dial", {"seat": seat_name(state.first)})
    turned = Choice("turn_dial", phrases.plain("choice/dial"), encode(TurnDial()), primary=True)
    return Ask(state.first, text, (turned,), change=(phrases.plain("change/dial"),), phase="refill")


def _final(state: SkytopiaState) -> Ask:
    found = turn.unnamed(state) or (0, 0, 1)
    seat, colour, level = found
    where = phrases.level(colour, level)
    text = Text(KEY + "ask/which-of", {"seat": seat_name(seat), "where": where})
    cards = market.unseen(state, colour)
    moves = [Reveal(card, "", seat, COLOURS[colour], level) for card in cards]
    choices = tuple(naming(state.numbers, move) for move in moves)
    return Ask(seat, text, choices, phrases.plain("help/which"), phase=state.phase)


_ASKS = {
    "finish": _finish,
    "towers": _towers,
    "add": _add,
    "ability": _ability,
    "close": _ability,
    "assign": _assign,
    "refill": _refill,
    "dial": _dial,
    "final": _final,
}
