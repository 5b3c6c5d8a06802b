"""Everything a player or the table may do, typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from companion.games.kit.forms import flat
from companion.shown.skyrise import Faction

Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
Word = Annotated[str, msgspec.Meta(max_length=60)]
Letter = Literal["A", "B", "C", "D"]
Token = Literal["yellow", "green", "white", "brown", "A", "B", "C", "D", "wild", "commission"]
IslandName = Literal["", "1", "2", "3", "4"]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """The base of all moves: JSON says which with `kind`."""


class Lay(Move, frozen=True, tag="lay"):
    """The table tells which islands lie where, which panorama cards are up and who opens."""

    first: Word
    second: Word
    opener: Seat
    NW: IslandName = ""
    NE: IslandName = ""
    SE: IslandName = ""
    SW: IslandName = ""


class Deal(Move, frozen=True, tag="deal"):
    """What chance gave: each pile of `pack.deal(state)` shuffled; the first of each are dealt, the rest stay unseen."""

    slots: tuple[Word, ...] = ()
    islands: tuple[Word, ...] = ()
    panorama: tuple[Word, ...] = ()
    opener: tuple[Seat, ...] = ()
    tokens: tuple[Token, ...] = ()
    objectives: tuple[Word, ...] = ()
    wonders: tuple[Word, ...] = ()
    patrons: tuple[int, ...] = ()


class Enter(Move, frozen=True, tag="enter"):
    """A player privately tells their printed cards."""

    seat: Seat
    objective: Faction | Literal[""] = ""
    wonders: tuple[Word, ...] = ()


class PlaceBid(Move, frozen=True, tag="bid"):
    """Put a piece on a neighbourhood: an opening, an outbid or a wonder."""

    seat: Seat
    piece: Word
    site: Word


class Pass(Move, frozen=True, tag="pass"):
    """Out of this auction for good."""

    seat: Seat


class Won(Move, frozen=True, tag="won"):
    """How an auction ended that nobody recorded: which number won, and where; the number says whose it is."""

    piece: Word
    site: Word
    seat: Seat | None = None


class Lies(Move, frozen=True, tag="lies"):
    """The camera sees a bid on a neighbourhood: whose colour, not which number."""

    site: Word
    colour: Annotated[str, msgspec.Meta(max_length=10)]


class Home(Move, frozen=True, tag="home"):
    """The camera sees that a bid has left its neighbourhood."""

    site: Word


class Gives(Move, frozen=True, tag="gives"):
    """What a wonder gives whose card says more than the table can work out."""

    seat: Seat
    points: Annotated[int, msgspec.Meta(ge=0, le=100)]


class TellToken(Move, frozen=True, tag="token"):
    """Which token lay on the neighbourhood just won."""

    seat: Seat
    token: Token


class NameColour(Move, frozen=True, tag="colour"):
    """The colour a wild token takes for good."""

    seat: Seat
    faction: Faction


class RobCrypt(Move, frozen=True, tag="crypt"):
    """The unbuilt neighbourhood the Crypt takes a second token from."""

    seat: Seat
    site: Word


class Choose(Move, frozen=True, tag="choose"):
    """Lock wonder cards in secret; the first is for the figure of the player's own colour."""

    seat: Seat
    cards: tuple[Word, ...]


class Peek(Move, frozen=True, tag="peek"):
    """A player entitled to it privately tells the value under a patron's tile."""

    seat: Seat
    letter: Letter
    value: Annotated[int, msgspec.Meta(ge=0, le=100)]


class Reveal(Move, frozen=True, tag="reveal"):
    """Objectives (by seat) and patron values not told before, entered openly."""

    objectives: dict[str, Faction] = {}
    patrons: dict[Letter, Annotated[int, msgspec.Meta(ge=0, le=100)]] = {}


class Correct(Move, frozen=True, tag="correct"):
    """A token is another one: on an unbuilt neighbourhood (empty for none), or one that a player has taken."""

    token: Token | Literal[""]
    site: Word = ""
    was: Token | Literal[""] = ""
    """On a player's board: the token the record has in its place."""
    seat: Seat | None = None


class OwnCopy(Move, frozen=True, tag="box"):
    """Our copy says otherwise: a printed value as it really is."""

    key: Annotated[str, msgspec.Meta(max_length=100)]
    value: Any
    seat: Seat | None = None


class Leave(Move, frozen=True, tag="leave"):
    """A player goes home; the others play on."""

    seat: Seat


class Count(Move, frozen=True, tag="count"):
    """Light play: a player's prestige rises or falls."""

    seat: Seat
    points: Annotated[int, msgspec.Meta(ge=-200, le=200)]


class EndTurn(Move, frozen=True, tag="end_turn"):
    """Light play: the next player's turn."""

    seat: Seat


class ToScoring(Move, frozen=True, tag="scoring"):
    """Light play: the last structure is built, the final position is entered next."""

    seat: Seat | None = None


class Final(Move, frozen=True, tag="final"):
    """The final position as its forms have it: what all share and what each player counted, together or one by one."""

    values: dict[Annotated[str, msgspec.Meta(max_length=40)], int | str | bool | None]
    seat: Seat | None = None
    apart: bool = False
    """Somebody entered only their own."""


AnyMove = (
    Lay
    | Deal
    | Enter
    | PlaceBid
    | Pass
    | Won
    | Lies
    | Home
    | Gives
    | TellToken
    | NameColour
    | RobCrypt
    | Choose
    | Peek
    | Reveal
    | Correct
    | OwnCopy
    | Leave
    | Count
    | EndTurn
    | ToScoring
    | Final
)


def decode(move: Mapping[str, Any]) -> AnyMove:
    """A typed move from JSON; the values of a form lie beside the rest, but for the final position's."""
    if move.get("kind") == "final":
        final: AnyMove = msgspec.convert(dict(move), Final)
        return final
    groups = ("objectives", "patrons") if move.get("kind") == "reveal" else ()
    found: AnyMove = msgspec.convert(flat(move, groups), AnyMove)
    return found


def encode(move: AnyMove) -> dict[str, Any]:
    """The same move as JSON values."""
    found: dict[str, Any] = msgspec.to_builtins(move)
    return found


def redact(move: AnyMove) -> dict[str, Any]:
    """The move as anybody may read it: logs and the export of an open game show this."""
    if isinstance(move, Deal):
        return {key: value for key, value in encode(move).items() if key not in ("objectives", "wonders", "patrons")}
    if isinstance(move, (Enter, Choose, Peek)):
        return {"kind": encode(move)["kind"], "seat": move.seat}
    return encode(move)


UNSEEN = ""
"""In the export of a finished game: a wonder card that was never shown."""


def published(played: Sequence[AnyMove]) -> list[dict[str, Any]]:
    """The moves as the export of a finished game has them: wonder cards that nobody chose go back to the box unseen.

    Of a hand that was told twice and a choice that was changed only the last counts, also where two had chosen one card and all
    began anew.
    """
    last = {
        (type(move), move.seat): at
        for at, move in enumerate(played)
        if isinstance(move, Choose) or (isinstance(move, Enter) and move.wonders)
    }
    chosen = [played[at] for (kind, _), at in last.items() if kind is Choose]
    shown = {card for move in chosen if isinstance(move, Choose) for card in move.cards}
    told = []
    for at, move in enumerate(played):
        plain = encode(move)
        stands = not isinstance(move, Choose | Enter) or last.get((type(move), move.seat)) == at
        if isinstance(move, Choose) and not stands:
            continue
        if isinstance(move, Deal | Enter) and move.wonders:
            plain["wonders"] = [card if card in shown else UNSEEN for card in move.wonders] if stands else []
        if isinstance(move, Enter) and not any(plain["wonders"]):
            if not move.objective:
                continue
            plain["wonders"] = []
        told.append(plain)
    return told
