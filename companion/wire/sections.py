"""The sections of the settings: every key with its kind, its default, and a sentence for docs/settings.md."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Port = Annotated[int, Meta(ge=1, le=65535)]
Id = Annotated[str, Meta(pattern="^[a-z0-9-]{1,32}$")]
Language = Literal["en", "pl", "fr"]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One `[section]` of the file."""


class TableConfig(Section, frozen=True):
    """This table: its id is part of every topic."""

    id: Id = "table"
    language: Language = "en"
    name: Annotated[str, Meta(max_length=40)] = "Tableside"
    sticks: tuple[str, ...] = ("/media", "/run/media")
    """Folders below which the system mounts USB sticks, for backups by touch."""
    installed: str = "/opt/tableside"
    """Where the installer has put it; a table that lies elsewhere cannot be updated by touch."""


class BrokerConfig(Section, frozen=True):
    """The broker. `own = true`: the supervisor starts Mosquitto as its child."""

    own: bool = True
    host: str = "127.0.0.1"
    port: Port = 8782
    websocket_port: Port = 8781
    websocket_host: str = ""
    """Address phones connect to; empty: all interfaces."""
    tls: bool = False
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""


class WebConfig(Section, frozen=True):
    """The phone page."""

    host: str = ""
    """Address to listen on; empty: all interfaces."""
    port: Port = 8780
    address: str = ""
    """Name or address printed in the QR code; empty: found by itself."""
    mdns: bool = True
    """Also announce a name (`tableside.local`) on the local network."""
    tls: bool = False
    names: tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9.-]{1,253}$")], ...] = ()
    """Further names the page answers to, as a proxy in front of it gives them; its own are known by themselves."""


class DialConfig(Section, frozen=True):
    """The encoder under the dial."""

    source: Literal["none", "gpio", "serial", "virtual"] = "none"
    pin_a: Annotated[int, Meta(ge=0, le=53)] = 17
    pin_b: Annotated[int, Meta(ge=0, le=53)] = 27
    button_pin: Annotated[int, Meta(ge=-1, le=53)] = -1
    index_pin: Annotated[int, Meta(ge=-1, le=53)] = -1
    pull_up: bool = True
    counts_per_revolution: Annotated[int, Meta(ge=4, le=100_000)] = 96
    """Quadrature counts (four per pulse) in one turn of the encoder: 4 times the number printed on it."""
    gear: Annotated[float, Meta(gt=0, le=100)] = 1.0
    """Turns of the encoder for one turn of the dial."""
    reverse: bool = False
    positions: Annotated[int, Meta(ge=2, le=60)] = 6
    """Notches of the dial while no game says how many it has."""
    settle_ms: Annotated[int, Meta(ge=20, le=5000)] = 250
    port: str = ""
    """Serial port; empty: found by USB id."""
    browse: bool = False
    """Dial and button choose what the voice reads out, for somebody who does not see; the game's own dial is then turned by
    hand and told by a choice."""
    leds: Annotated[int, Meta(ge=0, le=255)] = 0
    virtual_level: Literal["pins", "serial"] = "pins"
    virtual_pace: Annotated[float, Meta(gt=0, le=100)] = 1.0
    """Turns of the virtual encoder in a second."""
    virtual_speed: Annotated[float, Meta(ge=0.1, le=1000)] = 1.0
    """How much faster than the wall's the virtual dial's clock runs."""


class CameraConfig(Section, frozen=True):
    """The overhead camera."""

    source: Literal["none", "picamera2", "v4l2", "folder", "video", "virtual"] = "none"
    device: str = "/dev/video0"
    path: str = ""
    width: Annotated[int, Meta(ge=320, le=8000)] = 1920
    height: Annotated[int, Meta(ge=240, le=6000)] = 1080
    fps: Annotated[int, Meta(ge=1, le=120)] = 15
    settle_ms: Annotated[int, Meta(ge=50, le=5000)] = 350
    evidence_mb: Annotated[int, Meta(ge=0, le=10_000)] = 50
    virtual_speed: Annotated[float, Meta(ge=0.1, le=1000)] = 1.0
    """How much faster than at a real table the virtual camera gives its frames."""


class DisplayConfig(Section, frozen=True):
    """The touchscreen."""

    width: Annotated[int, Meta(ge=320, le=7680)] = 1280
    height: Annotated[int, Meta(ge=240, le=4320)] = 720
    inches: Annotated[float, Meta(ge=2, le=100)] = 7.0
    fullscreen: bool = False
    turn: Literal[0, 90, 180, 270] = 0
    """Degrees by which the picture is turned clockwise, for a panel that hangs upside down or upright; touches turn with it.
    Not where a desktop turns it already."""
    driver: Literal["auto", "x11", "wayland", "kmsdrm", "dummy"] = "auto"
    text_size: Annotated[int, Meta(ge=100, le=150)] = 100
    theme: Literal["dark", "light"] = "dark"
    palette: Literal["standard", "strong"] = "standard"
    """`strong`: player colours further apart in lightness."""
    volume: Annotated[int, Meta(ge=0, le=100)] = 0
    brightness: Annotated[int, Meta(ge=10, le=100)] = 100
    reduced_motion: bool = False
    speech: Literal["off", "short", "usual", "full"] = "off"
    """How much the table says aloud: what to do; also what happened and was refused; also help and answers."""
    say_prompts: bool = True
    """The voice says what to do; a dial that chooses by ear always has it said."""
    say_events: bool = True
    """The voice says what happened."""
    say_refusals: bool = True
    """The voice says what was refused, and what to do instead."""
    hints: bool = False
    """The menu offers what the planner would do."""
    count_hints: bool = False
    """How many hints everybody was given stands in the small print of the tally."""
    clocks: bool = False
    """How long everybody has taken is shown; a game in light depth shows it anyway."""
    nudge: Annotated[int, Meta(ge=0, le=60)] = 0
    """Minutes after which who decides is reminded, kindly and once; 0: never."""
    lock: bool = False
    pin: Annotated[str, Meta(pattern="^[0-9]{0,8}$")] = ""
    welcomed: bool = False
    """The first steps were taken or passed over: they no longer open by themselves."""


class HallConfig(Section, frozen=True):
    """The hall this table belongs to, if any; `tableside hall join` fills it in."""

    addresses: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9.-]{1,253}:[0-9]{1,5}$")], ...], Meta(max_length=2)
    ] = ()
    """Of the hall's brokers, each with its port."""
    name: Annotated[str, Meta(pattern=r"^[a-z0-9-]{0,32}$")] = ""
    """What this table is called there."""
    key: Annotated[str, Meta(pattern="^[A-Z2-7]{0,64}$")] = ""
    """Out of the invitation; whoever has it can say how this table stands, and nothing else."""
    certificate: str = ""
    """File with the hall's certificate, pinned when the table joined."""
    since: Annotated[float, Meta(ge=0)] = 0.0
    """Unix time: games that ended before are none of the hall's business."""
