"""The end of the last turn: what only a turn could answer is no longer asked, and unfinished plazas give their lower reward."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.praga import copy
from companion.games.praga.state import Pending, Work

LASTING = ("plaza", "resource", "final", "good")
"""What is still to be said after the last turn."""
TRACKS = ("technology", "university")


def end(play: Work) -> None:
    """No turn is left. Step 1 of the final scoring begins: it is booked where the plaza's tile is known, and asked elsewhere."""
    pending = tuple(one for one in play.state.pending if one.kind in LASTING)
    play.set(pending=pending, begun=None, held=False, extra=False, laid=None, half="", landed=())
    if play.state.depth != "full" or play.state.paid_out:
        return
    play.set(paid_out=True)
    for number, plaza in enumerate(play.state.plazas, 1):
        for seat in range(play.state.players) if not plaza.done else ():
            if plaza.cubes[seat]:
                known = copy.rewards(play.state, number).get("lower")
                if known is None:
                    play.owe(Pending("plaza", seat, play.state.turn, f"{number}:lower", both=True))
                else:
                    give(play, seat, known)


def reopened(play: Work) -> None:
    """There are turns again: nothing has been paid out yet."""
    if not play.state.paid_out:
        return
    asked = tuple(one for one in play.state.pending if one.kind != "plaza" or one.turn < play.state.length)
    play.set(paid_out=False, pending=asked)
    for seat in range(play.state.players):
        play.put(seat, step_one={})


def give(play: Work, seat: int, gains: Mapping[str, int]) -> None:
    """An unfinished plaza gives its lower reward: steps past the end of a track are points of this step."""
    board = play.board(seat)
    total = {name: board.step_one.get(name, 0) + gains.get(name, 0) for name in {*board.step_one, *gains}}
    for track in TRACKS:
        past = getattr(board, track) + total.get(track, 0) - int(play.box[f"track.{track}_top"])
        if track in total and past > 0:
            total[track] -= past
            total["points"] = total.get("points", 0) + past * int(play.box["track.past_the_top"])
    play.put(seat, step_one={name: total[name] for name in copy.GAINS if total.get(name)})
