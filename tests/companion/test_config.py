"""Settings: precedence, clear errors, and safe mode instead of a dead table."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.wire.config import CONTROL, load

BROKEN = {
    # syntax
    "no equals": "[web]\nport 8780\n",
    "open string": '[table]\nname = "x\n',
    "open table": "[web\nport = 1\n",
    "two values": "[web]\nport = 1 2\n",
    "same key twice": "[web]\nport = 8000\nport = 8001\n",
    "bare word": "[table]\nlanguage = pl\n",
    "open list": "[web]\nport = [1, 2\n",
    "bad escape": '[table]\nname = "\\q"\n',
    "date for key": "[web]\n= 5\n",
    "binary": "[web]\n\x00\x01\n",
    # unknown names
    "unknown section": "[webb]\nport = 8000\n",
    "unknown key": "[web]\nprot = 8000\n",
    "unknown key far": "[dial]\nzzzz = 1\n",
    "outside section": "port = 8000\n",
    "nested": "[web.deep]\nport = 1\n",
    "section as value": "web = 3\n",
    # wrong type
    "text for number": '[web]\nport = "8780"\n',
    "number for text": "[table]\nname = 5\n",
    "float for int": "[web]\nport = 8780.5\n",
    "int for bool": "[broker]\nown = 1\n",
    "list for int": "[web]\nport = [8780]\n",
    "bool for int": "[web]\nport = true\n",
    "text for bool": '[dial]\nreverse = "yes"\n',
    "number for choice": "[table]\nlanguage = 1\n",
    # out of range
    "port zero": "[web]\nport = 0\n",
    "port high": "[broker]\nport = 70000\n",
    "language unknown": '[table]\nlanguage = "de"\n',
    "table id": '[table]\nid = "My Table"\n',
    "table id empty": '[table]\nid = ""\n',
    "text size": "[display]\ntext_size = 300\n",
    "width": "[display]\nwidth = 10\n",
    "driver": '[display]\ndriver = "gl"\n',
    "pin letters": '[display]\npin = "abcd"\n',
    "gpio pin": "[dial]\npin_a = 99\n",
    "gear": "[dial]\ngear = 0.0\n",
    "source": '[camera]\nsource = "gopro"\n',
    "frames": "[camera]\nfps = 500\n",
    "tab in a name": '[dial]\n"a\\tb" = 6\n',
    "line break": '[broker]\nwebsocket_host = "0.0.0.0\\nplugin /tmp/x.so"\n',
    "escape": '[table]\nname = "\\u001b[2J"\n',
    "line separator": '[broker]\nkey_file = "/z\\u2028x"\n',
    "escape in a section": '["\\u001b[2J"]\nx = 1\n',
    "escape in a key": '[web]\n"\\u001b]0;x\\u0007" = 1\n',
    "nested without end": f"[web]\nport = {'[' * 5000}{']' * 5000}\n",
    "long name": f'[table]\nname = "{"x" * 100}"\n',
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A config directory of our own."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    return tmp_path


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_gives_one_clear_line_and_safe_mode(home: Path, text: str) -> None:
    """The line names the file; the table runs with the default."""
    (home / "tableside.toml").write_text(text)
    config = load()
    assert config.safe
    assert len(config.problems) == 1
    assert "tableside.toml" in config.problems[0]
    assert not CONTROL.search(config.problems[0])
    assert config.web.port == 8780


def test_a_file_that_cannot_be_read_is_said(home: Path) -> None:
    """Unreadable, not UTF-8, not there though named."""
    (home / "tableside.toml").mkdir()
    assert "cannot be read" in load().problems[0]
    (home / "tableside.toml").rmdir()
    (home / "tableside.toml").write_bytes(b"\xff\xfe[web]")
    assert "not UTF-8" in load().problems[0]
    (home / "tableside.toml").write_text(f"[web]\nport = {'[' * 5000}{']' * 5000}\n")
    assert "nested too deeply" in load().problems[0]


def test_a_named_file_that_is_missing_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A typo in the path is not a silent default."""
    monkeypatch.setenv("TABLESIDE_CONFIG", str(home / "nosuch.toml"))
    assert "no such file" in load().problems[0]


def test_an_error_names_line_key_and_what_is_allowed(home: Path) -> None:
    """File, line, section, key, value, allowed values."""
    (home / "tableside.toml").write_text('# comment\n[table]\nname = "x"\nlanguage = "de"\n')
    problem = load().problems[0]
    assert problem.endswith("tableside.toml:4: [table] language = 'de' cannot be used; allowed: en, fr, pl")


@pytest.mark.parametrize("pin", ['"12345six"', '"123456789"', "4711"])
def test_a_pin_that_cannot_be_used_is_not_told_to_everybody(home: Path, pin: str) -> None:
    """Problems are shown on the screen, on phones and in bundles."""
    (home / "tableside.toml").write_text(f"[display]\npin = {pin}\n")
    problem = load().problems[0]
    assert ":2: [display] pin cannot be used; allowed: text like" in problem
    assert pin.strip('"') not in problem


def test_a_misspelt_key_gets_the_nearest_known_name(home: Path) -> None:
    """Did you mean."""
    (home / "tableside.toml").write_text("[web]\nprot = 8000\n")
    assert "did you mean port?" in load().problems[0]


def test_one_wrong_value_does_not_spoil_the_others(home: Path) -> None:
    """Safe mode keeps what is right."""
    (home / "tableside.toml").write_text('[web]\nport = 0\n[table]\nlanguage = "pl"\n')
    config = load()
    assert (config.table.language, config.web.port) == ("pl", 8780)


def test_precedence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags over environment over screen over file over drop-ins over defaults."""
    drop_ins = home / "conf.d"
    drop_ins.mkdir()
    (drop_ins / "10.toml").write_text("[web]\nport = 1010\n[display]\nwidth = 801\nheight = 481\n")
    (drop_ins / "20.toml").write_text("[display]\nheight = 482\n")
    assert (load().web.port, load().display.width, load().display.height) == (1010, 801, 482)
    (home / "tableside.toml").write_text("[web]\nport = 2020\n")
    assert load().web.port == 2020
    (home / "state").mkdir()
    (home / "state" / "settings.toml").write_text("[web]\nport = 3030\n")
    assert load().web.port == 3030
    monkeypatch.setenv("TABLESIDE_WEB_PORT", "4040")
    assert load().web.port == 4040
    assert load({"web.port": "5050"}).web.port == 5050


def test_a_wrong_environment_value_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is the place to look."""
    monkeypatch.setenv("TABLESIDE_WEB_PORT", "many")
    assert load().problems[0].startswith("TABLESIDE_WEB_PORT")


def test_systemd_directories_are_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """STATE_DIRECTORY and CONFIGURATION_DIRECTORY, as systemd sets them."""
    monkeypatch.delenv("TABLESIDE_STATE_DIR", raising=False)
    monkeypatch.delenv("TABLESIDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path}/a:{tmp_path}/b")
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", f"{tmp_path}/c")
    config = load()
    assert (tmp_path / "a", tmp_path / "c") == (config.state_dir, config.config_dir)
