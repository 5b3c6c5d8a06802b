"""The voice is a program: the newest interrupts, what happened waits its turn, and a table without it goes on."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from speech.voice import VOICES, WAITING, Voice
from tests.conftest import until


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Stands for espeak-ng: writes down what it is given and how, then talks until `quiet` lies there."""
    path = tmp_path / "espeak-ng"
    path.write_text(
        f'#!/bin/sh\nwords=$(cat)\necho "$2|$words" >> {tmp_path}/heard\n'
        f"while [ ! -e {tmp_path}/quiet ]; do sleep 0.02; done\n"
    )
    path.chmod(0o755)
    return path


def heard(program: Path) -> list[str]:
    file = program.parent / "heard"
    return file.read_text().splitlines() if file.exists() else []


def soon(holds: Callable[[], object]) -> None:
    until(holds, 20)


def test_the_newest_prompt_interrupts_and_events_wait(program: Path) -> None:
    voice = Voice(str(program))
    voice.interrupt("one", "pl")
    soon(lambda: heard(program) == ["pl|one"])
    for number in range(WAITING + 2):
        voice.queue(f"event {number}", "en")
    assert heard(program) == ["pl|one"], "nobody talks over the prompt"
    voice.interrupt("two", "en")
    soon(lambda: heard(program) == ["pl|one", "en-gb|two"])
    voice.queue("three", "fr")
    (program.parent / "quiet").touch()

    def said() -> bool:
        voice.go_on()
        return heard(program) == ["pl|one", "en-gb|two", "fr-fr|three"]

    soon(said)
    voice.hush()


def test_a_table_without_a_voice_goes_on(tmp_path: Path) -> None:
    voice = Voice(str(tmp_path / "nothing"))
    voice.interrupt("one", "en")
    assert not voice.there
    voice.queue("two", "en")
    voice.hush()


@pytest.mark.parametrize("language", VOICES)
def test_the_first_sample_comes_soon(language: str) -> None:
    """Of its own time espeak-ng takes a fraction of the 300 ms a prompt may take to be heard; what else a busy machine does
    in between is not the voice's."""
    program = Voice().program
    assert program is not None, "espeak-ng is missing: scripts/setup.sh installs it"
    command = [program, "-v", VOICES[language], "--stdout", "--stdin"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as voice:
        assert voice.stdin is not None and voice.stdout is not None
        voice.stdin.write(b"Ada: 5, 3.")
        voice.stdin.close()
        said = voice.stdout.read()
        _, ended, used = os.wait4(voice.pid, 0)  # of this process alone: others that ended meanwhile are not counted in
        voice.returncode = os.waitstatus_to_exitcode(ended)
    assert voice.returncode == 0
    assert said.startswith(b"RIFF")
    assert len(said) > 5000
    assert used.ru_utime + used.ru_stime <= 0.3
