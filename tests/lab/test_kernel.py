"""The native machine's kernel: made anew when its recipe is another, and never with a disk that does not flush."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tools.lab import kernel
from tools.lab.inside import picture
from tools.lab.place import LabError


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source that is only looked at from outside."""
    found = tmp_path / "linux.tar.xz"
    found.write_bytes(b"a kernel")
    monkeypatch.setattr(kernel, "SOURCE", found)
    monkeypatch.setenv("TABLESIDE_LAB_CACHE", str(tmp_path / "cache"))
    return found


def test_a_missing_source_is_named_with_its_package(source: Path) -> None:
    source.unlink()
    with pytest.raises(LabError, match=r"apt-get install linux-source-6\.12"):
        kernel.recipe()


def test_every_change_of_source_or_wishes_counts(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {kernel.recipe()}
    source.write_bytes(b"another kernel")
    known.add(kernel.recipe())
    wishes = tmp_path / "wishes"
    wishes.write_text("CONFIG_NET=y\n")
    monkeypatch.setattr(kernel, "WANTED", wishes)
    known.add(kernel.recipe())
    assert len(known) == 3


def unpacked(text: str, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Instead of tar, make and strip: the driver's text, and what was ordered."""
    orders: list[list[str]] = []

    def run(command: list[str], folder: Path | None = None) -> None:
        orders.append(command)
        if command[0] == "tar":
            disk = Path(command[command.index("-C") + 1]) / kernel.DISK
            disk.parent.mkdir(parents=True)
            disk.write_text(text)
        elif command[-1] == "modules":
            raise LabError("so far")

    monkeypatch.setattr(kernel, "_run", run)
    monkeypatch.setattr(kernel, "_settle", lambda work: None)
    return orders


def test_its_disk_is_mended_before_it_is_built(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked(f"\t\t\t{kernel.EACH}\n\t\t\t\tdo_io(req, &(req->io_desc[i]));\n", monkeypatch)
    with pytest.raises(LabError, match="so far"):
        kernel.ready()
    lines = (tmp_path / "cache/kernel-work" / kernel.DISK).read_text().splitlines()
    assert [line.strip() for line in lines] == [
        "if (!req->desc_cnt)",
        "do_io(req, NULL);",
        kernel.EACH,
        "do_io(req, &(req->io_desc[i]));",
    ]


def test_a_driver_that_reads_otherwise_is_refused(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = unpacked("void io_thread(void);\n", monkeypatch)
    with pytest.raises(LabError, match="look whether it flushes"):
        kernel.ready()
    assert [order[0] for order in orders] == ["tar"]


@pytest.mark.parametrize(
    ("request_", "form"),
    [
        (picture.RESOURCES, "=QQQQIIIIIIII"),
        (picture.CRTC, "=QIIIIIII68x"),
        (picture.PICTURE, "=IIIIIII"),
        (picture.PLACE, "=IIQ"),
    ],
)
def test_what_the_graphics_card_is_asked_has_the_size_it_says(request_: int, form: str) -> None:
    """The number of such a request carries the size of what it brings; the kernel writes that much back."""
    assert request_ >> 16 & 0x3FFF == struct.calcsize(form)
