"""The API's description of itself: random requests made from it, its examples, and the words that it has for everything."""

import json
import os
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from interlace.client import Interlace
from interlace.cypher_files import files_root
from interlace.domain.hits import QueryRequest
from interlace.links.options import SearchOptions
from interlace.search.profile import PROFILE

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]
# Its stream ends when its job does.
ENDLESS = "/v1/jobs/{job_id}/events"
HOST = {"Host": "127.0.0.1"}
SECONDS = 60
"""For all operations together; the later ones get fewer examples on a slow machine, each at least one."""
EXAMPLES = int(os.environ.get("INTERLACE_TEST_EXAMPLES", "0"))
"""Random requests to each operation, however long they take; 0: twelve that are always the same."""


@pytest.mark.timeout(3600 if EXAMPLES else 900)
def test_answers_are_those_that_are_in_the_description(client: TestClient, services: Any) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    services.graph.answers["tenants/tenant_counts"] = [
        {"documents": 4, "chunks": 9, "entities": 2, "facts": 1, "communities": 1}
    ]
    services.graph.answers["tenants/tenant_known"] = [{"known": True}]
    answer = services.graph.run
    services.graph.run = lambda query, /, **params: (
        [{"digest": params["digest"]}] if query.name == "jobs/bind_job" else answer(query, **params)
    )
    openapi: Any = schemathesis.openapi.from_asgi("/openapi.json", client.app, headers=HOST).exclude(path=ENDLESS)
    tried, deadline = 0, time.monotonic() + SECONDS
    for found in openapi.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(
            max_examples=EXAMPLES or (12 if time.monotonic() < deadline else 2),
            deadline=None,
            derandomize=not EXAMPLES,
            suppress_health_check=list(HealthCheck),
        )
        def try_it(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, headers=HOST)

        try_it()
        tried += 1
    assert tried > 20


@pytest.fixture
def openapi(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def operations(openapi: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def bodies(openapi: dict[str, Any]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for method, path, operation in operations(openapi):
        for kind, body in operation.get("requestBody", {}).get("content", {}).items():
            yield method, path, kind, body


def test_every_body_has_an_example_that_is_accepted(client: TestClient, openapi: dict[str, Any]) -> None:
    """It is what "Try it out" on /docs sends; of a form, everything but the files that people choose."""
    tried = 0
    # The first key closes the server to all who have none, so it is created last.
    for method, path, kind, body in sorted(bodies(openapi), key=lambda each: each[1] == "/v1/keys"):
        sent: dict[str, Any] = {"json": body.get("example")}
        if kind == "multipart/form-data":
            fields = body["schema"]["properties"].items()
            sent = {"data": {name: field["example"] for name, field in fields if name != "files"}}
            sent["files"] = {"files": ("a.md", b"# A", "text/markdown")}
        assert sent.get("json", sent.get("data")), path
        answer = client.request(method, re.sub(r"\{\w+\}", "d1", path), **sent)
        assert answer.status_code in {200, 201, 202, 404}, (path, answer.text)
        tried += 1
    assert tried >= 12


def test_there_is_one_model_of_problems(openapi: dict[str, Any]) -> None:
    for _, path, operation in operations(openapi):
        for status, answer in operation["responses"].items():
            problem = answer.get("content", {}).get("application/problem+json")
            assert problem in (None, {"schema": {"$ref": "#/components/schemas/Problem"}}), (path, status)
    assert "trace_id" in openapi["components"]["schemas"]["Problem"]["properties"]
    assert "HTTPValidationError" not in openapi["components"]["schemas"]


def mute(part: Any, place: str) -> Iterator[str]:
    """Yield the properties without a description in a part of the description, wherever they stand."""
    if isinstance(part, dict):
        found = part.get("properties")
        for name, value in found.items() if isinstance(found, dict) else ():
            if not value.get("description"):
                yield f"{place}.{name}"
    for name, value in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        yield from mute(value, f"{place}/{name}")


def test_properties_and_parameters_have_words(openapi: dict[str, Any]) -> None:
    assert list(mute(openapi, "")) == []
    parameters = [
        f"{method} {path} {parameter['name']}"
        for method, path, operation in operations(openapi)
        for parameter in operation.get("parameters", ())
        if not parameter.get("description")
    ]
    assert parameters == []
    assert "Args:" not in str(openapi)


def test_built_in_numbers_of_packing_and_atoms_are_those_of_the_profile(openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    packing, atoms = schemas["PackingBody"]["properties"], schemas["AtomSearchBody"]["properties"]
    assert packing["diversity"]["description"].endswith(f"empty: {PROFILE.packing.diversity:g}")
    assert packing["candidates"]["description"].endswith(f"empty: {PROFILE.packing.candidates}")
    assert atoms["rerank_alpha"]["description"].endswith(f"empty: {PROFILE.atoms.lexical_share:g}")


def test_patterns_are_those_of_every_dialect(openapi: dict[str, Any]) -> None:
    patterns = set(re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps(openapi)))
    assert patterns
    # What ECMA 262, which JSON Schema refers to, does not know.
    assert [each for each in patterns if re.search(r"\\\\[AzZ]|\(\?[P<#aimsx>(]|[*+?}]\+", each)] == []


def test_every_mode_says_what_auto_does(openapi: dict[str, Any]) -> None:
    modes = {
        name: schema["properties"]["mode"]["description"]
        for name, schema in openapi["components"]["schemas"].items()
        if name.endswith("Body") and "mode" in schema["properties"]
    }
    assert modes.keys() == {"AnswerBody", "QueryBody", "SearchOptionsBody"}
    said = [*modes.values(), str(QueryRequest.__doc__), str(SearchOptions.__doc__), str(Interlace.ask.__doc__)]
    said += [(files_root() / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in ("link-graph", "query-api")]
    for text in said:
        assert re.search(r"`auto`\W+(asks )?all legs at once, or the graph first where", " ".join(text.split())), text


def test_a_source_has_one_word_in_and_out(client: TestClient, services: Any, openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    assert [name for name, schema in schemas.items() if "uri" in schema.get("properties", {})] == []
    for word in ("source_uri", "uri"):  # the shorter one is what earlier callers send
        body = {"documents": [{word: "a.md", "text": "x"}]}
        assert client.post("/v1/documents", json=body).status_code == 202
    assert [found[0].uri for _, found, _ in services.receiver.calls] == ["a.md", "a.md"]


def test_a_refused_method_learns_of_all_others(client: TestClient) -> None:
    answer = client.post("/v1/documents/d1")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "DELETE, GET, PATCH, PUT"
