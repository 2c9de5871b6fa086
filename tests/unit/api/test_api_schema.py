"""Random requests made from the API's own description: every answer must be one that it announces, and none a crash."""

from typing import Any

import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# Its stream ends when its job does.
ENDLESS = "/v1/jobs/{job_id}/events"
HOST = {"Host": "127.0.0.1"}


def test_answers_are_those_that_the_description_announces(client: TestClient, services: Any) -> None:
    services.graph.rows["documents/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    answer = services.graph.run
    services.graph.run = lambda query, /, **params: (
        [{"digest": params["digest"]}] if query.name == "jobs/bind_job" else answer(query, **params)
    )
    described: Any = schemathesis.openapi.from_asgi("/openapi.json", client.app, headers=HOST).exclude(path=ENDLESS)
    tried = 0
    for found in described.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        def try_it(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, headers=HOST)

        try_it()
        tried += 1
    assert tried > 15
