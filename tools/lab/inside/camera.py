"""A camera: the kernel's `vivid` driver, whose input shows what is played into its output."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

CAMERA, PLAYER = "/dev/video0", "/dev/video1"
LOAD = "n_devs=1 node_types=0x101 num_inputs=1 input_types=3 num_outputs=1 output_types=1 vid_cap_nr=0 vid_out_nr=1 multiplanar=1"

PLAIN = "enable_{0}_cropping=0,enable_{0}_composing=0,enable_{0}_scaler=0"
"""A frame goes out as it came in."""


class Camera:
    """Shows the last frame it was given, at its own rate, until it is given another."""

    def __init__(self) -> None:
        self._player: subprocess.Popen[bytes] | None = None

    def plug(self, width: int = 1280, height: int = 720, rate: int = 30) -> dict[str, float]:
        """Plug it in."""
        if Path(CAMERA).exists():
            self.unplug()
        # a camera comes with its pictures; the room, which would open it at once, looks away until these are set up
        _run("systemctl", "freeze", "tableside-vision.service")
        try:
            _run("modprobe", "vivid", *LOAD.split())
            _run("udevadm", "settle")
            timings = f"--set-dv-bt-timings=index={_timings(width, height, rate)}"
            _run("v4l2-ctl", "-d", PLAYER, timings)
            _run("v4l2-ctl", "-d", CAMERA, timings)
            _run("v4l2-ctl", "-d", PLAYER, "--set-ctrl", PLAIN.format("output"))
            _run("v4l2-ctl", "-d", CAMERA, "--set-ctrl", f"{PLAIN.format('capture')},osd_text_mode=2,{_connection()}")
            for node, kind in ((PLAYER, "--set-fmt-video-out"), (CAMERA, "--set-fmt-video")):
                _run("v4l2-ctl", "-d", node, f"{kind}=width={width},height={height},pixelformat=BGR3")
        finally:
            _run("systemctl", "thaw", "tableside-vision.service")
        return {}

    def unplug(self) -> dict[str, float]:
        """Pull it out; the driver takes its nodes away at once."""
        if self._player is not None:
            self._player.kill()
            self._player.wait()
            self._player = None
        Path("/sys/bus/platform/drivers/vivid/unbind").write_text("vivid.0")
        for _ in range(120):  # until whoever looked at it has let go
            if subprocess.run(["modprobe", "-r", "vivid"], capture_output=True, check=False).returncode == 0:
                return {}
            time.sleep(1)
        raise RuntimeError("somebody holds on to a camera that is gone")

    def show(self, frame: bytes) -> dict[str, float]:
        """One frame, as OpenCV asks for them where a camera has no compressed ones: the driver joins only what is of one kind."""
        if self._player is None or self._player.poll() is not None:
            command = ["v4l2-ctl", "-d", PLAYER, "--stream-out-mmap=3", "--stream-from=-", "--stream-poll"]
            self._player = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            frame *= 3  # the player fills all its buffers before it begins
        assert self._player.stdin is not None
        self._player.stdin.write(frame)
        self._player.stdin.flush()
        return {}


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {(done.stderr + done.stdout).strip()[-300:]}")
    return done.stdout


def _timings(width: int, height: int, rate: int) -> int:
    """The number of the timing the driver offers for this size, with the nearest rate."""
    found = []
    for part in _run("v4l2-ctl", "-d", PLAYER, "--list-dv-timings").split("Index: ")[1:]:
        said = dict(re.findall(r"(Active width|Active height|Frame format): (\w+)", part))
        frames = re.search(r"\(([0-9.]+) frames per second\)", part)
        if frames and said == {"Active width": str(width), "Active height": str(height), "Frame format": "progressive"}:
            found.append((abs(float(frames[1]) - rate), int(part.split()[0])))
    if not found:
        raise RuntimeError(f"the driver has no timing of {width}x{height}")
    return min(found)[1]


def _connection() -> str:
    """The control that joins output and input; it has had two names."""
    text = _run("v4l2-ctl", "-d", CAMERA, "--list-ctrls")
    return "loop_video=1" if "loop_video" in text else "hdmi_000_0_is_connected_to=2"
