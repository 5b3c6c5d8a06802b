"""What is tried on the installed table of another architecture, each against the same asked of this machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tools.lab.arm64 import Foreign, Spent
from tools.lab.picamera2 import missing
from tools.lab.place import ROOT, LabError
from tools.lab.proof import note
from tools.lab.root import mounted

INSIDE = Path(__file__).parent / "inside"
SCRATCH = "tmp/lab"
VENV = "opt/tableside/venv"
PYTHON = f"/{VENV}/bin/python"
AARCH64 = 183
"""The machine in the head of a program or library, as ELF numbers them."""
ROOMS = {"vision": ("vision.room", "vision.reader.nets"), "display": ("display.app",)}
"""Rooms with libraries of both kinds, and what they import."""
NEEDED = ("python", "settings", "disk", "broker", "phone page", "games")
"""What the doctor must call good in a folder without a running system; the rest is about parts nobody connected."""
BLANK = 50
"""A picture with fewer colours shows nothing."""
MOVES = 12
PATIENCE = 3600


def prove(suites: Sequence[str]) -> int:
    """Make each suite's table, try it, write down what was seen; 0 when all of it held."""
    failed = 0
    for suite in suites:
        foreign = Foreign(suite)
        foreign.ready()
        seen = tried(foreign)
        note(row(suite), seen)
        failed += not seen["ok"]
    return 1 if failed else 0


def row(suite: str) -> str:
    """What it is called among what the lab tried."""
    return f"arm64, {suite}"


def words(seen: dict[str, Any]) -> str:
    """What was seen, for the page of figures."""
    got, wheels_, dice, drawn, whole, first = (
        seen[name] for name in ("libraries", "wheels", "read", "frame", "game", "moves")
    )
    mine, theirs = got["from"]["together"], got["from"]["system"]
    names = {"cv2": "OpenCV", "numpy": "numpy", "pygame": "pygame"}

    def listed(found: dict[str, str]) -> str:
        return ", ".join(f"{said} {found[name]}" for name, said in names.items())

    took = {name: f"{work:.0f} s" for name, (_, work) in seen["seconds"].items()}
    python = " ".join(seen["doctor"]["said"][0].split()[2:])
    return (
        f"{python}, aarch64: the installer; the doctor finds nothing wrong; {wheels_['packages']} packages, of which "
        f"{wheels_['binary']} binary, none compiled; in the rooms {listed(mine)}, beside {listed(theirs)}, and both sets work; "
        f"as on x86-64: a photo ({dice['dice']} dice, places within {dice['pixels']} pixels, {took['read']}), a market under the "
        f"camera ({seen['market']['dice']} dice, {took['market']}), the tally of the example ({took['tally']}); a frame of the "
        f"screen drawn ({drawn['different']} % of its pixels differ); Skytopia, {whole['players']} players, without a camera: "
        f"{whole['moves']} moves, tallies equal ({took['game']}); {first['moves']} moves with the virtual camera and dial, "
        f"{first['seen']} seen, {first['misreads']} misread ({took['moves']}); every call of the camera's adapter found in "
        f"picamera2 {seen['camera']['picamera2']}, which {_ran(seen['camera'])}"
    )


def _ran(camera_: dict[str, Any]) -> str:
    return "over Debian's libcamera looks for a camera and finds none" if "found" in camera_ else "was read and not run"


def tried(foreign: Foreign) -> dict[str, Any]:
    """One thing after the other, with the seconds each took; the first that does not hold is told."""
    seen: dict[str, Any] = {
        "ok": True,
        "suite": foreign.suite,
        "made": foreign.spent(),
        "seconds": {},
        "commit": foreign.commit(),
    }
    scratch = foreign.root / SCRATCH
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    scratch.chmod(0o777)
    with mounted(foreign.root):
        for name, trial in TRIALS.items():
            began = Spent()
            try:
                seen[name] = trial(foreign)
            except LabError as wrong:
                seen[name] = {"ok": False, "why": str(wrong)}
            seen["seconds"][name] = began.seconds()
            sys.stderr.write(f"lab: arm64, {foreign.suite}: {name}: {'held' if seen[name]['ok'] else 'NOT HELD'}\n")
            if not seen[name]["ok"]:
                seen["ok"] = False
                seen.setdefault("why", f"{name}: {seen[name].get('why') or seen[name]}")
    return seen


def doctor(foreign: Foreign) -> dict[str, Any]:
    """What the table says of itself."""
    return examined(foreign.told("tableside", "doctor"))


def examined(said: str) -> dict[str, Any]:
    """Nothing is bad, and what does not depend on connected parts is good."""
    lines = re.findall(r"^(ok|look|BAD) +(.{11}) (.*)$", said, re.MULTILINE)
    states = {name.strip(): state for state, name, _ in lines}
    wrong = [name for name, state in states.items() if state == "BAD"]
    wrong += [name for name in NEEDED if states.get(name) != "ok" and name not in wrong]
    return {"ok": not wrong, "wrong": wrong, "said": [f"{state} {name.strip()} {say}" for state, name, say in lines]}


def wheels(foreign: Foreign) -> dict[str, Any]:
    """Every package of the environment came built, for this architecture or for any; nothing in it is another's."""
    (place,) = (foreign.root / VENV).glob("lib/python3*/site-packages")
    tags = {one.parent.name: _tags(one.read_text()) for one in place.glob("*.dist-info/WHEEL")}
    libraries = {str(path.relative_to(place)): machine(path.read_bytes()[:20]) for path in place.rglob("*.so*")}
    return built(tags, libraries) | {"compiler": (foreign.root / "usr/bin/gcc").exists()}


def _tags(wheel: str) -> list[str]:
    return re.findall(r"^Tag: (\S+)$", wheel, re.MULTILINE)


def machine(head: bytes) -> int | None:
    """Which processor a library is for; `None` for what is none."""
    return int.from_bytes(head[18:20], "little") if head.startswith(b"\x7fELF") else None


def built(tags: dict[str, list[str]], libraries: dict[str, int | None]) -> dict[str, Any]:
    """A tag without `manylinux` was given by a compiler on the spot."""
    binary = {name: found for name, found in tags.items() if not all(tag.endswith("-any") for tag in found)}
    compiled = sorted(
        name for name, found in binary.items() if not all(re.search("manylinux.*aarch64", tag) for tag in found)
    )
    foreign = sorted(path for path, number in libraries.items() if number not in (AARCH64, None))
    return {
        "ok": not compiled and not foreign and bool(binary),
        "packages": len(tags),
        "binary": len(binary),
        "libraries": len(libraries),
        "compiled": compiled,
        "foreign": foreign,
    }


def libraries(foreign: Foreign) -> dict[str, Any]:
    """Whose OpenCV, pygame and numpy each room gets; all three in one process; and Debian's own without ours."""
    asked = {name: (PYTHON, modules) for name, modules in ROOMS.items()}
    asked["together"] = (PYTHON, ("numpy", "cv2", "pygame"))
    asked["system"] = ("/usr/bin/python3", ("numpy", "cv2", "pygame"))
    said = {
        name: json.loads(_script(foreign, "libraries.py", *modules, python=python))
        for name, (python, modules) in asked.items()
    }
    return shared(
        {name: one["from"] for name, one in said.items()}, {name: one["together"] for name, one in said.items()}
    )


def shared(found: dict[str, dict[str, list[str]]], together: dict[str, bool | None]) -> dict[str, Any]:
    """The reader has its own OpenCV and numpy, the screen the system's pygame, and the system keeps what it had."""
    told = {
        name: {library: f"{version} {owner(file)}" for library, (version, file) in one.items()}
        for name, one in found.items()
    }
    wanted = {
        "vision": {"cv2": "PyPI", "numpy": "PyPI"},
        "display": {"pygame": "Debian"},
        "together": {"cv2": "PyPI", "numpy": "PyPI", "pygame": "Debian"},
        "system": {"cv2": "Debian", "numpy": "Debian", "pygame": "Debian"},
    }
    wrong = [
        f"{name}: {library} {told[name].get(library, 'is missing')}"
        for name, libraries_ in wanted.items()
        for library, whose in libraries_.items()
        if not told[name].get(library, "").endswith(whose)
    ]
    wrong += [f"{name}: pictures do not pass" for name in ("together", "system") if not together[name]]
    return {"ok": not wrong, "why": "; ".join(wrong), "from": told}


def owner(file: str) -> str:
    """Who brought a library."""
    return "PyPI" if file.startswith(f"/{VENV}/") else "Debian"


def read(foreign: Foreign) -> dict[str, Any]:
    """A rendered market, read by the command on both machines."""
    picture = foreign.root / SCRATCH / "market.png"
    _here("-c", RENDER, str(picture))
    there = json.loads(foreign.told("tableside", "read", "--json", f"/{SCRATCH}/{picture.name}", seconds=PATIENCE))
    here = json.loads(_here("-m", "companion.cli", "read", "--json", str(picture)))
    return alike(*(dice for one in (there, here) for dice in one.values()))


RENDER = """
import sys, cv2
from benches.market import market_mat
from benches.random_markets import market
scene = market(market_mat(4), 1)
cv2.imwrite(sys.argv[1], scene.studio.sensor(scene.studio.picture(scene.slots, None, scene.light), scene.light, 0))
"""


def alike(there: list[dict[str, Any]], here: list[dict[str, Any]]) -> dict[str, Any]:
    """The same faces and colours, within half a pixel: processors round differently, so not to the last bit."""
    said = [[(die["value"], die["colour"]) for die in dice] for dice in (there, here)]
    pairs = list(zip(there, here, strict=False))
    apart = max((abs(one[side] - other[side]) for one, other in pairs for side in "xywh"), default=0.0)
    surer = max((abs(one["confidence"] - other["confidence"]) for one, other in pairs), default=0.0)
    return {
        "ok": said[0] == said[1] and bool(here) and apart <= 0.5 and surer <= 0.02,
        "dice": len(there),
        "here": len(here),
        "pixels": round(apart, 3),
        "confidence": round(surer, 5),
    }


def frame(foreign: Foreign) -> dict[str, Any]:
    """The screen draws the middle of a game, through each machine's own pygame."""
    pictures = [foreign.root / SCRATCH / name for name in ("there.png", "here.png")]
    _script(foreign, "one_frame.py", f"/{SCRATCH}/{pictures[0].name}")
    _here(str(INSIDE / "one_frame.py"), str(pictures[1]))
    import cv2
    import numpy as np

    there, here = (np.asarray(cv2.imread(str(path)), np.int16) for path in pictures)
    if there.shape != here.shape:
        return {"ok": False, "why": f"{there.shape} there, {here.shape} here"}
    colours = len(np.unique(there.reshape(-1, 3), axis=0))
    share = float((np.abs(there - here).max(axis=2) > 16).mean())
    return {"ok": colours > BLANK and share < 0.05, "colours": colours, "different": round(100 * share, 2)}


def tally(foreign: Foreign) -> dict[str, Any]:
    """The example's points, line by line."""
    position = foreign.root / SCRATCH / "position.json"
    position.write_text(foreign.told("tableside", "tally", "skytopia", "--example"))
    there = json.loads(foreign.told("tableside", "tally", "skytopia", f"/{SCRATCH}/{position.name}", "--json"))
    here = json.loads(_here("-m", "companion.cli", "tally", "skytopia", str(position), "--json"))
    return {"ok": there == here, "why": "" if there == here else "the tallies differ"}


def market(foreign: Foreign) -> dict[str, Any]:
    """A market as the camera's room reads it, on both machines: mat, colours, exposures, votes."""
    there = json.loads(_script(foreign, "one_market.py", "1"))
    here = json.loads(_here(str(INSIDE / "one_market.py"), "1"))
    return same_market(there, here)


def same_market(there: dict[str, list[Any]], here: dict[str, list[Any]]) -> dict[str, Any]:
    """Slot by slot the same owners and faces, in the same order, equally sure."""
    other = sorted(slot for slot in {*there, *here} if _said(there, slot) != _said(here, slot))
    return {"ok": not other and any(here.values()), "dice": sum(map(len, there.values())), "other": other}


def _said(read: dict[str, list[Any]], slot: str) -> list[Any]:
    return [die[:3] for die in read.get(slot, [["nowhere"]])]


def game(foreign: Foreign) -> dict[str, Any]:
    """Broker, gate, core and bridge as processes of their own, to the last points; nothing is seen by a camera."""
    told: dict[str, Any] = json.loads(_script(foreign, "one_game.py"))
    return {**told, "ok": told["equal"] and not told["problem"], "why": told["problem"]}


def seen_moves(foreign: Foreign) -> dict[str, Any]:
    """The first moves with the virtual camera: reading is slow here, so no more of them."""
    told: dict[str, Any] = json.loads(_script(foreign, "one_game.py", str(MOVES)))
    right = told["moves"] >= MOVES and told["seen"] > 0 and not told["misreads"]
    return {**told, "ok": right, "why": "" if right else told["problem"]}


def camera(foreign: Foreign) -> dict[str, Any]:
    """picamera2 as PyPI has it offers what the adapter calls; its JPEG library, as the installer brings it, takes our numpy."""
    pip = (PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input")
    place = foreign.root / SCRATCH
    locked = ("--no-deps", "--require-hashes", "-r", "/src/requirements-camera.lock")
    foreign.told(*pip, "install", "--target", f"/{SCRATCH}/jpeg", *locked)
    said = foreign.told("env", f"PYTHONPATH=/{SCRATCH}/jpeg", PYTHON, "-c", JPEG)
    foreign.told(*pip, "download", "--no-deps", "--only-binary=:all:", "--dest", f"/{SCRATCH}", "picamera2")
    (package,) = place.glob("picamera2-*.whl")
    with zipfile.ZipFile(package) as wheel:
        wheel.extractall(place)
    lacks = missing(place / "picamera2")
    seen = {"picamera2": package.name.split("-")[1], "simplejpeg": said.strip()}
    if not lacks and foreign.suite in LIBCAMERA:
        seen["found"] = _looked_for_a_camera(foreign, pip)
        lacks = [] if seen["found"] == NOTHING else [f"without a camera the adapter says {seen['found']}"]
    return {"ok": not lacks, "why": "; ".join(lacks), **seen}


def _looked_for_a_camera(foreign: Foreign, pip: tuple[str, ...]) -> str:
    """What the adapter says when the real package runs; what that stands on is brought here, since nothing else asks for it."""
    bring = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *LIBCAMERA[foreign.suite])
    foreign.told(*bring, seconds=PATIENCE)
    target = ("--no-deps", "--only-binary=:all:", "--target", f"/{SCRATCH}/jpeg")
    foreign.told(*pip, "install", *target, "picamera2", "videodev2")
    shutil.copy(INSIDE / "no_camera.py", foreign.root / SCRATCH)
    asked = ("env", f"PYTHONPATH=/{SCRATCH}/jpeg", PYTHON, "-P", f"/{SCRATCH}/no_camera.py")
    told = json.loads(foreign.told(*asked))
    return str(told["said"]) if told["loaded"] else "that picamera2 cannot be loaded"


LIBCAMERA = {"trixie": ("python3-libcamera", "python3-prctl", "python3-piexif")}
"""Where Debian has what picamera2 stands on."""
NOTHING = "vision/camera/no-ribbon/say"
JPEG = """
import importlib.metadata, numpy, simplejpeg
picture = numpy.full((48, 64, 3), 120, numpy.uint8)
assert abs(simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(picture)).astype(int) - 120).max() < 3
print(importlib.metadata.version("simplejpeg"))
"""


def _script(foreign: Foreign, name: str, *arguments: str, python: str = PYTHON) -> str:
    shutil.copy(INSIDE / name, foreign.root / SCRATCH / name)
    return foreign.told(
        "runuser", "-u", "tableside", "--", python, "-P", f"/{SCRATCH}/{name}", *arguments, seconds=PATIENCE
    )


def _here(*arguments: str) -> str:
    """The same of this machine's sources, with nothing of its owner's table."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TABLESIDE_")}
    asked = [sys.executable, "-P", *arguments]
    done = subprocess.run(asked, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"{' '.join(arguments[:2])} on this machine: {done.stderr.strip()[-300:]}")
    return done.stdout


TRIALS: dict[str, Callable[[Foreign], dict[str, Any]]] = {
    "doctor": doctor,
    "wheels": wheels,
    "libraries": libraries,
    "tally": tally,
    "read": read,
    "frame": frame,
    "market": market,
    "game": game,
    "moves": seen_moves,
    "camera": camera,
}
