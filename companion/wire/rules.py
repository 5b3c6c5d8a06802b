"""Rule cards: each rule of a game in two or three sentences of our own, found by what is asked or refused.

They lie as `rules.toml` in a game's folder, in every language, and are read as text: no code of the game runs for it. Every room
may look them up, because an explanation must not wait for the core.
"""

from __future__ import annotations

import logging
import sqlite3
from functools import cache

import msgspec

from companion.wire import announced

FILE = "rules.toml"
log = logging.getLogger("tableside.games")


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule."""

    id: str
    title: dict[str, str]
    text: dict[str, str]
    page: str = ""
    """Of the printed rulebook, where we know it."""
    section: str = ""
    """Of our own specification in `docs/rules`; nobody at the table has that, so it is not shown."""
    asks: tuple[str, ...] = ()
    """Prompts it belongs to, by their key behind `<game>/ask/`; one that ends in a slash stands for all that begin so."""
    refusals: tuple[str, ...] = ()
    """Codes it explains."""

    def said(self, language: str) -> tuple[str, str]:
        """Title and text; English where a language is missing."""
        return self.title.get(language, self.title["en"]), self.text.get(language, self.text["en"])


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game's file holds."""

    cards: tuple[Card, ...] = ()
    no_card: dict[str, str] = {}
    """Refusals that no rule explains, and why."""

    def refused(self, code: str) -> Card | None:
        """The rule behind a refusal, by its code with or without the game's name."""
        short = code.rpartition("/")[2]
        return next((card for card in self.cards if short in card.refusals), None)

    def asked(self, key: str) -> Card | None:
        """The rule of a prompt, by the key of its text."""
        short = key.partition("/ask/")[2]
        return next((card for card in self.cards if _holds(card.asks, short)), None) if short else None


def _holds(asks: tuple[str, ...], short: str) -> bool:
    return any(short == ask or (ask.endswith("/") and short.startswith(ask)) for ask in asks)


@cache
def rules(game: str) -> Rules:
    """The cards of a game; none where it has no file, or one that cannot be read."""
    root = announced.folder(announced.package(game))
    try:
        return msgspec.toml.decode((root / FILE).read_text(encoding="utf-8"), type=Rules) if root else Rules()
    except FileNotFoundError:
        return Rules()
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as wrong:
        log.warning("the rule cards of %s cannot be read: %s", game, wrong)
        return Rules()


@cache
def _index(game: str, language: str) -> sqlite3.Connection:
    """Every word of a game's cards; accents and case make no difference."""
    index = sqlite3.connect(":memory:", check_same_thread=False)
    index.execute("CREATE VIRTUAL TABLE card USING fts5(title, text, tokenize = 'unicode61 remove_diacritics 2')")
    for number, card in enumerate(rules(game).cards):
        index.execute("INSERT INTO card (rowid, title, text) VALUES (?, ?, ?)", (number, *card.said(language)))
    return index


def search(game: str, language: str, words: str) -> list[Card]:
    """Cards with words that begin so, the best first; without words all of them, in their order."""
    cards = rules(game).cards
    wanted = " ".join(f'"{word}"*' for word in words.replace('"', " ").split())
    if not wanted:
        return list(cards)
    ranked = "SELECT rowid FROM card WHERE card MATCH ? ORDER BY bm25(card, 4.0, 1.0)"
    return [cards[number] for (number,) in _index(game, language).execute(ranked, (wanted,))]


class Said(msgspec.Struct, frozen=True):
    """A card as a phone gets it: in its owner's language."""

    id: str
    title: str
    text: str
    page: str
    asks: tuple[str, ...]
    refusals: tuple[str, ...]


@cache
def told(game: str, language: str) -> bytes:
    """All cards of a game in one language, as they travel."""
    return msgspec.json.encode(
        [Said(card.id, *card.said(language), card.page, card.asks, card.refusals) for card in rules(game).cards]
    )
