"""A pytest plugin for mutation runs: what earlier tests of the same process have remembered is forgotten first."""

from __future__ import annotations

import functools
import gc


def pytest_sessionstart() -> None:
    """A mutant runs in a fork of a process that has run the tests before; a warm cache would answer in its place."""
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):
            found.cache_clear()
