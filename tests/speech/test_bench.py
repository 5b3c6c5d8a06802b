"""`tableside bench speech`: the real room and espeak-ng itself, up to the first sample."""

from __future__ import annotations

import pytest

from benches import speech


def test_every_prompt_comes_to_a_sample_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "PROMPTS", 2)
    (figure,) = speech.rows()
    assert figure["n"] == 6
    assert 0 < figure["value"] < 10_000, "how soon is for a quiet machine to say"
