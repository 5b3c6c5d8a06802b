"""What a pack says of loose dice is checked where it enters: dice have faces from 1 to 6."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.answers import NonsenseError, expected
from companion.game import Expected


@pytest.mark.parametrize("loose", [(0,), (7,), (1, 2, 10**30), ("six",), 5])
def test_a_pack_that_expects_dice_nobody_has_is_told_so(loose: Any) -> None:
    """One line for the log; the guard puts the game away, and nothing of it is believed."""
    with pytest.raises(NonsenseError):
        expected(Expected(loose=loose))


def test_dice_as_they_are_and_none_at_all_are_taken() -> None:
    """Before a throw a game does not know what lies there."""
    assert expected(Expected(loose=(1, 6))).loose == (1, 6)
    assert expected(Expected()).loose is None
