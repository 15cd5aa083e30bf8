"""Calling the shop's tools over HTTP, as its SDK does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

from localmem.core.hosting import KeyKind
from tests.server.conftest import Server

SHOE = {"key": "shoe_size", "value": "42", "quote": "eu calço 42"}


@dataclass(frozen=True, slots=True)
class Caller:
    """A credential with a session of its own."""

    server: Server
    credential: str
    session: str

    async def execute(self, tool: str, given: Any, **options: Any) -> httpx.Response:
        return await self.server.post(
            f"/v1/sessions/{self.session}/execute",
            {"tool": tool, "input": given},
            key=self.credential,
            **options,
        )

    async def memory(self, action: str, **given: Any) -> httpx.Response:
        return await self.execute("codespar_memory", {"action": action, **given})

    async def done(self, action: str, **given: Any) -> dict[str, Any]:
        """What a call that succeeds answers."""
        answer = await self.memory(action, **given)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body["success"] is True and body["error"] is None
        return dict(body["data"])

    async def refused(self, action: str, **given: Any) -> tuple[int, str]:
        """Status and code of one that is refused, in the envelope of sessions."""
        return refusal(await self.memory(action, **given))

    async def values(self) -> dict[tuple[str, str], Any]:
        listed = (await self.done("list"))["memories"]
        return {(each["key"], each["provenance"]): each["value"] for each in listed}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()
    assert set(body) == {"error"} and set(body["error"]) <= {"code", "message", "details"}
    assert body["error"]["message"].strip() and "localmem" not in body["error"]["message"]
    return answer.status_code, body["error"]["code"]


async def open_session(server: Server, credential: str, **body: Any) -> httpx.Response:
    asked = {"servers": ["codespar"], "user_id": "someone"} | body
    return await server.post("/v1/sessions", asked, key=credential)


async def caller(server: Server, credential: str) -> Caller:
    answer = await open_session(server, credential)
    assert answer.status_code == 201, answer.text
    return Caller(server, credential, answer.json()["id"])


async def person(server: Server, name: str) -> Caller:
    return await caller(server, server.new_token(name))


def shop_key(server: Server, **options: Any) -> str:
    return server.new_key("shop", kind=KeyKind.SHOP, **options)
