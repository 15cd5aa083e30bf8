"""The optional package, replaced by a fake module: it cannot fetch a model here."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from localmem.embed import fastembed
from localmem.errors import ModelUnavailable


class FakeTextEmbedding:
    """The part of the package's interface that the adapter uses, as a generator like the real."""

    def __init__(self, model_name: str, cache_dir: str) -> None:
        if model_name == "no/such":
            raise ValueError("Model no/such is not supported")
        if model_name == "far/away":
            raise ConnectionError("no route")
        self.model_name = model_name
        self.cache_dir = cache_dir

    def embed(self, documents: list[str]) -> Iterator[Any]:
        if "poison" in documents:
            raise RuntimeError("tensor trouble")
        wanted = documents[:-1] if "lost" in documents else documents
        for text in wanted:
            yield (float("nan"), 1.0) if text == "nan" else (float(len(text)), 1.0)


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("fastembed")
    module.__dict__.update(TextEmbedding=FakeTextEmbedding, __version__="9.9.9")
    monkeypatch.setitem(sys.modules, "fastembed", module)
    return module


def test_a_missing_package_is_answered_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelUnavailable) as caught:
        fastembed.load("BAAI/bge-m3", tmp_path)
    assert 'pip install "localmem[fastembed]"' in caught.value.hint


def test_vectors_have_length_one_and_the_order_of_the_texts(
    package: ModuleType, tmp_path: Path
) -> None:
    embedder = fastembed.load("BAAI/bge-m3", tmp_path)
    one, other = embedder.embed(["", "x"])
    assert struct.unpack("<2f", one) == pytest.approx((0.0, 1.0))
    assert struct.unpack("<2f", other) == pytest.approx((0.5**0.5, 0.5**0.5))
    assert embedder.embed([]) == []


def test_the_identity_names_the_package_the_model_and_the_learnt_dimension(
    package: ModuleType, tmp_path: Path
) -> None:
    model = fastembed.load("BAAI/bge-m3", tmp_path).model
    assert (model.name, model.version, model.dimensions) == (
        "fastembed:BAAI/bge-m3",
        "9.9.9+BAAI/bge-m3",
        2,
    )


def test_models_are_kept_in_the_given_folder(package: ModuleType, tmp_path: Path) -> None:
    embedder = fastembed.load("BAAI/bge-m3", tmp_path)
    assert embedder._encoder.cache_dir == str(tmp_path)


@pytest.mark.parametrize(("name", "cause"), [("no/such", "ValueError"), ("far/away", "Connection")])
def test_a_model_that_does_not_load_is_refused_with_the_way_out(
    package: ModuleType, tmp_path: Path, name: str, cause: str
) -> None:
    with pytest.raises(ModelUnavailable, match=name) as caught:
        fastembed.load(name, tmp_path)
    assert "network" in caught.value.hint
    assert cause in str(caught.value.details["cause"])


@pytest.mark.parametrize("text", ["poison", "nan", "lost"])
def test_a_failing_or_senseless_answer_is_refused(
    package: ModuleType, tmp_path: Path, text: str
) -> None:
    embedder = fastembed.load("BAAI/bge-m3", tmp_path)
    with pytest.raises(ModelUnavailable) as caught:
        embedder.embed(["fine", text])
    assert "another model" in caught.value.hint
