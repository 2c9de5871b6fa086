"""The methods by which providers return JSON, best first: a JSON schema, a tool call, JSON of any shape, or prose that is asked to be JSON."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from jsonschema import Draft202012Validator

from interlace.ports.language_model import OutputSchema

Method = Literal["schema", "tool", "json", "prompt"]
METHODS: tuple[Method, ...] = ("schema", "tool", "json", "prompt")
_SAID = 300


def parameters(method: Method, schema: OutputSchema) -> dict[str, Any]:
    """Return the request parameters that make the provider answer by this method."""
    if method == "schema":
        wanted = {"name": schema.name, "schema": dict(schema.schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": wanted}}
    if method == "tool":
        function = {"name": schema.name, "description": "Give the output.", "parameters": dict(schema.schema)}
        choice = {"type": "function", "function": {"name": schema.name}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    return {"response_format": {"type": "json_object"}} if method == "json" else {}


def instruction(method: Method, schema: OutputSchema) -> str:
    """Return what the prompt must say about the form; empty if the provider itself enforces the schema."""
    if method in {"schema", "tool"}:
        return ""
    return f"Answer with one JSON object and nothing else. It must satisfy this JSON schema:\n{json.dumps(dict(schema.schema))}"


def text_of(message: Any) -> str:
    """Return the JSON text of a provider's message: the arguments of its tool call if it has one, else its content."""
    for call in getattr(message, "tool_calls", None) or ():
        return str(call.function.arguments or "")
    return str(getattr(message, "content", None) or "")


def read(text: str, schema: OutputSchema) -> tuple[Mapping[str, Any] | None, str]:
    """Return the object in a model's text and an empty string, or None and what is wrong with the text."""
    body = text.strip()
    if body.startswith("```"):
        # Models that are only asked for JSON often fence it.
        body = body.strip("`").strip().removeprefix("json").strip()
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
        # JSON may contain a lone surrogate (`\\ud800`), which no store and no response can hold.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        return None, f"it is not valid JSON ({error})"
    problem = next(iter(Draft202012Validator(schema.schema).iter_errors(value)), None)
    if problem is not None:
        place = "/".join(str(part) for part in problem.absolute_path)
        return None, f"at {place or 'its root'}: {problem.message[:_SAID]}"
    return value, ""


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
