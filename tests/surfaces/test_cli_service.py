"""`sync --install-service`: the file it writes, what is never in it, and what it never touches."""

from __future__ import annotations

import plistlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from localmem.cli import service_files
from localmem.cli.service_files import MARK, Service
from tests.surfaces.conftest import Cli

REFUSED = 5
AWKWARD = '/opt/my "own" 100% $HOME \\dir/localmem'
UNIT = service_files.UNIT


@pytest.fixture
def units(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the units of this test's person are; a Linux, whatever runs the test."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(cli.home.parent / "con fig"))
    return cli.home.parent / "con fig" / "systemd" / "user"


def lines_of(unit: str, name: str) -> list[str]:
    return [line.partition("=")[2] for line in unit.splitlines() if line.startswith(f"{name}=")]


def words_of(line: str) -> list[str]:
    """One line of a unit as systemd takes it apart: quotes and escapes, then the specifiers."""
    return [word.replace("%%", "%") for word in shlex.split(line)]


# the texts


def test_a_unit_names_the_program_by_its_whole_path_and_runs_the_watch() -> None:
    unit = service_files.systemd_unit(Service(["/usr/bin/localmem", "sync", "--watch"], {}))
    assert lines_of(unit, "ExecStart") == ['"/usr/bin/localmem" "sync" "--watch"']
    assert lines_of(unit, "Restart") == ["on-failure"]
    assert lines_of(unit, "WantedBy") == ["default.target"]
    assert lines_of(unit, "Environment") == [] and unit.startswith(f"# {MARK}")


def test_spaces_quotes_percent_signs_and_dollars_mean_nothing_in_a_unit() -> None:
    service = Service([AWKWARD, "a b", "50%", "$HOME"], {"LOCALMEM_HOME": AWKWARD})
    unit = service_files.systemd_unit(service)
    (command,) = lines_of(unit, "ExecStart")
    assert words_of(command) == [AWKWARD, "a b", "50%", "$$HOME"]
    (told,) = lines_of(unit, "Environment")
    assert words_of(told) == [f"LOCALMEM_HOME={AWKWARD}"]
    assert "%" not in unit.replace("%%", "")


def test_an_agent_is_a_property_list_of_the_same() -> None:
    service = Service([AWKWARD, "sync", "--watch"], {"LOCALMEM_HOME": "/a & <b>"})
    text = service_files.launchd_agent(service)
    agent = plistlib.loads(text.encode())
    assert agent["ProgramArguments"] == [AWKWARD, "sync", "--watch"]
    assert agent["EnvironmentVariables"] == {"LOCALMEM_HOME": "/a & <b>"}
    assert agent["KeepAlive"] == {"SuccessfulExit": False} and MARK in text


def test_a_name_that_no_such_file_can_hold_is_refused() -> None:
    assert service_files.unfit(Service(["/a\nb"], {}))
    assert service_files.unfit(Service(["/a"], {"LOCALMEM_HOME": "/x\u202ey"}))
    assert not service_files.unfit(Service([AWKWARD], {"LOCALMEM_HOME": "/São Paulo/家"}))
    for program in ('/a"b', "/a'b", "/a\\b"):
        assert "quote" in service_files.unfit_for_systemd(Service([program], {}))
    assert not service_files.unfit_for_systemd(Service(["/a 5%$b", "it's"], {}))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_itself_finds_nothing_wrong_with_a_unit(tmp_path: Path) -> None:
    program = tmp_path / "my own 100% $HOME program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    file = tmp_path / UNIT
    home = str(tmp_path / 'a "home" with 5% $X')
    file.write_text(
        service_files.systemd_unit(
            Service([str(program), "sync", "--watch"], {"LOCALMEM_HOME": home})
        )
    )
    looked = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(file)],
        capture_output=True, text=True, check=False,
        env={"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    told = [line for line in looked.stderr.splitlines() if UNIT in line or str(program) in line]
    assert told == []


# written and removed


def test_it_is_written_and_the_two_commands_that_switch_it_on_are_said(
    cli: Cli, units: Path
) -> None:
    result = cli.ok("sync", "--install-service")
    assert result.out == f"{units / UNIT}\n"
    assert "systemctl --user daemon-reload" in result.err
    assert f"systemctl --user enable --now {UNIT}" in result.err
    unit = (units / UNIT).read_text()
    assert words_of(lines_of(unit, "Environment")[0]) == [f"LOCALMEM_HOME={cli.home}"]
    program = words_of(lines_of(unit, "ExecStart")[0])
    assert Path(program[0]).is_absolute() and program[-2:] == ["sync", "--watch"]
    assert [file.name for file in units.iterdir()] == [UNIT]
    assert not cli.home.exists()


def test_written_again_it_is_the_same(cli: Cli, units: Path) -> None:
    cli.ok("sync", "--install-service")
    before = (units / UNIT).read_text()
    shape = cli.ok("sync", "--install-service", "--json").json
    assert (units / UNIT).read_text() == before
    assert shape["file"] == str(units / UNIT) and shape["written"] and len(shape["commands"]) == 2


def test_it_can_be_looked_at_first(cli: Cli, units: Path) -> None:
    shown = cli.ok("sync", "--install-service", "--print").out
    assert "[Service]" in shown and not units.exists()
    cli.ok("sync", "--install-service")
    assert (units / UNIT).read_text() == shown
    assert cli.ok("sync", "--install-service", "--print", "--json").json["text"] == shown


def test_this_localmem_is_the_one_that_runs(
    cli: Cli, units: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path / "venv" / "localmem", tmp_path / "bin" / "localmem"
    for folder in (real.parent, link.parent):
        folder.mkdir()
    real.write_text("#!/bin/sh\n")
    real.chmod(0o755)
    link.symlink_to(real)
    monkeypatch.setattr(sys, "argv", [str(link), "sync"])
    (command,) = lines_of(cli.ok("sync", "--install-service", "--print").out, "ExecStart")
    assert words_of(command) == [str(link), "sync", "--watch"]
    monkeypatch.setattr(sys, "argv", ["/somewhere/localmem/__main__.py", "sync"])
    (command,) = lines_of(cli.ok("sync", "--install-service", "--print").out, "ExecStart")
    assert words_of(command) == [sys.executable, "-m", "localmem", "sync", "--watch"]


def test_no_secret_is_ever_in_it_and_that_is_said(cli: Cli, units: Path) -> None:
    for name in service_files.KEYS:
        cli.monkeypatch.setenv(name, f"zv_live_{name}")
    cli.monkeypatch.setenv("LOCALMEM_ACCOUNT_KEY_FILE", "~/secrets/key")
    result = cli.ok("sync", "--install-service")
    unit = (units / UNIT).read_text()
    assert "zv_live" not in unit + result.out + result.err
    assert f"LOCALMEM_ACCOUNT_KEY_FILE={Path.home()}/secrets/key" in unit
    for name in service_files.KEYS:
        assert f"{name} is set here and not in the service" in result.err
        assert f"{name}_FILE" in result.err


def test_the_default_home_is_not_written_down(cli: Cli, units: Path) -> None:
    cli.monkeypatch.delenv("LOCALMEM_HOME")
    cli.monkeypatch.delenv("XDG_CONFIG_HOME")
    cli.monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    shown = cli.ok("sync", "--install-service", "--print").out
    assert lines_of(shown, "Environment") == []


def test_a_file_that_is_not_ours_is_left_alone(cli: Cli, units: Path) -> None:
    units.mkdir(parents=True)
    file = units / UNIT
    file.write_text("[Service]\nExecStart=/bin/true\n")
    for mode in ("--install-service", "--remove-service"):
        refused = cli("sync", mode, "--json")
        assert (refused.code, refused.error["code"]) == (REFUSED, "service_exists")
    assert file.read_text() == "[Service]\nExecStart=/bin/true\n"
    file.unlink()
    file.symlink_to("/dev/null")  # as a masked unit is
    assert cli("sync", "--install-service").code == REFUSED and file.is_symlink()


def test_removing_it_takes_away_what_switching_it_on_left(cli: Cli, units: Path) -> None:
    cli.ok("sync", "--install-service")
    link = units / "default.target.wants" / UNIT
    link.parent.mkdir()
    link.symlink_to(units / UNIT)
    result = cli.ok("sync", "--remove-service")
    assert not (units / UNIT).exists() and not link.is_symlink()
    assert f"systemctl --user stop {UNIT}" in result.err
    again = cli.ok("sync", "--remove-service")
    assert "There is no such service" in again.err


def test_a_folder_that_cannot_be_written_is_said(cli: Cli, units: Path) -> None:
    units.parent.parent.mkdir(parents=True)
    units.parent.write_text("a file where the folder would be")
    refused = cli("sync", "--install-service", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid_settings")
    assert "--print" in refused.error["hint"]


def test_a_mac_has_an_agent(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    result = cli.ok("sync", "--install-service")
    file = Path.home() / "Library" / "LaunchAgents" / "localmem.sync.plist"
    assert result.out == f"{file}\n" and "launchctl bootstrap gui/" in result.err
    agent = plistlib.loads(file.read_bytes())
    assert agent["EnvironmentVariables"]["LOCALMEM_HOME"] == str(cli.home)
    assert agent["ProgramArguments"][-2:] == ["sync", "--watch"]
    assert "launchctl bootout" in cli.ok("sync", "--remove-service").err
    assert not file.exists()


def test_windows_is_told_what_to_use_instead(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    refused = cli("sync", "--install-service")
    assert refused.code == 2 and "Task Scheduler" in refused.err
