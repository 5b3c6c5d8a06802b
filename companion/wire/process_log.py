"""How every process of the table writes its log."""

from __future__ import annotations

import logging
import sys

from companion.wire.names import printable


class OneLine(logging.Formatter):
    """What strangers sent is quoted in places: it may neither steer a terminal nor look like another event."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - named by the standard library
        """The event without its traceback, which has lines of its own."""
        return printable(super().formatMessage(record), but="\t")


def start_logging() -> None:
    """One line per event on stderr, level first; systemd's journal adds the time."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
