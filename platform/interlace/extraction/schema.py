"""The extraction schema: which types of entities and which relations a language model may name, read from a YAML file."""

import re
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from interlace.domain.errors import SettingsError
from interlace.domain.extraction import DECLARED_TYPES
from interlace.domain.ids import checksum
from interlace.domain.relations import OTHER as RELATES_TO
from interlace.domain.relations import STRUCTURAL

OTHER: Final = "Other"
DEFAULT_SCHEMA: Final = Path(__file__).parent / "default_schema.yaml"
"""The bundled schema."""
RESERVED_LABELS: Final = DECLARED_TYPES | {
    *("ApiKey", "Atom", "AuditEntry", "Chunk", "Community", "Decision", "Document", "Entity", "ExtractionRecord"),
    *("Fact", "GazetteerChange", "GeneratedText", "IngestionRecord", "Job", "Lease", "Outbox", "PendingDecision"),
    *("PendingEmbedding", "PendingExtraction", "PendingRelink", "Reference", "RetiredEntity", "Section", "Tag"),
    *("Tenant", "TokenUsage", "UndoneDecision"),
}
"""Labels that mean something other than an entity's type: queries would take the entity for one of these."""
RESERVED_RELATIONS: Final = frozenset(
    {"ABOUT", "ASSERTS", "EXTRACTED_AS", "HAS_CHUNK", "HAS_SECTION", "IN_COMMUNITY", "KNOWN_AS", "LINKS_TO", "MENTIONS"}
    | {"NEXT", "OBJECT", "PARENT", "REFERS_TO", "SUBJECT", "TAGGED", RELATES_TO}
    | STRUCTURAL
)
"""Relationship types that the graph's own structure uses, and those that documents declare by their structure: a model may not create tool routes."""
_TYPE = re.compile(r"[A-Z][A-Za-z0-9]{0,63}")
_RELATION = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_MAX_NAMES = 200  # types or relations; every prompt contains all of them


class _File(BaseModel):
    """The YAML file as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    strict: bool = True
    entities: dict[str, str] = Field(min_length=1, max_length=_MAX_NAMES)
    relations: dict[str, str] = Field(max_length=_MAX_NAMES)

    @field_validator("entities")
    @classmethod
    def _check_types(cls, types: dict[str, str]) -> dict[str, str]:
        rule = "an entity type: types are CamelCase words of at most 64 letters, and the labels of the graph's own nodes are taken"
        return _checked(types, _TYPE, RESERVED_LABELS, rule)

    @field_validator("relations")
    @classmethod
    def _check_relations(cls, relations: dict[str, str]) -> dict[str, str]:
        rule = "a relation: relations are UPPER_SNAKE, at most 64 letters, and those of the graph's own structure are taken"
        return _checked(relations, _RELATION, RESERVED_RELATIONS, rule)


def _checked(names: dict[str, str], form: re.Pattern[str], reserved: Container[str], rule: str) -> dict[str, str]:
    for name in names:
        if not form.fullmatch(name) or name in reserved:
            raise ValueError(f"{name!r} cannot be {rule}")
    return names


@dataclass(frozen=True, slots=True)
class ExtractionSchema:
    """What a language model may find.

    Args:
        strict: whether relations outside the list are dropped; types outside it become ``Other`` in either case.
        entities: type to description.
        relations: relation to description or example.
    """

    strict: bool
    entities: dict[str, str]
    relations: dict[str, str]

    @property
    def digest(self) -> str:
        """A digest of everything in it that the model is shown."""
        return checksum(orjson.dumps([self.strict, self.entities, self.relations]))

    @property
    def types(self) -> tuple[str, ...]:
        """The types that an entity may have, ``Other`` always among them."""
        return tuple(dict.fromkeys((*self.entities, OTHER)))

    def json_schema(self) -> dict[str, Any]:
        """Return the closed JSON schema of the model's output."""
        text = {"type": "string"}
        relation = {"type": "string", "enum": list(self.relations)} if self.strict and self.relations else text
        entity = _object(name=text, type={"type": "string", "enum": list(self.types)})
        fact = _object(subject=text, predicate=relation, object=text, quote=text)
        return _object(entities={"type": "array", "items": entity}, facts={"type": "array", "items": fact})


def load_schema(file: Path | None = None) -> ExtractionSchema:
    """Read an extraction schema; without a file, the bundled one.

    Raises:
        SettingsError: the file cannot be read, is not YAML, or breaks the rules; the message says which.
    """
    path = file or DEFAULT_SCHEMA
    try:
        found = _File.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The extraction schema {path} cannot be read: {error}. INTERLACE_LLM__EXTRACTION_SCHEMA names it."
        ) from error
    except yaml.YAMLError as error:
        raise SettingsError(f"The extraction schema {path} is not valid YAML: {error}.") from error
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise SettingsError(f"The extraction schema {path} cannot be used: {problems}.") from None
    return ExtractionSchema(found.strict, dict(found.entities), dict(found.relations))


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
