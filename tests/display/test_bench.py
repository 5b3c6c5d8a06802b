"""What `tableside bench display` prints is read by programs."""

from __future__ import annotations

import os
import subprocess
import sys


def test_a_bench_prints_figures_and_no_greetings() -> None:
    """The library that draws says hello on standard output unless it is asked not to."""
    plain = {name: value for name, value in os.environ.items() if name != "PYGAME_HIDE_SUPPORT_PROMPT"}
    asked = [sys.executable, "-c", "import benches.screen, pygame; print([])"]
    done = subprocess.run(asked, env=plain, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
