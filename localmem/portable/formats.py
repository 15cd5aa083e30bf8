"""The kinds of files that are read, by the names `--from` takes, and how to get each."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from localmem.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    title: str
    """As a sentence can say it: "a ChatGPT export"."""
    author: str = ""
    """Who its memories come from; "" is the person."""
    how: str = ""
    """How to get such a file."""


TEXT: Final = Format("text", "a list of sentences, one a line")
MARKDOWN: Final = Format("markdown", "notes in Markdown")
JSON: Final = Format("json", "JSON")
OURS: Final = Format("localmem", "an export of localmem", how="localmem export FILE")
CHATGPT: Final = Format(
    "chatgpt", "a ChatGPT export", "chatgpt",
    "In ChatGPT: Settings, Data controls, Export data; the link comes by e-mail. Choose the zip "
    "whole. Or copy the list under Settings, Personalization, Manage memories into a text file.",
)  # fmt: skip
CLAUDE: Final = Format(
    "claude", "a Claude export", "claude",
    "In Claude: Settings, Privacy, Export data; the link comes by e-mail. Or copy the text under "
    "Settings, Capabilities, View and edit your memory into a file and import it with --from "
    "claude.",
)  # fmt: skip
MEM0: Final = Format("mem0", "a list of mem0", "mem0", "Save what mem0's get_all answers as JSON.")
GRAPH: Final = Format(
    "mcp-memory", "the memory of the MCP reference server", "mcp-memory",
    "It is the file that MEMORY_FILE_PATH names, memory.jsonl unless you changed it.",
)  # fmt: skip
SERVICE: Final = Format(
    "mcp-memory-service", "an export of mcp-memory-service", "mcp-memory-service",
    "Export it there as JSON.",
)  # fmt: skip
BASIC: Final = Format(
    "basic-memory", "notes of basic-memory", how="Choose the folder of its Markdown notes."
)
HOSTED: Final = Format("hosted", "facts or a collection of a hosted memory API")
SHOP: Final = Format("shop", "shopping preferences")

EXPORTS: Final = (
    "ChatGPT: Settings, Data controls, Export data. Claude: Settings, Privacy, Export data. The "
    "link comes by e-mail; choose the zip whole."
)

FORMATS: Final = (OURS, TEXT, MARKDOWN, JSON, CHATGPT, CLAUDE, MEM0, GRAPH, SERVICE, BASIC, HOSTED,
                  SHOP)  # fmt: skip
ASSISTANTS: Final = ("gemini", "copilot", "grok", "perplexity", "mistral", "deepseek", "meta-ai",
                     "cursor", "codex", "alexa")  # fmt: skip
"""Whose lists are read as what they look like."""
PERSON: Final = "you"
"""The list is the person's own, whatever it looks like."""

BY_NAME: Final = {each.name: each for each in FORMATS}


def names() -> tuple[str, ...]:
    """Everything `--from` takes."""
    return (*BY_NAME, *ASSISTANTS, PERSON)


def checked(name: str) -> str:
    """The name as it is known. Raises InvalidInput with the nearest one."""
    wanted = name.strip().casefold().replace("_", "-").replace(" ", "-")
    if wanted in names():
        return wanted
    near = get_close_matches(wanted, names(), n=1, cutoff=0.5)
    known = f"Known are {', '.join(names())}."
    raise InvalidInput(
        f"{name[:40]!r} is no kind of file that is read.",
        hint=f"Did you mean {near[0]}? {known}" if near else known,
        details={"field": "from"},
    )
