"""`python -m vision`: the camera's process; with a verb, one of its commands."""

from __future__ import annotations

import importlib
import sys

VERBS = {
    "read": "vision.terminal.read",
    "mat": "vision.terminal.mat",
    "cards": "vision.terminal.cards",
    "calibrate": "vision.terminal.calibrate",
    "check": "vision.terminal.check",
    "evidence": "vision.terminal.evidence",
    "code": "vision.terminal.code",
}


def main(argv: list[str] | None = None) -> int:
    """Run the room, or the verb that was given."""
    argv = sys.argv[1:] if argv is None else argv
    if not argv:
        from vision.room import run

        return run()
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(f"usage: python -m vision [{' | '.join(VERBS)}] ...\n\nWithout a verb: the camera's room.\n")
        return 0
    if argv[0] not in VERBS:
        sys.stderr.write(f"vision: {argv[0]} is not one of {', '.join(VERBS)}\n")
        return 2
    done = importlib.import_module(VERBS[argv[0]]).main(argv[1:])
    return int(done or 0)


if __name__ == "__main__":
    sys.exit(main())
