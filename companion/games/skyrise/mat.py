"""The islands under the camera: where the neighbourhoods of each place lie, and what should stand on them."""

from __future__ import annotations

from functools import cache

from companion.box.printed import load
from companion.game import Expected, SlotExpected
from companion.games.skyrise.board import CENTRAL, SLOTS, names
from companion.games.skyrise.setup import SEAT_COLOURS
from companion.games.skyrise.state import PACKAGE, SkyriseState
from companion.sensing import BoardSpot, Mat

PITCH = 0.3
"""Millimetres a step of the map's places: neighbours stand 30 mm apart."""
RADIUS, RIM = 9.0, 16.0
SIDE, GAP = 90.0, 62.0
"""An outer island is three steps wide, and so far from its neighbour: the central one lies between all four."""
FIELD = 2 * (RIM + SIDE) + GAP
WORDS = {colour: word for word, colour in SEAT_COLOURS.items()}
"""The camera's word for the colour of a piece."""


@cache
def islands_mat() -> Mat:
    """All four outer islands and the central one, whoever plays: places that stay empty are not looked at.

    The last row of an outer island lies towards the centre. An owner's board that is laid out otherwise has its sites tapped
    once on the live picture.
    """
    box = load(PACKAGE, {})
    spots = []
    for slot in SLOTS:
        left, top = (RIM if "W" in slot else RIM + SIDE + GAP), (RIM if "N" in slot else RIM + SIDE + GAP)
        for name, (x, y) in zip(names(box, "1"), box["map.outer-1.places"], strict=True):
            across, down = (x * PITCH, y * PITCH) if "N" in slot else (SIDE - x * PITCH, SIDE - y * PITCH)
            spots.append(BoardSpot(f"{slot.lower()}-{name}", left + across, top + down, RADIUS))
    middle = FIELD / 2 - 100 * PITCH
    for name, (x, y) in zip(names(box, CENTRAL), box["map.central.places"], strict=True):
        spots.append(BoardSpot(f"c-{name.lower()}", middle + x * PITCH, middle + y * PITCH, RADIUS))
    return Mat(FIELD, FIELD, spots=tuple(spots), colours=tuple(SEAT_COLOURS))


def spot_of(state: SkyriseState, site: str) -> str:
    """The spot of a neighbourhood: by the place its island lies at."""
    island, _, name = site.partition(".")
    place = next((slot for slot, there in state.placement.items() if there == island), "c")
    return f"{place}-{name}".lower()


def expected(state: SkyriseState) -> Expected:
    """The piece on every neighbourhood: what was built, and what lies there in the running auction."""
    if not state.quick or not state.placement or state.phase in ("lay", "deal"):
        return Expected()
    watched = {spot.id for spot in islands_mat().spots}
    lying = {**{piece.site: piece.colour for piece in state.built()}, **dict(state.lying)}
    spots = ((spot_of(state, site), WORDS.get(lying.get(site, ""), "")) for site in state.islands.sites)
    return Expected(tuple(SlotExpected(spot, piece=word) for spot, word in spots if spot in watched))
