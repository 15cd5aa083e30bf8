"""A system whose two devices live in one client that is driven by lines of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from syncing.processes import Client, Server
from syncing.protocol import Device, Tally
from syncing.records import Record


class Lines:
    def __init__(self, server: Server, client: Client) -> None:
        self._server = server
        self._client = client

    def hold(self, device: Device, records: Sequence[Record]) -> None:
        given = [{"key": each.key, "body": each.body} for each in records]
        self._client.ask("hold", device=device, records=given)

    def change(self, device: Device, key: str, text: str) -> None:
        self._client.ask("change", device=device, key=key, text=text)

    def delete(self, device: Device, key: str) -> None:
        self._client.ask("delete", device=device, key=key)

    def sync(self, device: Device) -> None:
        self._client.ask("sync", device=device)

    def held(self, device: Device) -> Mapping[str, str]:
        return dict(self._client.ask("held", device=device))

    def tally(self) -> Tally:
        return Tally(*self._server.spent(), self._client.ask("cpu"))
