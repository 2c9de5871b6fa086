"""The beginning of a model's output: what of it is complete while the model still writes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic_core import from_json

from interlace.answers.prompt import SENTENCE


class PartialOutput(NamedTuple):
    """What is complete of an output.

    Args:
        sentences: the complete ones, in the model's order.
        missing: what the model says is missing; None where it has not said so yet.
    """

    sentences: tuple[Mapping[str, Any], ...] = ()
    missing: str | None = None


def read_beginning(text: str) -> PartialOutput:
    """Return what is complete of an answer, as far as a model has written it."""
    from jsonschema import Draft202012Validator

    body = text[text.find("{") : text.rfind("}") + 1]
    try:
        # After a complete sentence the null is a further element, and within one it is not: so the last element is never complete.
        output = from_json(f"{body},null", allow_partial=True, allow_inf_nan=False)
    except ValueError:
        return PartialOutput()
    sentences, missing = (output.get(name) for name in ("sentences", "missing"))
    schema = Draft202012Validator(SENTENCE)
    complete = sentences[:-1] if isinstance(sentences, list) else ()
    return PartialOutput(
        tuple(each for each in complete if schema.is_valid(each)), missing if isinstance(missing, str) else None
    )
