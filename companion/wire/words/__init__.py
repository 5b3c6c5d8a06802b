"""Words: gettext catalogues, one source for screen, phone and terminal.

Message ids are stable keys (`skytopia/refuse/face-taken`). Placeholders are named: `{price}`. A count called `n`
chooses the plural form. `{colour:loc}` asks for a nested word in a grammatical case: the key `…/gold@loc` if the
catalogue has it, else the plain word. Catalogues are read as PO files (about a millisecond each): no compile step
stands between a translator and the table.
"""

from __future__ import annotations

import gettext
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from string import Formatter
from typing import Any, ClassVar

import msgspec

from companion.game import Text
from companion.wire import announced

LANGUAGES = ("en", "pl", "fr")
CORE = "companion.wire.words"
SENSORS = ("vision", "firmware_bridge")
"""Rooms whose remarks travel as keys: every client must be able to say them."""

Catalogue = dict[str, tuple[str, ...]]

_formatter = Formatter()
log = logging.getLogger("tableside.games")


def read_po(text: str) -> Catalogue:
    """Key -> its forms (one, or one per plural form). The header is kept under the empty key."""
    found: Catalogue = {}
    key: str | None = None
    forms: dict[int, str] = {}
    target: tuple[str, int] = ("", 0)

    def close() -> None:
        if key is not None and forms:
            found[key] = tuple(forms[i] for i in sorted(forms))

    for line in text.splitlines():
        if line.startswith("msgid "):
            close()
            key, forms, target = _quoted(line[6:]), {}, ("id", 0)
        elif line.startswith("msgid_plural "):
            target = ("plural", 0)
        elif line.startswith("msgstr["):
            number = int(line[7 : line.index("]")])
            forms[number], target = _quoted(line[line.index("]") + 1 :]), ("str", number)
        elif line.startswith("msgstr "):
            forms[0], target = _quoted(line[7:]), ("str", 0)
        elif line.startswith('"'):
            if target[0] == "id":
                key = (key or "") + _quoted(line)
            elif target[0] == "str":
                forms[target[1]] += _quoted(line)
    close()
    return found


def _quoted(part: str) -> str:
    return msgspec.json.decode(part.strip(), type=str)  # PO quotes as JSON does


@cache
def read_package(package: str, language: str) -> Catalogue:
    """The catalogue `<language>.po` of one package; empty when it has none. Only its text is read, no code of it runs."""
    root = announced.folder(package)
    if root is None:
        return {}  # an announced pack that is not there (the registry says so), or one module without words beside it
    for place in (root / f"{language}.po", root / "words" / f"{language}.po"):
        if place.is_file():
            return read_po(place.read_text(encoding="utf-8"))
    return {}


def packages() -> tuple[str, ...]:
    """The core's words, the sensors', and those of every pack found through entry points."""
    return (CORE, *SENSORS, *dict.fromkeys(filter(None, map(announced.package, announced.names()))))


@cache
def catalogue(language: str, own: str = "") -> Catalogue:
    """All words of one language: the core's and every pack's; `own`: a client's own package, laid over them. Words that
    cannot be read cost nobody else theirs."""
    merged: Catalogue = {}
    for package in (*packages(), own) if own else packages():
        try:
            merged.update(read_package(package, language))
        except (OSError, ValueError, LookupError, msgspec.DecodeError) as wrong:
            log.warning("the words of %s in %s cannot be read: %s", package, language, wrong)
    return merged


@cache
def plural_rule(language: str) -> Callable[[int], int]:
    """Which form a count takes, from the catalogue's own header."""
    header = read_package(CORE, language).get("", ("",))[0]
    found = re.search(r"plural=([^;\n]+);", header)
    rule: Callable[[int], int] = gettext.c2py(found.group(1)) if found else (lambda n: int(n != 1))
    return rule


def counted(text: Text) -> int:
    """The count that chooses a plural form or a seat; whatever a pack put there, it is a number."""
    try:
        return int(str(text.params.get("n", 0)))
    except ValueError:
        return 0


def called(names: Mapping[int, str], seat: int) -> str:
    """A player as a sentence calls them: what stands in brackets behind a name ("Magda (you)") is left to labels, unless two
    would then be called the same."""
    name = names.get(seat, "")
    bare = _bare(name)
    return bare if sum(_bare(one) == bare for one in names.values()) == 1 else name


def _bare(name: str) -> str:
    before = name.rpartition(" (")[0]
    return before if before and name.endswith(")") else name


class Words:
    """Says a `Text` in one language. Missing words fall back to English, then to the key itself."""

    own: ClassVar[str] = ""
    """A package whose words this speaker lays over everybody's."""

    def __init__(self, language: str = "en", names: Mapping[int, str] | None = None) -> None:
        self.language = language if language in LANGUAGES else "en"
        self.names = dict(names or {})

    def say(self, text: Text | str, variant: str = "", **params: Any) -> str:
        """The sentence, with its parameters put in."""
        if isinstance(text, str):
            text = Text(text, params)
        if text.key == "seat":
            return called(self.names, counted(text)) or f"#{text.params.get('n')}"
        template = self._template(text, variant)
        return "".join(self._parts(template, text.params))

    def _parts(self, template: str, params: Mapping[str, Any]) -> Iterable[str]:
        try:
            pieces = list(_formatter.parse(template))
        except ValueError:
            pieces = [(template, None, None, None)]  # a translator's slip is shown as it is
        for literal, name, variant, _ in pieces:
            yield literal
            if name is not None:
                yield self._value(params.get(name, ""), variant or "")

    def _value(self, value: Any, variant: str) -> str:
        if isinstance(value, Text):
            return self.say(value, variant)
        if isinstance(value, (list, tuple)):
            return self.listed([self._value(item, variant) for item in value])
        if isinstance(value, int):
            return f"{value}".replace("-", "\u2212")
        return str(value)

    def listed(self, items: list[str]) -> str:
        """ "a, b and c" in this language."""
        if len(items) < 2:
            return "".join(items)
        return self.say("list/and", first=", ".join(items[:-1]), last=items[-1])

    def _template(self, text: Text, variant: str) -> str:
        for language in dict.fromkeys((self.language, "en")):
            words = catalogue(language, self.own)
            forms = words.get(f"{text.key}@{variant}") if variant else None
            forms = forms or words.get(text.key)
            if forms:
                if len(forms) == 1:
                    return forms[0]
                return forms[min(plural_rule(language)(abs(counted(text))), len(forms) - 1)]
        return text.key

    def knows(self, key: str) -> bool:
        """This language, not only English, has the key."""
        return key in catalogue(self.language, self.own)
