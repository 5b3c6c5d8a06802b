"""Before the first round: market, guild masters, cities, ability tiles and the golem everybody begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import seat_name
from companion.games.kit.names import begins
from companion.games.skytopia import market, phrases
from companion.games.skytopia.guilds import same_group
from companion.games.skytopia.moves import City, Deal, Guild, Move, Reveal, Side, Start, Tile
from companion.games.skytopia.printed import COLOURS, GUILDS, SIDES, TILES, UNKNOWN, Numbers, numbers
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.state import Options, Pending, Player, Position, SkytopiaState, Slot, Work, slot_names

STEPS = ("deal", "guild", "city", "tile", "side", "start")


def new(options: Mapping[str, Any], overrides: Mapping[str, Any]) -> SkytopiaState:
    """The first state; what `options` already says about the table is not asked again."""
    names = tuple(str(name)[:60] for name in _listed(options, "names"))
    if not 2 <= len(names) <= 4:
        raise ValueError(f"names: Skytopia is for 2 to 4 players, not {len(names)}")
    made, count = numbers(overrides), len(names)
    rows = _number(options, "rows", 0, 0, 4) or count
    first = begins(options, count)
    sides = options.get("sides", "A")
    if sides not in ("A", "B", "each"):
        raise ValueError(f"sides: {sides!r} is not A, B or each")
    tiles, initial_turn = options.get("abilities_by", "deal"), options.get("initial_turn", False)
    if tiles not in ("deal", "draft"):
        raise ValueError(f"abilities_by: {tiles!r} is not deal or draft")
    if not isinstance(initial_turn, bool):
        raise ValueError(f"initial_turn: {initial_turn!r} is not true or false")
    how = Options(initial_turn, tiles == "draft", sides)
    given = _given(options, made, count)
    decks, removed = _decks(made, count)
    players = tuple(
        Player(name, given["cities"][seat], given["abilities"][seat], 0, made.coins, made.dice, ((),) * 4)
        for seat, name in enumerate(names)
    )
    slots = (Slot(),) * (4 * rows)
    guilds, stack = given["guilds"], tuple(Pending(step) for step in reversed(STEPS))
    return SkytopiaState(
        numbers=made,
        players=players,
        slots=slots,
        rows=rows,
        decks=decks,
        removed=removed,
        guilds=guilds,
        round=0,
        build=made.start,
        first=first,
        turn=first,
        phase="setup",
        stack=stack,
        options=how,
    )


def _number(options: Mapping[str, Any], key: str, usual: int, low: int, high: int) -> int:
    value = options.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{key}: {value!r} is not a number from {low} to {high}")
    return value


def _given(options: Mapping[str, Any], made: Numbers, count: int) -> dict[str, Any]:
    """Guilds, cities and abilities that are known before the game is set up."""
    cities = _listed(options, "cities") or (-1,) * count
    abilities = _listed(options, "abilities") or ("",) * count
    revealed = _listed(options, "guilds")
    if len(cities) != count or any(type(city) is not int or not -1 <= city <= 3 for city in cities):
        raise ValueError("cities: one city, 0 to 3, per player")
    known = ("", *TILES, *(tile + side for tile in TILES for side in SIDES))
    if len(abilities) != count or any(ability not in known for ability in abilities):
        raise ValueError("abilities: one tile with its side, T1A to T4B, per player")
    if len(revealed) > 3 or any(guild not in GUILDS for guild in revealed) or same_group(made, revealed):
        raise ValueError("guilds: three guild masters, one of each group")
    for what, chosen in (("cities", cities), ("abilities", tuple(a[:2] for a in abilities))):
        real = [one for one in chosen if one not in (-1, "")]
        if len(set(real)) != len(real):
            raise ValueError(f"{what}: no two players have the same")
    return {"cities": cities, "abilities": abilities, "guilds": revealed}


def _listed(options: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    value = options.get(key) or ()
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key}: {value!r} should be a list")
    return tuple(value)


def _decks(made: Numbers, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cards in each deck and cards left in the box, by the player-count marks."""
    kept = tuple(len(colour) for colour in made.in_deck[count])
    return kept, tuple(len(colour) - n for colour, n in zip(made.of_colour, kept, strict=True))


def draft_order(position: Position) -> list[int]:
    """From the last player, counter-clockwise, to the first."""
    count = len(position.players)
    return [(position.first - k) % count for k in range(1, count + 1)]


def waiting(position: Position, step: str) -> list[int]:
    """The players who have not answered this set-up step, in the order they are asked.

    Cities and dealt tiles are named from the first player on; tiles are drafted, and sides always chosen, from the last
    player backwards.
    """
    count = len(position.players)
    backwards = step == "side" or (step == "tile" and position.options.draft)
    order = draft_order(position) if backwards else [(position.first + k) % count for k in range(count)]
    return [seat for seat in order if not _answered(position.players[seat], step)]


def _answered(player: Player, step: str) -> bool:
    if step == "city":
        return player.city >= 0
    if step == "tile":
        return bool(player.ability)
    return step != "side" or len(player.ability) != 2


def starters(position: Position) -> list[int]:
    """The players whose first golem is not on the market yet, in order."""
    full = position.numbers.dice
    if position.options.initial_turn:
        return [seat for seat in draft_order(position) if position.players[seat].home == full][:1]
    count = len(position.players)
    order = [(position.first + k) % count for k in range(count)]
    return [seat for seat in order if position.players[seat].home == full]


def start_slots(position: Position, seat: int) -> list[int]:
    """Where this player's first golem may go."""
    free = [i for i, slot in enumerate(position.slots) if slot.card and not slot.dice]
    if position.options.initial_turn:
        return free
    own = position.numbers.tile_colour[position.players[seat].ability[:2]] * position.rows
    # Tiles of one colour exist only in an edited box; then any unoccupied card serves.
    return [own] if own in free else free


def waits(work: Work, pending: Pending) -> bool:
    """The set-up step needs an answer; otherwise it is closed and the next one comes."""
    kind = pending.kind
    if kind == "deal":
        open_ = bool(market.gaps(work))
    elif kind == "guild":
        open_ = len(work.guilds) < 3
    elif kind == "side" and work.options.sides != "each":
        for seat, p in enumerate(work.players):
            if len(p.ability) == 2:
                work.change(seat, ability=p.ability + work.options.sides)
        open_ = False
    elif kind == "start":
        open_ = any(start_slots(work, seat) for seat in starters(work))
    else:
        open_ = bool(waiting(work, kind))
    if not open_:
        work.stack.pop()
    return open_


def options(position: Position, pending: Pending) -> list[Move]:
    """The legal moves of a set-up step."""
    kind = pending.kind
    if kind == "deal":
        gap = market.gaps(position)[0]
        name = slot_names(position.rows)[gap]
        return [Reveal(card, name) for card in market.unseen(position, gap // position.rows)]
    if kind == "guild":
        return [Guild(guild) for guild in open_guilds(position)]
    if kind == "start":
        names = slot_names(position.rows)
        return [Start(one, names[slot]) for one in starters(position) for slot in start_slots(position, one)]
    seat = waiting(position, kind)[0]
    if kind == "city":
        return [City(seat, city) for city in range(4) if all(p.city != city for p in position.players)]
    if kind == "tile":
        taken = {player.ability[:2] for player in position.players}
        return [Tile(seat, tile) for tile in TILES if tile not in taken]
    return [Side(seat, side) for side in SIDES]


def open_guilds(position: Position) -> list[str]:
    """The guild masters that may still be revealed: one of each group."""
    group = position.numbers.group
    done = {group[guild] for guild in position.guilds}
    lowest = min((g for g in group.values() if g not in done), default=0)
    return [guild for guild in GUILDS if group[guild] == lowest]


def carry_out(work: Work, pending: Pending, move: Move) -> None:
    """A set-up step is answered."""
    if isinstance(move, Deal) and pending.kind == "deal":
        _deal(work, move)
    elif isinstance(move, Guild) and pending.kind == "guild":
        _guild(work, move.guild)
    elif isinstance(move, Start) and pending.kind == "start":
        _start(work, move)
    elif isinstance(move, City | Tile | Side) and pending.kind == type(move).__name__.lower():
        asked = waiting(work, pending.kind)
        # a side is chosen openly and takes nothing from anybody: who says it before being asked is heard
        if move.seat not in (asked if isinstance(move, Side) else asked[:1]):
            raise refused("not-your-turn", seat=seat_name(asked[0]))
        _choose(work, move)
    else:
        raise refused("not-now")


def _choose(work: Work, move: City | Tile | Side) -> None:
    if isinstance(move, City):
        if any(other.city == move.city for other in work.players):
            raise refused("city-taken")
        work.change(move.seat, city=move.city)
    elif isinstance(move, Tile):
        if any(other.ability[:2] == move.tile for other in work.players):
            raise refused("tile-taken", tile=phrases.tile(move.tile))
        work.change(move.seat, ability=move.tile)
    else:
        work.change(move.seat, ability=work.players[move.seat].ability + move.side)


def _deal(work: Work, move: Deal) -> None:
    for name, card in move.cards.items():
        slot = market.find_slot(work, name)
        if work.slots[slot].card:
            raise refused("slot-full", slot=phrases.slot(name))
        if card is not None:
            market.check_gap(work, slot)
            market.check_card(work, card, slot // work.rows)
            market.turn_up(work, slot, card)
    for gap in market.gaps(work):
        market.turn_up(work, gap, UNKNOWN)
    work.reveals = True
    work.happened("dealt")


def _guild(work: Work, guild: str) -> None:
    if guild not in GUILDS:
        raise refused("no-such-guild", guild=guild[:40])
    group = work.numbers.group
    if any(group[guild] == group[other] for other in work.guilds):
        raise refused("guild-group")
    work.guilds = (*work.guilds, guild)
    work.reveals = True
    work.happened("guild", guild=guild)


def _start(work: Work, move: Start) -> None:
    waiting = starters(work)
    if move.seat not in waiting:
        raise refused("not-your-turn", seat=seat_name(waiting[0]))
    slot = market.card_slot(work, move.slot)
    if slot not in start_slots(work, move.seat):
        if work.options.initial_turn:
            raise refused("occupied", slot=phrases.slot(move.slot))
        key = f"abilities.tile_colour.{work.players[move.seat].ability[:2]}"
        box = "" if work.numbers.box.confirmed(key) else key
        right = slot_names(work.rows)[start_slots(work, move.seat)[0]]
        raise refused("wrong-start", box=box, slot=phrases.slot(right), colour=COLOURS[slot // work.rows])
    work.homecoming(move.seat, -1)
    work.put(slot, move.seat, work.numbers.initial_face)
    work.happened("placed", move.seat, slot=move.slot, face=work.numbers.initial_face)
