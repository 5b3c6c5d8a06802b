"""The course of the game: bids, the end of an auction, tokens, effects, both eras."""

from __future__ import annotations

import msgspec

from companion.game import Event, Text, seat_name
from companion.games.skyrise.auction import (
    bid_sites,
    check_bid,
    check_pass,
    options,
    piece_text,
    site_text,
    still_in,
    stuck,
)
from companion.games.skyrise.board import tokens_left
from companion.games.skyrise.cards import otherwise, unread
from companion.games.skyrise.moves import Pass, PlaceBid
from companion.games.skyrise.scoring import control, times
from companion.games.skyrise.setup import room_for
from companion.games.skyrise.state import HIDDEN, Bid, Passed, Piece, SkyriseState
from companion.games.skyrise.wonders import crypt_sites, prestige
from companion.shown.skyrise import FACTIONS


class Story:
    """What happens while one move is carried out."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.reveals = False

    def tell(self, kind: str, seat: int | None = None, **params: int | str | Text) -> None:
        """Remember something that happened, said with the key of its kind."""
        words: dict[str, int | str | Text | tuple[Text, ...]] = dict(params)
        if seat is not None:
            words["who"] = seat_name(seat)
        plain = {key: value for key, value in params.items() if not isinstance(value, Text)}
        self.events.append(Event(kind, seat, Text(f"skyrise/event/{kind}", words), plain))


def open_auction(state: SkyriseState, opener: int, story: Story) -> SkyriseState:
    """The next auction, opened by this player or, if they went home or have no site left, by the next."""
    opened = state.but(phase="open", auction=state.auction + 1, bids=(), passed=(), lying=(), most=0)
    for seat in _openers(state, opener):
        if options(opened, seat):
            return opened.but(phase="quick" if state.quick else "open", opener=seat, turn=seat)
    if state.unfinished() and state.era == 1:
        return end_era_one(state, story)
    return end(state, story)


def _openers(state: SkyriseState, first: int) -> list[int]:
    """Who opens, and who does when they cannot: clockwise in era I, by initiative in era II."""
    count, waiting = len(state.players), state.unfinished()
    if state.era == 1:
        return [seat for seat in ((first + i) % count for i in range(count)) if seat in waiting]
    return sorted(waiting, key=lambda seat: (seat != first, state.initiative(seat)))


def place(state: SkyriseState, move: PlaceBid, story: Story) -> SkyriseState:
    """Put a piece on an island and see how the auction goes on."""
    piece = check_bid(state, move)
    standing = msgspec.structs.replace(piece, where="bid", site=move.site)
    state = state.with_pieces({piece.id: standing})
    state = state.but(bids=(*state.bids, Bid(move.seat, piece.id, move.site)), phase="bid")
    story.tell(
        "bid", move.seat, piece=piece_text(piece), site=site_text(state, move.site), number=piece.number, at=move.site
    )
    return go_on(state, story)


def pass_(state: SkyriseState, move: Pass, story: Story) -> SkyriseState:
    """Leave this auction for good."""
    check_pass(state, move)
    story.tell("pass", move.seat)
    return go_on(state.but(passed=(*state.passed, Passed(move.seat))), story)


def go_on(state: SkyriseState, story: Story, after: int = 1) -> SkyriseState:
    """The next player who can still bid, or the end of the auction; `after` 0 looks at the player in turn first."""
    last = state.pieces[state.last.piece]
    if not bid_sites(state) or last.card == "hammer":
        return resolve(state, story)
    count = len(state.players)
    for seat in ((state.turn + i) % count for i in range(after, count + after)):
        if seat == state.last.seat or seat not in still_in(state):
            continue
        why = stuck(state, seat)
        if why is None:
            return state.but(turn=seat)
        state = state.but(passed=(*state.passed, Passed(seat, why)))
        if not last.wonder:
            story.tell("pass-auto", seat, why=Text(f"skyrise/why-passed/{why}"))
    return resolve(state, story)


def resolve(state: SkyriseState, story: Story) -> SkyriseState:
    """The last bid is built, the others go home, the winner takes what lay there."""
    won = state.last
    changed = {}
    for bid in state.bids:
        changed[bid.piece] = msgspec.structs.replace(state.pieces[bid.piece], where="available", site="")
    changed[won.piece] = msgspec.structs.replace(state.pieces[won.piece], where="built", site=won.site)
    placed = sum(1 for bid in state.bids if not state.pieces[bid.piece].wonder)
    piece = state.pieces[won.piece]
    story.tell("built", won.seat, piece=piece_text(piece), site=site_text(state, won.site), at=won.site)
    pending = (f"take {won.site}", *([f"effect {piece.id}"] if piece.wonder else []), "check")
    state = state.with_pieces(changed).but(bids=(), passed=(), placed=placed, turn=won.seat, pending=pending)
    return advance(state, story)


def advance(state: SkyriseState, story: Story) -> SkyriseState:
    """Carry out what is pending until a person must answer."""
    while state.pending:
        step, _, what = state.pending[0].partition(" ")
        rest = state.but(pending=state.pending[1:])
        if step == "take":
            token = state.tokens.get(what)
            if token == HIDDEN:
                if any(room_for(state, kind) for kind in tokens_left(state.box, len(state.players))):
                    return state.but(phase="token")
                token = None  # the bag was empty before this neighbourhood had one
                rest = rest.but(tokens={site: lying for site, lying in state.tokens.items() if site != what})
            state = rest if token is None else take(rest, what, token, story)
        elif step == "colour":
            return state.but(phase="colour")
        elif step == "effect":
            piece = state.pieces[what]
            if piece.card == "kahns-ambition" and not state.players[piece.owner].objective_shown:
                if not state.players[piece.owner].objective:
                    return state.but(phase="objective")
                state = show_objective(state, piece.owner, story)
                continue
            if state.asks and unread(state.box, piece.card):
                return state.but(phase="word")
            if told_by_owner(state, piece):
                return state.but(phase="gives")
            if piece.card == "crypt":
                sites = crypt_sites(state, piece)
                if len(sites) > 1:
                    return state.but(phase="crypt")
                state = rest.but(pending=(*(f"take {site}" for site in sites), *rest.pending))
            else:
                state = effect(rest, piece, story)
        else:
            state = after_auction(rest, story)
    return state


def take(state: SkyriseState, site: str, token: str, story: Story) -> SkyriseState:
    """The token of a neighbourhood goes to the player whose turn it is."""
    tokens = {other: lying for other, lying in state.tokens.items() if other != site}
    taken = {**state.taken, token: state.taken.get(token, 0) + 1}
    state = state.but(tokens=tokens, taken=taken)
    seat, player = state.turn, state.players[state.turn]
    story.tell("token", seat, token=Text(f"skyrise/token/{token}"), what=token)
    if token == "wild":
        return state.but(pending=("colour", *state.pending))
    if token == "commission":
        return state.with_player(seat, commissions=player.commissions + 1)
    if token in FACTIONS:
        return add_to_row(state, seat, token)
    if token not in player.patrons and state.deal == "digital":
        story.reveals = True
    return state.with_player(seat, patrons=(*player.patrons, token))


def add_to_row(state: SkyriseState, seat: int, faction: str) -> SkyriseState:
    """A token in its row; beyond the fourth it is surplus on the visionary's picture."""
    player, index = state.players[seat], FACTIONS.index(faction)
    if player.rows[index] == 4:
        return state.with_player(seat, surplus=player.surplus + 1)
    rows = tuple(count + (i == index) for i, count in enumerate(player.rows))
    return state.with_player(seat, rows=rows)


def show_objective(state: SkyriseState, seat: int, story: Story) -> SkyriseState:
    """Kahn's Ambition turns its owner's objective up for good."""
    story.reveals = True
    story.tell("objective", seat, objective=Text(f"skyrise/faction/{state.players[seat].objective}"))
    return state.with_player(seat, objective_shown=True)


def told_by_owner(state: SkyriseState, piece: Piece) -> bool:
    """Only people can say what this wonder gives: its card differs, or it counts bids nobody recorded."""
    return state.asks and (otherwise(state.box, piece.card) or (state.quick and piece.card == "lacherts-pavilion"))


def effect(state: SkyriseState, piece: Piece, story: Story, told: int | None = None) -> SkyriseState:
    """A wonder's effect, once, when it is built; as its owner tells it, where the table cannot work it out."""
    points = prestige(state, piece) if told is None else told
    story.tell("wonder", piece.owner, piece=piece_text(piece), n=points, card=piece.card)
    return state.gain(piece.owner, f"wonder/{piece.card}", points)


def after_auction(state: SkyriseState, story: Story) -> SkyriseState:
    """An era may end, a player may finish; otherwise the winner opens the next auction."""
    winner = state.turn
    if state.era == 1:
        if all(piece.era == 2 or piece.where == "built" for piece in state.own(winner)):
            return end_era_one(state, story)
        return open_auction(state, winner, story)
    if all(piece.where == "built" for piece in state.own(winner)):
        state = finish(state, winner, story)
        waiting = state.unfinished()
        return open_auction(state, min(waiting, key=state.initiative), story) if waiting else end(state, story)
    return open_auction(state, winner, story)


def finish(state: SkyriseState, seat: int, story: Story) -> SkyriseState:
    """A player has built everything: the first takes the large key, the second the small one."""
    state = state.but(finished=(*state.finished, seat))
    small = state.box[f"setup.{len(state.players)}.small-key"]
    key = {1: "large", 2: "small" if small else ""}.get(len(state.finished), "")
    story.tell("finished", seat)
    if key:
        story.tell("key", seat, key=Text(f"skyrise/key/{key}"))
        state = state.with_player(seat, keys=(key,))
    return state


def end_era_one(state: SkyriseState, story: Story) -> SkyriseState:
    """Control of every island, then both panorama cards, then everyone chooses a wonder in secret."""
    story.tell("era-one-ends")
    board = state.islands
    for island in board.islands:
        for seat in control(state, island):
            points, place = int(state.box["score.control"]), board.places[island]
            state = state.gain(seat, f"control/{place}", points)
            story.tell("control", seat, island=Text(f"skyrise/island/{place}"), n=points)
    for card in state.panorama:
        for seat in range(len(state.players)):
            met = times(state, seat, card)
            if met:
                points = met * int(state.box[f"panorama.{card}.reward"])
                state = state.gain(seat, f"panorama/{card}", points)
                story.tell("panorama", seat, card=Text(f"skyrise/panorama/{card}"), times=met, n=points)
    return state.but(phase="choose") if state.unfinished() else end(state, story)


def figures(state: SkyriseState, seat: int) -> list[Piece]:
    """A player's wonder figures: that of their own colour first, with two players that of an unused one second."""
    own = [piece for piece in state.own(seat) if piece.wonder]
    return sorted(own, key=lambda piece: piece.colour != state.players[seat].colour)


def reveal_wonders(state: SkyriseState, story: Story) -> SkyriseState:
    """All have chosen: the cards are shown, dotted buildings and wonders join, the lowest initiative opens."""
    seats = [seat for seat in range(len(state.players)) if not state.players[seat].gone]
    cards = [card for seat in seats for card in state.players[seat].chosen]
    double = {card for card in cards if cards.count(card) > 1}
    if double:
        for seat in seats:
            if double & set(state.players[seat].chosen):
                state = state.with_player(seat, chosen=(), hand=())
        story.tell("same-card")
        return state
    story.reveals = True
    for seat in range(len(state.players)):
        chosen = state.players[seat].chosen
        state = state.with_player(seat, cards=chosen, chosen=(), hand=())
        named = dict(zip((piece.id for piece in figures(state, seat)), chosen, strict=False))
        changed = {}
        for piece in state.own(seat, "locked"):
            card = named.get(piece.id, "")
            changed[piece.id] = msgspec.structs.replace(piece, where="available", card=card)
        state = state.with_pieces(changed)
        for card in chosen:
            story.tell("chosen", seat, piece=Text(f"skyrise/wonder/{card}"), card=card)
    state = state.but(era=2)
    opener = min(state.unfinished(), key=state.initiative)
    story.tell("era-two", opener)
    return open_auction(state, opener, story)


def settle(state: SkyriseState, story: Story) -> SkyriseState:
    """After a correction: who opens or can still bid, what is still to be answered and what is over, as things now stand.

    Whoever was passed over because nothing was left to them is asked again if something is.
    """
    if state.phase in ("open", "quick"):
        return open_auction(state.but(auction=state.auction - 1), state.opener, story)
    if state.phase == "bid":
        spoken = tuple(passed for passed in state.passed if passed.why == "word")
        return go_on(state.but(passed=spoken), story, after=0)
    return advance(state, story)


def end(state: SkyriseState, story: Story) -> SkyriseState:
    """The last scoring; with printed cards first the last reveal, where all of them are shown and can be put right."""
    state = state.but(turn=0, bids=(), passed=(), pending=())
    if missing_objectives(state) or missing_patrons(state) or (state.asks and state.deal == "physical"):
        story.reveals = True
        return state.but(phase="reveal")
    return scored(state)


def scored(state: SkyriseState) -> SkyriseState:
    """The game is over and every objective lies open."""
    for seat in range(len(state.players)):
        state = state.with_player(seat, objective_shown=True)
    return state.but(phase="over")


def missing_objectives(state: SkyriseState) -> tuple[int, ...]:
    """Seats whose objective nobody has told yet."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.objective)


def held_patrons(state: SkyriseState) -> tuple[str, ...]:
    """Letters somebody holds: their tiles count."""
    return tuple(sorted({letter for player in state.players for letter in player.patrons}))


def missing_patrons(state: SkyriseState) -> tuple[str, ...]:
    """Letters somebody holds whose value nobody has told yet."""
    return tuple(letter for letter in held_patrons(state) if letter not in state.patrons)
