"""Which reader a file gets, and what it says when there is nothing in it to take."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any

from localmem.core.incoming import Line, Unreadable
from localmem.core.model import Json
from localmem.core.visible import visible
from localmem.errors import Cancelled, ImportUnreadable, LocalmemError
from localmem.portable import bundles, elements, formats, lines, records, sniff
from localmem.portable.bundles import Bundle, Member
from localmem.portable.formats import Format
from localmem.portable.readers import chatgpt, claude, graph, markdown, plain
from localmem.portable.records import Origin
from localmem.portable.sniff import Layout, Shape
from localmem.portable.streams import HEAD, Counted, as_text

_MOST_PROJECTS = 20_000
_LARGEST_PROJECT = 8 * 1024 * 1024


@dataclass(slots=True)
class Reader:
    """Reads the files of one source with what is the same for all of them."""

    origin: Origin
    wanted: str
    """What `--from` said; "" is whatever it looks like."""
    notes: list[str]
    given: Callable[[], int] = lambda: 0
    _before: int = 0

    halted: bool = False
    """Nobody wants the rest; may be set by another thread."""

    @property
    def read_bytes(self) -> int:
        return self._before + self.given()

    def halt(self) -> None:
        self.halted = True

    def check(self) -> None:
        if self.halted:
            raise Cancelled("Reading was stopped.")

    # one file

    def shape(self, head: bytes, name: str) -> Shape:
        """Raises ImportUnreadable."""
        sniff.refuse_bytes(head, name)
        below = Counted(head, io.BytesIO())
        found = sniff.shape(as_text(head, below, name).head, name)
        return _overridden(found, self.wanted)

    def file(self, head: bytes, rest: IO[bytes], shape: Shape, name: str) -> Iterator[Line]:
        below = Counted(head, rest, self.check)
        self._before, self.given = self.read_bytes, lambda: below.given
        text = as_text(head, below, name)
        if text.note:
            self.notes.append(text.note)
        yield from self._values(text.stream, shape, name)

    def _values(self, stream: IO[bytes], shape: Shape, name: str) -> Iterator[Line]:
        if shape.format is formats.OURS:
            yield from _ours(stream)
        elif shape.layout is Layout.TEXT:
            yield from self._text(stream, shape.format)
        elif shape.format is formats.CHATGPT:
            yield from chatgpt.read(_conversations(stream, shape), self.origin.author)
        elif shape.format is formats.CLAUDE:
            yield from self._claude(stream, shape, name, {})
        else:
            yield from self._records(stream, shape)

    def _text(self, stream: IO[bytes], format: Format) -> Iterator[Line]:
        numbered = lines.read(stream)
        if format in (formats.MARKDOWN, formats.BASIC):
            yield from markdown.read(numbered, self.origin, self.notes)
        else:
            yield from plain.read(numbered, self.origin)

    def _records(self, stream: IO[bytes], shape: Shape) -> Iterator[Line]:
        found = _elements(stream, shape)
        unit = "line" if shape.layout is Layout.LINES else "element"
        if shape.format is formats.GRAPH:
            yield from graph.read(found, self.origin, unit=unit)
            return
        for element in found:
            if isinstance(element, Unreadable):
                yield element
            else:
                yield from records.read(element.value, element.number, self.origin, unit=unit)

    def _claude(
        self, stream: IO[bytes], shape: Shape, name: str, projects: Mapping[str, str]
    ) -> Iterator[Line]:
        if shape.conversations:
            raise _no_memories([name])
        for element in _elements(stream, shape):
            if isinstance(element, Unreadable):
                yield element
            elif isinstance(element.value, dict):
                yield from claude.read(element.value, self.origin, projects, self.notes)

    # many files

    def bundle(self, bundle: Bundle) -> tuple[Shape, Callable[[], Iterator[Line]], int]:
        """What an export of many files is, what it offers, and how many bytes that takes.

        Raises ImportUnreadable when there is nothing in it to take.
        """
        chosen = bundles.choose(bundle)
        if chosen.memories:
            first = self._member_shape(bundle, chosen.memories[0])
            if first.format is formats.CLAUDE:
                named = self._projects(bundle, chosen.projects)
                return (
                    first,
                    lambda: self._claude_files(bundle, chosen.memories, named),
                    _size(chosen.memories),
                )
        if chosen.conversations:
            first = self._member_shape(bundle, chosen.conversations[0])
            if first.conversations:
                raise _no_memories([each.name for each in chosen.conversations])
            files = (*chosen.conversations, *chosen.memories)
            return first, lambda: self._files(bundle, files), _size(files)
        files = chosen.memories or chosen.notes or chosen.single
        if not files:
            raise self._nothing(bundle)
        if files is chosen.single and len(files) > 1:
            raise self._which(files)
        first = self._member_shape(bundle, files[0])
        if files is chosen.notes:
            return first, lambda: self._note_files(bundle, files), _size(files)
        return first, lambda: self._files(bundle, files), _size(files)

    def _member_shape(self, bundle: Bundle, member: Member) -> Shape:
        with bundle.open(member) as file:
            return self.shape(_head(file), visible(member.base))

    def _files(self, bundle: Bundle, files: Sequence[Member]) -> Iterator[Line]:
        """One file after the other, its memories numbered on."""
        last = 0
        for member in files:
            before = last
            with bundle.open(member) as file:
                head, name = _head(file), visible(member.base)
                self.origin.name = name
                for value in self.file(head, file, self.shape(head, name), name):
                    last = before + value.line
                    yield replace(value, line=last)

    def _note_files(self, bundle: Bundle, files: Sequence[Member]) -> Iterator[Line]:
        """Notes, whose folder begins their path; their lines are numbered on."""
        last = 0
        for member in files:
            before, count = last, 0
            folder, _, name = member.name.rpartition("/")
            self.origin.name = visible(member.name)[-200:]
            with bundle.open(member) as file:
                head = _head(file)
                if not head.strip():
                    continue
                below = Counted(head, file, self.check)
                self._before, self.given = self.read_bytes, lambda below=below: below.given  # type: ignore[misc]
                text = as_text(head, below, visible(name))
                title = name.rpartition(".")[0] or name
                found = markdown.read(
                    lines.read(text.stream), self.origin, self.notes, title=title, folder=folder
                )
                for value in found:
                    count = value.line
                    last = before + count
                    yield replace(value, line=last)

    def _claude_files(
        self, bundle: Bundle, files: Sequence[Member], projects: Mapping[str, str]
    ) -> Iterator[Line]:
        last = 0
        for member in files:
            with bundle.open(member) as file:
                head, name = _head(file), visible(member.base)
                below = Counted(head, file, self.check)
                self._before, self.given = self.read_bytes, lambda below=below: below.given  # type: ignore[misc]
                text = as_text(head, below, name)
                shape = self.shape(head, name)
                for value in self._claude(text.stream, shape, name, projects):
                    last += 1
                    yield replace(value, line=last)

    def _projects(self, bundle: Bundle, files: Sequence[Member]) -> dict[str, str]:
        """The names of Claude's projects by their id; what cannot be read names nothing."""
        named: dict[str, str] = {}
        for member in files[:_MOST_PROJECTS]:
            if member.size > _LARGEST_PROJECT:
                continue
            try:
                with bundle.open(member) as file, explained(member.base):
                    for element in elements.of_document(file):
                        _name_project(element, named)
            except LocalmemError:
                continue
        return named

    def _nothing(self, bundle: Bundle) -> ImportUnreadable:
        zips = [each for each in bundle.members if each.base.endswith(".zip")]
        if zips:
            return self._which(zips)
        if any(each.name == "word/document.xml" for each in bundle.members):
            return ImportUnreadable(
                f"{self.origin.name} is a Word document.", hint="Save it as plain text first."
            )
        held = ", ".join(visible(each.name[-60:]) for each in bundle.members[:6]) or "nothing"
        return ImportUnreadable(
            f"{self.origin.name} holds no file with memories. Looked for conversations.json, "
            f"memories.json, and lists (.md, .txt, .json, .jsonl); found: {held}.",
            hint=formats.EXPORTS,
        )

    def _which(self, files: Sequence[Member]) -> ImportUnreadable:
        named = ", ".join(visible(each.name[-60:]) for each in files[:6])
        return ImportUnreadable(
            f"{self.origin.name} holds several files, and which is meant is not clear: {named}.",
            hint="Choose one of them.",
        )


def guarded(values: Iterator[Line], name: str) -> Iterator[Line]:
    """What breaks while it is read becomes a sentence. Raises ImportUnreadable."""
    with explained(name):
        yield from values


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Raises ImportUnreadable for what the libraries say of a broken file."""
    try:
        yield
    except elements.Broken as problem:
        raise ImportUnreadable(
            f"{name} holds JSON that breaks off or is not valid.", hint="Export it again."
        ) from problem
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
        raise ImportUnreadable(
            f"{name} is a zip that is not whole.", hint="Download it again."
        ) from problem
    except RecursionError as problem:
        raise ImportUnreadable(
            f"{name} is nested too deep to be read.", hint="Check that it is the right file."
        ) from problem
    except OSError as problem:
        raise ImportUnreadable(
            f"{name} cannot be read on: {problem.strerror or problem}.",
            hint="Import it again to go on when it can.",
        ) from problem


def _ours(stream: IO[bytes]) -> Iterator[Line]:
    from localmem.portable import ndjson

    bad: list[Unreadable] = []
    for value in ndjson.read(lines.good(lines.read(stream), bad)):
        yield from bad
        bad.clear()
        yield value
    yield from bad


def _conversations(stream: IO[bytes], shape: Shape) -> Iterator[Json]:
    if shape.listed:
        yield from (value for _, value in elements.of_list(stream))
        return
    lined = shape.layout is Layout.LINES
    for element in elements.of_lines(stream) if lined else elements.of_document(stream):
        if not isinstance(element, Unreadable):
            yield element.value


def _elements(stream: IO[bytes], shape: Shape) -> Iterator[elements.Element | Unreadable]:
    if shape.layout is Layout.LINES:
        return elements.of_lines(stream)
    return elements.of_document(stream, listed=shape.listed)


def _overridden(found: Shape, wanted: str) -> Shape:
    """What `--from` makes of a file: a list that was copied from an assistant stays a list."""
    chosen = formats.BY_NAME.get(wanted)
    if chosen is None or chosen is found.format:
        return found
    if chosen.author and found.format in (formats.TEXT, formats.MARKDOWN, formats.JSON):
        return found
    if chosen in (formats.TEXT, formats.MARKDOWN, formats.BASIC):
        return Shape(chosen, Layout.TEXT)
    if found.layout is Layout.TEXT:
        layout = Layout.LINES if chosen is formats.OURS else Layout.DOCUMENT
        return Shape(chosen, layout)
    return replace(found, format=chosen)


def _name_project(element: Any, named: dict[str, str]) -> None:
    value = getattr(element, "value", None)
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        named[str(value.get("uuid"))] = value["name"]


def _no_memories(tried: Sequence[str]) -> ImportUnreadable:
    return ImportUnreadable(
        f"This Claude export holds conversations and no memories. Looked at: "
        f"{', '.join(visible(each[-60:]) for each in tried[:4])}; there is no memories.json.",
        hint=formats.CLAUDE.how,
    )


def _head(file: IO[bytes]) -> bytes:
    return file.read(HEAD)


def _size(files: Sequence[Member]) -> int:
    return sum(each.size for each in files)
