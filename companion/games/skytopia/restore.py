"""Component moves: what hands must do to bring the table from one position to another."""

from __future__ import annotations

from companion.game import Die, Text, seat_name
from companion.games.skytopia import chronometer, phrases
from companion.games.skytopia.printed import COLOURS, UNKNOWN, Numbers
from companion.games.skytopia.state import SkytopiaState, slot_names

KEY = phrases.KEY + "restore/"


def restore(now: SkytopiaState, wanted: SkytopiaState) -> tuple[Text, ...]:
    """One sentence per component that lies differently; empty when the table is right."""
    lines: list[Text] = []
    if now.build != wanted.build:
        turns = chronometer.steps(wanted.build, now.build, wanted.numbers.direction)
        back = turns > 3
        key = KEY + ("dial-back" if back else "dial")
        lines.append(Text(key, {"n": 6 - turns if back else turns, "face": wanted.build}))
    if now.first != wanted.first:
        lines.append(Text(KEY + "marker", {"seat": seat_name(wanted.first)}))
    for guild in (*now.guilds, *wanted.guilds):
        if (guild in now.guilds) != (guild in wanted.guilds):
            key = KEY + ("guild-on" if guild in wanted.guilds else "guild-off")
            lines.append(Text(key, {"guild": Text(f"{phrases.KEY}guild/{guild}")}))
    for name, old, new in zip(slot_names(wanted.rows), now.slots, wanted.slots, strict=True):
        if old.card != new.card:
            lines.append(_card(wanted.numbers, name, old.card, new.card))
        lines += [_die("off", name, die) for die in old.dice if die not in new.dice]
        lines += [_die("on", name, die) for die in new.dice if die not in old.dice]
    for seat in range(len(wanted.players)):
        lines += _player(seat, now, wanted)
    for k, colour in enumerate(COLOURS):
        if now.decks[k] != wanted.decks[k]:
            lines.append(Text(KEY + "deck", {"colour": phrases.colour(colour), "n": wanted.decks[k]}))
    return tuple(lines)


def _card(numbers: Numbers, name: str, old: str, new: str) -> Text:
    slot = phrases.slot(name)
    if not new:
        return Text(KEY + "card-off", {"card": _shown(numbers, old), "slot": slot})
    return Text(KEY + "card-on", {"card": _shown(numbers, new), "slot": slot})


def _shown(numbers: Numbers, card: str) -> Text:
    """The card by its effect and its crest: what one looks for on the table."""
    if card == UNKNOWN:
        return phrases.card(card)
    crest = phrases.crest(numbers, numbers.cards[card].crest)
    return Text(phrases.KEY + "card/named", {"effect": phrases.card(card), "crest": crest})


def _die(way: str, name: str, die: Die) -> Text:
    params: dict[str, int | str | Text | tuple[Text, ...]] = {
        "seat": seat_name(die.owner),
        "face": die.face,
        "slot": phrases.slot(name),
    }
    return Text(KEY + "golem-" + way, params)


def _player(seat: int, now: SkytopiaState, wanted: SkytopiaState) -> list[Text]:
    old, new = now.players[seat], wanted.players[seat]
    who, lines = seat_name(seat), []
    if old.city != new.city:
        key = "city" if new.city >= 0 else "city-off"
        crests = wanted.numbers.base_crest[max(0, new.city)]
        lines.append(Text(KEY + key, {"seat": who, "blue": phrases.crest(wanted.numbers, crests[0])}))
    if old.ability != new.ability:
        lines.append(_tile(who, new.ability))
    for k, colour in enumerate(COLOURS):
        if old.towers[k] != new.towers[k]:
            cards = tuple(_shown(wanted.numbers, card) for card in new.towers[k])
            key = "tower" if cards else "tower-empty"
            lines.append(Text(KEY + key, {"seat": who, "colour": phrases.colour(colour), "cards": cards}))
    if old.coins != new.coins:
        change = phrases.coins(abs(new.coins - old.coins))
        key = "coins" if new.coins > old.coins else "coins-back"
        lines.append(Text(KEY + key, {"seat": who, "change": change, "coins": phrases.coins(new.coins)}))
    if old.points != new.points:
        lines.append(Text(KEY + "points", {"seat": who, "points": phrases.points(new.points)}))
    if new.home - old.home != _on_market(now, seat) - _on_market(wanted, seat):  # else the golems' own lines say it
        lines.append(Text(KEY + "home", {"seat": who, "n": new.home}))
    return lines


def _on_market(state: SkytopiaState, seat: int) -> int:
    return sum(die.owner == seat for slot in state.slots for die in slot.dice)


def _tile(who: Text, ability: str) -> Text:
    """The ability tile a player should have, with its side once that is chosen."""
    if not ability:
        return Text(KEY + "tile-off", {"seat": who})
    if len(ability) == 2:
        return Text(KEY + "tile", {"seat": who, "tile": phrases.tile(ability)})
    return Text(KEY + "side", {"seat": who, "ability": Text(f"{phrases.KEY}ability/{ability}")})
