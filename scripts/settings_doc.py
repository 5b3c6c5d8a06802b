"""Writes docs/settings.md from companion/wire/sections.py: every section and key with its default and what is allowed.

`settings_doc.py` writes it, `settings_doc.py --check` only says whether it is up to date.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from companion.wire import config
from companion.wire.allowed import allowed

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"

MEANING = {
    "table.id": "Part of every topic; two tables on one network or broker need different ids.",
    "table.language": "Language of the screen and of phones that have not chosen one.",
    "table.name": "Shown on the screen and on phones.",
    "broker.own": "`tableside run` starts Mosquitto itself; `false` for one that is already there.",
    "broker.host": "Where the rooms find the broker.",
    "broker.port": "The rooms' port; with a broker of our own it listens on this machine only.",
    "broker.websocket_port": "The phones' port.",
    "broker.tls": "Rooms and phones speak TLS to the broker.",
    "broker.ca_file": "Who signed the broker's certificate.",
    "broker.cert_file": "The broker's certificate; the page uses it too.",
    "broker.key_file": "Its key.",
    "web.port": "The page's port.",
    "web.mdns": "Announce the table as `tableside.local`.",
    "web.tls": "Serve the page over TLS, with the broker's certificate.",
    "dial.source": "How the encoder is connected; see [dial.md](dial.md).",
    "dial.pin_a": "GPIO number of contact A.",
    "dial.pin_b": "GPIO number of contact B.",
    "dial.button_pin": "GPIO number of the button; −1: none.",
    "dial.index_pin": "GPIO number of the index switch; −1: none.",
    "dial.pull_up": "The Pi pulls the contacts up; `false` when resistors do.",
    "dial.reverse": "The screen turns the other way.",
    "dial.positions": "Notches of the dial while no game says how many it has.",
    "dial.settle_ms": "Milliseconds of rest before a place counts.",
    "dial.leds": "Lights in the ring; 0: none.",
    "dial.virtual_level": "The virtual dial makes edges on pins, or runs the firmware.",
    "camera.source": "Where pictures come from.",
    "camera.device": "The USB camera (`v4l2`).",
    "camera.path": "The folder or film (`folder`, `video`).",
    "camera.width": "Pixels.",
    "camera.height": "Pixels.",
    "camera.fps": "Pictures in a second.",
    "camera.settle_ms": "Milliseconds without a hand before the market is read.",
    "camera.evidence_mb": "Megabytes of readings kept with the games; 0: none.",
    "display.width": "Pixels of the window; a full screen takes its own.",
    "display.height": "Pixels of the window.",
    "display.inches": "Diagonal of the screen: sizes of text and buttons follow from it.",
    "display.fullscreen": "The whole screen instead of a window.",
    "display.driver": "How to reach the screen; `kmsdrm` is a Pi without a desktop.",
    "display.text_size": "Per cent.",
    "display.theme": "Dark or light.",
    "display.volume": "Sounds; 0: silent.",
    "display.brightness": "Per cent.",
    "display.reduced_motion": "Still pictures instead of moving ones.",
    "display.lock": "Play only: the menu and what lies behind it ask for the PIN.",
    "display.pin": "Up to eight digits.",
    "display.welcomed": "The first steps were taken: they no longer open by themselves.",
}

HEAD = """# Settings

Made by `scripts/settings_doc.py` from `companion/wire/sections.py`: do not edit by hand.

The owner's file is `tableside.toml` in `/etc/tableside` (an installed table) or in `~/.config/tableside`:

```console
$ tableside config path
$ tableside config check
$ tableside config show
```

Highest first: the command line (`tableside run --set dial.reverse=true`), the environment (`TABLESIDE_DIAL_REVERSE=true`),
what was changed on the screen (`settings.toml` beside the games), the owner's file, drop-ins `conf.d/*.toml` in order, the
defaults below. A value that cannot be used is left out and named, with file, line and what is allowed; the table starts all
the same. Where games and settings lie can be named too: `TABLESIDE_STATE_DIR`, `TABLESIDE_CONFIG_DIR`, and
`TABLESIDE_CONFIG` for one file.
"""


class UndocumentedError(Exception):
    """A setting nobody explained."""


def attribute_words(kind: type[Any]) -> dict[str, str]:
    """The sentences under a section's own fields."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            words = ast.literal_eval(after.value)
            found[field.target.id] = " ".join(str(words).split())
    return found


def default_of(kind: type[Any], key: str) -> str:
    """The default as it would stand in the file."""
    value = getattr(kind(), key)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {one}" for name, one in value.items()) + " }"
    return msgspec.json.encode(value).decode()


def allowed_of(hint: Any) -> str:
    """What may stand there, in words."""
    info = msgspec.inspect.type_info(hint)
    if isinstance(info, msgspec.inspect.DictType):
        inner = info.value_type
        if isinstance(inner, msgspec.inspect.IntType):
            return f"for each game a whole number from {inner.ge} to {inner.le}"
    words = allowed(hint).removeprefix("allowed: ")
    if isinstance(info, msgspec.inspect.FloatType) and info.gt is not None:
        return f"a number above {info.gt:g}, at most {info.le:g}"
    if isinstance(info, msgspec.inspect.StrType) and info.pattern:
        return f"text like `{info.pattern}`"
    return words


def page() -> str:
    """The whole text."""
    parts = [HEAD]
    for section, kind in config.SECTIONS.items():
        own = attribute_words(kind)
        summary = (kind.__doc__ or "").strip()
        parts.append(f"\n## [{section}]\n\n{summary}\n\n| key | default | allowed | what it is |\n|---|---|---|---|\n")
        for key, hint in get_type_hints(kind, include_extras=True).items():
            if key.startswith("_"):
                continue
            words = own.get(key) or MEANING.get(f"{section}.{key}")
            if not words:
                raise UndocumentedError(f"{section}.{key} has no sentence: give it one in companion/wire/sections.py")
            cells = (f"`{key}`", f"`{default_of(kind, key)}`", allowed_of(hint), words)
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return "".join(parts)


def main(arguments: list[str]) -> int:
    """Write the page, or say that it is old."""
    try:
        text = page()
    except UndocumentedError as wrong:
        sys.stderr.write(f"settings_doc: {wrong}\n")
        return 1
    if arguments == ["--check"]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write("docs/settings.md is not up to date: run scripts/settings_doc.py\n")
        return 1
    if arguments:
        sys.stderr.write("usage: settings_doc.py [--check]\n")
        return 2
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
