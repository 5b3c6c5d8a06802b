"""What the table must do now, in the open; and what one player alone is asked."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.game import Ask, Choice, Field, Form, Option, Picture, Text, seat_name
from companion.games.skyrise import quick, sighted
from companion.games.skyrise.answers import waiting_to_choose, wonders_to_choose
from companion.games.skyrise.auction import bid_sites, may_open_with, options, piece_text, site_text
from companion.games.skyrise.board import OUTER, SLOTS, patron_most, tokens_left
from companion.games.skyrise.cards import Reading, effect, initiative, otherwise, readings
from companion.games.skyrise.record import tally
from companion.games.skyrise.scoring import PANORAMA
from companion.games.skyrise.setup import room_for
from companion.games.skyrise.state import PATRONS, Piece, SkyriseState
from companion.games.skyrise.turn import figures, held_patrons, missing_objectives, missing_patrons
from companion.games.skyrise.wonders import WONDERS, crypt_sites
from companion.shown.skyrise import FACTIONS

TOKENS = (*FACTIONS, *PATRONS, "wild", "commission")
GIVEN = tuple(range(0, 21, 2))
"""Prestige a wonder gives as its owner tells it; any other number is entered."""


def ask(state: SkyriseState) -> Ask:
    """The public question; secret choices are never here. What would be asked of somebody who has gone home is everybody's."""
    found = _ask(state)
    gone = found.seat is not None and state.players[found.seat].gone
    return msgspec.structs.replace(found, seat=None) if gone else found


def _ask(state: SkyriseState) -> Ask:
    match state.phase:
        case "lay":
            return Ask(None, Text("skyrise/ask/lay"), form=_lay_form(state), phase="lay")
        case "deal":
            return Ask(None, Text("skyrise/ask/deal"), phase="deal")
        case "open" | "bid":
            return _ask_bid(state)
        case "quick":
            return sighted.ask(state) or _ask_result(state)
        case "token":
            return _ask_token(state)
        case "colour":
            return _ask_colour(state)
        case "crypt":
            return _ask_crypt(state)
        case "word":
            return _ask_word(state)
        case "gives":
            return _ask_gives(state)
        case "choose":
            return _ask_choose(state)
        case "objective":
            return _ask_objective(state)
        case "reveal":
            return Ask(None, Text("skyrise/ask/reveal"), form=_reveal_form(state), phase="reveal")
        case _:
            return _ask_over(state)


def _ask_over(state: SkyriseState) -> Ask:
    winners = tuple(seat_name(seat) for seat in tally(state).winners)
    return Ask(None, Text("skyrise/ask/over", {"who": winners, "n": len(winners)}), phase="over")


def _pick(value: str | int, text: Text) -> Option:
    return Option(value, text)


def _ask_bid(state: SkyriseState) -> Ask:
    seat, legal = state.turn, options(state, state.turn)
    pieces = tuple(_pick(piece, piece_text(state.pieces[piece])) for piece in legal)
    known = {site for sites in legal.values() for site in sites}
    lit = [site for site in state.islands.sites if site in known]
    sites = tuple(_pick(site, _site_with_token(state, site)) for site in lit)
    fields = (
        (
            Field("piece", Text("skyrise/field/piece"), "pick", pieces[0].value, options=pieces, seat=seat),
            Field("site", Text("skyrise/field/site"), "pick", sites[0].value, options=sites, seat=seat),
        )
        if pieces
        else ()
    )
    form = Form(fields, {"kind": "bid", "seat": seat}, Text("skyrise/send/bid")) if fields else None
    off = tuple(_off(state, piece) for piece in state.own(seat, "available") if piece.id not in legal)
    if state.phase == "open":
        text, help_ = Text("skyrise/ask/open"), Text("skyrise/help/open")
        return Ask(seat, text, off, help_, form, reminders=_reminders(state), phase="open")
    give_up = Choice("pass", Text("skyrise/choice/pass"), {"kind": "pass", "seat": seat})
    last = state.pieces[state.last.piece]
    if last.wonder:
        text, help_ = Text("skyrise/ask/hammer", {"piece": piece_text(last)}), Text("skyrise/help/hammer")
    else:
        text, help_ = Text("skyrise/ask/bid", {"number": last.number}), Text("skyrise/help/bid")
    return Ask(seat, text, (give_up, *off), help_, form, phase="bid")


def _ask_result(state: SkyriseState) -> Ask:
    """How the auction ended: any number of anybody, and its site; who opens it is said."""
    legal = quick.options(state)
    pieces = tuple(_pick(piece, piece_text(state.pieces[piece])) for piece in legal)
    known = {site for sites in legal.values() for site in sites}
    sites = tuple(_pick(site, _site_with_token(state, site)) for site in state.islands.sites if site in known)
    text = Text("skyrise/ask/quick", {"who": seat_name(state.opener)})
    help_ = Text("skyrise/help/lying" if state.lying else "skyrise/help/quick")
    fields = (
        Field("piece", Text("skyrise/field/piece"), "pick", pieces[0].value, options=pieces),
        Field("site", Text("skyrise/field/site"), "pick", sites[0].value, options=sites),
    )
    form = Form(fields, {"kind": "won"}, Text("skyrise/send/won"))
    return Ask(None, text, (), help_, form, reminders=_reminders(state), phase="quick")


def _ask_word(state: SkyriseState) -> Ask:
    """A card nobody has read: what the table believes it gives first, then what other numbers would, then anything else."""
    piece = state.pieces[state.pending[0].partition(" ")[2]]
    seat, key = piece.owner, f"wonders.{piece.card}.word"
    choices = [
        Choice(
            "as-told" if i == 0 else f"{one.key.rpartition('.')[2]}-{one.value}",
            _given(state, piece, one),
            {"kind": "box", "key": one.key, "value": one.value, "seat": seat},
            note=_reading_note(one),
            primary=i == 0,
        )
        for i, one in enumerate(readings(state, piece))
    ]
    other = {"kind": "box", "key": key, "value": "otherwise", "seat": seat}
    choices.append(Choice("otherwise", Text("skyrise/choice/otherwise"), other, note=Text("skyrise/note/otherwise")))
    text = Text("skyrise/ask/word", {"piece": piece_text(piece)})
    help_ = Text("skyrise/help/word", {"effect": effect(state.box, piece.card)})
    return Ask(seat, text, tuple(choices), help_, phase="word")


def _given(state: SkyriseState, piece: Piece, one: Reading) -> Text:
    """What the wonder gives by this reading; of the Crypt, how far it reaches."""
    if piece.card != "crypt":
        return Text("skyrise/choice/gives", {"n": one.points})
    reach = one.value if one.key.endswith(".reach") else state.box["wonders.crypt.reach"]
    return Text(f"skyrise/choice/reach-{reach}")


def _reading_note(one: Reading) -> Text | None:
    match one.key.rpartition(".")[2]:
        case "word":
            return Text("skyrise/note/as-told")
        case "rate":
            return Text("skyrise/note/each", {"rate": int(one.value)})
        case "given":
            return Text("skyrise/note/other-way")
    return None


def _ask_gives(state: SkyriseState) -> Ask:
    """The owner says what the wonder gives; where it counts bids nobody recorded, by how many there were."""
    piece = state.pieces[state.pending[0].partition(" ")[2]]
    text = Text("skyrise/ask/gives", {"piece": piece_text(piece)})
    likely = GIVEN
    if piece.card == "lacherts-pavilion" and not otherwise(state.box, piece.card):
        likely = tuple(range(0, 9 * (rate := int(state.box["wonders.lacherts-pavilion.rate"])), max(1, rate)))
    choices = tuple(
        Choice(str(points), Text("skyrise/choice/gives", {"n": points}),
               {"kind": "gives", "seat": piece.owner, "points": points})
        for points in likely
    )  # fmt: skip
    return Ask(piece.owner, text, choices, effect(state.box, piece.card), phase="gives")


def _off(state: SkyriseState, piece: Piece) -> Choice:
    """A piece that cannot be used now stays in its place and says why."""
    why = Text("skyrise/off/barred")
    if state.phase == "open":
        if not may_open_with(state, piece):
            why = Text("skyrise/off/wonder-opens")
    elif state.pieces[state.last.piece].wonder:
        why = Text("skyrise/off/only-hammer")
    elif not bid_sites(state):
        why = Text("skyrise/off/no-site")
    elif not piece.wonder and piece.number < state.pieces[state.last.piece].number:
        why = Text("skyrise/off/too-low")
    picture: Picture = {"piece": {"seat": piece.owner, "height": piece.height, "number": piece.number}}
    move = {"kind": "bid", "seat": piece.owner, "piece": piece.id, "site": ""}
    return Choice(piece.id, piece_text(piece), move, off=why, group="pieces", picture=picture)


def _site_with_token(state: SkyriseState, site: str) -> Text:
    token = state.tokens.get(site, "none")
    faction = Text(f"skyrise/faction/{state.islands.sites[site].faction}")
    name = site_text(state, site)
    if token == "?":
        return Text("skyrise/site-of", {"site": name, "faction": faction})
    return Text("skyrise/site-token", {"site": name, "faction": faction, "token": Text(f"skyrise/token/{token}")})


def _reminders(state: SkyriseState) -> tuple[Text, ...]:
    if state.era == 2 and not any(piece.era == 2 for piece in state.built()):
        return (Text("skyrise/remind/unlock"),)
    return ()


def _ask_token(state: SkyriseState) -> Ask:
    site = state.pending[0].partition(" ")[2]
    choices = tuple(
        Choice(
            token,
            Text(f"skyrise/token/{token}"),
            {"kind": "token", "seat": state.turn, "token": token},
            off=None if room_for(state, token) else Text("skyrise/off/no-more"),
            picture={"token": token},
        )
        for token in TOKENS
        if tokens_left(state.box, len(state.players))[token]
    )
    return Ask(state.turn, Text("skyrise/ask/token", {"site": site_text(state, site)}), choices, phase="token")


def _ask_colour(state: SkyriseState) -> Ask:
    rows = state.players[state.turn].rows
    choices = tuple(
        Choice(
            faction,
            Text(f"skyrise/faction/{faction}"),
            {"kind": "colour", "seat": state.turn, "faction": faction},
            note=Text("skyrise/note/row-full") if count == 4 else Text("skyrise/note/row", {"n": count}),
            picture={"token": faction},
        )
        for faction, count in zip(FACTIONS, rows, strict=True)
    )
    return Ask(state.turn, Text("skyrise/ask/colour"), choices, Text("skyrise/help/colour"), phase="colour")


def _ask_crypt(state: SkyriseState) -> Ask:
    piece = state.pieces[state.pending[0].partition(" ")[2]]
    choices = tuple(
        Choice(
            site,
            _site_with_token(state, site),
            {"kind": "crypt", "seat": state.turn, "site": site},
            picture={"token": state.tokens[site]},
        )
        for site in crypt_sites(state, piece)
    )
    return Ask(state.turn, Text("skyrise/ask/crypt"), choices, Text("skyrise/help/crypt"), phase="crypt")


def _ask_choose(state: SkyriseState) -> Ask:
    waiting = waiting_to_choose(state)
    text = Text("skyrise/ask/choose", {"n": wonders_to_choose(state)})
    return Ask(None, text, help=Text("skyrise/help/choose"), phase="choose", waiting=waiting)


def _factions() -> tuple[Option, ...]:
    return tuple(_pick(faction, Text(f"skyrise/faction/{faction}")) for faction in FACTIONS)


def _ask_objective(state: SkyriseState) -> Ask:
    choices = tuple(
        Choice(
            faction,
            Text(f"skyrise/faction/{faction}"),
            {"kind": "enter", "seat": state.turn, "objective": faction},
            picture={"token": faction},
        )
        for faction in FACTIONS
    )
    return Ask(state.turn, Text("skyrise/ask/objective"), choices, phase="objective")


def _lay_form(state: SkyriseState) -> Form:
    """What lies on the table, as the table proposes it: laid like that it is one touch."""
    islands = (
        _pick("", Text("skyrise/island/none")),
        *(_pick(i, Text("skyrise/island/outer", {"name": i})) for i in OUTER),
    )
    count = int(state.box[f"setup.{len(state.players)}.outer-islands"])
    cards = tuple(_pick(card, Text(f"skyrise/panorama/{card}")) for card in PANORAMA)
    seats = tuple(_pick(seat, seat_name(seat)) for seat in range(len(state.players)))
    placed = state.placement or dict(zip(tuple(SLOTS)[:count], OUTER, strict=False))
    first, second = state.panorama or PANORAMA[:2]
    slots = tuple(
        Field(slot, Text(f"skyrise/island/{place}"), "pick", placed.get(slot, ""), options=islands)
        for slot, place in SLOTS.items()
    )
    rest = (
        Field("first", Text("skyrise/field/panorama"), "pick", first, options=cards),
        Field("second", Text("skyrise/field/panorama"), "pick", second, options=cards),
        Field("opener", Text("skyrise/field/opener"), "pick", state.opener, options=seats),
    )
    return Form((*slots, *rest), {"kind": "lay"}, Text("skyrise/send/lay"))


def _reveal_form(state: SkyriseState) -> Form:
    """What the last scoring needs of printed cards, with what was told before, to be looked at together."""
    seats = range(len(state.players)) if state.asks else missing_objectives(state)
    objectives = tuple(
        Field(f"objectives-{seat}", Text("skyrise/field/objective-of", {"who": seat_name(seat)}), "pick",
              state.players[seat].objective or FACTIONS[0], options=_factions(), seat=seat)
        for seat in seats
    )  # fmt: skip
    least, most = min(state.box["patrons.values"]), patron_most(state.box)
    patrons = tuple(
        Field(f"patrons-{letter}", Text("skyrise/field/patron", {"letter": letter}), "number",
              state.patrons.get(letter, least), low=0, high=most)
        for letter in (held_patrons(state) if state.asks else missing_patrons(state))
    )  # fmt: skip
    return Form((*objectives, *patrons), {"kind": "reveal"}, Text("skyrise/send/reveal"))


def private(state: SkyriseState, seat: int) -> Ask | None:
    """What only this player is asked: their wonder cards, and with printed cards what they alone can see.

    Printed wonder cards may stay unread until they are chosen; objective and patron values are asked for at once.
    """
    player = state.players[seat]
    if state.phase in ("lay", "deal", "over", "reveal") or player.gone:
        return None
    if state.phase == "choose" and player.hand:
        return _choose_in_secret(state, seat)
    if state.deal == "digital":
        return None
    if state.phase == "choose":
        return _enter_hand(state, seat)
    letters = [letter for letter in PATRONS if letter in player.patrons and letter not in state.patrons]
    if letters:
        return _peek(state, seat, letters[0])
    if not player.objective:
        return _enter_objective(seat)
    return None


def wonder_choices(hand: Iterable[str], count: int) -> tuple[tuple[str, ...], ...]:
    """The ways to keep cards: one, or two in order, the first for the figure of one's own colour."""
    cards = tuple(hand)
    if count == 1:
        return tuple((card,) for card in cards)
    return tuple((a, b) for a in cards for b in cards if a != b)


def _choose_in_secret(state: SkyriseState, seat: int) -> Ask:
    """One card after the other, each with its figure; who has locked all may begin anew."""
    player, count = state.players[seat], wonders_to_choose(state)
    locked = player.chosen if len(player.chosen) < count else ()
    figure = figures(state, seat)[len(locked)]
    text = Text("skyrise/ask/choose-mine", {"n": count})
    if count > 1:
        text = Text("skyrise/ask/choose-figure", {"colour": Text(f"skyrise/colour/{figure.colour}")})
    choices = tuple(
        Choice(
            card,
            Text(f"skyrise/wonder/{card}"),
            {"kind": "choose", "seat": seat, "cards": [*locked, card]},
            note=Text(
                "skyrise/note/card", {"initiative": initiative(state.box, card), "effect": effect(state.box, card)}
            ),
            picture={"wonder": card, "initiative": initiative(state.box, card)},
            primary=card in player.chosen,
        )
        for card in player.hand
        if card not in locked
    )
    return Ask(seat, text, choices, Text("skyrise/help/choose-one"), phase="choose")


def _enter_hand(state: SkyriseState, seat: int) -> Ask:
    count = int(state.box[f"setup.{len(state.players)}.wonder-cards"])
    cards = tuple(_pick(card, Text(f"skyrise/wonder/{card}")) for card in WONDERS)
    field = Field(
        "wonders",
        Text("skyrise/field/hand", {"n": count}),
        "many",
        None,
        low=count,
        high=count,
        options=cards,
        seat=seat,
    )
    form = Form((field,), {"kind": "enter", "seat": seat}, Text("skyrise/send/private"))
    return Ask(seat, Text("skyrise/ask/hand", {"n": count}), form=form, phase="enter")


def _enter_objective(seat: int) -> Ask:
    field = Field("objective", Text("skyrise/field/objective"), "pick", None, options=_factions(), seat=seat)
    form = Form((field,), {"kind": "enter", "seat": seat}, Text("skyrise/send/private"))
    return Ask(seat, Text("skyrise/ask/my-objective"), form=form, phase="enter")


def _peek(state: SkyriseState, seat: int, letter: str) -> Ask:
    text, most = Text("skyrise/field/patron", {"letter": letter}), patron_most(state.box)
    field = Field("value", text, "number", None, low=0, high=most, seat=seat)
    form = Form((field,), {"kind": "peek", "seat": seat, "letter": letter}, Text("skyrise/send/private"))
    return Ask(seat, Text("skyrise/ask/peek", {"letter": letter}), form=form, phase="peek")
