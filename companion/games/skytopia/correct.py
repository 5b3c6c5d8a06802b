"""Corrections: any value set by hand as the table really is, never breaking what must always hold."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Text
from companion.games.skytopia import chronometer, corrected, effects, guilds, market, phrases
from companion.games.skytopia.moves import Correct, OurBox
from companion.games.skytopia.printed import COLOURS, GUILDS, SIDES, TILES, UNKNOWN, numbers
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.state import Pending, Player, Work, exchanged
from companion.games.skytopia.turn import AFTER_FINISHING, begin_turn, finish_late, finished

OWN = ("coins", "points", "die", "tower", "city", "ability")
"""Corrections of what one player has; the others are about the table, and a player whose turn begins anew takes another's."""


def carry_out(work: Work, move: Correct | OurBox) -> None:
    """A correction is a move like any other."""
    if isinstance(move, OurBox):
        _box(work, move)
    else:
        if move.seat is not None and move.seat >= len(work.players):
            raise refused("correct-value", what=move.what)
        before = corrected.value(work, move)
        _CORRECTIONS[move.what](work, move)
        said = corrected.said(move, before, corrected.value(work, move))
        work.happened("corrected", move.seat, said, what=move.what)
    _consequences(work)


def _consequences(work: Work) -> None:
    """What the rules say about the table as it now is; a game that has ended stays ended."""
    effects.offer_anew(work)
    if work.stack and work.last and all(work.decks):
        work.last = 0
        work.happened("not-last-round", text=Text("skytopia/event/not-last-round"))
    if work.phase in AFTER_FINISHING and finished(work):
        finish_late(work)


def _number(move: Correct, low: int, high: int) -> int:
    if isinstance(move.value, bool) or not isinstance(move.value, int) or not low <= move.value <= high:
        raise refused("correct-range", low=low, high=high)
    return move.value


def _player(work: Work, move: Correct) -> tuple[int, Player]:
    if move.seat is None:
        raise refused("correct-value", what=move.what)
    return move.seat, work.players[move.seat]


def _coins(work: Work, move: Correct) -> None:
    seat, _ = _player(work, move)
    coins = _number(move, 0, 999)
    work.counted_purse(seat)
    work.change(seat, coins=coins)


def _points(work: Work, move: Correct) -> None:
    seat, p = _player(work, move)
    points = _number(move, 0, 999)
    gained = (*p.gained, (work.round, "correction", points - p.points)) if points != p.points else p.gained
    work.change(seat, points=points, gained=gained)


def _die(work: Work, move: Correct) -> None:
    """A golem is put on a card, taken off it or shows another face."""
    seat, p = _player(work, move)
    slot = market.card_slot(work, move.slot)
    dice = work.slots[slot].dice
    if move.was is not None and not any(d.owner == seat and d.face == move.was for d in dice):
        raise refused("not-there", slot=phrases.slot(move.slot), face=move.was)
    if move.was is None and move.face is None:
        raise refused("correct-value", what="die")
    if move.was is None and not p.home:
        raise refused("correct-golems", n=work.numbers.dice)
    others = [d for d in dice if d.owner != seat or d.face != move.was]
    if move.face is not None and any(d.face == move.face for d in others):
        raise refused("face-taken", face=move.face, slot=phrases.slot(move.slot))
    if move.was is not None:
        work.lift(slot, seat, move.was)
        work.homecoming(seat)
    if move.face is not None:
        work.put(slot, seat, move.face)
        work.homecoming(seat, -1)


def _card(work: Work, move: Correct) -> None:
    """Another card lies in a slot than was thought, or none (`value` empty), or one nobody knows (`?`)."""
    slot = market.find_slot(work, move.slot)
    old, card = work.slots[slot], move.value
    if not isinstance(card, str):
        raise refused("correct-value", what="card")
    if not card and old.dice:
        raise refused("occupied", slot=phrases.slot(move.slot))
    work.slots[slot] = replace(old, card="")
    if card and card != UNKNOWN:
        market.check_free(work, card, slot // work.rows)
    _in_play(work, slot // work.rows, bool(card) - bool(old.card))
    work.slots[slot] = replace(old, card=card)


def _in_play(work: Work, colour: int, more: int) -> None:
    """Cards come into play from the deck, then from the box; cards taken out of play go to the box."""
    deck, removed = work.decks[colour], work.removed[colour]
    from_deck = max(0, min(more, deck))
    rest = more - from_deck
    if rest > removed:
        raise refused("correct-cards", colour=COLOURS[colour])
    work.decks = exchanged(work.decks, colour, deck - from_deck)
    work.removed = exchanged(work.removed, colour, removed - rest)


def _tower(work: Work, move: Correct) -> None:
    """A whole tower, bottom to top."""
    seat, p = _player(work, move)
    if move.tower is None:
        raise refused("correct-value", what="tower")
    colour = COLOURS.index(move.tower)
    old = p.towers[colour]
    _build(work, seat, colour, ())
    for card in move.cards:
        if card != UNKNOWN:
            market.check_free(work, card, colour)
        _build(work, seat, colour, (*work.players[seat].towers[colour], card))
    _in_play(work, colour, len(move.cards) - len(old))


def _build(work: Work, seat: int, colour: int, tower: tuple[str, ...]) -> None:
    work.change(seat, towers=exchanged(work.players[seat].towers, colour, tower))


def _dial(work: Work, move: Correct) -> None:
    work.build = _number(move, 1, 6)


def _deck(work: Work, move: Correct) -> None:
    if move.tower is None:
        raise refused("correct-value", what="deck")
    colour = COLOURS.index(move.tower)
    left = _number(move, 0, work.decks[colour] + work.removed[colour])
    work.removed = exchanged(work.removed, colour, work.removed[colour] + work.decks[colour] - left)
    work.decks = exchanged(work.decks, colour, left)


def _under_way(work: Work) -> None:
    """Refuse what has a meaning only while rounds are played."""
    if work.phase == "setup":
        raise refused("not-now")
    if not work.stack:
        raise refused("over")


def _turn(work: Work, move: Correct) -> None:
    """The turn of this player begins now."""
    seat, _ = _player(work, move)
    _under_way(work)
    work.stack.clear()
    begin_turn(work, seat)


def _round(work: Work, move: Correct) -> None:
    """Another number for the same round: as many are left as before."""
    _under_way(work)
    number = _number(move, 1, 99)
    if work.last:
        work.last += number - work.round
    work.round = number


def _city(work: Work, move: Correct) -> None:
    seat, _ = _player(work, move)
    city = _number(move, 0, 3)
    if any(other.city == city for k, other in enumerate(work.players) if k != seat):
        raise refused("city-taken")
    work.change(seat, city=city)


def _ability(work: Work, move: Correct) -> None:
    seat, _ = _player(work, move)
    ability = str(move.value)
    if ability[:2] not in TILES or ability[2:] not in SIDES:
        raise refused("correct-value", what="ability")
    if any(other.ability[:2] == ability[:2] for k, other in enumerate(work.players) if k != seat):
        raise refused("tile-taken", tile=phrases.tile(ability[:2]))
    work.change(seat, ability=ability)


def _guilds(work: Work, move: Correct) -> None:
    group = work.numbers.group
    for guild in move.cards:
        if guild not in GUILDS:
            raise refused("no-such-guild", guild=guild)
    if len(move.cards) != 3 or guilds.same_group(work.numbers, move.cards):
        raise refused("guild-group")
    work.guilds = tuple(sorted(move.cards, key=lambda guild: group[guild]))


def _end(work: Work, move: Correct) -> None:
    """The game ends here, as the table stands."""
    if len(work.guilds) != 3 or any(player.city < 0 for player in work.players):
        raise refused("not-now")
    work.stack = [Pending("final")]


_CORRECTIONS = {
    "coins": _coins,
    "points": _points,
    "die": _die,
    "card": _card,
    "tower": _tower,
    "dial": _dial,
    "deck": _deck,
    "turn": _turn,
    "round": _round,
    "city": _city,
    "ability": _ability,
    "guilds": _guilds,
    "end": _end,
}


def _box(work: Work, move: OurBox) -> None:
    """Our copy says otherwise: the printed value is corrected from here on."""
    old = work.numbers
    try:
        work.numbers = numbers({**old.box.overrides, move.key: move.value})
    except ValueError as error:
        raise refused("box", key=move.key, why=str(error)) from error
    golems = work.numbers.dice - old.dice
    if any(p.home + golems < 0 for p in work.players):
        raise refused("correct-golems", n=work.numbers.dice)
    for seat in range(len(work.players) if golems else 0):
        work.homecoming(seat, golems)
    work.build = chronometer.read_anew(work.build, old.dial, work.numbers.dial)
    if work.phase == "setup":
        for seat, p in enumerate(work.players):
            work.change(seat, coins=max(0, p.coins + work.numbers.coins - old.coins))
    if move.key.endswith(".min_players"):
        _recount(work, move.key.split(".")[1], old.cards[move.key.split(".")[1]].min_players)
    work.happened("box", key=move.key)


def _recount(work: Work, card: str, was: int) -> None:
    """A card joins or leaves its deck by its player-count mark."""
    colour, count = work.numbers.cards[card].colour, len(work.players)
    change = (work.numbers.cards[card].min_players <= count) - (was <= count)
    if card in market.in_play(work, colour) or not work.decks[colour] + change >= 0:
        return
    work.decks = exchanged(work.decks, colour, work.decks[colour] + change)
    work.removed = exchanged(work.removed, colour, work.removed[colour] - change)
