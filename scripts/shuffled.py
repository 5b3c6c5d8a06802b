"""A pytest plugin: the tests in another order, the same for the same number (`TABLESIDE_ORDER`).

Files change places, and tests within their file: what a file's tests share is still made once.
"""

from __future__ import annotations

import itertools
import os
import random

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every worker of a run has the number, so all of them agree on the order."""
    chance = random.Random(os.environ["TABLESIDE_ORDER"])
    files = [list(tests) for _, tests in itertools.groupby(items, lambda item: item.path)]
    chance.shuffle(files)
    for tests in files:
        chance.shuffle(tests)
    items[:] = itertools.chain.from_iterable(files)
