"""What the library's tables say about themselves, as findings: one sentence, one fix, its undo."""

from __future__ import annotations

from collections.abc import Iterator

from localmem.core.health import Condition, Exposure, Finding, Gravity
from localmem.engine import Engine
from localmem.engine.health import TAKES_AWAY, Mend

MUCH_UNUSED = 10_000_000
"""Bytes of empty pages that are worth giving back, when they are a quarter of the file too."""
MOST_NAMED = 20
SHORT = 13

NO_UNDO = "Nothing to undo: it is made again from what is kept."
COPY_FIRST = "A copy is made first; `localmem backup --restore COPY` brings it back."


def findings(engine: Engine, condition: Condition) -> Iterator[Finding]:
    """Everything that looking into an open library tells."""
    broken = [
        *_damage(condition),
        *_links(condition),
        *_words(engine, condition),
        *_vectors(condition),
        *_fields(engine, condition),
    ]
    yield from broken
    if not any(found.gravity is Gravity.PROBLEM for found in broken):
        yield Finding("library", Gravity.OK, "The library is whole.")
    if not condition.damage:
        yield from _waiting(condition)
        yield from _upkeep(condition)
        yield from _times(condition)
        yield from _secrets(engine.health.exposures())


def _damage(condition: Condition) -> Iterator[Finding]:
    if condition.damage:
        yield Finding(
            "store_damaged",
            Gravity.PROBLEM,
            f"The library's file is damaged in {len(condition.damage):,} places that nothing else "
            "can make whole.",
            fix="Bring a backup back: `localmem backup --restore FILE`. The damaged file is kept "
            "beside it.",
            count=len(condition.damage),
        )
    if condition.broken_indexes:
        yield _mendable(
            Mend.INDEXES,
            Gravity.PROBLEM,
            "Indexes that do not fit the library's tables any more: "
            f"{len(condition.broken_indexes):,}.",
            "Build them again from the tables.",
            count=len(condition.broken_indexes),
        )


def _links(condition: Condition) -> Iterator[Finding]:
    if condition.headless:
        yield _mendable(
            Mend.HEADS,
            Gravity.PROBLEM,
            f"{_count(len(condition.headless), 'memory', 'memories')} lost the version that is "
            "current.",
            "Make its last version current.",
            ids=condition.headless,
        )
    if condition.orphans:
        count = sum(condition.orphans.values())
        yield _mendable(
            Mend.ORPHANS,
            Gravity.PROBLEM,
            f"{_count(count, 'row')} of {', '.join(sorted(condition.orphans))} belonged to a "
            "memory that is gone.",
            "Remove what belongs to nothing.",
            count=count,
        )


def _words(engine: Engine, condition: Condition) -> Iterator[Finding]:
    if condition.damage:
        return
    if condition.broken_words or condition.wordless:
        yield _mendable(
            Mend.WORDS,
            Gravity.PROBLEM,
            "The word index does not fit what is kept, so searching by words misses some of it.",
            "Fill the word index again.",
            count=condition.wordless or None,
        )
    elif engine.health.words_outdated(condition):
        yield _mendable(
            Mend.WORDS_OLD,
            Gravity.NOTE,
            "The word index was filled by another release; the next start of the app renews it.",
            "Fill the word index again now.",
        )


def _vectors(condition: Condition) -> Iterator[Finding]:
    model = condition.model
    if model is not None and condition.vector_dimensions not in (None, model.dimensions):
        yield _mendable(
            Mend.OTHER_MODEL,
            Gravity.PROBLEM,
            "The vectors are not of the model the library says they are of.",
            "Drop them and have everything prepared again; words find it meanwhile.",
        )
    elif condition.loose_vectors:
        yield _mendable(
            Mend.LOOSE_VECTORS,
            Gravity.PROBLEM,
            f"Vectors and memories that do not belong together: {condition.loose_vectors:,}.",
            "Remove what belongs to nothing; what lacks one is prepared again.",
            count=condition.loose_vectors,
        )


def _fields(engine: Engine, condition: Condition) -> Iterator[Finding]:
    if condition.damage or condition.headless:
        return
    outdated = engine.health.outdated_fields()
    if outdated:
        yield _mendable(
            Mend.FIELDS,
            Gravity.PROBLEM,
            f"{_count(len(outdated), 'document')} would be missed or wrongly found by a field "
            "query.",
            "Index the documents again.",
            ids=outdated,
        )


def _waiting(condition: Condition) -> Iterator[Finding]:
    if condition.waiting:
        model = f" ({condition.model.name})" if condition.model else ""
        yield _mendable(
            Mend.WAITING,
            Gravity.NOTE,
            "Found by words only, not by meaning yet: "
            f"{_count(condition.waiting, 'memory', 'memories')}{model}.",
            "Prepare them now; the app does it by itself when it is open.",
            count=condition.waiting,
        )


def _upkeep(condition: Condition) -> Iterator[Finding]:
    if condition.expired:
        yield _mendable(
            Mend.EXPIRED,
            Gravity.NOTE,
            "Expired and hidden, but not erased yet: "
            f"{_count(condition.expired, 'memory', 'memories')}.",
            "Erase what expired; every command that writes does it too.",
            undo="Cannot be undone: it was to be gone by now.",
            count=condition.expired,
        )
    if condition.unfinished_erasure:
        yield _mendable(
            Mend.ERASURE,
            Gravity.PROBLEM,
            "Something was forgotten, and its bytes are still in the files.",
            "Rewrite the files without them.",
            undo="Cannot be undone: it was forgotten.",
        )
    if condition.free_bytes > max(MUCH_UNUSED, condition.bytes // 4):
        yield _mendable(
            Mend.SPACE,
            Gravity.NOTE,
            f"{condition.free_bytes // 1_000_000:,} MB of the library's file are empty pages.",
            "Rewrite the file without them.",
            count=condition.free_bytes,
        )


def _times(condition: Condition) -> Iterator[Finding]:
    if condition.future:
        yield Finding(
            "times_in_future",
            Gravity.NOTE,
            "Written at a time that has not come: "
            f"{_count(len(condition.future), 'memory', 'memories')}; a clock is or was wrong.",
            fix="Set the clock; what was written keeps the time it was given.",
            count=len(condition.future),
            ids=_short(condition.future),
        )
    if condition.twins:
        yield Finding(
            "twins",
            Gravity.NOTE,
            f"Kept more than once in one scope: {_count(len(condition.twins), 'fact')}.",
            fix="Look at them with `localmem show ID` and forget what is too much with "
            "`localmem delete ID`.",
            count=len(condition.twins),
            ids=_short([id for group in condition.twins for id in group]),
            lines=tuple(" = ".join(_short(group)) for group in condition.twins[:MOST_NAMED]),
        )


def _secrets(exposures: tuple[Exposure, ...]) -> Iterator[Finding]:
    if not exposures:
        yield Finding("secrets_none", Gravity.OK, "Nothing kept looks like a secret.")
        return
    kinds = ", ".join(dict.fromkeys(kind for each in exposures for kind in each.kinds))
    yield Finding(
        "secrets",
        Gravity.PROBLEM,
        f"Text like a secret ({kinds}) stands in {_count(len(exposures), 'memory', 'memories')}.",
        fix="Mask them for good in every version: `localmem doctor --mask ID` or `--mask all`; or "
        "leave what you keep knowingly.",
        undo="Masking cannot be undone.",
        count=len(exposures),
        ids=tuple(each.id for each in exposures),
        lines=tuple(map(exposed, exposures[:MOST_NAMED])),
    )


def exposed(each: Exposure) -> str:
    """`0199c1b2-3d4e  fact  api key, in 2 versions`; never the secret."""
    where = "a draft" if each.kind is None else _count(each.versions, "version")
    place = f"in {where}" if each.versions else "in its name: forget it and keep it under another"
    if each.versions and each.in_names:
        place += " and in its name, where it cannot be masked"
    name = "draft" if each.kind is None else f"{each.id[:SHORT]}  {each.kind}"
    return f"{name}  {', '.join(each.kinds)}, {place}"


def _mendable(
    what: Mend,
    gravity: Gravity,
    said: str,
    fix: str,
    *,
    undo: str = "",
    count: int | None = None,
    ids: tuple[str, ...] = (),
) -> Finding:
    backup = what in TAKES_AWAY
    return Finding(
        what,
        gravity,
        said,
        fix,
        undo or (COPY_FIRST if backup else NO_UNDO),
        mends=True,
        backup=backup,
        count=count if count is not None else len(ids) or None,
        ids=_short(ids),
    )


def _short(ids: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return tuple(id[:SHORT] for id in ids[:MOST_NAMED])


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
