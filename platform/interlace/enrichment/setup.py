"""What distinguishes one extraction from another: model, prompt and schema, and the keys derived from them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from interlace.domain.ids import stable_id
from interlace.entities.evidence import STRICT
from interlace.extraction.prompt import PROMPT_VERSION, messages
from interlace.extraction.schema import ExtractionSchema
from interlace.ports.language_model import Message, OutputSchema

READING: Final = "3"
"""Bump whenever a record could give other evidence: chunks are then read again from their records, without calling the model."""
EXTRACTOR_PREFIX: Final = "llm:"
"""Prefix of ``extractor`` for facts that a language model has found."""


@dataclass(frozen=True)
class ExtractionSetup:
    """What the model is asked, and how."""

    model: str
    schema: ExtractionSchema

    @cached_property
    def key(self) -> str:
        """The key of all extractions made with this setup."""
        return stable_id("extraction-key", self.model, str(PROMPT_VERSION), self.schema.digest)

    @property
    def types(self) -> str | None:
        """The source of the evidence for types if they replace other extractors' types, as a strict schema's do."""
        return STRICT if self.schema.strict else None

    @property
    def interpretation(self) -> str:
        """How records become evidence: the source of their types and the version of the rules."""
        return (self.types or "") + READING

    @cached_property
    def interpretation_key(self) -> str:
        """The key of this reading of the records: a chunk read under another key is read again from its record, without calling the model."""
        return self.key + self.interpretation

    @property
    def extractor(self) -> str:
        """The extractor of the facts that result."""
        return f"{EXTRACTOR_PREFIX}{self.model}"

    @cached_property
    def output_schema(self) -> OutputSchema:
        """The JSON schema of the model's answer."""
        return OutputSchema("extraction", self.schema.json_schema())

    def record_id(self, tenant: str, checksum: str) -> str:
        """Return the id of the record of a text."""
        return stable_id("extraction", tenant, checksum, self.key)

    def messages(self, text: str) -> list[Message]:
        """Return the conversation about a text."""
        return messages(self.schema, text)
