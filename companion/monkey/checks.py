"""What must hold after every step: everything can be told, and the journal tells the same game."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from companion.core.session import Session
from companion.game import Game, Text
from companion.journal.recorded import write
from companion.journal.rows import to_json
from companion.journal.store import Journal
from companion.monkey.faults import FaultFound
from companion.monkey.offers import Scene
from companion.past import bgstats, history
from companion.past.history import Play
from companion.past.tallies import as_json
from companion.wire.messages import Refusal
from companion.wire.words import LANGUAGES, Words

OURS = re.compile(
    r"[`_{}$]|\b(Expected|Invalid|object|array|str|int|float|bool|null|None|True|False)\b|\w/\w|\w\.[a-zA-Z]|\w\[\d"
)
"""What validators, keys and paths look like."""
NAMES = {seat: f"Ada {seat + 1}" for seat in range(8)}


def tellable(session: Session, scene: Scene) -> None:
    """The tally of the game as it stands, and every export of it; views and prompts have just been told by the table."""
    pack, state = scene.pack, scene.state
    tally = pack.tally(state)
    msgspec.json.encode(as_json(tally))
    play = Play(session.game, pack.id, 0.0, 60.0, tally, [[int(points) for points in line] for line in scene.chart])
    history.to_csv([play])
    msgspec.json.encode(history.to_json([play]))
    bgstats.link(play)
    msgspec.json.encode(pack.statistics(state))


@cache
def _words(language: str) -> Words:
    return Words(language, NAMES)


def odd_words(*texts: Text) -> list[str]:
    """Sentences that show a player a type's name, a key of ours or a validator's English, in any language. What somebody typed
    themselves is said back to them between quotation marks, whatever it is."""
    said = [_words(language).say(text) for language in LANGUAGES for text in texts]
    return [sentence for sentence in said if OURS.search(re.sub("“.*?”|„.*?”|«.*?»", "", sentence))]


def readable(refusal: Refusal) -> None:
    """A refusal is in a player's words."""
    odd = odd_words(refusal.say, refusal.do)
    if odd:
        raise FaultFound("differs", f"words of {refusal.code}", f"a player reads: {odd[0][:200]}")


def recorded(journal: Journal, session: Session) -> None:
    """The whole game as a file, and the same tally from it."""
    one = history.record(journal, session.game)
    write(one.game, one.options, one.box, one.moves, one.tally)
    history.to_statistics_csv(history.plays(journal), journal)
    if one.tally is None:
        return
    again = msgspec.to_builtins(one.pack.tally(one.final()))
    if again != one.tally:
        raise FaultFound("differs", "record", "the record of the game gives another tally")


class Shadow:
    """The same game told from what was written down: as JSON, move by move."""

    def __init__(self, pack: Game, session: Session) -> None:
        self.pack = pack
        self._begin(session)

    def _begin(self, session: Session) -> None:
        self.options = session.options
        self.first = self.pack.new(_plain(session.options), _plain(session.first.body["box"]))
        self.told: list[tuple[int, Any]] = []
        """Row -> the state after it."""

    def follow(self, session: Session) -> None:
        """Take back and tell on until here, from the first row if somebody has another name; then both must stand alike."""
        if session.options != self.options:
            self._begin(session)
        rows = [done.row for done in session.done]
        while self.told and (len(self.told) > len(rows) or self.told[-1][0] != rows[len(self.told) - 1].seq):
            self.told.pop()
        for row in rows[len(self.told) :]:
            before = self.told[-1][1] if self.told else self.first
            after = self.pack.play(before, self.pack.decode(_plain(row.body))).state
            self.told.append((row.seq, after))
        now = self.told[-1][1] if self.told else self.first
        if now != session.state:
            raise FaultFound("differs", "replay", "the moves written down lead to another position")


def _plain(value: Any) -> Any:
    """A value as the journal gives it back."""
    return msgspec.json.decode(to_json.encode(value))


def same_after_restart(pack: Game, before: Session, after: Session) -> None:
    """A session taken up from the journal stands where the one before it stood, for everybody who looks."""
    if after.left_out:
        raise FaultFound("differs", "left out", f"{after.left_out} moves of the journal are refused when told again")
    if before.game != after.game or before.state != after.state:
        raise FaultFound("differs", "resume", "the game taken up from the journal stands elsewhere")
    for seat in (None, *range(len(before.seats))):
        one, other = (msgspec.json.encode(pack.view(session.state, seat)) for session in (before, after))
        if one != other:
            raise FaultFound("differs", "view", f"the view of seat {seat} differs after the journal was read again")
