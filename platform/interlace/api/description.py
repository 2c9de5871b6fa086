"""What the description of the API says beyond what the framework sees: keys, examples, one model of problems, words for properties."""

import re
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from interlace.api.problems import MEDIA_TYPE, Problem
from interlace.api.schemas.uploads import BatchBody

_SCHEMA = "#/components/schemas/{model}"
# Of the docstrings of data classes: "        name: what it is." with deeper lines that go on.
_ARGUMENT = re.compile(r"^ {0,8}(\w+): (.*(?:\n {8,}\S.*)*)", re.MULTILINE)
# What properties mean whose classes say no more of them: each word means the same wherever it stands.
_WORDS = {
    "change": "what ingestion would do: `added` or `changed`",
    "checks": "each server by name",
    "children": "the communities within it",
    "chunk_id": "the chunk",
    "chunks": "number of chunks",
    "communities": "number of communities",
    "community": "the community itself",
    "contribution": "what this rank added to the fused score: weight / (k + rank)",
    "created_at": "when it was created",
    "detail": "what happened, as a sentence",
    "direction": "seen from the document or entity asked about",
    "data": "what has happened, as JSON",
    "document": "the document asked about",
    "document_id": "the document",
    "document_title": "title of the document",
    "documents": "number of documents",
    "entities": "number of entities",
    "entity_id": "the entity",
    "entity_name": "its name",
    "event": "what kind of event it is",
    "expires_at": "when it expires; never if empty",
    "facts": "number of facts",
    "groups": "groups of readers that its holder belongs to",
    "heading": "the section's heading",
    "hops": "how many links away at most",
    "id": "identifies it within the tenant",
    "keywords": "keywords that it declares",
    "latency_ms": "round-trip time in milliseconds",
    "leg": "the leg: one of the searches that run in parallel",
    "level": "depth, from 0 or 1 for the smallest",
    "limit": "how many were asked for",
    "max_distance": "how many links away at most",
    "media_type": "media type of the source",
    "members": "its entities, most central first",
    "mentions": "number of its mentions",
    "message": "the failure as a sentence, with its remedy",
    "method": "the HTTP method",
    "must": "all of these hold",
    "must_not": "none of these holds",
    "name": "its name",
    "ok": "whether it answers",
    "parents": "the communities that it is part of",
    "path": "headings above it, joined by `>`",
    "predicate": "`UPPER_SNAKE` verb phrase",
    "query": "what was asked",
    "rank": "rank, from 1",
    "rate": "requests a minute; the server's own limit if empty",
    "reason": "a stable code for the failure",
    "relations": "relations between the two, one a predicate",
    "remedy": "what to do about it",
    "required": "whether questions need it",
    "retry": "milliseconds until a lost connection should be opened again",
    "revoked_at": "when it was revoked; empty while it is valid",
    "scopes": "what it may do there",
    "search_options": "how it was searched",
    "score": "relevance; comparable within one list",
    "section": "headings above it, joined by `>`",
    "sentence": "the sentence that says so",
    "should": "at least one of these holds, if there is any",
    "size": "number of members",
    "source_uri": "where the document came from",
    "stage": "the last stage that it passed",
    "status": "state in one word, or the HTTP status of a problem",
    "tags": "tags of the document",
    "tenants": "tenants that it has access to; `*` for all",
    "text": "the text",
    "title": "its title",
    "tools": "tools that it declares",
    "type": "its type",
    "weight": "how much it counts",
    "aliases": "its other names",
    "after": "where the next page begins; empty at the end",
    "author": "who decided",
    "candidates": "pairs of entities, best first",
    "decision": "what was decided",
    "form": "a normalised form",
    "forms": "normalised forms that it is about",
    "kind": "kind of the decision or author",
    "meaning": "what the form of a split means",
    "note": "why",
    "one": "one entity",
    "other": "the other entity",
    "seen": "the evidence that the author saw",
    "sentences": "sentences that name it",
    "signals": "evidence for and against, each 0 to 1",
    "undo_note": "why it was undone",
    "undone_at": "when it was undone; empty while it stands",
    "undone_by": "who undid it",
}
_IDS = {
    "chunk_id": "the chunk's id, as in hits",
    "code": "the last part of a problem's `type`",
    "community_id": "the community's id",
    "decision_id": "the decision's id",
    "document_id": "the document's id, as in hits and lists",
    "entity_id": "the entity's id, as found by a search for its name",
    "job_id": "the job's id, as returned by the request that started it",
    "key_id": "the key's id, which is not secret",
}
"""What the parameters of paths are."""
_PROBLEM = {"schema": {"$ref": _SCHEMA.format(model="Problem")}}


def describe(app: FastAPI) -> None:
    """Have the application describe itself in full; it does so once."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            described = generate()
            schemas = described["components"]["schemas"]
            for model in (BatchBody, Problem):
                body = model.model_json_schema(ref_template=_SCHEMA)
                schemas |= {**body.pop("$defs", {}), model.__name__: body}
            described["components"]["securitySchemes"] = {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            }
            described["security"] = [{}, {"bearer": []}, {"key": []}]
            for schema in schemas.values():
                _describe_properties(schema)
            for operation in _operations(described):
                _name_problems(operation)
                _describe_parts(operation)
                _give_example(operation, schemas)
        return app.openapi_schema or {}

    app.openapi = openapi  # type: ignore[method-assign]


def _operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in described["paths"].values():
        yield from path.values()


def _name_problems(operation: dict[str, Any]) -> None:
    """Refer to the one model of problems, so that generated clients have one."""
    for response in operation["responses"].values():
        if MEDIA_TYPE in response.get("content", {}):
            response["content"][MEDIA_TYPE] = _PROBLEM
    # 422 with the framework's own model is never sent.
    operation["responses"].pop("422", None)


def _describe_parts(operation: dict[str, Any]) -> None:
    """Give words to the ids in a path and to the parts of an event."""
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in _IDS:
            parameter.setdefault("description", _IDS[parameter["name"]])
    for response in operation["responses"].values():
        _describe_properties(response.get("content", {}).get("text/event-stream", {}).get("itemSchema", {}))


def _give_example(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Repeat the model's example beside its reference: without one, /docs invents a body that is refused."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is None:
        return
    model = body["schema"].get("$ref", "").rpartition("/")[2]
    examples = schemas.get(model, {}).get("examples")
    if examples:
        body["example"] = examples[0]


def _describe_properties(schema: dict[str, Any]) -> None:
    """Give properties the words that the docstring of their data class has for them."""
    head, found, arguments = schema.get("description", "").partition("Args:\n")
    own = dict(_ARGUMENT.findall(arguments))
    if found:
        schema["description"] = head.strip()
    for name, described in schema.get("properties", {}).items():
        words = own.get(name) or _WORDS.get(name)
        if words and "description" not in described:
            described["description"] = " ".join(words.split())
