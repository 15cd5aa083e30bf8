"""Counts and times of a server in Prometheus's words: what was asked, how it went, what waits.

Labels are names of operations, statuses and codes, all from tables of ours: no space, key, person
or content is ever one. Only programs of this machine may read them, or whoever has the token of
LOCALMEM_METRICS_TOKEN; a request that came through a proxy is nobody of this machine.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.datastructures import Headers

from localmem.server.edge import Served, is_loopback
from localmem.server.limits import Meter
from localmem.server.spaces import Spaces

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
NO_OPERATION = "none"


class Metrics:
    """The numbers of one server, since its start."""

    def __init__(self, spaces: Spaces, meter: Meter) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "localmem_requests", "Requests answered.", ("operation", "status"),
            registry=self._registry,
        )  # fmt: skip
        self._refusals = Counter(
            "localmem_refusals", "Requests and connections refused, by the code.", ("code",),
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "localmem_request_seconds", "From a request's head to the end of its reply.",
            ("operation",), buckets=SECONDS, registry=self._registry,
        )  # fmt: skip
        self._registry.register(_Now(spaces, meter))
        ProcessCollector(registry=self._registry)

    def observe(self, served: Served) -> None:
        """Count a request."""
        operation = served.operation or NO_OPERATION
        self._requests.labels(operation, served.status).inc()
        self._seconds.labels(operation).observe(served.seconds)
        if served.code:
            self._refusals.labels(served.code).inc()

    def turn_away(self, code: str) -> None:
        """Count a connection that was refused before it asked."""
        self._refusals.labels(code).inc()

    def text(self) -> bytes:
        """In the text format 0.0.4."""
        return generate_latest(self._registry)


class _Now(Collector):
    """What is so when it is asked for."""

    def __init__(self, spaces: Spaces, meter: Meter) -> None:
        self._spaces = spaces
        self._meter = meter

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(
            "localmem_units", "Units counted, over all spaces.", self._meter.counted
        )
        yield GaugeMetricFamily("localmem_open_libraries", "Libraries open now.", self._spaces.open)
        yield GaugeMetricFamily(
            "localmem_memories_to_embed",
            "Memories of the open libraries not yet found by meaning.",
            self._spaces.to_embed,
        )


def may_read(client: str, headers: Headers, token: str) -> bool:
    """Whether whoever asks from that address may see the numbers; `token` is "" for none."""
    if token:
        sent = headers.get("authorization", "")
        return hmac.compare_digest(sent.encode(), f"Bearer {token}".encode())
    return is_loopback(client) and not any(name in headers for name in FORWARDED)
