"""Skyrise as a pack: one small protocol over the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from companion.box.printed import load
from companion.game import Ask, Event, Expected, Field, Game, Outcome, Tally, Text, seat_name
from companion.games.skyrise import (
    answers,
    ask,
    corrections,
    document,
    final,
    light,
    moves,
    quick,
    record,
    setup,
    sighted,
    statistics,
    turn,
    view,
)
from companion.games.skyrise.auction import options
from companion.games.skyrise.board import OUTER, SLOTS
from companion.games.skyrise.cards import readings
from companion.games.skyrise.imagined import imagined
from companion.games.skyrise.light import Light
from companion.games.skyrise.mat import expected, islands_mat
from companion.games.skyrise.scoring import PANORAMA
from companion.games.skyrise.setup import room_for
from companion.games.skyrise.state import PACKAGE, SkyriseState
from companion.games.skyrise.turn import Story
from companion.games.skyrise.wonders import WONDERS, crypt_sites
from companion.sensing import Mat
from companion.shown.skyrise import FACTIONS, SkyriseView

AnyState = SkyriseState | Light


class Skyrise(Game):
    """Auctions on floating islands, with secrets on phones; at three depths: full, light and tally."""

    id = "skyrise"
    players = (2, 4)
    colours = tuple(setup.SEAT_COLOURS)
    hidden_moves = False
    view_type = SkyriseView
    out_of_turn = ("peek", "enter", "leave")
    """Moves a phone may make whoever decides: looking at and entering its own printed cards, and going home."""

    def title(self) -> Text:
        """The game's name."""
        return Text("skyrise/title")

    def options(self) -> tuple[Field, ...]:
        """Who keeps the secrets, and who lays the islands."""
        return setup.fields()

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> AnyState:
        """The first state."""
        depth = options.get("depth", "full")
        if depth not in ("full", "light", "tally"):
            raise ValueError(f"depth: {depth!r} is not full, light or tally")
        return setup.new(options, box) if depth == "full" else light.new(options, box)

    def deal(self, state: AnyState) -> dict[str, Any] | None:
        """What the table service must shuffle now (`{"move", "shuffle"}`), or `None`."""
        return None if isinstance(state, Light) else setup.request(state)

    def decode(self, move: Mapping[str, Any]) -> moves.AnyMove:
        """A typed move from JSON."""
        return moves.decode(move)

    def encode(self, move: moves.AnyMove) -> dict[str, Any]:
        """The same move as JSON values, secrets and all: for the journal only."""
        return moves.encode(move)

    def redact(self, move: moves.AnyMove) -> dict[str, Any]:
        """The same move without its secrets: for logs and the export of an open game."""
        return moves.redact(move)

    def publish(self, state: AnyState, played: Sequence[moves.AnyMove]) -> list[dict[str, Any]]:
        """The moves for the export of the finished game, without wonder cards that were never shown."""
        return moves.published(played)

    def describe(self, move: moves.AnyMove) -> Text:
        """A move in one short sentence that tells no secret."""
        plain = moves.redact(move)
        words: dict[str, Any] = {}
        if isinstance(plain.get("seat"), int):
            words["who"] = seat_name(plain["seat"])
        if isinstance(move, moves.Lies):
            words["colour"] = Text(f"skyrise/colour/{move.colour}")
        if isinstance(move, moves.PlaceBid | moves.Won):
            number = move.piece.partition("-")[2]
            words["piece"] = number if number.isdecimal() else Text("skyrise/piece/wonder")
        return Text(f"skyrise/move/{plain['kind']}", words)

    def imagined(self, state: AnyState, seat: int, shuffle: Callable[[Sequence[Any]], Sequence[Any]]) -> AnyState:
        """With the others' cards and objectives, and patron values out of sight, dealt anew."""
        return state if isinstance(state, Light) else imagined(state, seat, shuffle)

    def problems(self, box: Mapping[str, Any]) -> tuple[str, ...]:
        """What cannot be in the owner's box as a whole: a number twice, an island out of reach. `key: what`."""
        return tuple(str(problem) for problem in setup.check(load(PACKAGE, box)) if not problem.warning)

    def owner(self, state: AnyState, move: moves.AnyMove) -> int | None:
        """A token on a board is its player's, one on an island the table's; an auction is its winner's to tell."""
        if isinstance(move, moves.Correct):
            return move.seat if move.was else None
        if isinstance(move, moves.Won) and isinstance(state, SkyriseState) and move.piece in state.pieces:
            return state.pieces[move.piece].owner
        return super().owner(state, move)

    def ask(self, state: AnyState) -> Ask:
        """What the table must do now."""
        return light.ask(state) if isinstance(state, Light) else ask.ask(state)

    def play(self, state: AnyState, move: moves.AnyMove) -> Outcome:
        """Carry a move out or refuse it."""
        if isinstance(state, Light):
            return light.play(state, move)
        story = Story()
        after = _carry_out(state, move, story)
        events = list(story.events)
        if after.phase == "over" and state.phase != "over":
            events += _last_scoring(after)
            story.reveals = True
        return Outcome(after, tuple(events), story.reveals)

    def moves(self, state: AnyState) -> Sequence[moves.AnyMove]:
        """Legal moves to try."""
        return light.moves(state) if isinstance(state, Light) else _legal(state)

    def view(self, state: AnyState, seat: int | None) -> SkyriseView:
        """What this seat may see."""
        return light.view(state) if isinstance(state, Light) else view.view(state, seat)

    def mat(self, players: int) -> Mat:
        """The islands, seen from above."""
        return islands_mat()

    def expect(self, state: AnyState) -> Expected:
        """A piece on every neighbourhood where one was built or bid; numbers are under the table's eyes only."""
        return Expected() if isinstance(state, Light) else expected(state)

    def sensed(self, state: AnyState) -> Sequence[Any]:
        """Bids that come to lie on the islands and go home."""
        return () if isinstance(state, Light) else sighted.sensed(state)

    def slot_text(self, slot: str) -> Text:
        """A neighbourhood by the place of its island."""
        place, _, name = slot.partition("-")
        if place == "c":
            return Text(f"skyrise/site/C.{name.upper()}")
        return Text("skyrise/site", {"island": Text(f"skyrise/island/{SLOTS[place.upper()]}"), "site": name})

    def tally(self, state: AnyState) -> Tally:
        """Every point with its reason; before the end only what is already awarded."""
        return light.tally(state) if isinstance(state, Light) else record.tally(state)

    def statistics(self, state: AnyState) -> dict[str, Any]:
        """Points per step of the track and source, for charts and export."""
        return statistics.statistics(state, self.tally(state))

    def over(self, state: AnyState) -> bool:
        """The last scoring stands."""
        return state.step == "over" if isinstance(state, Light) else state.phase == "over"

    def score(self, document_: Mapping[str, Any], box: Mapping[str, Any]) -> Tally:
        """Score a final position entered by hand."""
        owned = load(PACKAGE, box)
        return final.score(document.read(document_, owned), owned)

    def example(self) -> dict[str, Any]:
        """A filled document for `score`."""
        return document.EXAMPLE

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of that document."""
        return document.schema()


def _carry_out(state: SkyriseState, move: moves.AnyMove, story: Story) -> SkyriseState:
    match move:
        case moves.PlaceBid():
            return turn.place(state, move, story)
        case moves.Pass():
            return turn.pass_(state, move, story)
        case moves.Won():
            return quick.won(state, move, story)
        case moves.Lies():
            return sighted.lies(state, move, story)
        case moves.Home():
            return sighted.home(state, move, story)
        case moves.Gives():
            return answers.gives(state, move, story)
        case moves.TellToken():
            return answers.tell_token(state, move, story)
        case moves.NameColour():
            return answers.name_colour(state, move, story)
        case moves.RobCrypt():
            return answers.rob_crypt(state, move, story)
        case moves.Choose():
            return answers.choose(state, move, story)
        case moves.Enter():
            return answers.enter(state, move, story)
        case moves.Peek():
            return answers.peek(state, move, story)
        case moves.Reveal():
            return answers.reveal(state, move, story)
        case moves.Leave():
            return answers.leave(state, move, story)
        case moves.Correct():
            state, event = corrections.correct(state, move)
            state = turn.settle(state, story)
        case moves.OwnCopy():
            state, event = setup.own_copy(state, move)
            state = turn.settle(state, story)
        case moves.Deal():
            state, event = setup.deal(state, move)
            story.reveals = True
            state = state.but(phase="lay") if state.board == "table" else turn.open_auction(state, state.opener, story)
        case moves.Lay():
            state, event = setup.lay(state, move)
            state = turn.open_auction(state, state.opener, story)
        case _:
            setup.not_now()
    story.events.insert(0, event)
    return state


def _last_scoring(state: SkyriseState) -> list[Event]:
    """The lines of the last scoring, in the rulebook's order, as they are counted at the table."""
    found = record.tally(state)
    events = []
    for row in zip(*(player.lines for player in found.players), strict=True):
        for player, line in zip(found.players, row, strict=True):
            if line.id != "prestige" and line.points:
                words: dict[str, Any] = {"line": line.text, "n": line.points, "who": Text("seat", {"n": player.seat})}
                params = {"line": line.id, "points": line.points}
                events.append(Event("scored", player.seat, Text("skyrise/event/scored", words), params))
    for winner in found.winners:
        words = {"who": Text("seat", {"n": winner}), "n": found.players[winner].total}
        events.append(Event("won", winner, Text("skyrise/event/won", words)))
    return events


def _legal(state: SkyriseState) -> Sequence[moves.AnyMove]:
    seat = state.turn
    match state.phase:
        case "open" | "bid":
            bids = [moves.PlaceBid(seat, p, site) for p, sites in options(state, seat).items() for site in sites]
            return [moves.Pass(seat), *bids] if state.phase == "bid" else bids
        case "quick":
            found = quick.options(state).items()
            return [moves.Won(p, site, state.pieces[p].owner) for p, sites in found for site in sites]
        case "word":
            piece = state.pieces[state.pending[0].partition(" ")[2]]
            return [moves.OwnCopy(one.key, one.value, seat) for one in readings(state, piece)]
        case "gives":
            return [moves.Gives(seat, points) for points in ask.GIVEN]
        case "token":
            return [moves.TellToken(seat, t) for t in ask.TOKENS if room_for(state, t)]  # type: ignore[arg-type]
        case "colour":
            return [moves.NameColour(seat, faction) for faction in FACTIONS]
        case "crypt":
            piece = state.pieces[state.pending[0].partition(" ")[2]]
            return [moves.RobCrypt(seat, site) for site in crypt_sites(state, piece)]
        case "choose":
            return [move for waiting in answers.waiting_to_choose(state) for move in _choices(state, waiting)]
        case "objective":
            return [moves.Enter(seat, faction) for faction in FACTIONS]
        case "reveal":
            return [_reveal(state)]
        case "deal":
            request = setup.request(state)
            return [moves.decode({**request["move"], **request["shuffle"]})] if request else []
        case "lay":
            return _layings(state)
        case _:
            return []


def _choices(state: SkyriseState, seat: int) -> Sequence[moves.AnyMove]:
    hand = state.players[seat].hand
    if not hand:
        count = int(state.box[f"setup.{len(state.players)}.wonder-cards"])
        return [moves.Enter(seat, FACTIONS[seat], WONDERS[seat * count : (seat + 1) * count])]
    keep = answers.wonders_to_choose(state)
    return [moves.Choose(seat, cards) for cards in ask.wonder_choices(hand, keep)]


def _reveal(state: SkyriseState) -> moves.AnyMove:
    missing = range(len(state.players)) if state.asks else turn.missing_objectives(state)
    objectives = {str(seat): FACTIONS[seat] for seat in missing}
    values = state.box["patrons.values"]
    letters = turn.held_patrons(state) if state.asks else turn.missing_patrons(state)
    patrons = {letter: values["ABCD".index(letter)] for letter in letters}
    return moves.Reveal(objectives, patrons)  # type: ignore[arg-type]


def _layings(state: SkyriseState) -> Sequence[moves.AnyMove]:
    outer = int(state.box[f"setup.{len(state.players)}.outer-islands"])
    placement = dict(zip(tuple(SLOTS)[:outer], OUTER, strict=False))
    return [
        moves.Lay(first, second, opener, **placement)  # type: ignore[arg-type]
        for first, second in combinations(PANORAMA, 2)
        for opener in range(len(state.players))
    ]
