"""Numbers that JSON does not have, in every field of every request that the API describes: refused by name, never a crash."""

import base64
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from interlace.api.numbers import places_of_non_finite

LITERALS = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999")
MARK = "the number goes here"
DEEPEST = 7
Fields = Iterator[tuple[str, Any, dict[str, Any]]]


def fields(schema: dict[str, Any], known: dict[str, Any], name: str = "", depth: int = 0) -> Fields:
    """Yield every field below a schema: its name as callers write it, a value that holds MARK there, and its own schema."""
    if depth > DEEPEST:
        return
    if "$ref" in schema:
        schema = known[schema["$ref"].rsplit("/", 1)[-1]]
    for other in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from fields(other, known, name, depth)
    if not {"anyOf", "oneOf", "properties"} & schema.keys():
        yield name, MARK, schema
    for key, below in schema.get("properties", {}).items():
        for found, value, leaf in fields(below, known, f"{name}.{key}" if name else key, depth + 1):
            yield found, {key: value}, leaf
    for found, value, leaf in fields(schema["items"], known, f"{name}[0]", depth + 1) if "items" in schema else ():
        yield found, [value], leaf
    extra = schema.get("additionalProperties")
    if extra:
        for found, value, leaf in fields(extra if isinstance(extra, dict) else {}, known, f"{name}.x", depth + 1):
            yield found, {"x": value}, leaf


def request_fields(client: TestClient) -> tuple[dict[str, Any], list[tuple[str, str, dict[str, Any]]]]:
    """Return the named schemas, and method, path and description of every operation."""
    description = client.get("/openapi.json").json()
    operations = [
        (method.upper(), path.replace("{document_id}", "d"), operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    return description["components"]["schemas"], operations


def body_fields(client: TestClient) -> list[tuple[str, str, str, Any, dict[str, Any]]]:
    known, operations = request_fields(client)
    return [
        (method, path, *found)
        for method, path, operation in operations
        if "application/json" in operation.get("requestBody", {}).get("content", {})
        for found in fields(operation["requestBody"]["content"]["application/json"]["schema"], known)
    ]


def refused(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.text
    body = answer.json()
    assert body["type"] == "/problems/invalid-input"
    return [item["field"] for item in body["errors"]]


@pytest.mark.parametrize("literal", LITERALS)
def test_no_field_of_a_body_takes_what_is_no_number(client: TestClient, literal: str) -> None:
    everything = body_fields(client)
    assert {path for _, path, *_ in everything} >= {"/v1/query", "/v1/documents", "/v1/pack", "/v1/atoms/search"}
    assert len(everything) > 40
    for method, path, name, value, _ in everything:
        content = json.dumps(value).replace(json.dumps(MARK), literal)
        answer = client.request(method, path, content=content, headers={"Content-Type": "application/json"})
        named = [field for field in refused(answer) if field == name or (field != "body" and name.startswith(field))]
        assert named, (method, path, name, answer.text)


@pytest.mark.parametrize("literal", LITERALS)
def test_neither_does_a_body_that_is_no_object_nor_an_unknown_field(client: TestClient, literal: str) -> None:
    for path in ("/v1/query", "/v1/documents", "/v1/pack"):
        for content, name in ((literal, "body"), (f'{{"what": {literal}}}', "what")):
            answer = client.post(path, content=content, headers={"Content-Type": "application/json"})
            assert any(name in (field, "body") for field in refused(answer)), (path, content)
    form = {"files": ("a.md", b"text")}
    answer = client.post("/v1/documents", files=form, data={"metadata": f'{{"a": [1, {literal}]}}'})
    assert refused(answer) == ["metadata.a[1]"]


def test_floats_out_of_their_range_are_refused_by_name(client: TestClient) -> None:
    floats = [found for found in body_fields(client) if found[4].get("type") == "number" and "value" not in found[2]]
    assert {name for _, _, name, *_ in floats} >= {
        "items[0].score",
        "diversity",
        "pack.diversity",
        "pack.category_weights.x",
        "epistemic_weights.x",
    }
    for method, path, name, value, leaf in floats:
        assert {"minimum", "exclusiveMinimum"} & leaf.keys(), name
        assert {"maximum", "exclusiveMaximum"} & leaf.keys(), name
        for number in ("-1e-300", "1e308"):
            content = json.dumps(value).replace(json.dumps(MARK), number)
            answer = client.request(method, path, content=content, headers={"Content-Type": "application/json"})
            assert name in refused(answer), (path, name, number)


def test_no_number_in_an_address_may_be_none(client: TestClient) -> None:
    _, operations = request_fields(client)
    tried = 0
    for method, path, operation in operations:
        for parameter in operation.get("parameters", ()):
            kinds = {
                parameter["schema"].get("type"),
                *(each.get("type") for each in parameter["schema"].get("anyOf", ())),
            }
            if parameter["in"] != "query" or not {"integer", "number"} & kinds:
                continue
            for literal in ("nan", "inf", "-inf", "1e999"):
                answer = client.request(method, path, params={parameter["name"]: literal})
                assert parameter["name"] in refused(answer), (path, parameter["name"], literal)
                tried += 1
    assert tried >= 16


@pytest.mark.parametrize("number", ["1e999", "-1e999"])
def test_neither_may_one_inside_a_filter_or_a_cursor(client: TestClient, number: str) -> None:
    answer = client.get("/v1/documents", params={"filter": f"metadata.year < {number}"})
    assert answer.status_code == 422
    assert "metadata.year" in answer.json()["detail"]
    for literal in (number, "NaN", "Infinity"):
        cursor = base64.urlsafe_b64encode(f'[{literal}, "id"]'.encode()).decode()
        answer = client.get("/v1/entities/e/facts", params={"cursor": cursor})
        assert answer.status_code == 422
        assert answer.json()["detail"].startswith("cursor: ")


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
        max_leaves=15,
    )
)
def test_places_are_those_of_the_numbers_that_are_none(value: Any) -> None:
    found = places_of_non_finite(json.dumps(value).encode())
    assert len(found) == min(20, count(value))
    for place in found:
        inner = value
        for step in place:
            inner = inner[step]
        assert not math.isfinite(inner)


def count(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    if isinstance(value, list):
        return sum(map(count, value))
    return isinstance(value, float) and not math.isfinite(value)


def test_a_text_that_is_broken_otherwise_has_no_such_place() -> None:
    assert places_of_non_finite(b'{"a": NaN') == []
    assert places_of_non_finite(b"[" * 100_000) == []
    assert places_of_non_finite(b"\xff") == []
