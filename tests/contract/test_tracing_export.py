"""Spans reach a collector that speaks OTLP over HTTP, with the service's name; a collector that is away disturbs nothing."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tests.support.ports import free_port

PROGRAM = """
from interlace import tracing
assert tracing.start_tracing("worker")
with tracing.continued_span("ingest.batch.v1", None), tracing.span("chunks/write", {"db.system.name": "neo4j"}):
    tracing.note_span("parse", 0.5)
tracing.stop_tracing()
print("done")
"""


@contextmanager
def collector() -> Iterator[tuple[int, list[bytes]]]:
    """Listen for one export; give the port and what came."""
    received: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port, received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def run(port: int, seconds: int = 1) -> subprocess.CompletedProcess[str]:
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_EXPORTER_OTLP_TIMEOUT": str(seconds)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=False,
        env={**os.environ, **named},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_spans_are_exported_with_the_name_of_the_service() -> None:
    with collector() as (port, received):
        assert run(port, seconds=60).stdout == "done\n"
    request = ExportTraceServiceRequest.FromString(b"".join(received))
    resource = request.resource_spans[0]
    service = {each.key: each.value.string_value for each in resource.resource.attributes}["service.name"]
    names = {span.name for scope in resource.scope_spans for span in scope.spans}
    assert (service, names) == ("interlace-worker", {"ingest.batch.v1", "chunks/write", "parse"})


def test_a_collector_that_is_away_disturbs_nothing() -> None:
    ended = run(free_port())
    assert (ended.returncode, ended.stdout) == (0, "done\n")
