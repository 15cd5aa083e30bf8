"""What ChatGPT remembered, out of the account's export.

An export has no list of memories (none we have seen the shape of): each stands in the conversation
where it was made, as a message of the assistant to its `bio` tool. Beside it we take the words of
the person before it, the title and the date. The list as it was then, where a conversation shows
it (`model_editable_context`), is taken too; what stands in several conversations is one memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from localmem.core.incoming import Incoming, Unreadable
from localmem.core.model import Evidence, FactContent, Json, Millis
from localmem.core.preferences import MAX_QUOTE
from localmem.portable.readers.plain import dated
from localmem.portable.records import millis

_TOOL = "bio"
_ANSWER = "model set context updated"
_MOST_STEPS = 200
"""Messages gone back to find the person's words; a loop in a broken file ends there."""
_NUMBERED = re.compile(r"\s*\d{1,4}[.)]\s+")
_MOST_KNOWN = 100_000


def read(conversations: Iterable[Json], author: str) -> Iterator[Incoming | Unreadable]:
    """The memories of conversations, numbered as they come."""
    number = 0
    known: set[int] = set()
    for conversation in conversations:
        for found in _of_conversation(conversation, known):
            number += 1
            text, quote, at, source = found
            yield Incoming(
                number,
                FactContent(text),
                written_at=at,
                evidence=Evidence(quote=quote[:MAX_QUOTE] or None, source=source[:500]),
                author=author,
            )


_Found = tuple[str, str, Millis | None, str]


def _of_conversation(conversation: Json, known: set[int]) -> Iterator[_Found]:
    if not isinstance(conversation, dict):
        return
    nodes = conversation.get("mapping")
    if not isinstance(nodes, dict):
        return
    for node in nodes.values():
        message = _message(node)
        if message is None:
            continue
        if message.get("recipient") == _TOOL:
            text = _text(message)
            if text and not text.casefold().startswith(_ANSWER):
                at = millis(message.get("create_time")) or millis(conversation.get("create_time"))
                yield text, _asked(nodes, node), at, _source(conversation, at)
        elif "model_set_context" in _content(message):
            yield from _listed(message, conversation, known)


def _listed(
    message: Mapping[str, Any], conversation: Mapping[str, Any], known: set[int]
) -> Iterator[_Found]:
    """The list of memories as the model was shown it, each line once."""
    listed = _content(message)["model_set_context"]
    for line in listed.splitlines() if isinstance(listed, str) else ():
        at, text = dated(_NUMBERED.sub("", line, count=1).strip())
        if text and hash(text) not in known and len(known) < _MOST_KNOWN:
            known.add(hash(text))
            yield text, "", at, _source(conversation, at)


def _source(conversation: Mapping[str, Any], at: Millis | None) -> str:
    title = conversation.get("title")
    named = title if isinstance(title, str) and title.strip() else "a conversation without a title"
    return f"ChatGPT, {named}" + (f" · {_day(at)}" if at is not None else "")


def _day(at: Millis) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def _message(node: object) -> dict[str, Any] | None:
    held = node.get("message") if isinstance(node, dict) else None
    return held if isinstance(held, dict) else None


def _content(message: Mapping[str, Any]) -> dict[str, Any]:
    held = message.get("content")
    return held if isinstance(held, dict) else {}


def _text(message: Mapping[str, Any]) -> str:
    content = _content(message)
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n".join(part for part in parts if isinstance(part, str)).strip()
    text = content.get("text")
    return text.strip() if isinstance(text, str) else ""


def _asked(nodes: Mapping[str, Any], node: Any) -> str:
    """What the person had said when it was remembered."""
    for _ in range(_MOST_STEPS):
        parent = node.get("parent")
        node = nodes.get(parent) if isinstance(parent, str) else None
        if not isinstance(node, dict):
            return ""
        message = _message(node)
        author = message.get("author") if message else None
        if message and isinstance(author, dict) and author.get("role") == "user":
            said = _text(message)
            if said:
                return said
    return ""
