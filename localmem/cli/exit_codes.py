"""What a script can tell from the exit code, and which error means which; shown by `--help`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType


class ExitCode(IntEnum):
    DONE = 0
    """It is done, or it was so already."""
    FAILURE = 1
    """Not done: declined at the question, nothing to undo, or a fault."""
    USAGE = 2
    """The command or a value in it is wrong; nothing was done."""
    NOT_FOUND = 3
    """Nothing is kept under that id, key or name, in that scope."""
    STALE = 4
    """Somebody wrote since you looked; nothing was overwritten."""
    REFUSED = 5
    """A rule refuses it: a secret, not the person's words, a limit, a name in use."""
    STORE = 6
    """The library cannot be used: damaged, busy, full, read-only or from a newer localmem."""
    MODEL = 7
    """The model that finds by meaning cannot be used where nothing else would do."""
    NOT_REWRITTEN = 8
    """Forgotten, but the bytes are still in the files: something kept them from being rewritten."""
    UNWELL = 9
    """`doctor` found a problem, and has not mended it."""
    CONFLICTS = 10
    """In step but for what was changed here and there: the person decides."""
    HELD = 11
    """In step but for what the server does not take."""
    NO_ANSWER = 12
    """No answer that can be used, or the server asks to wait: the same command later goes on."""
    SIGNED_OUT = 13
    """Nobody is signed in, or the key is not let in."""
    ASKING = 14
    """A synchronisation stopped before something large, until the person says it is meant."""
    INTERRUPTED = 130
    """Stopped with Ctrl-C; what was not finished was not written."""


MEANINGS: Mapping[ExitCode, str] = MappingProxyType(
    {
        ExitCode.DONE: "done, or already so",
        ExitCode.FAILURE: "not done: declined, nothing to undo, or a fault",
        ExitCode.USAGE: "the command or a value in it is wrong",
        ExitCode.NOT_FOUND: "nothing is kept under that id, key or name, in that scope",
        ExitCode.STALE: "somebody wrote since you looked; nothing was overwritten",
        ExitCode.REFUSED: "refused: a secret, not your words, a limit, a name in use",
        ExitCode.STORE: "the library cannot be used (damaged, busy, full, read-only, newer)",
        ExitCode.MODEL: "the model that finds by meaning cannot be used",
        ExitCode.NOT_REWRITTEN: "forgotten, but the files could not be rewritten yet",
        ExitCode.UNWELL: "doctor found a problem",
        ExitCode.CONFLICTS: "synchronised, and conflicts wait for you",
        ExitCode.HELD: "synchronised, but for what the server does not take",
        ExitCode.NO_ANSWER: "no answer from the server, or it asks to wait; later it goes on",
        ExitCode.SIGNED_OUT: "nobody is signed in, or the key is not let in",
        ExitCode.ASKING: "stopped before something large; --allow says it is meant",
        ExitCode.INTERRUPTED: "stopped with Ctrl-C",
    }
)
"""One line each, for `localmem --help` and the documentation."""

EXIT_CODE: Mapping[str, ExitCode] = MappingProxyType(
    {
        "invalid_request": ExitCode.USAGE,
        "memory_key_unknown": ExitCode.USAGE,
        "memory_value_invalid": ExitCode.USAGE,
        "invalid_scope": ExitCode.USAGE,
        "invalid_key": ExitCode.USAGE,
        "invalid_query": ExitCode.USAGE,
        "invalid_settings": ExitCode.USAGE,
        "field_not_indexed": ExitCode.USAGE,
        "document_too_large": ExitCode.USAGE,
        "document_too_deep": ExitCode.USAGE,
        "memory_not_found": ExitCode.NOT_FOUND,
        "item_not_found": ExitCode.NOT_FOUND,
        "collection_not_found": ExitCode.NOT_FOUND,
        "version_not_found": ExitCode.NOT_FOUND,
        "memory_source_not_person": ExitCode.REFUSED,
        "memory_inference_blocked": ExitCode.REFUSED,
        "secret_rejected": ExitCode.REFUSED,
        "memory_rejected": ExitCode.REFUSED,
        "scope_unresolved": ExitCode.USAGE,
        "import_unreadable": ExitCode.FAILURE,
        "collection_exists": ExitCode.REFUSED,
        "revision_conflict": ExitCode.STALE,
        "memory_scope_full": ExitCode.REFUSED,
        "memory_limit_exceeded": ExitCode.REFUSED,
        "store_newer": ExitCode.STORE,
        "store_damaged": ExitCode.STORE,
        "store_busy": ExitCode.STORE,
        "store_read_only": ExitCode.STORE,
        "store_full": ExitCode.STORE,
        "store_unavailable": ExitCode.STORE,
        "store_locked": ExitCode.STORE,
        "backup_failed": ExitCode.FAILURE,
        "restore_failed": ExitCode.FAILURE,
        "model_unavailable": ExitCode.MODEL,
        "cancelled": ExitCode.INTERRUPTED,
    }
)
"""By the error's code; total over `errors.all_errors()`, which a test asserts."""
