"""A tally in words: as a table for people, as JSON for programs, and a game told move by move."""

from __future__ import annotations

from typing import Any

from companion.game import Outcome, Tally
from companion.journal.recorded import Record
from companion.wire.words import Words


def as_json(tally: Tally) -> dict[str, Any]:
    """The shape other programs rely on: winners by name, extra figures beside the total."""
    names = {player.seat: player.name for player in tally.players}
    shown: dict[str, Any] = {
        "players": [
            {
                "name": player.name,
                "total": player.total,
                **player.extra,
                "lines": [{"id": line.id, "points": line.points} for line in player.lines],
            }
            for player in tally.players
        ],
        "winners": [names[seat] for seat in tally.winners],
        "unconfirmed": list(tally.unconfirmed),
    }
    if tally.notes:
        words = Words("en", names)
        shown["notes"] = [words.say(note) for note in tally.notes]
        verdict = next(
            (note for note in tally.notes if note.key.endswith(("verdict", "verdict/won", "verdict/lost"))), None
        )
        if verdict is not None:
            shown["verdict"] = words.say(verdict)
    return shown


def as_table(tally: Tally, language: str = "en") -> str:
    """Line by line, one column a player."""
    from io import StringIO

    from rich import box
    from rich.console import Console
    from rich.table import Table

    names = {player.seat: player.name for player in tally.players}
    words = Words(language, names)
    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column("", footer=words.say("tally/total"))
    for player in tally.players:
        table.add_column(player.name, justify="right", footer=str(player.total))
    ids: dict[str, str] = {}
    for player in tally.players:
        for line in player.lines:
            ids.setdefault(line.id, words.say(line.text))
    for name, label in ids.items():
        cells = [next((str(line.points) for line in p.lines if line.id == name), "–") for p in tally.players]
        table.add_row(label, *cells)
    buffer = StringIO()
    console = Console(file=buffer, width=100, force_terminal=False)
    console.print(table)
    winners = words.listed([names[seat] for seat in tally.winners])
    console.print(words.say("tally/winner", name=winners, n=len(tally.winners)))
    for text in (*([tally.tie_break] if tally.tie_break else []), *tally.notes):
        console.print(words.say(text))
    if tally.unconfirmed:
        console.print(words.say("tally/unconfirmed", values=", ".join(tally.unconfirmed)))
    return buffer.getvalue()


def narrate(record: Record, number: int, outcome: Outcome, language: str) -> str:
    """One move in words, from its events."""
    words = Words(language, dict(enumerate(record.options.get("names", ()))))
    told = [words.say(event.text) for event in outcome.events if event.text is not None]
    return f"{number:4} {' · '.join(told)}" if told else ""
