"""Prompts for card effects: what the card does, each way to use it with its gain, and a way to pass."""

from __future__ import annotations

from functools import cache

from companion.game import Ask, Choice, Picture, PictureDie, Text, seat_name
from companion.games.skytopia import chronometer, effects, phrases
from companion.games.skytopia.moves import Buy, Move, Reveal, Rotate, Set, Shift, Skip, Take, Trigger, Use, encode
from companion.games.skytopia.printed import COLOURS, UNKNOWN, Effect, Numbers
from companion.games.skytopia.state import Pending, SkytopiaState, slot_index
from companion.shown import skytopia as shown

KEY = phrases.KEY
Params = dict[str, int | str | Text | tuple[Text, ...]]


@cache
def does(effect: Effect) -> Text:
    """What an effect does, in one sentence with its figures."""
    params: Params = {"n": effect.steps if effect.shape == "rotate" else effect.value}
    if effect.tiers:
        tier = KEY + "tier"
        params["tiers"] = tuple(
            Text(tier, {"coins": phrases.coins(pay), "points": phrases.points(gain)}) for pay, gain in effect.tiers
        )
    if effect.others:
        params["others"] = phrases.coins(effect.others)
    if effect.points:
        params["points"] = phrases.points(effect.points)
    if effect.coins:
        params["coins"] = phrases.coins(effect.coins)
    if effect.per_home:
        params["home"] = phrases.coins(effect.per_home)
    return Text(f"{KEY}does/{effect.code}", params)


@cache
def drawn(effect: Effect) -> shown.Effect:
    """An effect as clients draw it."""
    return shown.Effect(effect.mark, effect.value, does(effect))


def skip_choice(seat: int, key: str) -> Choice:
    """Passing the offer."""
    return Choice("skip", phrases.plain(key), encode(Skip(seat)))


def ask_effect(state: SkytopiaState, pending: Pending) -> Ask:
    """The effect on offer."""
    seat = state.turn
    if pending.code == UNKNOWN:
        return _which(state, pending)
    effect = state.numbers.effects[pending.code]
    choices = [effect_choice(state, effect, move) for move in effects.options(state, pending)]
    again = effect.many and pending.turned
    choices.append(skip_choice(seat, "choice/enough" if again else "choice/skip"))
    text = _offer(state, pending)
    return Ask(seat, text, tuple(choices), help=does(effect), change=_change(effect), phase=state.phase)


def _offer(state: SkytopiaState, pending: Pending) -> Text:
    """Which card or base offers itself: a base is named by its tower alone, for it has no other place."""
    seat = seat_name(state.turn)
    if pending.here < 0 and pending.level == 0:
        return Text(KEY + "ask/base", {"seat": seat, "colour": phrases.colour(pending.colour)})
    where = _where(pending, state)
    return Text(KEY + "ask/effect", {"seat": seat, "effect": phrases.effect(pending.code), "where": where})


@cache
def _change(effect: Effect) -> tuple[Text, ...]:
    """What hands will do if the effect is used, one sentence per component."""
    keys = list(_HANDS.get(effect.shape, ()))
    if effect.others:
        keys.append("change/others")
    if effect.points or effect.shape == "tiers":
        keys.append("change/points")
    if effect.coins or effect.per_home or effect.shape == "tiers" or effect.pay:
        keys.append("change/bank")
    if effect.add:
        keys.append("change/add")
    return tuple(phrases.plain(key) for key in keys)


_HANDS = {
    "take": ("change/take",),
    "rotate": ("change/rotate",),
    "move": ("change/move",),
    "set": ("change/set",),
}


def _where(pending: Pending, state: SkytopiaState) -> Text:
    if pending.here >= 0:
        return phrases.slot(list(slot_index(state.rows))[pending.here])
    return phrases.level(pending.colour, pending.level)


def _which(state: SkytopiaState, pending: Pending) -> Ask:
    """The card was never identified, and now it matters."""
    seat = state.turn
    choices = [naming(state.numbers, move) for move in effects.options(state, pending) if isinstance(move, Reveal)]
    choices.append(skip_choice(seat, "choice/skip-unknown"))
    text = Text(KEY + "ask/which", {"where": _where(pending, state)})
    return Ask(seat, text, tuple(choices), help=phrases.plain("help/which"), phase=state.phase)


def naming(numbers: Numbers, move: Reveal) -> Choice:
    """One card it may be, told apart by effect and crest."""
    card = move.card or UNKNOWN
    crest = phrases.crest(numbers, numbers.cards[card].crest)
    text = Text(KEY + "choice/card", {"effect": phrases.card(card), "crest": crest})
    place = move.slot or f"{move.owner}/{move.tower}/{move.level}"
    picture: Picture = {"card": card}
    if move.slot:
        picture["slot"] = move.slot
    return Choice(f"reveal/{place}/{card}", text, encode(move), group=place, picture=picture)


def effect_choice(state: SkytopiaState, effect: Effect, move: Move) -> Choice:
    """One way to use an effect, with what it changes on the table."""
    if isinstance(move, Use):
        coins = effect.coins + effect.per_home * state.players[state.turn].home
        picture: Picture = {"points": effect.points} if effect.points else {"coins": coins}
        return Choice(
            "use", phrases.plain("choice/use"), encode(move), note=_gain(effect, coins), picture=picture, primary=True
        )
    if isinstance(move, Take):
        return _take(state, effect, move)
    if isinstance(move, Buy):
        pay, gain = effect.tiers[move.tier - 1]
        text = Text(KEY + "tier", {"coins": phrases.coins(pay), "points": phrases.points(gain)})
        return Choice(f"buy/{move.tier}", text, encode(move), picture={"coins": pay, "points": gain})
    if isinstance(move, Rotate):
        return rotate_choice(state, move)
    if isinstance(move, Shift):
        die: PictureDie = {"owner": move.seat, "face": move.face}
        text = Text(KEY + "choice/move", {"golem": phrases.golem(move.face, move.slot), "to": phrases.slot(move.to)})
        picture = {"die": die, "slot": move.slot, "to": move.to}
        return Choice(f"move/{move.slot}/{move.face}/{move.to}", text, encode(move), group=move.slot, picture=picture)
    if isinstance(move, Set):
        return _set(state, effect, move)
    if isinstance(move, Reveal):
        return naming(state.numbers, move)
    assert isinstance(move, Trigger)
    return _trigger(state, effect, move)


def _gain(effect: Effect, coins: int) -> Text:
    gain = phrases.points(effect.points) if effect.points else phrases.coins(coins)
    if effect.others:
        return Text(KEY + "note/others", {"gain": gain, "others": phrases.coins(effect.others)})
    return Text(KEY + "note/gain", {"gain": gain})


def _take(state: SkytopiaState, effect: Effect, move: Take) -> Choice:
    if effect.add:
        note = phrases.plain("note/then-add")
    else:
        gain = phrases.points(effect.points) if effect.points else phrases.coins(effect.coins)
        note = Text(KEY + "note/gain", {"gain": gain})
    return take_choice(move, note)


def take_choice(move: Take, note: Text | None) -> Choice:
    """A golem comes home."""
    text = Text(KEY + "choice/take", {"golem": phrases.golem(move.face, move.slot)})
    picture: Picture = {"die": {"owner": move.seat, "face": move.face}, "slot": move.slot}
    return Choice(f"take/{move.slot}/{move.face}", text, encode(move), note=note, group=move.slot, picture=picture)


def rotate_choice(state: SkytopiaState, move: Rotate, note: Text | None = None) -> Choice:
    """A golem turns."""
    face = chronometer.rotated(move.face, move.steps, state.numbers.direction)
    left = state.numbers.steps[state.build][face]
    text = Text(KEY + "choice/rotate", {"golem": phrases.golem(move.face, move.slot), "face": face})
    picture: Picture = {"die": {"owner": move.seat, "face": face}, "was": move.face, "slot": move.slot, "rounds": left}
    name = f"rotate/{move.slot}/{move.face}/{move.steps}"
    return Choice(name, text, encode(move), note=note or phrases.rounds(left), group=move.slot, picture=picture)


def _set(state: SkytopiaState, effect: Effect, move: Set) -> Choice:
    face = effects.set_face(state, effect)
    params: Params = {"face": face, "slot": phrases.slot(move.slot)}
    key, name = "choice/set", f"set/{move.slot}"
    if move.source and move.face:
        key, name = "choice/set-from", f"set/{move.slot}/{move.source}/{move.face}"
        params["golem"] = phrases.golem(move.face, move.source)
    left = state.numbers.steps[state.build][face]
    note = phrases.pay_note(effect.pay, left) if effect.pay else phrases.rounds(left)
    picture: Picture = {"die": {"owner": move.seat, "face": face}, "slot": move.slot, "rounds": left}
    return Choice(name, Text(KEY + key, params), encode(move), note=note, group=move.slot, picture=picture)


def _trigger(state: SkytopiaState, effect: Effect, move: Trigger) -> Choice:
    """One card is activated; what it will do stands beside it."""
    note = Text(KEY + "note/others-get", {"others": phrases.coins(effect.others)}) if effect.others else None
    if move.slot:
        card = state.slots[slot_index(state.rows)[move.slot]].card
        text = Text(KEY + "choice/trigger", {"card": phrases.card(card), "where": phrases.slot(move.slot)})
        picture: Picture = {"card": None if card == UNKNOWN else card, "slot": move.slot}
        return Choice(f"trigger/{move.slot}", text, encode(move), note=note, group=move.slot, picture=picture)
    colour = COLOURS.index(move.tower or "blue")
    tower = state.players[move.seat].towers[colour]
    what = phrases.card(tower[move.level - 1]) if move.level else phrases.effect(f"base-{move.tower}")
    where = phrases.level(colour, move.level)
    text = Text(KEY + "choice/trigger", {"card": what, "where": where})
    picture = {"tower": COLOURS[colour], "level": move.level}
    return Choice(f"trigger/{move.tower}/{move.level}", text, encode(move), note=note, picture=picture)
