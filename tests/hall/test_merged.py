"""Two brokers, one story."""

from __future__ import annotations

import pytest

from companion.wire.hall import TableScore
from companion.wire.invitation import Invitation, fingerprint, new_key, read
from companion.wire.messages import Health
from hall.merged import Merged
from hall.messages import Said


def score(ts: float, title: str = "") -> Said:
    return Said("t-1", "score", TableScore(phase="playing", title=title, ts=ts))


def here(there: bool) -> Said:
    return Said("t-1", "here", there)


def test_what_both_brokers_say_is_news_once() -> None:
    merged = Merged()
    assert merged.hear(0, score(1)) == [score(1)]
    assert merged.hear(1, score(1)) == []
    assert merged.hear(1, score(2)) == [score(2)]
    assert merged.hear(0, score(2)) == []


def test_an_old_word_that_comes_late_is_none() -> None:
    """A broker that comes back still keeps what the table said before its bridge was lost."""
    merged = Merged()
    merged.hear(0, score(5))
    assert merged.hear(1, score(1)) == []


def test_a_clock_that_was_set_back_is_believed_once_the_old_word_is_gone() -> None:
    merged = Merged()
    merged.hear(0, score(100))
    merged.hear(1, score(100))
    assert merged.hear(0, score(50)) == []
    assert merged.hear(1, score(50)) == [score(50)]
    merged.hear(0, score(200))
    merged.lost(0)
    assert merged.hear(1, score(60)) == [score(60)]


def test_a_table_is_here_while_either_broker_has_it() -> None:
    merged = Merged()
    assert merged.hear(0, here(True)) == [here(True)]
    assert merged.hear(1, here(True)) == []
    assert merged.hear(0, here(False)) == []
    assert merged.lost(1) == [here(False)]
    assert merged.hear(1, here(True)) == [here(True)]


def test_a_last_will_counts_though_it_has_no_clock() -> None:
    merged = Merged()
    on, off = Health(room="vision", status="online", ts=9.0), Health(room="vision", status="offline")
    assert merged.hear(0, Said("t-1", "health", on)) != []
    assert merged.hear(1, Said("t-1", "health", off)) == [Said("t-1", "health", off)]


def test_an_invitation_can_be_typed_and_scanned() -> None:
    made = Invitation("club-3", ("192.168.1.10:8883", "hall.lan:8884"), new_key(), fingerprint(b"certificate"))
    assert read(made.text) == made
    name, _, code = made.text.removeprefix("tableside-hall:").partition("#")
    assert read(f" {name}#{code.lower().replace('-', ' ')} ") == made
    assert len(made.text) < 130, "a QR code that is read from a screen"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "club-3",
        "club-3@1.2.3.4:1#AAAA",
        "club-3@a:1,b:2,c:3#" + "A" * 32,
        "club-3@a b:1#" + "A" * 32,
        "x@y#" + "A" * 32,
    ],
)
def test_what_is_no_invitation_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"invitation|addresses|characters"):
        read(text)
