"""How often a table of four touches its screen in quick auctions, counted over recorded games."""

from __future__ import annotations

from benches import touches_skyrise


def test_recorded_games_of_four_stay_within_their_touches() -> None:
    """130 for a whole game without a phone, two an auction with its token."""
    found = touches_skyrise.rows()
    assert len(found) == 4
    assert [row for row in found if not row["ok"]] == []
