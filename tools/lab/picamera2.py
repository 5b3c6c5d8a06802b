"""What the camera's adapter asks of picamera2, looked up in the package itself.

The package is plain Python and can be fetched anywhere; what it stands on (libcamera with the Pi's driver) can not, so it is read
here and not run.
"""

from __future__ import annotations

import ast
from pathlib import Path

ASKED: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("picamera2.py", "Picamera2"): {
        "global_camera_info": (),
        "__init__": ("camera_num",),
        "camera_controls": (),
        "create_video_configuration": ("main", "lores", "controls"),
        "configure": ("camera_config",),
        "start": (),
        "set_controls": ("controls",),
        "capture_request": ("wait",),
        "stop": (),
        "close": (),
    },
    ("request.py", "CompletedRequest"): {"make_array": ("name",), "get_metadata": (), "release": ()},
    ("job.py", "Job"): {"get_result": ("timeout",)},
}
"""By file and class: each call of `vision/camera/picamera.py`, and what it hands over."""


def missing(package: Path) -> list[str]:
    """Calls the package does not have, or that want more than the adapter says."""
    wrong = []
    for (file, name), calls in ASKED.items():
        tree = ast.parse((package / file).read_text(encoding="utf-8"))
        found = next((one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name), None)
        # the last of a name counts: those before it are its overloads
        known = {one.name: one for one in found.body if isinstance(one, ast.FunctionDef)} if found else {}
        for call, given in calls.items():
            if call not in known:
                wrong.append(f"{name}.{call} is not there")
            elif (trouble := _refused(known[call], given)) is not None:
                wrong.append(f"{name}.{call}: {trouble}")
    return wrong


def _refused(known: ast.FunctionDef, given: tuple[str, ...]) -> str | None:
    arguments = [one.arg for one in (*known.args.posonlyargs, *known.args.args) if one.arg != "self"]
    needed = arguments[: len(arguments) - len(known.args.defaults)]
    named = {*arguments, *(one.arg for one in known.args.kwonlyargs)}
    if strange := [one for one in given if one not in named]:
        return f"it knows no {', '.join(strange)}"
    if more := [one for one in needed if one not in given]:
        return f"it wants {', '.join(more)}"
    return None
