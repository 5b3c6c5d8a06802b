"""What the table says aloud: every prompt of every recorded game, in three languages, without a raw key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.game import Ask, Choice, Text
from companion.journal.recorded import read
from companion.wire.messages import Happened, Prompt, Refusal, State
from companion.wire.words import LANGUAGES, Words
from speech import saying
from tests.conftest import ROOT

GAMES = sorted((ROOT / "tests" / "games").rglob("*.jsonl"))
RAW = re.compile(r"\b[a-z]+/[a-z0-9/-]+|[{}]")
"""What nobody says: a key such as `skytopia/ask/place`, or a place left open in a sentence."""
NAMES = {0: "Ada", 1: "Ben", 2: "Cyd", 3: "Dan"}


def stands(ask: Ask) -> State:
    return State(table="t", phase="playing", prompt=Prompt(ask=ask))


@pytest.mark.parametrize("game", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_prompt_and_every_event_of_a_recorded_game_is_said_in_words(game: Path) -> None:
    record = read(game.read_bytes())
    pack, said = record.pack, 0
    for state, _, outcome in record.steps():
        ask = pack.ask(state)
        for language in LANGUAGES:
            words = Words(language, NAMES)
            heard = [saying.prompt(stands(ask), words, "full")]
            heard += [
                saying.happened(Happened(kind=event.kind, seq=1, text=event.text), words, "usual")
                for event in outcome.events
            ]
            assert heard[0]
            spoken = [saying.pronounced(text, language) for text in heard]
            assert [text for text in spoken if RAW.search(text)] == []
            said += 1
    assert said == 3 * len(record.moves)


def test_three_levels_say_more_and_more() -> None:
    words = Words("en", NAMES)
    choices = tuple(Choice(str(n), Text("event/new-game"), {"kind": "x"}) for n in range(10))
    ask = Ask(1, Text("undo/last"), choices, Text("event/resumed"), change=(Text("event/ended"),))
    short, usual, full = (saying.prompt(stands(ask), words, level) for level in ("short", "usual", "full"))
    assert short == usual == "Ben: Undo"
    assert full.startswith("Ben: Undo. The game goes on. The game has been put away. 10 answers: ")
    assert full.count("A new game begins") == saying.MOST_CHOICES
    event = Happened(kind="points", seq=1, text=Text("event/amended"))
    assert saying.happened(event, words, "short") == ""
    assert saying.happened(event, words, "usual") == "The table followed your change"
    refusal = Refusal(code="x", say=Text("table/refuse/no-game"), do=Text("table/do/no-game"))
    assert saying.refused(refusal, words, "usual") == "No game is being played. Start one on the screen"


def test_what_a_voice_cannot_read_is_written_as_it_is_spoken(tmp_path: Path) -> None:
    """Words only where they are words; the owner's file has the last word, and a broken one costs nothing."""
    assert saying.pronounced("+2 PP, −1 · APPLE", "en") == "plus 2 prestige points, minus 1 , APPLE"
    assert saying.pronounced("2 PP", "pl") == "2 punktów prestiżu"
    own = tmp_path / "pronounce.toml"
    own.write_text('[all]\nMagda = "Mahg-da"\n[en]\nPP = "glory"\n')
    assert saying.pronounced("Magda: 1 PP", "en", own) == "Mahg-da: 1 glory"
    own.write_text("not toml [")
    assert saying.pronounced("1 PP", "en", own) == "1 prestige points"
