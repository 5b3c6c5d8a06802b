"""The final position of a played game, as the same document the tally reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from companion.game import PlayerTally, Tally, TallyLine, Text
from companion.games.kit.names import told_apart
from companion.games.skyrise import final
from companion.games.skyrise.document import (
    Card,
    Colours,
    Heights,
    Island,
    Key,
    Letter,
    Objective,
    PanoramaCard,
    PlayerPosition,
    Position,
    Rows,
)
from companion.games.skyrise.scoring import heights, map_keys, panorama_doubts, times
from companion.games.skyrise.state import PATRONS, SkyriseState
from companion.shown.skyrise import FACTIONS

ON_THE_MAP = frozenset(
    (
        "atlantis",
        "futurist",
        "la-boca",
        "lynchs-image",
        "niemeyers-legacy",
        "olmsted",
        "sullivans-spire",
        "zeppelin-rock",
    )
)
"""Wonders that count borders, factions or features of the printed islands."""


def document(state: SkyriseState) -> dict[str, Any]:
    """What `tableside tally` would be given for this position."""
    found: dict[str, Any] = msgspec.to_builtins(position(state))
    return found | {"row_values": [state.box[f"rows.{i}"] for i in range(5)]}


def position(state: SkyriseState) -> Position:
    """The final position of a played game; nobody typed it, so nothing in it can be mistyped."""
    board = state.islands
    names = told_apart([player.name for player in state.players], [player.colour for player in state.players])
    by_island = {island: heights(state, island) for island in board.islands}
    return Position(
        game="skyrise",
        islands=[cast(Island, board.places[island]) for island in board.islands],
        patron_values=cast(dict[Letter, int], dict(state.patrons)),
        panorama=[PanoramaCard(cast(Card, card), int(state.box[f"panorama.{card}.reward"])) for card in state.panorama],
        finish_order=[names[seat] for seat in state.finished],
        players=[_player(state, seat, names[seat], by_island) for seat in range(len(state.players))],
    )


def _player(
    state: SkyriseState, seat: int, name: str, by_island: dict[str, dict[int, tuple[int, int, int]]]
) -> PlayerPosition:
    player = state.players[seat]
    reward = int(state.box[f"objectives.{player.objective}.reward"]) if player.objective else 0
    return PlayerPosition(
        name=name,
        prestige=player.prestige,
        buildings={cast(Island, state.islands.places[i]): Heights(*own[seat]) for i, own in by_island.items()},
        panorama=[times(state, seat, card) for card in state.panorama],
        objective=Objective(state.has_met(seat), reward),
        patrons={cast(Letter, one): player.patrons.count(one) for one in PATRONS if one in player.patrons},
        surplus=player.surplus,
        keys=cast(list[Key], list(player.keys)),
        commissions=player.commissions,
        tokens=Rows(*player.rows),
        structures=Colours(**state.structures(seat)),
    )


def tally(state: SkyriseState) -> Tally:
    """The score: at the end every line, before it only the prestige already awarded."""
    if state.phase != "over":
        return _so_far(state)
    found = final.score(position(state), state.box, _doubts(state))
    players = tuple(
        PlayerTally(own.seat, state.players[own.seat].name, own.total, own.lines, own.extra) for own in found.players
    )
    return Tally(players, found.winners, found.tie_break, found.unconfirmed, found.notes)


def _so_far(state: SkyriseState) -> Tally:
    doubts: Sequence[final.Doubts] = _doubts(state) if state.scored else [{}] * len(state.players)
    text = Text("skyrise/line/prestige")
    lines = [
        TallyLine("prestige", text, p.prestige, None, doubts[seat].get("prestige", ()))
        for seat, p in enumerate(state.players)
    ]
    players = tuple(PlayerTally(seat, p.name, p.prestige, (lines[seat],), {}) for seat, p in enumerate(state.players))
    unconfirmed = tuple(dict.fromkeys(key for p in players for line in p.lines for key in line.unconfirmed))
    best = max(p.prestige for p in state.players)
    leaders = tuple(seat for seat, p in enumerate(state.players) if p.prestige == best)
    return Tally(players, leaders, None, unconfirmed, (Text("skyrise/note/running"),))


def _doubts(state: SkyriseState) -> tuple[final.Doubts, ...]:
    """Per player: which unconfirmed printed values each line of a played game rests on."""
    box, board = state.box, state.islands
    printed = [
        (f"buildings.{piece.colour}.era-{piece.era}.{piece.height}", piece.site)
        for piece in state.built()
        if not piece.wonder
    ]
    factions = box.unconfirmed(key for key in map_keys(state) if key.endswith(".factions"))
    found: dict[str, tuple[str, ...]] = {}
    for island in board.islands:
        here = set(board.on(island))
        found[f"control/{board.places[island]}"] = box.unconfirmed(k for k, site in printed if site in here)
    for card in state.panorama:
        found[f"panorama/{card}"] = panorama_doubts(state, card)
    for faction in FACTIONS:
        found[f"structures/{faction}"] = factions
    found["objective"] = factions
    if any(player.patrons for player in state.players) and state.deal == "digital":
        found["patrons"] = box.unconfirmed(["patrons.values"])
    return tuple(
        {**found, "prestige": tuple(dict.fromkeys(_awarded(state, seat, found)))} for seat in range(len(state.players))
    )


def _awarded(state: SkyriseState, seat: int, found: final.Doubts) -> Iterator[str]:
    """The unconfirmed values behind the prestige a player has gained so far: era I and own wonders."""
    box = state.box
    for gained in state.scored:
        if gained.seat != seat:
            continue
        kind, _, card = gained.line.partition("/")
        if kind != "wonder":
            yield from found.get(gained.line, ())
            continue
        yield from _card_doubts(state, card)
        lines = {"intelligencium": "panorama/", "summit": "control/", "kahns-ambition": "objective"}.get(card)
        if lines:
            yield from (key for line, keys in found.items() if line.startswith(lines) for key in keys)
        elif card in ON_THE_MAP:
            yield from box.unconfirmed(map_keys(state))
        if card == "sullivans-spire":
            yield from (key for line, keys in found.items() if line.startswith("control/") for key in keys)


def _card_doubts(state: SkyriseState, card: str) -> tuple[str, ...]:
    """What nobody has read on a wonder's card; once it was compared as a whole there is no doubt left."""
    box, start = state.box, f"wonders.{card}."
    word = f"{start}word"
    if word in box.overrides and box[word] != "unread":
        return ()
    return box.unconfirmed(key for key in box if key.startswith(start) and not key.endswith(".initiative"))
