"""Notes in Markdown: every item of a list and every paragraph is one memory.

The headings above it become its path. An item under one that ends in a colon is read after it
("Avoids: Adidas"); under any other it stands alone and its metadata names the one above. A box that
can be ticked says done yes or no, `[category]` and `#tags` as basic-memory writes them become
metadata, and `relates_to [[Note]]` a sentence. Code, tables, comments and front matter say nothing
about a person and are left out, with a note that says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from localmem.core.facts import MAX_PATH
from localmem.core.incoming import Incoming, Unreadable
from localmem.core.model import Evidence, FactContent
from localmem.portable.lines import Numbered
from localmem.portable.readers.plain import dated
from localmem.portable.records import Origin, small

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)(?:\s+#+)?\s*")
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)([^*_]{1,120}?):?(?:\*\*|__):?\s*")
_BULLET = re.compile(r"(\s*)(?:[-*+•–]|\d{1,9}[.)])(?:\s+(.*))?")
_BOX = re.compile(r"\[([ xX])\]\s+")
_RULE = re.compile(r"\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|=+\s*)")
_FENCE = re.compile(r"\s*(```+|~~~+)(.*)")
_CATEGORY = re.compile(r"\[([^\[\]]{1,60})\]\s+(?=\S)")
_TAG = re.compile(r"(?<!\S)#([^\s#.,;:!?)]+)")
_RELATION = re.compile(r"([\w][\w -]{0,60}?)\s+\[\[([^\]]{1,200})\]\](.*)")
_LONGEST = 65_536
"""Characters of a paragraph before it is passed on as it is, for the engine to refuse."""
_BOLD_LEVEL = 7
_MANY = {
    "block of code": "blocks of code",
    "comment": "comments",
    "row of a table": "rows of a table",
}
_SEGMENT = 80


@dataclass(slots=True)
class _Open:
    """A list item or a paragraph whose end has not come yet."""

    number: int
    parts: list[str]
    indent: int = -1
    """-1 for a paragraph."""
    above: tuple[str, ...] = ()
    """The items it stands under, the outermost first."""


@dataclass(slots=True)
class _Reader:
    origin: Origin
    title: str
    folder: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    stack: list[tuple[int, str]] = field(default_factory=list)
    """(indent, text) of the list items above."""
    open: _Open | None = None
    label: _Open | None = None
    """What ended in a colon, and may only name what comes under it."""
    fence: str = ""
    comment: bool = False
    pasted: bool = False
    """Inside a block whose text is the memories themselves."""
    skipped: Counter[str] = field(default_factory=Counter)
    seen: bool = False

    def line(self, number: int, text: str) -> Iterator[Incoming]:
        """What ends with this line."""
        if len(text) > _LONGEST:
            yield from self._more(number, text)
        elif self._skip(text) or not text.strip():
            yield from self.end()
        elif heading := _HEADING.fullmatch(text):
            yield from self.over()
            self._enter(len(heading[1]), heading[2])
        elif _RULE.fullmatch(text):
            yield from self._underline(text)
        elif item := _BULLET.fullmatch(text):
            yield from self.end()
            if said := (item[2] or "").strip():
                self._item(number, len(item[1].expandtabs(4)), said)
        elif bold := _BOLD_LINE.fullmatch(text):
            yield from self.over()
            self._enter(_BOLD_LEVEL, bold[1])
        else:
            yield from self._more(number, text)

    def _skip(self, text: str) -> bool:
        """Whether the line is code, a table or a comment; keeps count of them."""
        if self._is_code(text):
            return True
        self.seen = self.seen or bool(text.strip())
        return self._is_comment(text) or self._is_table(text)

    def _is_code(self, text: str) -> bool:
        fence = _FENCE.fullmatch(text)
        if self.fence:
            if fence and fence[1].startswith(self.fence):
                self.fence = ""
            return True
        if fence is None:
            return False
        # A whole list in one block without a language is how assistants print what they know.
        plain = fence[2].strip() in ("", "text", "markdown", "md", "txt")
        if self.pasted or (plain and (not self.seen or self.origin.author)):
            self.pasted = not self.pasted
        else:
            self.fence = fence[1]
            self.skipped["block of code"] += 1
        return True

    def _is_comment(self, text: str) -> bool:
        if not self.comment and text.lstrip().startswith("<!--"):
            self.comment = True
            self.skipped["comment"] += 1
        inside = self.comment
        if "-->" in text:
            self.comment = False
        return inside

    def _is_table(self, text: str) -> bool:
        row = text.strip().startswith("|") and text.strip().endswith("|") and len(text.strip()) > 1
        if row:
            self.skipped["row of a table"] += 1
        return row

    def _enter(self, level: int, name: str) -> None:
        self.headings = [each for each in self.headings if each[0] < level]
        self.headings.append((level, name.strip()))
        self.stack = []
        if level == 1:
            self.title = name.strip()

    def _underline(self, text: str) -> Iterator[Incoming]:
        """Under a line of text it makes a heading of it; alone it parts what stands around it."""
        above = self.open
        if above and above.indent < 0 and len(above.parts) == 1 and text.strip()[0] in "-=":
            self.open = None
            yield from self.over()
            self._enter(1 if "=" in text else 2, above.parts[0])
            return
        yield from self.end()
        self.stack = []

    def _item(self, number: int, indent: int, text: str) -> None:
        self.stack = [each for each in self.stack if each[0] < indent]
        above = tuple(said for _, said in self.stack)
        self.open = _Open(number, [text], indent, above)
        self.stack.append((indent, text))

    def _more(self, number: int, text: str) -> Iterator[Incoming]:
        text = re.sub(r"^\s*(?:> ?)+", "", text)
        if self.open is not None and sum(map(len, self.open.parts)) < _LONGEST:
            self.open.parts.append(text.strip())
            return
        yield from self.end()
        if not text.startswith((" ", "\t")):
            self.stack = []
        above = tuple(said for _, said in self.stack)
        self.open = _Open(number, [text.strip()], above=above)

    def end(self) -> Iterator[Incoming]:
        """What was open, as a memory; a label waits until it is seen to have nothing under it."""
        done, self.open = self.open, None
        if done is None:
            return
        text = " ".join(part for part in done.parts if part).strip()
        if done.indent >= 0 and self.stack:
            self.stack[-1] = (done.indent, text)
        if not text:
            return
        label, self.label = self.label, None
        if label is not None and not label.indent < done.indent:
            yield self._memory(label, " ".join(label.parts))
        if text.endswith(":"):
            self.label = replace(done, parts=[text])
        else:
            yield self._memory(done, text)

    def over(self) -> Iterator[Incoming]:
        """As `end`, where nothing more comes under a label."""
        yield from self.end()
        label, self.label = self.label, None
        if label is not None:
            yield self._memory(label, " ".join(label.parts))

    def _memory(self, done: _Open, text: str) -> Incoming:
        offered: dict[str, object] = {}
        if box := _BOX.match(text):
            offered["done"] = "no" if box[1] == " " else "yes"
            text = text[box.end() :]
        saved_at, text = dated(text)
        if saved_at is None and done.indent >= 0:
            text = self._observation(text, offered)
        labels = [bare(each) for each in done.above if each.endswith(":")]
        sentences = [bare(each) for each in done.above if not each.endswith(":")]
        if sentences:
            offered["under"] = sentences[-1][:512]
        return Incoming(
            done.number,
            FactContent(
                " ".join((*labels, text)), small(offered, self.origin.leave_out), self.path
            ),
            written_at=saved_at,
            evidence=Evidence(source=self.origin.source(done.number)),
            author=self.origin.author,
        )

    def _observation(self, text: str, offered: dict[str, object]) -> str:
        """basic-memory's `[category] text #tag`, and its relations as sentences."""
        if relation := _RELATION.fullmatch(text):
            kind = relation[1].replace("_", " ")
            return f"{self.title} {kind} {relation[2]}{relation[3]}".strip()
        if category := _CATEGORY.match(text):
            offered["category"] = category[1]
            text = text[category.end() :]
            offered["tags"] = _TAG.findall(text)
            text = " ".join(_TAG.sub("", text).split()) or text
        return text

    @property
    def path(self) -> str | None:
        names = [name.replace("/", "-").strip(" *_`:")[:_SEGMENT] for _, name in self.headings]
        found = "/".join(name for name in (self.folder, *names) if name)
        return found[:MAX_PATH].rstrip("/") or None

    def notes(self) -> list[str]:
        left = [
            f"{number:,} {name if number == 1 else _MANY[name]}"
            for name, number in self.skipped.items()
        ]
        return [f"Left out: {', '.join(left)}."] if left else []


def bare(text: str) -> str:
    """An item's text without its box."""
    return _BOX.sub("", text, count=1)


def read(
    lines: Iterable[Numbered | Unreadable],
    origin: Origin,
    notes: list[str],
    *,
    title: str = "",
    folder: str = "",
) -> Iterator[Incoming | Unreadable]:
    """`title` names the note until its first heading does; `folder` begins every path."""
    reader = _Reader(origin, title or origin.name, folder)
    for line in _behind_front_matter(iter(lines), notes):
        if isinstance(line, Unreadable):
            yield line
        else:
            yield from reader.line(*line)
    yield from reader.over()
    notes.extend(reader.notes())


def _behind_front_matter(
    lines: Iterator[Numbered | Unreadable], notes: list[str]
) -> Iterator[Numbered | Unreadable]:
    first = next(lines, None)
    if first is None:
        return
    if isinstance(first, Unreadable) or first[1].strip() != "---":
        yield first
        yield from lines
        return
    held: list[Numbered | Unreadable] = [first]
    for line in lines:
        held.append(line)
        if not isinstance(line, Unreadable) and line[1].strip() in ("---", "..."):
            notes.append(f"Left out: the front matter in lines 1 to {len(held)}.")
            yield from lines
            return
        if len(held) > 200:
            break
    yield from held  # it was a rule, not front matter
    yield from lines
