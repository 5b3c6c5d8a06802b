"""Robots on chairs of a real table: they decide, people move the pieces for them.

`thinking` is a process of its own: a mind may look ahead for a quarter of a second, and the core answers moves meanwhile.
`thinker` is the core's end of that process, `chairs` is what robots do at the table. The process is the core's child: it reads
the journal, which is nobody else's, and it speaks with nobody but the core.
"""

from __future__ import annotations

from companion.bots import Bot, bot

LEVELS = {"easy": "random", "medium": "greedy", "hard": "planner"}
"""What a robot may be told to be on the screen, and the bot that then decides."""


def mind(level: str) -> Bot:
    """The bot of a level; `ValueError` names those there are."""
    if level not in LEVELS:
        raise ValueError(f"There is no robot called {level!r}; known: {', '.join(LEVELS)}")
    return bot(LEVELS[level])
