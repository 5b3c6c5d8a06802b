"""Units for many tables on one machine, made from the one table's: `python -m tools.template_units` writes them.

`tableside@club1.target` is a table of phones and a big screen: broker, gate and core, with its own user's folders, ports and
settings (`/etc/tableside/tables/club1/tableside.toml`). Dial, camera and screen belong to the machine's own table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

SYSTEMD = Path(__file__).parents[1] / "systemd"
ROOMS = ("broker", "gate", "core")
MADE = "# made from {name} by `python -m tools.template_units`; change that one\n"


def template(text: str, name: str) -> str:
    """A unit as every one of many tables has it: the same doors closed, its own folders."""
    text = re.sub(r"\btableside(-[a-z]+)\.service", r"tableside\1@%i.service", text)
    text = text.replace("tableside.target", "tableside@%i.target")
    text = re.sub(r"^Description=Tableside: (.*)$", r"Description=Tableside %i: \1", text, flags=re.MULTILINE)
    text = text.replace("/var/lib/tableside/", "/var/lib/tableside-tables/%i/")
    text = text.replace("StateDirectory=tableside\n", "StateDirectory=tableside-tables/%i\n")
    text = text.replace("ConfigurationDirectory=tableside\n", "ConfigurationDirectory=tableside/tables/%i\n")
    text = text.replace("RuntimeDirectory=tableside\n", "RuntimeDirectory=tableside-tables/%i\n")
    # the machine's own table, and every other one, are closed to it
    closed = "InaccessiblePaths=-/var/lib/tableside -/var/lib/private\n"
    text = text.replace("\n[Install]", f"# the machine's own table is nobody's business here\n{closed}\n[Install]")
    return MADE.format(name=name) + text


def files() -> Iterator[tuple[Path, str]]:
    """Every file and what belongs into it."""
    for room in ROOMS:
        name = f"tableside-{room}.service"
        yield SYSTEMD / f"tableside-{room}@.service", template((SYSTEMD / name).read_text(), name)
    wants = " ".join(f"tableside-{room}@%i.service" for room in ROOMS)
    target = f"[Unit]\nDescription=Tableside: table %i\nWants={wants}\n\n[Install]\nWantedBy=multi-user.target\n"
    yield SYSTEMD / "tableside@.target", MADE.format(name="tableside.target") + target


def main() -> None:
    """Write them."""
    for path, text in files():
        path.write_text(text)


if __name__ == "__main__":
    main()
