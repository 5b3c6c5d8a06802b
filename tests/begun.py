"""What several workers would all do at the beginning is done once, by one of them each."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def import_share(config: pytest.Config, tests: Path) -> None:
    """Each worker imports its share of the files before it collects all of them. In a fresh clone whoever imports a file first
    has it read, rewritten for its assertions and compiled: side by side, in the same order, every worker would do all of it."""
    given = getattr(config, "workerinput", None)
    if given is None or [Path(one).resolve() for one in config.args] != [tests]:
        return
    files = [one for one in sorted(tests.rglob("test_*.py")) if (one.parent / "__init__.py").exists()]
    for file in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
        with suppress(Exception):  # whatever is wrong with it is told when it is collected
            importlib.import_module(".".join(file.relative_to(tests.parent).with_suffix("").parts))


@contextmanager
def kept_for_good() -> Iterator[None]:
    """What is imported and collected here stays to the end. Python need not look through it for what nobody holds any more: while
    it grows that is a fifth of the work, and afterwards half of all such looking while the tests run."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
