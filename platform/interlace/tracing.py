"""Traces by OpenTelemetry: spans of questions, tasks and queries. Off, and free, unless an endpoint is named.

The variables are OpenTelemetry's own: ``OTEL_EXPORTER_OTLP_ENDPOINT`` (or ``…_TRACES_ENDPOINT``) switches the export on, and the SDK reads its headers,
sampler and limits from theirs. A span is named after a query file, a stage or a task; no span holds a word of a document or of a question.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from opentelemetry import propagate, trace

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_OFF: Final[AbstractContextManager[None]] = nullcontext()
_provider: "TracerProvider | None" = None


def start_tracing(service: str) -> bool:
    """Export the spans of this process (``api`` or ``worker``) if an endpoint is named, and return whether they are exported.

    Call it after a fork, since the exporter has a thread.
    """
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if _provider is not None or disabled or not any(os.environ.get(name) for name in _ENDPOINTS):
        return _provider is not None
    # Half a second of imports, avoided where tracing is off.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": f"interlace-{service}"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    use_provider(provider)
    # FastAPI makes the spans of requests with the global provider.
    trace.set_tracer_provider(provider)
    return True


def use_provider(provider: "TracerProvider | None") -> None:
    """Make spans with a provider, or none at all."""
    global _provider  # noqa: PLW0603 - one per process, as OpenTelemetry has it
    _provider = provider


def stop_tracing() -> None:
    """Export what waits, and make no further spans."""
    if _provider is not None:
        _provider.shutdown()
    use_provider(None)


def span(name: str, attributes: Mapping[str, str] | None = None) -> AbstractContextManager[object]:
    """Return a span around some work, a child of the current one."""
    if _provider is None:
        return _OFF
    return _provider.get_tracer("interlace").start_as_current_span(name, attributes=attributes)


def note_span(name: str, seconds: float) -> None:
    """Add a span for work that has just ended and took so many seconds."""
    if _provider is not None:
        ended = time.time_ns()
        started = ended - int(seconds * 1e9)
        _provider.get_tracer("interlace").start_span(name, start_time=started).end(ended)


def trace_headers() -> dict[str, str]:
    """Return the headers that carry the current span to another process (W3C trace context)."""
    headers: dict[str, str] = {}
    if _provider is not None:
        propagate.inject(headers)
    return headers


@contextmanager
def continued_span(name: str, headers: Mapping[str, object] | None) -> Iterator[None]:
    """Open a span around some work that another process has asked for.

    Headers are as ``trace_headers`` made them, possibly among others, which are ignored.
    """
    if _provider is None:
        yield
        return
    carrier = {key: value for key, value in (headers or {}).items() if isinstance(value, str)}
    parent = propagate.extract(carrier)
    with _provider.get_tracer("interlace").start_as_current_span(name, context=parent):
        yield
