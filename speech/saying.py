"""From what the table tells to sentences a voice can read. Pure: no bus, no process.

Three levels of detail. `short`: what to do now. `usual`: also what happened and what was refused. `full`: also the help, what to
move by hand and the answers there are. What only one seat may know never comes here: it is told to that seat's phone alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from companion.game import Text
from companion.wire.messages import Happened, Refusal, State
from companion.wire.words import Words

MOST_CHOICES = 8
"""More answers than these nobody remembers; the others are counted."""


def prompt(state: State, words: Words, level: str) -> str:
    """What the table is asked now; empty when nothing is."""
    if state.prompt is None or state.phase not in ("playing", "over"):
        return ""
    question, ask = state.prompt.question, state.prompt.ask
    if question is not None:
        answers = [answer.text for answer in question.answers] if level == "full" else []
        return joined(words, [question.text, *answers])
    said = [ask.text]
    if level == "full":
        said += [*([ask.help] if ask.help else []), *ask.change]
        open_ = [choice.text for choice in ask.choices if choice.off is None]
        if len(open_) > 1:
            said.append(Text("speech/choices", {"n": len(open_), "what": tuple(open_[:MOST_CHOICES])}))
    named = joined(words, said)
    name = words.names.get(ask.seat, "") if ask.seat is not None else ""
    return named if not name or named.startswith(name) else f"{name}: {named}"


def happened(event: Happened, words: Words, level: str) -> str:
    """What just happened; empty where nobody wants to hear it."""
    return words.say(event.text) if event.text is not None and level != "short" else ""


def refused(refusal: Refusal, words: Words, level: str) -> str:
    """Why not, and what to do."""
    return "" if level == "short" else joined(words, [refusal.say, refusal.do])


def joined(words: Words, said: list[Text]) -> str:
    """Sentences with a pause between them."""
    return ". ".join(filter(None, (words.say(text).strip().rstrip(".") for text in said)))


@cache
def _ours() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files("speech").joinpath("pronounce.toml").read_text(encoding="utf-8"))


def pronounced(text: str, language: str, own: Path | None = None) -> str:
    """The same with what a voice cannot read written as it is spoken; the owner's file has the last word."""
    spoken = {**_ours().get("all", {}), **_ours().get(language, {}), **_owners(own, language)}
    for written, sound in spoken.items():
        word = re.escape(written)
        pattern = rf"(?<!\w){word}(?!\w)" if written[:1].isalnum() else word
        text = re.sub(pattern, lambda _, sound=sound: sound, text)  # type: ignore[misc]
    return re.sub(r"\s+", " ", text).strip()


def _owners(path: Path | None, language: str) -> dict[str, str]:
    """What the owner says; a file that cannot be read is left out, the table goes on speaking."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")) if path is not None else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}
    tables = (found.get("all"), found.get(language))
    return {str(k): str(v) for table in tables if isinstance(table, dict) for k, v in table.items()}
