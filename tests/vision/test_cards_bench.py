"""The card figures of the bench, on a few frames of the virtual camera."""

from __future__ import annotations

from benches import cards as bench_cards


def test_the_bench_has_every_figure_and_no_card_is_wrong() -> None:
    """Right, wrong, never taught, and the time of one card, each with its sample size."""
    found = {row["name"]: row for row in bench_cards.rows(seconds=0.0, most_dice=1, taught=bench_cards.NAMES[:4])}
    assert set(found) == {
        "cards right",
        "cards wrong",
        "cards never taught but named",
        "one card, median",
        "one card, p99",
        "teaching, machine's wait a card, p95",
        "teaching 48 cards, 6 s a card of a person computed",
        "teaching, keys pressed a card",
    }
    assert found["cards right"]["n"] == 48
    assert found["cards right"]["value"] >= 97.0
    assert found["cards wrong"]["value"] == 0
    assert found["cards never taught but named"]["value"] == 0
    assert found["teaching, keys pressed a card"]["value"] == 1
    assert found["teaching 48 cards, 6 s a card of a person computed"]["value"] > 4.8
    assert all(set(row) >= {"name", "value", "unit", "budget", "ok", "n", "peers"} for row in found.values())


def test_teaching_a_mat_of_cards_knows_them_all() -> None:
    """Sixteen cards from one frame."""
    book = bench_cards.taught_book(bench_cards.NAMES[:16])
    assert set(book.cards) == set(bench_cards.NAMES[:16])
