"""The lab: the installed table on a real kernel, real systemd and real drivers, in an emulated machine.

`image` makes a Debian disk with the project put on it by its own installer, `machine` starts it, `guest` gives it commands,
`devices` works the drivers a Raspberry Pi's parts would need, `game` plays on them, `cuts` pulls the plug.
"""
