"""Entities as points of the vector index: one vector for each embedding model, of the name, the type and the sentence that best describes it.

A point records what its text was made of: name, type, and the chunk that holds the sentence. So its validity is checked without a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from interlace.domain.ids import checksum
from interlace.entities.descriptions import CANDIDATES, MAX_DESCRIPTION_CHARACTERS, describe
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.ports.vectors import VectorIndex
from interlace.queries.descriptions import (
    DescribedByRow,
    EntitySentencesRow,
    EntityTextsRow,
    described_by,
    entity_texts,
)

KIND: Final = "entities"
_UNKNOWN = "Other"


@dataclass(frozen=True, slots=True)
class EntityText:
    """The text of an entity that models embed.

    Args:
        id: the entity.
        name: its name.
        type: its type.
        sentence: the sentence that best describes it; empty where none does.
        chunk: id of the chunk that holds the sentence; empty with it.
    """

    id: str
    name: str
    type: str
    sentence: str = ""
    chunk: str = ""

    @property
    def text(self) -> str:
        """The text that models embed."""
        title = self.name if self.type == _UNKNOWN else f"{self.name} ({self.type})"
        return f"{title}\n{self.sentence}" if self.sentence else title

    def payload(self, tenant: str, models: Sequence[str]) -> dict[str, Any]:
        """Return what the text was made of, and a digest of it and the models, which shows whether a point is stale."""
        return {
            "tenant": tenant,
            "name": self.name,
            "type": self.type,
            "chunk": self.chunk,
            "text": checksum("\n".join((self.text, *models))),
        }


def read_texts(graph: GraphDatabase, tenant: str, ids: Sequence[str]) -> list[EntityText]:
    """Return the texts of the given entities that the graph holds."""
    rows = entity_texts(graph, tenant=tenant, ids=ids, max_characters=MAX_DESCRIPTION_CHARACTERS, limit=CANDIDATES)
    return [_text(row) for row in rows]


def _text(row: EntityTextsRow) -> EntityText:
    sentences = [
        EntitySentencesRow(each.text, each.opening, each.confidence, each.chunk_id, "", "", "")
        for each in row.sentences
    ]
    found = describe([row.name, *(row.aliases or ())], sentences)
    return EntityText(row.id, row.name, row.type, *((found.text, found.chunk_id) if found else ()))


def drop_stale(graph: GraphDatabase, vectors: VectorIndex, tenant: str, ids: Sequence[str]) -> None:
    """Delete the given points that contradict the graph: their entity was deleted or renamed, or their sentence is gone.

    No model runs. A point that is kept may still be out of date: there may be a better sentence now.
    """
    stored = {point.id: point.payload for point in vectors.retrieve(tenant, KIND, ids, ())}
    if stale := stale_points(graph, tenant, stored):
        vectors.delete(tenant, KIND, stale)


def stale_points(runner: QueryRunner, tenant: str, stored: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the ids of the given points (id to payload) that contradict the graph, sorted."""
    if not stored:
        return []
    rows = [{"id": node, "chunk": payload.get("chunk", "")} for node, payload in stored.items()]
    found = {row.id: row for row in described_by(runner, tenant=tenant, rows=rows)}
    return sorted(node for node, payload in stored.items() if not _holds(payload, found.get(node)))


def _holds(payload: Mapping[str, Any], row: DescribedByRow | None) -> bool:
    return row is not None and row.described and (row.name, row.type) == (payload.get("name"), payload.get("type"))
