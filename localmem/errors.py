"""Every error localmem raises, each with a stable code; imports nothing.

    LocalmemError
    ├── InvalidInput                invalid_request          the value breaks a stated limit
    │   ├── UnknownPreferenceKey    memory_key_unknown       not one of the six (shop-memory)
    │   ├── InvalidPreferenceValue  memory_value_invalid     not a value the key holds (shop-memory)
    │   ├── InvalidScope            invalid_scope            not one of the three forms
    │   ├── InvalidKey              invalid_key              name or document key out of shape
    │   ├── FieldNotIndexed         field_not_indexed        query no index on that field (seed)
    │   ├── DocumentTooLarge        document_too_large       over 200 KB (memory-api)
    │   ├── DocumentTooDeep         document_too_deep        over 32 levels (memory-api)
    │   └── InvalidQuery            invalid_query            the search box; carries its column
    ├── NotPermitted
    │   ├── SourceNotPerson         memory_source_not_person not in the person's own words
    │   ├── InferenceBlocked        memory_inference_blocked the person forgot this key
    │   ├── SecretRejected          secret_rejected          secret-like content (remember-tool)
    │   └── RejectedBefore          memory_rejected          the person rejected it in the inbox
    ├── MemoryScopeError            scope_unresolved         no contact or conversation (memory-api)
    ├── ImportUnreadable            import_unreadable        not a file that can be brought in
    ├── NotFound
    │   ├── MemoryNotFound          memory_not_found         fact or preference, in that scope
    │   ├── ItemNotFound            item_not_found           document, in that scope
    │   ├── CollectionNotFound      collection_not_found
    │   └── VersionNotFound         version_not_found
    ├── CollectionExists            collection_exists
    ├── RevisionConflict            revision_conflict        a write with `if_rev` lost a race
    ├── LimitReached
    │   ├── ScopeFull               memory_scope_full        the scope's fact cap (memory-api)
    │   └── CollectionLimit         memory_limit_exceeded    a plan's cap (memory-api)
    ├── StoreError
    │   ├── StoreNewer              store_newer              written by a newer localmem
    │   ├── StoreDamaged            store_damaged            SQLite cannot read it
    │   ├── StoreBusy               store_busy               another process holds it too long
    │   ├── StoreReadOnly           store_read_only          the file or folder cannot be written
    │   ├── StoreFull               store_full               no space left on the disk
    │   ├── StoreUnavailable        store_unavailable        cannot be opened at all
    │   ├── StoreLocked             store_locked             encrypted, and its key is not at hand
    │   ├── BackupFailed            backup_failed            the copy was not written
    │   └── RestoreFailed           restore_failed           the library is as it was
    ├── ModelUnavailable            model_unavailable        meaning cannot run; words still do
    ├── InvalidSettings             invalid_settings         config.toml
    └── Cancelled                   cancelled                stopped by the caller; nothing written

Expected outcomes (a stale write, an already known fact, nothing to undo) are values, not errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar


class LocalmemError(Exception):
    """Base of all errors a surface shows.

    `message` is one sentence saying what is wrong; `hint` says what to do next ("" when the
    message already does); `details` is machine-readable and never holds stored content.
    """

    code: ClassVar[str] = ""

    def __init__(
        self, message: str, *, hint: str = "", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, object] = dict(details or {})

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InvalidInput(LocalmemError):
    code = "invalid_request"


class UnknownPreferenceKey(InvalidInput):
    code = "memory_key_unknown"


class InvalidPreferenceValue(InvalidInput):
    code = "memory_value_invalid"


class InvalidScope(InvalidInput):
    code = "invalid_scope"


class InvalidKey(InvalidInput):
    code = "invalid_key"


class FieldNotIndexed(InvalidInput):
    code = "field_not_indexed"


class DocumentTooLarge(InvalidInput):
    code = "document_too_large"


class DocumentTooDeep(InvalidInput):
    code = "document_too_deep"


class InvalidQuery(InvalidInput):
    """`column` is the 0-based character at which the query stops making sense."""

    code = "invalid_query"

    def __init__(self, message: str, *, column: int, hint: str = "") -> None:
        super().__init__(message, hint=hint, details={"column": column})
        self.column = column


class NotPermitted(LocalmemError):
    pass


class SourceNotPerson(NotPermitted):
    code = "memory_source_not_person"


class InferenceBlocked(NotPermitted):
    code = "memory_inference_blocked"


class SecretRejected(NotPermitted):
    """`kinds` names what was seen ("api key", "private key"), never the secret itself."""

    code = "secret_rejected"

    def __init__(self, message: str, *, kinds: tuple[str, ...], hint: str = "") -> None:
        super().__init__(message, hint=hint, details={"kinds": list(kinds)})
        self.kinds = kinds


class RejectedBefore(NotPermitted):
    code = "memory_rejected"


class MemoryScopeError(LocalmemError):
    """The scope could not be resolved; never that it is empty (memory-api, "In a Function")."""

    code = "scope_unresolved"


class ImportUnreadable(LocalmemError):
    code = "import_unreadable"


class NotFound(LocalmemError):
    pass


class MemoryNotFound(NotFound):
    code = "memory_not_found"


class ItemNotFound(NotFound):
    code = "item_not_found"


class CollectionNotFound(NotFound):
    code = "collection_not_found"


class VersionNotFound(NotFound):
    code = "version_not_found"


class CollectionExists(LocalmemError):
    code = "collection_exists"


class RevisionConflict(LocalmemError):
    """Only where a value cannot say it: in the Python facade (memory-api, `revision_conflict`)."""

    code = "revision_conflict"


class LimitReached(LocalmemError):
    pass


class ScopeFull(LimitReached):
    code = "memory_scope_full"


class CollectionLimit(LimitReached):
    code = "memory_limit_exceeded"


class StoreError(LocalmemError):
    pass


class StoreNewer(StoreError):
    code = "store_newer"


class StoreDamaged(StoreError):
    code = "store_damaged"


class StoreBusy(StoreError):
    code = "store_busy"


class StoreReadOnly(StoreError):
    code = "store_read_only"


class StoreFull(StoreError):
    code = "store_full"


class StoreUnavailable(StoreError):
    code = "store_unavailable"


class StoreLocked(StoreError):
    code = "store_locked"


class BackupFailed(StoreError):
    code = "backup_failed"


class RestoreFailed(StoreError):
    code = "restore_failed"


class ModelUnavailable(LocalmemError):
    code = "model_unavailable"


class InvalidSettings(LocalmemError):
    code = "invalid_settings"


class Cancelled(LocalmemError):
    code = "cancelled"


def _concrete(kind: type[LocalmemError]) -> Iterator[type[LocalmemError]]:
    if kind.code:
        yield kind
    for child in kind.__subclasses__():
        yield from _concrete(child)


def all_errors() -> dict[str, type[LocalmemError]]:
    """Every concrete error by its code; surfaces are tested to map all of them."""
    return {kind.code: kind for kind in _concrete(LocalmemError)}
