"""The prompt for a summary or a description: evidence as for an answer, and sentences that cite it."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from interlace.answers.prompt import EVIDENCE_RULES, SENTENCE, numbered_evidence
from interlace.domain.hits import Hit
from interlace.domain.ids import stable_id
from interlace.ports.language_model import Message, OutputSchema
from interlace.summaries.subjects import SENTENCES, Kind

VERSION: Final = 1
"""Bump whenever the same evidence could give another text: everything is then written again."""
OUTPUT_TOKENS: Final = 700

_SYSTEM = f"""\
You write {{task}} from numbered pieces of evidence and from nothing else.

{EVIDENCE_RULES}- If the evidence says nothing about it, "sentences" is empty."""
_TASKS: Final = MappingProxyType(
    {
        "description": "a description that says what somebody or something is",
        "summary": "a summary of what ties some names together",
    }
)
SCHEMA = OutputSchema(
    "sentences",
    MappingProxyType(
        {
            "type": "object",
            "properties": {"sentences": {"type": "array", "items": SENTENCE}},
            "required": ["sentences"],
            "additionalProperties": False,
        }
    ),
)


def setup_key(model: str) -> str:
    """Return the key of all texts that a model writes with this prompt."""
    return stable_id("summaries-key", model, str(VERSION))


def write_prompt(kind: Kind, name: str, evidence: Sequence[Hit]) -> list[Message]:
    """Return the conversation about an entity, or about a community given by its most central names.

    Args:
        kind: summary or description.
        name: the entity, or the community's most central names.
        evidence: chunks about it, numbered from 1 in this order.
    """
    mark, blocks = numbered_evidence(name, evidence)
    system = _SYSTEM.format(task=_TASKS[kind], mark=mark, sentences=SENTENCES[kind])
    return [Message("system", system), Message("user", "\n\n".join([*blocks, f"Write about: {name}"]))]
