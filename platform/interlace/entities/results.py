"""What looking up entities returns; the API serialises these classes."""

from collections.abc import Mapping
from dataclasses import dataclass

from interlace.domain.generated_text import GeneratedText
from interlace.entities.descriptions import EntityDescription
from interlace.entities.matching import SignalName, SignalPart, Via


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of the graph.

    Args:
        id: the entity.
        name: its most frequent spelling.
        type: a type of the ontology.
        aliases: its other spellings.
        confidence: share of the evidence that agrees with the type, 0 to 1.
        mentions: number of ``MENTIONS`` relationships; a chunk with several ``via`` for it counts several times.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    confidence: float
    mentions: int


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """An entity that matches a name.

    Args:
        entity: the entity.
        confidence: that it is the one asked for, 0 to 1; 1 where the name is its own.
        via: ``exact`` name, known ``alias``, all ``words`` of the name, ``fuzzy`` similarity, or ``meaning`` alone.
        signals: the value of each signal, and what it adds to the confidence: ``name`` (exact or alias), ``fuzzy``, ``tokens``, and
            ``vector`` where embeddings took part.
    """

    entity: Entity
    confidence: float
    via: Via
    signals: Mapping[SignalName, SignalPart]


@dataclass(frozen=True, slots=True)
class EntitySearch:
    """The entities that a name may mean.

    Args:
        matches: best first; ties are broken by more mentions, then by id.
        model: the embedding model that compared the names; none without embeddings.
        degraded: signals that failed: ``vector`` when the model cannot be loaded.
        effort: the cost of the search, Λ under ``lambda``.
    """

    matches: tuple[EntityMatch, ...]
    model: str | None
    degraded: tuple[str, ...]
    effort: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class AboutDocument:
    """A document whose title or typed reference names an entity."""

    id: str
    title: str
    source_uri: str


@dataclass(frozen=True, slots=True)
class Membership:
    """A community that an entity belongs to."""

    id: str
    level: int
    title: str | None


@dataclass(frozen=True, slots=True)
class EntityDetail:
    """An entity with what is connected to it.

    Args:
        entity: the entity.
        chunks: chunks that mention it (for a hub, only those of its first mentions).
        documents: documents that mention it, counted likewise.
        facts: facts that name it.
        about: the first twenty documents about it.
        communities: communities it belongs to, lowest level first.
        description: the sentence of the documents that best says what it is; null where none names it.
        generated: a language model's description; null where none writes one, or a document that it was based on has changed.
    """

    entity: Entity
    chunks: int
    documents: int
    facts: int
    about: tuple[AboutDocument, ...]
    communities: tuple[Membership, ...]
    description: EntityDescription | None = None
    generated: GeneratedText | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities.

    Args:
        predicate: ``UPPER_SNAKE`` verb phrase.
        direction: ``out`` or ``in``, as seen from the entity that it was followed from.
        weight: number of its facts.
        documents: number of documents that state them.
        confidence: that of its most confident fact, 0 to 1.
        sentence: the sentence of that fact; empty where structure states the relation without one.
        sources: the first documents that state it, most confident first.
    """

    predicate: str
    direction: str
    weight: int
    documents: int
    confidence: float
    sentence: str = ""
    sources: tuple[AboutDocument, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityNeighbor:
    """An entity related to another.

    Args:
        id: the entity.
        name: its name.
        type: its type.
        weight: number of facts of all relations by which it was reached.
        relations: the strongest of them, seen from ``via``.
        hops: its distance, from 1.
        via: id of the entity from which it was reached: the one asked for, or a nearer neighbour.
        via_name: the name of that entity.
    """

    id: str
    name: str
    type: str
    weight: int
    relations: tuple[Relation, ...]
    hops: int
    via: str
    via_name: str


@dataclass(frozen=True, slots=True)
class EntityPath:
    """A path from one entity to another over relations.

    Args:
        ids: the entities on it, both ends included.
        names: their names.
        relations: the strongest relation between each and the next; one fewer than entities.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A statement, the sentence that makes it, and its place.

    Args:
        id: the fact.
        predicate: ``UPPER_SNAKE`` verb phrase.
        subject_id: the entity it is about.
        subject: that entity as the sentence calls it.
        object_id: the other entity, if the graph knows it.
        object: the other side as the sentence calls it.
        sentence: the sentence.
        start: offset of the sentence in its chunk.
        end: offset after the sentence.
        confidence: 0 to 1.
        extractor: what found it.
        chunk_id: the chunk.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
    """

    id: str
    predicate: str
    subject_id: str
    subject: str
    object_id: str | None
    object: str | None
    sentence: str
    start: int
    end: int
    confidence: float
    extractor: str
    chunk_id: str
    document_id: str
    title: str
    source_uri: str
