"""How every process of the table writes its log."""

from __future__ import annotations

import logging
import sys


def start_logging() -> None:
    """One line per event on stderr, level first; systemd's journal adds the time."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
