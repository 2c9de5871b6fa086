"""What makes one extraction another: model, prompt and schema, and the keys that follow from them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from interlace.domain.ids import stable_id
from interlace.entities.evidence import STRICT
from interlace.extraction.prompt import MAX_OUTPUT_TOKENS, PROMPT_VERSION, messages
from interlace.extraction.schema import ExtractionSchema
from interlace.ports.language_model import LanguageModel, Message, OutputSchema

READING: Final = "2"
"""Raise whenever a record could give other evidence: chunks are then read again from their records, without being asked about."""
EXTRACTOR_PREFIX: Final = "llm:"
"""How ``extractor`` of a fact begins that a language model has found."""


@dataclass(frozen=True)
class ExtractionSetup:
    """What is asked, and in which words.

    Args:
        model: the model's name, ``provider/model``.
        schema: which entities and relations it may name.
    """

    model: str
    schema: ExtractionSchema

    @cached_property
    def key(self) -> str:
        """Return the key of all extractions made in this way."""
        return stable_id("extraction-key", self.model, str(PROMPT_VERSION), self.schema.digest)

    @property
    def types(self) -> str | None:
        """Return the source of the evidence for types if they take the place of other extractors', as a strict schema's do."""
        return STRICT if self.schema.strict else None

    @property
    def manner(self) -> str:
        """Return how records become evidence."""
        return (self.types or "") + READING

    @cached_property
    def reading(self) -> str:
        """Return the key of what is made of records: a chunk that has it from another reading is read again, without being asked about."""
        return self.key + self.manner

    @property
    def extractor(self) -> str:
        """Return the extractor of the facts that come of it."""
        return f"{EXTRACTOR_PREFIX}{self.model}"

    @cached_property
    def output_schema(self) -> OutputSchema:
        """Return what the model's answer must look like."""
        return OutputSchema("extraction", self.schema.json_schema())

    def record_id(self, tenant: str, checksum: str) -> str:
        """Return the id of the record of a text."""
        return stable_id("extraction", tenant, checksum, self.key)

    def messages(self, text: str) -> list[Message]:
        """Return the conversation about a text."""
        return messages(self.schema, text)

    def most_tokens(self, model: LanguageModel, text: str) -> int:
        """Return the tokens that asking about a text may take: two answers of the greatest length, the first one read again for the repair."""
        return 2 * model.count_tokens(self.messages(text)) + 3 * MAX_OUTPUT_TOKENS
