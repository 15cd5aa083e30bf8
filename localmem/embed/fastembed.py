"""Models of the optional `fastembed` package, behind the same port.

Why: it offers larger models than the bundled one to who installs `localmem[fastembed]`. It fetches
a model from the network when the model is not in its folder yet; nothing else here does. Every
failure of it becomes ModelUnavailable, and its vectors are checked like an endpoint's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from localmem.core.records import Model
from localmem.embed.text import encodable
from localmem.embed.vectors import dimensions, unit
from localmem.errors import ModelUnavailable

_PROBE = "dimension"


class FastEmbedEmbedder:
    """`core.ports.Embedder` over `fastembed.TextEmbedding`; made by `load`."""

    __slots__ = ("_encoder", "_model")

    def __init__(self, encoder: Any, model_name: str, package_version: str) -> None:
        self._encoder = encoder
        (vector,) = _vectors(encoder, [_PROBE], model_name)
        version = f"{package_version}+{model_name}"
        self._model = Model(f"fastembed:{model_name}", version, dimensions(vector))

    @property
    def model(self) -> Model:
        return self._model

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return _vectors(self._encoder, [encodable(text) for text in texts], self._model.name)

    def embed_question(self, text: str) -> bytes:
        return self.embed([text])[0]


def load(model_name: str, cache_dir: Path) -> FastEmbedEmbedder:
    """The model, from `cache_dir` or fetched into it. Raises ModelUnavailable."""
    try:
        import fastembed  # type: ignore[import-not-found,unused-ignore]  # an optional extra
    except ImportError:
        raise ModelUnavailable(
            "The package fastembed is not installed.",
            hint='Run: pip install "localmem[fastembed]"',
        ) from None
    try:
        encoder = fastembed.TextEmbedding(model_name=model_name, cache_dir=str(cache_dir))
    except Exception as error:
        raise ModelUnavailable(
            f'fastembed cannot load the model "{model_name}".',
            hint="Check the name against fastembed's list of models; the first use of a model"
            " needs the network.",
            details={"cause": type(error).__name__},
        ) from error
    return FastEmbedEmbedder(encoder, model_name, str(getattr(fastembed, "__version__", "unknown")))


def _vectors(encoder: Any, texts: list[str], model_name: str) -> list[bytes]:
    try:
        vectors = [unit([float(number) for number in row]) for row in encoder.embed(texts)]
    except Exception as error:
        raise ModelUnavailable(
            f'The model "{model_name}" of fastembed failed on a text.',
            hint="Choose another model, or the bundled one.",
            details={"cause": type(error).__name__},
        ) from error
    if len(vectors) != len(texts):
        raise ModelUnavailable(
            f'The model "{model_name}" of fastembed gave {len(vectors)} vectors'
            f" for {len(texts)} texts.",
            hint="Choose another model, or the bundled one.",
        )
    return vectors
