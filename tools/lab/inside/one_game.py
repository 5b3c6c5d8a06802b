"""Skytopia by bots, every room a process of its own: a whole game told by phone and dial, or the first moves seen by the camera.

Where a processor is emulated the camera's room is silent for longer than the supervisor allows, so then nobody looks after it.

usage: python one_game.py [MOVES]      JSON on the output; with a number: so many moves with the virtual camera
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack

from companion.virtual.demo import bots_at, run, settings
from companion.virtual.folder import own_folder
from companion.virtual.own_table import OwnTable, end
from companion.virtual.ports import claimed_ports
from companion.virtual.result import Result, report

PATIENCE, SLOWNESS = 120.0, 20.0


def seen(moves: int) -> Result:
    """The first moves, laid and turned by virtual hands."""
    with ExitStack() as stack:
        place, ports = stack.enter_context(own_folder()), stack.enter_context(claimed_ports())
        own = OwnTable(settings("skytopia", 2, ports, fast=True, headless=True, state=place))
        table = own.start("companion.cli", "run", "--without", "vision,display", log=sys.stderr.fileno())
        stack.callback(end, table)
        own.until_broker(table)
        stack.callback(end, own.start("vision", log=sys.stderr.fileno()))
        demo = bots_at(own.config(), "skytopia", players=2, seed=1, limit=moves)
        demo.patience, demo.people.slowness = PATIENCE, SLOWNESS
        return demo.play()


if __name__ == "__main__":
    result = (
        seen(int(sys.argv[1])) if len(sys.argv) > 1 else run("skytopia", 2, 1, fast=True, headless=True, camera=False)
    )
    json.dump(report(result) if result else {}, sys.stdout)
