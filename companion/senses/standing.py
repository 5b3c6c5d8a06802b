"""Pieces at spots: what a reading of one says, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Text, seat_name
from companion.wire.messages import SlotSeen

SURE = 0.95
"""A face, an owner or a piece at least this likely is confident: it is not overruled."""
UNLIKELY = 0.3
"""Less than this is not what stands there, when something else is likelier."""
Stands = tuple[int, ...]
"""The piece at a spot by its seat, -1 for a colour nobody plays; empty: none stands there."""


def piece_chance(piece: str, shares: Mapping[str, float]) -> float:
    """How likely a spot's reading is if this piece (`""`: none) stands there; 0 against a confident one.

    Spots are looked at for what changed on them: one that more likely holds something else is news, and if that is not plain
    it is asked about, rather than passed over as what it was.
    """
    share, best = shares.get(piece, 0.0), max(shares.values(), default=0.0)
    if share < best and (best >= SURE or share < UNLIKELY):
        return 0.0
    return share if share >= SURE else share**3


def standing(seen: SlotSeen) -> str | None:
    """The likeliest piece of a spot as its colour word, `""` for none; `None`: it is not a spot."""
    return max(seen.pieces, key=lambda colour: seen.pieces[colour]) if seen.pieces else None


def whose(piece: str | None, owners: Mapping[str, int]) -> Stands | None:
    """A colour word as the seat that plays it."""
    return None if piece is None else (owners.get(piece, -1),) if piece else ()


def piece_text(stands: Stands) -> Text:
    """Whose piece stands there."""
    if not stands:
        return Text("piece/none")
    return Text("piece/of", {"name": seat_name(stands[0])}) if stands[0] >= 0 else Text("piece/other")
