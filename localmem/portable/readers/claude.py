"""What Claude remembered, out of the account's export: `memories.json`, or `memories/*.json`.

It is Markdown, for all conversations together and for each project, in newer exports one text a
topic. Conversations are not read: what was said is not what is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from localmem.core.incoming import Incoming, Unreadable
from localmem.portable import lines
from localmem.portable.readers import markdown
from localmem.portable.records import Origin, millis


def read(
    record: Mapping[str, Any], origin: Origin, projects: Mapping[str, str], notes: list[str]
) -> Iterator[Incoming | Unreadable]:
    """One account's memories. `projects` names projects by their id."""
    everywhere = record.get("conversations_memory")
    if isinstance(everywhere, str):
        yield from _text(everywhere, origin, notes, "", None)
    of_projects = record.get("project_memories")
    for id, text in of_projects.items() if isinstance(of_projects, dict) else ():
        if isinstance(text, str):
            name = projects.get(id, id).replace("/", "-")
            yield from _text(text, origin, notes, f"projects/{name[:80]}", None)
    files = record.get("memory_files")
    for file in files if isinstance(files, list) else ():
        if isinstance(file, dict) and isinstance(file.get("content"), str):
            path = re.sub(r"\.md$", "", str(file.get("path") or "")).strip("/")
            at = millis(file.get("updated_at"))
            yield from _text(file["content"], origin, notes, path[:200], at)


def _text(
    text: str, origin: Origin, notes: list[str], folder: str, at: int | None
) -> Iterator[Incoming | Unreadable]:
    for found in markdown.read(lines.of_text(text), origin, notes, folder=folder):
        if isinstance(found, Incoming):
            where = f"Claude, {folder or 'memory'}, line {found.line}"
            evidence = found.evidence._replace(source=where)
            found = replace(found, evidence=evidence, written_at=found.written_at or at)
        yield found
