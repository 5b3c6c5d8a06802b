"""Touchscreen: draws the state it was sent and sends touches back."""

import sys

# pygame loads numpy for the sake of these two modules. Nothing here needs them, and numpy takes as long to load as all the
# rest together: the first picture does not wait for it.
for needless in ("pygame.surfarray", "pygame.sndarray"):
    sys.modules.setdefault(needless, None)  # type: ignore[arg-type]
