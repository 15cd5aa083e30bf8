"""Tools run over the library of the person whose token calls, whatever surface they came through.

The only way into a person's own library. Refuses every key: it has no person (shop-memory).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

from localmem.core.ports import Clock
from localmem.engine import Engine
from localmem.hosting.admission import Holder, PersonHolder
from localmem.server.errors import Refused
from localmem.server.operations import shop
from localmem.server.operations.operation import Answer, Later, Tool, Use
from localmem.server.spaces import Spaces
from localmem.wire import shop as wire
from localmem.wire.requests import read


@dataclass(frozen=True, slots=True)
class Tools:
    spaces: Spaces
    clock: Clock

    async def execute(self, holder: Holder, use: Use) -> Answer:
        """As sessions answer it: a tool there is none of is no refusal (protocols 3.2)."""
        started, at = time.perf_counter(), self.clock()
        tool = shop.TOOLS.get(use.tool)
        data = None if tool is None else (await self.run(holder, tool, use.given)).body
        milliseconds = round((time.perf_counter() - started) * 1000)
        error = f"Tool not registered: {use.tool}" if tool is None else None
        call = f"tc_{secrets.token_hex(12)}"
        return Answer(wire.executed(use.tool, call, at, milliseconds, data=data, error=error))

    async def run(self, holder: Holder, tool: Tool, given: Mapping[str, object]) -> Answer:
        """Raises Refused (bearer_token_has_no_person), and what the tool raises."""
        if not isinstance(holder, PersonHolder):
            raise Refused(
                "bearer_token_has_no_person",
                "A key carries no person, and this belongs to one: call with the person's own "
                "token.",
            )
        asked = read(tool.asks, given)
        actor = holder.actor()

        def work(engine: Engine) -> Answer:
            return tool.handle(engine.acting(actor), asked)

        changes = getattr(asked, "action", "") in tool.changes
        async with self.spaces.using(self.spaces.own(holder.person.id)) as space:
            answer = await space.run(work, changes=changes)
            if Later.EMBED in answer.later:
                space.embed_soon()
            if Later.SCRUB in answer.later:
                space.scrub_soon()
        return answer
