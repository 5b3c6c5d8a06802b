"""Skytopia's market as the camera sees it: four columns of cards, a row for each player, golems on the cards."""

from __future__ import annotations

from companion.sensing import Area, Dial, Mat

COLUMNS = {"blue": "216BB8", "gold": "CC991A", "red": "D45429", "violet": "73459E"}
"""The columns from the left, and the colours they are printed in; row 1 is nearest the decks, at the top."""
CARD = (63.0, 88.0)
PITCH = (67.0, 90.0)
CHRONOMETER = Dial(6)


def market_mat(rows: int) -> Mat:
    """The mat for this many rows of cards."""
    inset = (PITCH[0] - CARD[0]) / 2, (PITCH[1] - CARD[1]) / 2
    areas = tuple(
        Area(
            f"{column}-{row + 1}",
            i * PITCH[0] + inset[0],
            row * PITCH[1] + inset[1],
            *CARD,
            ("cards", "player dice"),
            label=str(row + 1),
            ink=ink,
        )
        for i, (column, ink) in enumerate(COLUMNS.items())
        for row in range(rows)
    )
    return Mat(PITCH[0] * len(COLUMNS), PITCH[1] * rows, areas)
