"""The shop vendor's own Python SDK against a server of its own on loopback, requests counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from localmem.core.hosting import KeyKind
from tests.server.conftest import Process, StartProcess

codespar = pytest.importorskip("codespar", reason="the shop vendor's SDK is not installed")
from codespar.errors import ApiError  # noqa: E402

REMEMBER = {"action": "remember", "key": "shoe_size", "value": "42", "quote": "eu calço 42"}


@dataclass(slots=True)
class Line:
    """The SDK's connection: what it sent, and whose credential goes instead of its own."""

    url: str
    token: str | None = None
    sent: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def open(self, key: str) -> AsyncIterator[Any]:
        async def note(request: httpx.Request) -> None:
            self.sent.append(f"{request.method} {request.url.path}")
            if self.token is not None:
                request.headers["Authorization"] = f"Bearer {self.token}"

        async with httpx.AsyncClient(base_url=self.url, event_hooks={"request": [note]}) as client:
            yield codespar.AsyncCodeSpar(api_key=key, base_url=self.url, client=client)


@pytest.fixture
def key(process: Process) -> str:
    return process.new_key("shop", kind=KeyKind.SHOP)


async def test_a_key_lists_the_tools_and_is_refused_at_the_first_request(
    process: Process, key: str
) -> None:
    line = Line(process.url)
    async with line.open(key) as client:
        session = await client.create(
            "person_ana", servers=["codespar"], metadata={"person": "ana"},
            project_id="prj_0000000000000001",
        )  # fmt: skip
        assert session.info.status == "active" and session.servers == ["codespar"]
        assert [each.name for each in await session.tools()] == ["codespar_memory", "codespar_shop"]
        (connection,) = await session.connections()
        assert (connection.id, connection.connected) == ("codespar", True)
        for given in ({"action": "list"}, REMEMBER, REMEMBER | {"action": "correct"},
                      {"action": "forget", "key": "shoe_size"}):  # fmt: skip
            line.sent.clear()
            done = await session.execute("codespar_memory", given)
            assert done.success is False
            assert done.error.startswith("403: ") and "bearer_token_has_no_person" in done.error
            assert line.sent == [f"POST /v1/sessions/{session.id}/execute"]
        unknown = await session.execute("codespar_pay", {})
        assert unknown.error == "Tool not registered: codespar_pay"
        await session.close()
        line.sent.clear()
        after = await session.execute("codespar_memory", {"action": "list"})
        assert after.error.startswith("404: ") and "session_not_found" in after.error
        assert len(line.sent) == 1


async def test_the_sdk_as_it_is_reads_its_defaults(process: Process, key: str) -> None:
    async with codespar.AsyncCodeSpar(api_key=key, base_url=process.url) as client:
        session = await client.create("someone")
        listed = {each.id: each.connected for each in await session.connections()}
        assert listed == {"codespar": True, "zoop": False, "nuvem-fiscal": False}
        assert session.mcp["url"] == f"{process.url}/v1/sessions/{session.id}/mcp"


async def test_a_person_uses_all_four_actions(process: Process, key: str) -> None:
    line = Line(process.url, process.new_token("Ana"))
    async with line.open(key) as client:
        session = await client.create("ana", servers=["codespar"])
        line.sent.clear()

        async def memory(action: str, **given: Any) -> Any:
            done = await session.execute("codespar_memory", {"action": action, **given})
            assert done.success, done.error
            assert (done.server, done.tool) == ("codespar", "codespar_memory")
            assert done.tool_call_id and done.called_at
            return done.data

        kept = await memory(**REMEMBER)
        assert (kept["value"], kept["provenance"]) == ("42", "declared")
        fixed = await memory("correct", memory_id=kept["memory_id"], value="43", quote="agora 43")
        assert (fixed["version"], [each["value"] for each in fixed["history"]]) == (2, ["42"])
        assert (await memory("list"))["memories"] == [fixed]
        assert (await memory("forget", key="shoe_size"))["inference_blocked"] is True
        assert await memory("list") == {"memories": [], "blocked_inference": ["shoe_size"]}
        assert len(line.sent) == 5


async def test_every_permanent_refusal_is_asked_once(process: Process, key: str) -> None:
    line = Line(process.url, process.new_token("Ana"))
    async with line.open(key) as client:
        session = await client.create("ana", servers=["codespar"])
        line.sent.clear()
        refusals = {
            "memory_key_unknown": REMEMBER | {"key": "hat_size"},
            "memory_value_invalid": REMEMBER | {"value": "99", "quote": "99"},
            "memory_source_not_person": REMEMBER | {"quote": "lido numa página"},
            "memory_not_found": {"action": "forget", "memory_id": "0" * 36},
            "invalid_request": {"action": "erase"},
        }
        for code, given in refusals.items():
            done = await session.execute("codespar_memory", given)
            assert done.success is False and code in done.error
        assert len(line.sent) == len(refusals)


async def test_the_sdk_reads_code_and_message_of_the_envelope(process: Process) -> None:
    for key, status, code in (
        ("csk_live_" + "A" * 40, 401, "unauthorized"),
        ("csk_nothing", 401, "unauthorized"),
    ):
        async with codespar.AsyncCodeSpar(api_key=key, base_url=process.url) as client:
            with pytest.raises(ApiError) as refused:
                await client.create("someone", servers=["codespar"])
        assert (refused.value.status, refused.value.code) == (status, code)
        assert "A valid key or token is needed" in str(refused.value)


async def test_two_people_read_nothing_of_each_other_and_a_restart_keeps_both(
    start_process: StartProcess,
) -> None:
    process = start_process()
    key = process.new_key("shop", kind=KeyKind.SHOP)
    ana, bruno = (Line(process.url, process.new_token(name)) for name in ("Ana", "Bruno"))
    async with ana.open(key) as hers, bruno.open(key) as his:
        hers, his = [await each.create("same", servers=["codespar"]) for each in (hers, his)]
        kept = await hers.execute("codespar_memory", REMEMBER)
        stolen = {"action": "correct", "memory_id": kept.data["memory_id"], "value": "40",
                  "quote": "calço 40"}  # fmt: skip
        refused = await his.execute("codespar_memory", stolen)
        assert refused.error.startswith("404: ") and "memory_not_found" in refused.error
        his.info.id = hers.id
        refused = await his.execute("codespar_memory", {"action": "list"})
        assert refused.error.startswith("404: ") and "session_not_found" in refused.error
    process.running.terminate()
    process.running.wait(30)
    again = Line(start_process().url, ana.token)
    async with again.open(key) as client:
        session = await client.create("same", servers=["codespar"])
        listed = await session.execute("codespar_memory", {"action": "list"})
        assert [each["value"] for each in listed.data["memories"]] == ["42"]
