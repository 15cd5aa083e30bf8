"""Exports of other programs, made up, in the shapes they have."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

Message = dict[str, Any]


def message(
    role: str, text: str, *, recipient: str = "all", at: float | None = 1_736_500_000.5
) -> Message:
    return {
        "author": {"role": role, "name": "bio" if role == "tool" else None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "metadata": {"message_type": "next"},
        "recipient": recipient,
    }


def conversation(title: str, *messages: Message | None) -> dict[str, Any]:
    """A conversation of ChatGPT: a chain of messages in its tree."""
    nodes: dict[str, Any] = {}
    before: str | None = None
    for number, each in enumerate((None, *messages)):
        id = f"n{number}"
        nodes[id] = {"id": id, "parent": before, "children": [f"n{number + 1}"], "message": each}
        before = id
    return {
        "title": title,
        "create_time": 1_736_000_000.0,
        "mapping": nodes,
        "current_node": before,
    }


def remembering(said: str, remembered: str) -> tuple[Message, ...]:
    """What the person said, what ChatGPT kept of it, and the noise around that."""
    return (
        message("user", said),
        message("assistant", remembered, recipient="bio"),
        message("tool", "Model set context updated.", recipient="assistant"),
        message("assistant", "Noted, I will keep it in mind."),
    )


CHATGPT = [
    conversation("Dinner plans", *remembering("I don't eat meat", "Is a vegetarian.")),
    conversation("Small talk", message("user", "Hello"), message("assistant", "Hi!")),
    conversation(
        "Running shoes",
        *remembering("I wear 42 and hate tight shoes", "Wears shoe size 42."),
        *remembering("And never before ten please", "Prefers calls after 10 in the morning."),
    ),
]

CLAUDE = [
    {
        "conversations_memory": "**Work context**\n\nAna leads a bakery.\n\n**Personal context**\n"
        "- Prefers WhatsApp over email\n- Has two cats",
        "project_memories": {"p-1": "The shop opens at seven."},
        "memory_files": [
            {
                "path": "/preferences.md",
                "content": "- [stated] Likes dark bread",
                "updated_at": "2026-01-02T03:04:05.000000Z",
            }
        ],
        "account_uuid": "a-1",
    }
]


def zipped(path: Path, members: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, held in members.items():
            file.writestr(name, held if isinstance(held, str | bytes) else json.dumps(held))
    return path


def chatgpt_zip(path: Path) -> Path:
    return zipped(
        path,
        {
            "conversations.json": CHATGPT,
            "user.json": {"id": "u"},
            "chat.html": "<!DOCTYPE html><html></html>",
            "message_feedback.json": [],
        },
    )


def claude_zip(path: Path) -> Path:
    return zipped(
        path,
        {
            "memories.json": CLAUDE,
            "projects.json": [{"uuid": "p-1", "name": "Bakery / shop"}],
            "conversations.json": [{"uuid": "c", "name": "x", "chat_messages": []}],
            "users.json": [],
        },
    )
