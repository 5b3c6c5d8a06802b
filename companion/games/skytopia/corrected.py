"""What a correction changed, in words: whose, what, from what to what."""

from __future__ import annotations

from typing import Any

from companion.game import Text, seat_name
from companion.games.skytopia import phrases
from companion.games.skytopia.moves import Correct
from companion.games.skytopia.printed import COLOURS
from companion.games.skytopia.state import Work, slot_index

KEY = phrases.KEY + "corrected/"
Value = int | Text


def value(work: Work, move: Correct) -> Value | None:
    """What the table holds of the thing a correction is about; `None` where it speaks for itself."""
    player = work.players[move.seat] if move.seat is not None else None
    slot = slot_index(work.rows).get(move.slot)
    colour = COLOURS.index(move.tower) if move.tower is not None else 0
    match move.what:
        case "coins" if player is not None:
            return player.coins
        case "points" if player is not None:
            return player.points
        case "tower" if player is not None:
            return len(player.towers[colour])
        case "ability" if player is not None and len(player.ability) > 2:
            return Text(f"{phrases.KEY}ability/{player.ability}")
        case "city" if player is not None and player.city >= 0:
            return phrases.crest(work.numbers, work.numbers.base_crest[player.city][0])
        case "card" if slot is not None and work.slots[slot].card:
            return phrases.card(work.slots[slot].card)
        case "dial":
            return work.build
        case "round":
            return work.round
        case "deck":
            return work.decks[colour]
        case "turn":
            return seat_name(work.turn)
    return None


def said(move: Correct, before: Value | None, after: Value | None) -> Text:
    """One sentence for log and banner."""
    params: dict[str, Any] = {"what": _what(move)}
    if move.what == "die":
        params |= {"was": move.was, "face": move.face}
        key = "die-on" if move.was is None else "die-off" if move.face is None else "die"
    elif before is not None and after is not None:
        params |= {"was": before, "now": after}
        key = "value"
    else:
        key = "thing"
    if move.seat is not None and move.what != "turn":
        params["seat"] = seat_name(move.seat)
        key = f"{key}-of"
    return Text(KEY + key, {name: it for name, it in params.items() if it is not None})


def _what(move: Correct) -> Text:
    """The thing by its name and place."""
    if move.what in ("die", "card"):
        return phrases.slot(move.slot)
    if move.what in ("tower", "deck") and move.tower is not None:
        return Text(f"{KEY}what/{move.what}", {"colour": phrases.colour(move.tower)})
    return Text(f"{KEY}what/{move.what}")
