"""Errors in the app's own language: how loudly each is told. Total over `localmem.errors`."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from textual.worker import WorkerFailed

from localmem.core.visible import visible
from localmem.errors import LocalmemError

Severity = Literal["information", "warning", "error"]

SEVERITY: Final[Mapping[str, Severity]] = MappingProxyType(
    {
        "invalid_request": "warning",
        "memory_key_unknown": "warning",
        "memory_value_invalid": "warning",
        "invalid_scope": "warning",
        "invalid_key": "warning",
        "field_not_indexed": "warning",
        "document_too_large": "warning",
        "document_too_deep": "warning",
        "invalid_query": "warning",
        "memory_source_not_person": "warning",
        "memory_inference_blocked": "warning",
        "secret_rejected": "warning",
        "memory_rejected": "warning",
        "scope_unresolved": "warning",
        "import_unreadable": "warning",
        "memory_not_found": "warning",
        "item_not_found": "warning",
        "collection_not_found": "warning",
        "version_not_found": "warning",
        "collection_exists": "warning",
        "revision_conflict": "warning",
        "memory_scope_full": "warning",
        "memory_limit_exceeded": "warning",
        "store_newer": "error",
        "store_damaged": "error",
        "store_busy": "error",
        "store_read_only": "error",
        "store_full": "error",
        "store_unavailable": "error",
        "store_locked": "error",
        "backup_failed": "error",
        "restore_failed": "error",
        "model_unavailable": "warning",
        "invalid_settings": "warning",
        "cancelled": "information",
    }
)


def sentence(problem: LocalmemError) -> str:
    """What is wrong and what to do next, ready to be shown."""
    return visible(str(problem))


def report(problem: BaseException, *, version: str) -> str:
    """Everything a maintainer needs and nothing a person stored: code places and kinds only.

    The message of an unexpected exception may quote a value, so only its type is told.
    """
    if isinstance(problem, WorkerFailed):
        problem = problem.error  # what failed in it, rather than that something did
    lines = [f"localmem {version}", f"{type(problem).__module__}.{type(problem).__qualname__}"]
    for frame in traceback.extract_tb(problem.__traceback__):
        lines.append(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}")
    return visible("\n".join(lines), keep_newlines=True)


def _short(filename: str) -> str:
    """The end of the path: where a person installed it is nobody's business."""
    parts = filename.replace("\\", "/").split("/")
    return "/".join(parts[-3:])
