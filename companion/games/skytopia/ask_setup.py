"""Prompts before the first round."""

from __future__ import annotations

from companion.game import Ask, Choice, Picture, Text, seat_name
from companion.games.skytopia import guilds, market, phrases, setup
from companion.games.skytopia.ask_effects import naming
from companion.games.skytopia.moves import City, Deal, Guild, Reveal, Side, Start, Tile, encode
from companion.games.skytopia.printed import COLOURS
from companion.games.skytopia.state import Pending, SkytopiaState, slot_names

KEY = phrases.KEY
Params = dict[str, int | str | Text | tuple[Text, ...]]


def ask(state: SkytopiaState, pending: Pending) -> Ask:
    """The set-up step at hand."""
    if pending.kind == "deal":
        return _deal(state)
    if pending.kind == "guild":
        return _guild(state)
    if pending.kind == "start":
        return _start(state)
    return _own_things(state, pending)


def _deal(state: SkytopiaState) -> Ask:
    gap = market.gaps(state)[0]
    name = slot_names(state.rows)[gap]
    laid = Choice("deal", phrases.plain("choice/dealt"), encode(Deal()), primary=True)
    cards = [naming(state.numbers, Reveal(card, name)) for card in market.unseen(state, gap // state.rows)]
    text = Text(KEY + "ask/deal", {"n": state.rows})
    help_ = Text(KEY + "help/deal", {"slot": phrases.slot(name)})
    dial = Text(KEY + "change/start-dial", {"face": state.numbers.start})
    marks = [f"{len(state.players) + 1}+"] if any(state.removed) else []
    change = [dial, *(Text(KEY + "change/remove", {"mark": mark}) for mark in marks)]
    change.append(Text(KEY + "change/coins", {"coins": phrases.coins(state.numbers.coins)}))
    return Ask(None, text, (laid, *cards), help_, change=tuple(change), phase="setup")


def _guild(state: SkytopiaState) -> Ask:
    masters = setup.open_guilds(state)
    choices = tuple(
        Choice(
            f"guild/{g}", Text(f"{KEY}guild/{g}"), encode(Guild(g)), guilds.does(state.numbers, g), picture={"guild": g}
        )
        for g in masters
    )
    group = "I" * state.numbers.group[masters[0]]
    return Ask(None, Text(KEY + "ask/guild", {"group": group}), choices, phase="setup")


def _own_things(state: SkytopiaState, pending: Pending) -> Ask:
    """City, tile or side of one player."""
    choices = []
    for move in setup.options(state, pending):
        if isinstance(move, City):
            crests = state.numbers.base_crest[move.city]
            bases: dict[str, str] = dict(zip(COLOURS, crests, strict=True))
            note = Text(KEY + "note/bases", {c: phrases.crest(state.numbers, bases[c]) for c in COLOURS[1:]})
            text = Text(KEY + "choice/city", {"blue": phrases.crest(state.numbers, bases["blue"])})
            choices.append(Choice(f"city/{move.city}", text, encode(move), note, picture={"bases": bases}))
        elif isinstance(move, Tile):
            colour = phrases.colour(state.numbers.tile_colour[move.tile])
            text = Text(KEY + "choice/tile", {"colour": colour})
            both = {"a": Text(f"{KEY}ability/{move.tile}A"), "b": Text(f"{KEY}ability/{move.tile}B")}
            note = Text(KEY + "note/sides", both)
            choices.append(Choice(f"tile/{move.tile}", text, encode(move), note, picture={"ability": move.tile + "A"}))
        elif isinstance(move, Side):
            ability = state.players[move.seat].ability + move.side
            text = Text(f"{KEY}ability/{ability}")
            note = Text(f"{KEY}ability-does/{ability}")
            choices.append(Choice(f"side/{move.side}", text, encode(move), note, picture={"ability": ability}))
    seat = setup.waiting(state, pending.kind)[0]
    text = Text(f"{KEY}ask/{pending.kind}", {"seat": seat_name(seat)})
    return Ask(seat, text, tuple(choices), phase="setup")


def _start(state: SkytopiaState) -> Ask:
    waiting, names, face = setup.starters(state), slot_names(state.rows), state.numbers.initial_face
    choices, change = [], []
    for seat in waiting:
        for slot in setup.start_slots(state, seat):
            params: Params = {"seat": seat_name(seat), "face": face, "slot": phrases.slot(names[slot])}
            picture: Picture = {"die": {"owner": seat, "face": face}, "slot": names[slot], "coins": 0}
            move = encode(Start(seat, names[slot]))
            text = Text(KEY + "choice/start", params)
            choices.append(Choice(f"start/{seat}/{names[slot]}", text, move, group=names[slot], picture=picture))
        if not state.options.initial_turn:
            change.append(choices[-1].text)
    one = waiting[0] if len(waiting) == 1 else None
    key = "ask/start-free" if state.options.initial_turn else "ask/start"
    text = Text(KEY + key, {"seat": seat_name(waiting[0]), "face": face})
    return Ask(one, text, tuple(choices), phrases.plain("help/start"), change=tuple(change), phase="setup")
