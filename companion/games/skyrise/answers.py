"""Answers outside the bidding: tokens, the Crypt, wonder cards, and secrets told in private or at last."""

from __future__ import annotations

from companion.game import Text, seat_name
from companion.games.skyrise.auction import site_text
from companion.games.skyrise.moves import (
    UNSEEN,
    Choose,
    Enter,
    Gives,
    Leave,
    NameColour,
    Peek,
    Reveal,
    RobCrypt,
    TellToken,
)
from companion.games.skyrise.refuse import refuse
from companion.games.skyrise.setup import room_for
from companion.games.skyrise.state import Passed, SkyriseState
from companion.games.skyrise.turn import (
    Story,
    add_to_row,
    advance,
    effect,
    end,
    go_on,
    held_patrons,
    missing_objectives,
    missing_patrons,
    open_auction,
    reveal_wonders,
    scored,
    take,
)
from companion.games.skyrise.wonders import WONDERS, crypt_sites


def _must_answer(state: SkyriseState, seat: int, phase: str) -> None:
    if state.phase != phase:
        refuse("not-now")
    if seat != state.turn:
        refuse("out-of-turn", "wait", "8", who=seat_name(state.turn))


def tell_token(state: SkyriseState, move: TellToken, story: Story) -> SkyriseState:
    """Which token lay on the site just won; the bag cannot hold more than it did."""
    _must_answer(state, move.seat, "token")
    if not room_for(state, move.token):
        refuse("no-more-tokens", token=Text(f"skyrise/token/{move.token}"))
    site = state.pending[0].partition(" ")[2]
    state = take(state.but(pending=state.pending[1:]), site, move.token, story)
    return advance(state, story)


def name_colour(state: SkyriseState, move: NameColour, story: Story) -> SkyriseState:
    """A wild token takes its colour for good; a full row makes it surplus."""
    _must_answer(state, move.seat, "colour")
    story.tell("colour", move.seat, colour=Text(f"skyrise/faction/{move.faction}"), faction=move.faction)
    state = add_to_row(state.but(pending=state.pending[1:]), move.seat, move.faction)
    return advance(state, story)


def rob_crypt(state: SkyriseState, move: RobCrypt, story: Story) -> SkyriseState:
    """The Crypt takes a second token from a neighbourhood in reach."""
    _must_answer(state, move.seat, "crypt")
    sites = crypt_sites(state, state.pieces[state.pending[0].partition(" ")[2]])
    if move.site not in sites:
        refuse("crypt-reach", "sites", "12", sites=tuple(site_text(state, site) for site in sites))
    return advance(state.but(pending=(f"take {move.site}", *state.pending[1:])), story)


def gives(state: SkyriseState, move: Gives, story: Story) -> SkyriseState:
    """What a wonder gives, as its owner reads it."""
    _must_answer(state, move.seat, "gives")
    piece = state.pieces[state.pending[0].partition(" ")[2]]
    return advance(effect(state.but(pending=state.pending[1:]), piece, story, move.points), story)


def wonders_to_choose(state: SkyriseState) -> int:
    """How many wonder cards each player keeps."""
    return int(state.box[f"setup.{len(state.players)}.wonders"])


def waiting_to_choose(state: SkyriseState) -> tuple[int, ...]:
    """Seats that have not locked their wonder cards."""
    if state.phase != "choose":
        return ()
    count = wonders_to_choose(state)
    return tuple(s for s, player in enumerate(state.players) if len(player.chosen) < count and not player.gone)


def choose(state: SkyriseState, move: Choose, story: Story) -> SkyriseState:
    """Lock wonder cards, one after the other where there are two; nothing is said about which until all are locked."""
    if state.phase != "choose" or move.seat >= len(state.players) or state.players[move.seat].gone:
        refuse("not-now")
    player, count = state.players[move.seat], wonders_to_choose(state)
    if not player.hand:
        refuse("hand-unknown")
    if not 1 <= len(move.cards) <= count or len(set(move.cards)) != len(move.cards):
        refuse("wonder-count", n=count)
    if not set(move.cards) <= set(player.hand):
        refuse("not-in-hand")
    state = state.with_player(move.seat, chosen=move.cards)
    if len(move.cards) == count:
        story.tell("locked", move.seat)
    return state if waiting_to_choose(state) else reveal_wonders(state, story)


def enter(state: SkyriseState, move: Enter, story: Story) -> SkyriseState:
    """A player tells their printed cards in private; only the shape is checked, so nothing leaks to others."""
    if state.deal != "physical" or state.phase in ("lay", "over") or move.seat >= len(state.players):
        refuse("not-now")
    player = state.players[move.seat]
    if move.wonders:
        count = int(state.box[f"setup.{len(state.players)}.wonder-cards"])
        if state.era == 2:
            refuse("not-now")
        seen = tuple(card for card in move.wonders if card != UNSEEN)
        if len(move.wonders) != count or len(set(seen)) != len(seen) or not seen or not set(seen) <= set(WONDERS):
            refuse("hand-count", n=count)
        state = state.with_player(move.seat, hand=seen, chosen=())
    if move.objective:
        if player.objective_shown:
            refuse("objective-shown")
        state = state.with_player(move.seat, objective=move.objective)
    if not move.wonders and not move.objective:
        refuse("nothing-told")
    story.tell("entered", move.seat)
    if state.phase == "objective" and state.players[state.turn].objective:
        return advance(state, story)
    return state


def peek(state: SkyriseState, move: Peek, story: Story) -> SkyriseState:
    """The value under a patron's tile, told by a player who holds that letter; the last word on it holds."""
    if state.phase in ("lay", "deal", "over") or move.seat >= len(state.players):
        refuse("not-now")
    if move.letter not in state.players[move.seat].patrons:
        refuse("no-patron", page="7", letter=move.letter)
    if state.deal != "physical":
        refuse("digital-patrons")
    _check_patron(state, move.value)
    story.tell("peeked", move.seat, letter=move.letter)
    return state.but(patrons={**state.patrons, move.letter: move.value})


def _check_patron(state: SkyriseState, value: int) -> None:
    """Only a value some tile has; which letter it lies under is nobody else's to learn."""
    if value not in state.box["patrons.values"]:
        key = "patrons.values"
        refuse("patron-value", box="" if state.box.confirmed(key) else key, n=value)


def reveal(state: SkyriseState, move: Reveal, story: Story) -> SkyriseState:
    """Objectives and patron values are shown: what was never told is entered, what was told wrong is put right."""
    if state.phase != "reveal":
        refuse("not-now")
    objectives = {int(seat): faction for seat, faction in move.objectives.items() if seat.isdecimal()}
    wanted = set(range(len(state.players))) if state.asks else set(missing_objectives(state))
    letters = set(held_patrons(state) if state.asks else missing_patrons(state))
    if set(objectives) - wanted or set(move.patrons) - letters:
        refuse("already-told")
    for value in move.patrons.values():
        _check_patron(state, value)
    for seat in sorted(objectives):
        state = state.with_player(seat, objective=objectives[seat])
    state = state.but(patrons={**state.patrons, **move.patrons})
    if missing_objectives(state) or missing_patrons(state):
        refuse("still-missing")
    if state.asks:
        _check_twice(state)
    story.tell("revealed")
    story.reveals = True
    return scored(state)


def _check_twice(state: SkyriseState) -> None:
    """There is one card of each objective and one tile of each value: what two are said to have is a slip."""
    known: dict[str, int] = {}
    for seat, player in enumerate(state.players):
        if player.objective in known:
            whose = (seat_name(known[player.objective]), seat_name(seat))
            refuse("objective-twice", page="4", objective=Text(f"skyrise/faction/{player.objective}"), who=whose)
        known[player.objective] = seat
    tiles = list(state.box["patrons.values"])
    for letter, value in sorted(state.patrons.items()):
        if value not in tiles:
            refuse("patron-twice", page="4", n=value, letter=letter)
        tiles.remove(value)


def leave(state: SkyriseState, move: Leave, story: Story) -> SkyriseState:
    """A player goes home: they pass every auction and open none."""
    seat = move.seat
    if state.phase in ("lay", "deal", "reveal", "over") or seat >= len(state.players) or state.players[seat].gone:
        refuse("not-now")
    if seat == state.turn and state.phase in ("token", "colour", "crypt", "word", "gives", "objective"):
        refuse("answer-first")
    state = state.with_player(seat, gone=True)
    story.tell("left", seat)
    if state.phase in ("open", "quick"):
        return state if seat != state.turn else open_auction(state.but(auction=state.auction - 1), seat, story)
    if state.phase == "choose":
        if not state.unfinished():
            return end(state, story)
        return state if waiting_to_choose(state) else reveal_wonders(state, story)
    if state.phase == "bid":
        if seat != state.last.seat:
            others = tuple(passed for passed in state.passed if passed.seat != seat)
            state = state.but(passed=(*others, Passed(seat)))
        return go_on(state, story) if seat == state.turn or not _rivals(state) else state
    return state


def _rivals(state: SkyriseState) -> tuple[int, ...]:
    out = {passed.seat for passed in state.passed}
    return tuple(s for s in state.unfinished() if s not in out and s != state.last.seat)
