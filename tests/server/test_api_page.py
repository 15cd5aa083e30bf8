"""Every request of the page about the API gets the status that stands behind it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from string import Template
from typing import NamedTuple

import httpx

from localmem.core.preferences import PreferenceKey
from localmem.core.ttl import MAX_SECONDS, MIN_SECONDS
from localmem.wire.memory_api import BATCH, HITS, MOST_HITS
from tests.server.conftest import Server

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
EXAMPLE = re.compile(r"^(ask|say) (.*?) +# (\d{3})$", re.MULTILINE | re.DOTALL)
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


class Example(NamedTuple):
    who: str
    command: str
    status: int


EXAMPLES = [
    Example(who, command, int(status))
    for block in BLOCKS
    for who, command, status in EXAMPLE.findall(block)
]


async def sent(server: Server, example: Example, named: dict[str, str]) -> httpx.Response:
    """The request that curl would send."""
    words = iter(shlex.split(Template(example.command).substitute(named)))
    url, method, content, headers = "", "", None, {"Content-Type": "application/json"}
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-d":
            content = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        else:
            assert not url and not word.startswith("-"), example.command
            url = word
    method = method or ("GET" if content is None else "POST")
    key = server.key if example.who == "ask" else named["TOKEN"]
    return await server.ask(method, url, key=key, content=content, headers=headers)


async def test_every_request_of_the_page_gets_its_status(server: Server) -> None:
    named = {"URL": "", "TOOL": "/v1/sessions/$SESSION/execute", "TOKEN": server.new_token("Ana")}
    for example in EXAMPLES:
        answer = await sent(server, example, named)
        assert answer.status_code == example.status, (example.command, answer.text)
        if answer.status_code == 201 and "user_id" in example.command:
            named |= {"SESSION": answer.json()["id"]}
            named["TOOL"] = f"/v1/sessions/{named['SESSION']}/execute"
        elif answer.status_code == 201 and "id" in answer.json():
            named["ID"] = answer.json()["id"]


def test_no_request_of_the_page_is_without_its_status() -> None:
    shown = [line for block in BLOCKS for line in block.splitlines()
             if line.startswith(("ask ", "say "))]  # fmt: skip
    assert len(EXAMPLES) == len(shown) > 25


def test_its_numbers_are_the_program_s() -> None:
    for sentence in (
        f"up to {BATCH} documents",
        f"from {MIN_SECONDS} to {MAX_SECONDS:,}",
        f"({HITS} unless given, {MOST_HITS} at most)",
    ):
        assert sentence in PAGE, sentence


def test_the_page_names_the_keys_of_preferences() -> None:
    assert [key for key in PreferenceKey if f"`{key}`" not in PAGE] == []
