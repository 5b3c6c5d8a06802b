"""What everybody may see; Skytopia hides nothing but the order of the decks, which the pack does not know."""

from __future__ import annotations

from companion.games.skytopia import chronometer, guilds
from companion.games.skytopia.ask_effects import drawn
from companion.games.skytopia.printed import COLOURS, UNKNOWN, Numbers
from companion.games.skytopia.state import SkytopiaState, Slot, slot_names
from companion.shown.skytopia import Card, City, Dial, Effect, Golem, Guild, Market, SkytopiaView
from companion.shown.skytopia import Slot as Place

ROUND_THE_FRAME = (0, 5, 4, 3, 2, 1)
"""Rounds to wait at each frame position, clockwise from the build symbol."""


def view(state: SkytopiaState) -> SkytopiaView:
    """The public view; every seat sees the same."""
    numbers = state.numbers
    return SkytopiaView(
        round=state.round,
        rounds_left=state.last - state.round if state.last else None,
        build=state.build,
        phase="refill" if state.phase == "dial" else state.phase,
        step=state.stack[-1].kind if state.stack else "over",
        turn=state.turn,
        first=state.first,
        final=bool(state.last) and state.round >= state.last,
        dial=dial(numbers, state.build),
        market=_market(state),
        players=tuple(_player(state, seat) for seat in range(len(state.players))),
        guilds=tuple(Guild(guild, numbers.group[guild], guilds.does(numbers, guild)) for guild in state.guilds),
        effects=effects(numbers),
        crests=crests(numbers),
        chart=tuple(tuple(row[seat] for row in state.chart) for seat in range(len(state.players))),
        unconfirmed=first_questions(numbers),
    )


def first_questions(numbers: Numbers) -> tuple[str, ...]:
    """The printed values that matter from turn one and nobody has confirmed."""
    box = numbers.box
    return box.unconfirmed(key for key, leaf in box.printed.items() if leaf.ask)


def dial(numbers: Numbers, build: int) -> Dial:
    """The chronometer, whatever else is followed."""
    faces = tuple(chronometer.value_for(left, build, numbers.direction) for left in ROUND_THE_FRAME)
    prices = tuple(None if left == 0 else numbers.prices[left] for left in ROUND_THE_FRAME)
    return Dial(chronometer.notch(build, numbers.start, numbers.direction), faces, prices, ROUND_THE_FRAME)


def crests(numbers: Numbers) -> dict[str, str]:
    """Crests the owner has named."""
    return {name: given for name, given in numbers.box.under("crests").items() if given}


def effects(numbers: Numbers) -> dict[str, Effect]:
    """What the cards of this copy do."""
    return {code: drawn(effect) for code, effect in numbers.effects.items()}


def _market(state: SkytopiaState) -> Market:
    slots = zip(slot_names(state.rows), state.slots, strict=True)
    decks: dict[str, int] = dict(zip(COLOURS, state.decks, strict=True))
    return Market(state.rows, COLOURS, decks, tuple(_slot(state, name, slot) for name, slot in slots))


def _slot(state: SkytopiaState, name: str, slot: Slot) -> Place:
    lying = card(state.numbers, slot.card)
    dice = tuple(Golem(d.owner, d.face, d.face == state.build) for d in slot.dice)
    return Place(card=lying.card, effect=lying.effect, crest=lying.crest, slot=name, dice=dice)


def card(numbers: Numbers, name: str) -> Card:
    """A card as clients draw it."""
    known = numbers.cards.get(name)
    if known is None:
        return Card(None if name == UNKNOWN else "")
    return Card(name, known.effect, known.crest)


def _player(state: SkytopiaState, seat: int) -> City:
    p, numbers = state.players[seat], state.numbers
    city = max(p.city, 0)
    built = guilds.skyline(numbers, city, p.towers)
    return City(
        seat=seat,
        name=p.name,
        points=p.points,
        coins=p.coins,
        home=p.home,
        dice=numbers.dice,
        city=p.city,
        ability=p.ability,
        guilds=tuple(guilds.praise(numbers, guild, built).points for guild in state.guilds),
        bases=dict(zip(COLOURS, numbers.base_crest[city], strict=True)),
        towers={c: tuple(card(numbers, one) for one in p.towers[k]) for k, c in enumerate(COLOURS)},
    )
