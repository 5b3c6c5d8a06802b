"""Light and tally depth: turns, dial and score only, or just the final position; the same total in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.game import Ask, Choice, Expected, Form, Outcome, Tally, Text, seat_name
from companion.games.kit.names import begins, told_apart
from companion.games.skytopia import chronometer, counting, document, form, guilds, phrases, scoring
from companion.games.skytopia.moves import Correct, Count, EndTurn, Final, LastRound, Move, OurBox, TurnDial, encode
from companion.games.skytopia.printed import COLOURS, Numbers, numbers
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.view import crests, dial, effects
from companion.shown.skytopia import Card, City, Guild, Market, SkytopiaView

KEY = phrases.KEY
LARGEST_COUNT = 999
"""Points or coins one player can be said to have."""


class Light(msgspec.Struct, frozen=True):
    """A game the companion only keeps count of."""

    numbers: Numbers
    names: tuple[str, ...]
    depth: str
    points: tuple[int, ...]
    coins: tuple[int, ...]
    step: str
    """turn, dial, final or over"""
    round: int = 1
    build: int = 1
    first: int = 0
    turn: int = 0
    last: int = 0
    chart: tuple[tuple[int, ...], ...] = ()
    final: document.Document | None = None
    guilds: tuple[str, ...] = ()
    """The guild masters, once somebody has named them."""
    counts: tuple[counting.Count | None, ...] = ()
    """What everybody has counted, by seat."""


def new(options: Mapping[str, Any], overrides: Mapping[str, Any]) -> Light:
    """The first state; in tally depth the final position is asked for at once."""
    given = options.get("names", ())
    cut = [str(name)[:40] for name in given] if isinstance(given, list | tuple) else []
    names = told_apart(cut, range(1, len(cut) + 1))
    if not 2 <= len(names) <= 4:
        raise ValueError(f"names: Skytopia is for 2 to 4 players, not {len(names)}")
    made, depth = numbers(overrides), str(options.get("depth"))
    first = begins(options, len(names))
    count, step = len(names), "turn" if depth == "light" else "final"
    return Light(made, names, depth, (0,) * count, (made.coins,) * count, step, 1, made.start, first, first)


def moves(state: Light) -> list[Move]:
    """The moves that carry the game on; counting points and coins is possible at any time."""
    if state.step == "turn":
        more = [Count(seat, points=1) for seat, points in enumerate(state.points) if points < LARGEST_COUNT]
        over = [] if state.last else [LastRound()]
        return [EndTurn(state.turn), *more, *over]
    if state.step == "dial":
        return [TurnDial()]
    if state.step == "final":
        if not state.guilds:
            return [Final({"guilds": form.usual(state.numbers, (), (), ())["guilds"]})]
        return [Final(_usual(state, seat), apart=True) for seat in _missing(state)[:1]]
    return []


def _usual(state: Light, seat: int) -> dict[str, Any]:
    return counting.usual(state.numbers, state.guilds, seat, state.points[seat], state.coins[seat])


def _missing(state: Light) -> list[int]:
    """Who has not counted yet, or not what is asked now."""
    counts = state.counts or (None,) * len(state.names)
    return [
        seat
        for seat, count in enumerate(counts)
        if count is None or not counting.complete(state.numbers, state.guilds, count)
    ]


def play(state: Light, move: Move) -> Outcome:
    """One step of a game that is only counted."""
    if isinstance(move, OurBox):
        try:
            made = numbers({**state.numbers.box.overrides, move.key: move.value})
        except ValueError as error:
            raise refused("box", key=move.key, why=str(error)) from error
        build = chronometer.read_anew(state.build, state.numbers.dial, made.dial)
        counts = tuple(count and counting.still_true(made, count) for count in state.counts)
        state = msgspec.structs.replace(state, numbers=made, build=build, counts=counts)
        again = state.step == "over" and counts and _missing(state)
        return Outcome(msgspec.structs.replace(state, step="final") if again else state)
    if state.step == "over":
        raise refused("over")
    if isinstance(move, Count):
        return Outcome(_count(state, move))
    if isinstance(move, Correct):
        return Outcome(_correct(state, move))
    if isinstance(move, Final):
        return Outcome(_final(state, move))
    if isinstance(move, LastRound) and state.step in ("turn", "dial") and not state.last:
        return Outcome(msgspec.structs.replace(state, last=state.round + state.numbers.extra_rounds))
    if isinstance(move, EndTurn) and state.step == "turn":
        if move.seat != state.turn:
            raise refused("not-your-turn", seat=seat_name(state.turn))
        return Outcome(_end_turn(state))
    if isinstance(move, TurnDial) and state.step == "dial":
        count = len(state.names)
        first, build = (state.first - 1) % count, chronometer.next_build(state.build, state.numbers.direction)
        changes = {"round": state.round + 1, "build": build, "first": first, "turn": first, "step": "turn"}
        return Outcome(msgspec.structs.replace(state, **changes))
    raise refused("not-now")


def _count(state: Light, move: Count) -> Light:
    if move.seat >= len(state.names):
        raise refused("correct-value", what="points")
    points, coins = list(state.points), list(state.coins)
    points[move.seat] += move.points
    coins[move.seat] += move.coins
    if not (0 <= points[move.seat] <= LARGEST_COUNT and 0 <= coins[move.seat] <= LARGEST_COUNT):
        raise refused("correct-range", low=0, high=LARGEST_COUNT)
    return msgspec.structs.replace(state, points=tuple(points), coins=tuple(coins))


def _correct(state: Light, move: Correct) -> Light:
    value = move.value
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST_COUNT:
        raise refused("correct-range", low=0, high=LARGEST_COUNT)
    if move.what == "dial" and 1 <= value <= 6:
        return msgspec.structs.replace(state, build=value)
    if move.what == "round" and value:
        last = state.last and state.last + value - state.round
        return msgspec.structs.replace(state, round=value, last=last)
    if move.seat is None or move.seat >= len(state.names) or move.what not in ("points", "coins"):
        raise refused("correct-value", what=move.what)
    old = state.points if move.what == "points" else state.coins
    changed = (*old[: move.seat], value, *old[move.seat + 1 :])
    if move.what == "points":
        return msgspec.structs.replace(state, points=changed)
    return msgspec.structs.replace(state, coins=changed)


def _end_turn(state: Light) -> Light:
    count = len(state.names)
    if state.turn != (state.first - 1) % count:
        return msgspec.structs.replace(state, turn=(state.turn + 1) % count)
    chart = (*state.chart, state.points)
    done = state.last and state.round >= state.last
    return msgspec.structs.replace(state, step="final" if done else "dial", chart=chart)


def _final(state: Light, move: Final) -> Light:
    """The final position may be entered at any time; when everybody has counted, the game is over."""
    if any(isinstance(value, list | tuple) for key, value in move.values.items() if "/" in key):
        return _by_cards(state, move)
    if not state.guilds or "guilds" in move.values:
        state = msgspec.structs.replace(state, guilds=counting.chosen(state.numbers, move.values), step="final")
    theirs = {int(key[1]) for key in move.values if key[:1] == "p" and key[1:2].isdecimal()}
    if not theirs and not state.counts:
        return state
    counts = list(state.counts or (None,) * len(state.names))
    for seat in range(len(state.names)) if not move.apart else sorted(theirs & set(range(len(state.names)))):
        points, coins = state.points[seat], state.coins[seat]
        counts[seat] = counting.counted(state.numbers, state.guilds, move.values, seat, points, coins)
    state = msgspec.structs.replace(state, counts=tuple(counts))
    return msgspec.structs.replace(state, step="final" if _missing(state) else "over")


def _by_cards(state: Light, move: Final) -> Light:
    """Card by card, as a document has it and earlier versions asked for it."""
    cities = [move.values.get(f"p{seat}/city") for seat in range(len(state.names))]
    twice = next((city for i, city in enumerate(cities) if city in cities[:i]), None)
    if type(twice) is int:
        raise refused("city-taken")
    try:
        read = document.read(form.document(state.names, move.values), state.numbers)
    except ValueError as error:
        field, why = form.wrong(move.values, str(error))
        raise refused("form", field=field, why=why) from error
    return msgspec.structs.replace(state, step="over", final=read)


def ask(state: Light) -> Ask:
    """Turn by turn, then one form."""
    if state.step == "over":
        return Ask(None, phrases.plain("ask/over"), phase="over")
    if state.step == "final":
        return _ask_final(state)
    if state.step == "dial":
        turned = Choice("turn_dial", phrases.plain("choice/dial"), encode(TurnDial()), primary=True)
        right = Text(KEY + "remind/marker", {"seat": seat_name((state.first - 1) % len(state.names))})
        text = Text(KEY + "ask/dial", {"seat": seat_name(state.first)})
        change = (phrases.plain("change/dial"),)
        return Ask(state.first, text, (turned,), change=change, reminders=(right,), phase="refill")
    choices = [Choice("end_turn", phrases.plain("choice/end-turn"), encode(EndTurn(state.turn)), primary=True)]
    for n in (n for n in (1, 2, 3, 5) if state.points[state.turn] + n <= LARGEST_COUNT):
        text = Text(KEY + "choice/count", {"points": phrases.points(n)})
        choices.append(Choice(f"points/{n}", text, encode(Count(state.turn, points=n)), picture={"points": n}))
    if not state.last:
        choices.append(Choice("last_round", phrases.plain("choice/last-round"), encode(LastRound())))
    text = Text(KEY + "ask/turn-of", {"seat": seat_name(state.turn)})
    return Ask(state.turn, text, tuple(choices), phase="place")


def _ask_final(state: Light) -> Ask:
    """The guild masters, then what everybody counts. Who has counted stays in the form: it must not change while others type."""
    if not state.guilds:
        entry = Form((counting.masters(),), encode(Final({})), phrases.plain("form/next"))
        return Ask(None, phrases.plain("ask/masters"), form=entry, phase="final")
    missing = _missing(state)
    counts = state.counts or (None,) * len(state.names)
    rows = [
        field
        for seat, points, coins in zip(range(len(state.names)), state.points, state.coins, strict=True)
        for field in counting.fields(state.numbers, state.guilds, seat, points, coins, counts[seat])
    ]
    entry = Form(tuple(rows), encode(Final({})), phrases.plain("form/send"), apart=True)
    waits = Text(KEY + "remind/missing", {"seats": tuple(seat_name(seat) for seat in missing)})
    late = (waits,) if len(missing) < len(state.names) else ()
    return Ask(None, phrases.plain("ask/final"), form=entry, reminders=late, phase="final")


def expect(state: Light) -> Expected:
    """Only the dial is followed."""
    if state.depth == "tally":
        return Expected()
    notch = chronometer.notch(state.build, state.numbers.start, state.numbers.direction)
    return Expected((), notch, 6)


def tally(state: Light) -> Tally:
    """The score of the final position, or the track alone until it is entered."""
    if state.final is not None:
        ends = [document.ending(player, state.numbers) for player in state.final.players]
        return scoring.tally(state.numbers, state.final.guilds, ends)
    if state.guilds:
        missing = _missing(state)
        counts = [
            counting.counted(state.numbers, state.guilds, _usual(state, seat), seat, 0, 0) if seat in missing else one
            for seat, one in enumerate(state.counts or (None,) * len(state.names))
        ]
        named = [one.ending(name) for one, name in zip(counts, state.names, strict=True) if one is not None]
        return scoring.tally(state.numbers, state.guilds, named)
    bare = form.document(state.names, form.usual(state.numbers, state.names, state.points, state.coins))
    read = msgspec.convert(bare, document.Document)
    return scoring.tally(state.numbers, (), [document.ending(player, state.numbers) for player in read.players])


def view(state: Light) -> SkytopiaView:
    """The same as in full, with an empty market."""
    made, final = state.numbers, state.final
    phase = {"turn": "place", "dial": "refill", "final": "refill", "over": "over"}
    return SkytopiaView(
        round=state.round,
        rounds_left=state.last - state.round if state.last else None,
        build=state.build,
        phase=phase[state.step],
        step=state.step,
        turn=state.turn,
        first=state.first,
        final=bool(state.last) and state.round >= state.last,
        dial=dial(made, state.build),
        market=Market(0, COLOURS, dict.fromkeys(COLOURS, 0), ()),
        players=tuple(_city(state, seat, name) for seat, name in enumerate(state.names)),
        guilds=tuple(
            Guild(guild, made.group[guild], guilds.does(made, guild))
            for guild in (final.guilds if final else state.guilds)
        ),
        effects=effects(made),
        crests=crests(made),
        chart=tuple(tuple(row[seat] for row in state.chart) for seat in range(len(state.names))),
    )


def _city(state: Light, seat: int, name: str) -> City:
    made = state.numbers
    given = state.final.players[seat] if state.final else None
    count = state.counts[seat] if state.counts else None
    city = given.city if given else -1
    points = given.track if given else count.track if count else state.points[seat]
    coins = given.coins if given else count.coins if count else state.coins[seat]
    golems = given.market_golems if given else count.golems if count else 0
    return City(
        seat=seat,
        name=name,
        points=points,
        coins=coins,
        home=made.dice - golems,
        dice=made.dice,
        city=city,
        ability="",
        guilds=(),
        bases=dict(zip(COLOURS, made.base_crest[max(city, 0)], strict=True)),
        towers={
            colour: tuple(_card(made, card) for card in getattr(given.towers, colour))
            if given
            else (Card(None),) * (count.city.heights[k] if count else 0)
            for k, colour in enumerate(COLOURS)
        },
    )


def _card(made: Numbers, card: document.CardGiven) -> Card:
    if isinstance(card, str):
        return Card(card, made.cards[card].effect, made.cards[card].crest)
    return Card(card.effect + "a", card.effect, card.crest)
