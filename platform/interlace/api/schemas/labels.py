"""Tags, metadata and readers of a document as callers change them: a JSON merge patch."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, StringConstraints

from interlace.api.schemas.request_body import RequestBody
from interlace.api.schemas.uploads import Group, Metadata
from interlace.domain.reader import MAX_GROUPS
from interlace.ingestion.labelling import LabelChange

Tag = Annotated[str, StringConstraints(min_length=1, max_length=256)]


class LabelsBody(RequestBody):
    """A JSON merge patch (RFC 7396) of what may change without a new upload."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"tags": ["boats"], "metadata": {"year": 1911, "draft": None}}]}
    )

    tags: list[Tag] | None = Field(
        None, max_length=1000, description="all tags of the document from now on; null: none"
    )
    metadata: Metadata | None = Field(
        None, description="keys with their new values; null removes a key, and null for the whole removes all"
    )

    access: list[Group] | None = Field(
        None,
        max_length=MAX_GROUPS,
        description="groups of readers that may see it from now on; null or none: everybody",
    )

    def to_change(self) -> LabelChange:
        """Return the change; a field that was not sent changes nothing."""
        sent = self.model_fields_set
        values: dict[str, Any] | None = self.metadata
        return LabelChange(
            tags=(self.tags or []) if "tags" in sent else None,
            metadata=values,
            clear_metadata="metadata" in sent and values is None,
            access=(self.access or []) if "access" in sent else None,
        )
