"""The phone's TypeScript types, made from the structs that travel: `python -m tools.wire_types` writes them, `--check` compares.

`src/wire.ts` holds the messages a phone hears and says, where what has a default may be missing; `src/shown/<game>.ts` what each
of our games shows, which the core always writes whole.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as mi

from companion.game import View
from companion.panels import Panel
from companion.wire.game_log import LogPage
from companion.wire.messages import Answer, Happened, Health, MoveRequest, Private, State
from companion.wire.past import Past
from companion.wire.presence import Here, Knock
from hall.board import News
from hall.desk import Told

PHONE = Path(__file__).parents[1] / "companion" / "phone" / "src"
GAMES = ("skytopia", "praga", "skyrise", "scorepad")
HEARD_AND_SAID = (State, Private, Happened, LogPage, Health, Answer, Knock, MoveRequest, Here, View, Past)
NAMED = {"Panel": Panel}
"""Unions the phone calls by name."""
MADE = "made by `python -m tools.wire_types`; change the structs, not this file"


class Sheet:
    """One file of interfaces, each struct once, in the order they are met."""

    def __init__(self, known: dict[type, str] | None = None, *, complete: bool = False) -> None:
        self.known, self.complete = dict(known or {}), complete
        """What another file has, by its name there; whether every field is always written."""
        self.borrowed: set[str] = set()
        self.interfaces: dict[str, str] = {}
        self.made: dict[type, str] = {}

    def name(self, cls: type, fields: tuple[mi.Field, ...], tag: tuple[str, Any] | None) -> str:
        """The interface of a struct, written on the way when it is new."""
        if cls in self.known:
            self.borrowed.add(self.known[cls])
            return self.known[cls]
        name = cls.__name__
        if cls not in self.made:
            if name in self.interfaces:
                raise SystemExit(f"two structs are called {name}: give one of them another name")
            self.made[cls] = name
            self.interfaces[name] = ""
            lines = [f"  {tag[0]}: {_literal(tag[1])};"] if tag else []
            lines += [
                f"  {f.encode_name}{'' if f.required or self.complete else '?'}: {self.type(f.type)};" for f in fields
            ]
            doc = " ".join((inspect.getdoc(cls) or "").partition("\n\n")[0].split())
            self.interfaces[name] = f"/** {doc} */\nexport interface {name} {{\n" + "\n".join(lines) + "\n}"
        return name

    def type(self, kind: mi.Type) -> str:
        """A type as TypeScript writes it."""
        match kind:
            case mi.Metadata():
                return self.type(kind.type)
            case mi.StructType():
                tag = (kind.tag_field, kind.tag) if kind.tag_field else None
                return self.name(kind.cls, kind.fields, tag)
            case mi.TypedDictType():
                return self.name(kind.cls, kind.fields, None)
            case mi.UnionType():
                return " | ".join(dict.fromkeys(self.type(one) for one in kind.types))
            case mi.LiteralType():
                return " | ".join(_literal(value) for value in kind.values)
            case mi.TupleType():
                return f"[{', '.join(self.type(one) for one in kind.item_types)}]"
            case mi.VarTupleType() | mi.ListType():
                item = self.type(kind.item_type)
                return f"({item})[]" if " | " in item else f"{item}[]"
            case mi.DictType():
                return f"Record<string, {self.type(kind.value_type)}>"
            case mi.RawType():
                return "View"
        return _PLAIN[type(kind)]

    def text(self, head: str) -> str:
        """The whole file."""
        borrowed = f'import type {{ {", ".join(sorted(self.borrowed))} }} from "../wire";\n\n' if self.borrowed else ""
        return f"/** {head}: {MADE}. */\n{borrowed}" + "\n\n".join(self.interfaces.values()) + "\n"


_PLAIN: dict[type, str] = {
    mi.IntType: "number",
    mi.FloatType: "number",
    mi.StrType: "string",
    mi.BoolType: "boolean",
    mi.NoneType: "null",
    mi.AnyType: "unknown",
    mi.DateTimeType: "string",
}


def _literal(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def files() -> Iterator[tuple[Path, str]]:
    """Every file and what belongs into it."""
    wire = Sheet()
    for kind in mi.multi_type_info(HEARD_AND_SAID):
        wire.type(kind)
    for name, union in NAMED.items():
        wire.interfaces[name] = f"export type {name} = {wire.type(mi.type_info(union))};"
    yield PHONE / "wire.ts", wire.text("The messages of the corridor, as the phone hears and says them")
    for game in GAMES:
        kind = import_module(f"companion.games.{game}").pack.view_type
        if kind is not View:
            shown = Sheet(wire.made, complete=True)
            shown.type(mi.type_info(kind))
            yield PHONE / "shown" / f"{game}.ts", shown.text(f"What {kind.__name__} shows")
    hall = Sheet(wire.made)
    for kind in mi.multi_type_info((News, Told)):
        hall.type(kind)
    yield PHONE / "hall" / "wire.ts", hall.text("What the hall's page hears")


def main() -> int:
    """Write the files, or say which of them is not what the structs say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file differs")
    check = parser.parse_args().check
    stale = [(path, text) for path, text in files() if not path.is_file() or path.read_text() != text]
    for path, text in stale:
        if check:
            sys.stderr.write(f"{path} is not what the structs say: run `python -m tools.wire_types`\n")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
