"""The registry as people and programs look things up in it: entities by name, their neighbours and their facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from interlace.cypher_files import query
from interlace.domain.effort import Work, effort_report
from interlace.domain.errors import InterlaceError, NotFoundError
from interlace.entities.matching import Likeness, SignalName, SignalPart, Via, assess
from interlace.entities.normalization import MAX_KEY_TOKENS, clean_name, normalize_name
from interlace.ports.graph import GraphDatabase, Row
from interlace.text.tokenizer import tokens

if TYPE_CHECKING:
    from interlace.entities.name_vectors import NameVectors

MOST_COMPARED = 20
"""Names that one search compares by their embeddings; each that is not kept costs one inference."""
_SEARCH = query("entities/entity_search")
_NAMED = query("entities/entity_named")
_DETAIL = query("entities/entity_detail")
_NEIGHBORS = query("entities/entity_neighbors")
_FACTS = query("entities/entity_facts")

Direction = Literal["out", "in", "both"]
# Mentions that are looked at when the documents of an entity are counted: a hub must not make its own page slow.
_COUNTED_MENTIONS = 20_000
# The full-text index ranks by its own scores; ours need a few more candidates than are wanted.
_OVERFETCH = 5
_FEWEST = 50
_FUZZY_FROM = 4
# Each becomes up to fifty words of the index in each of two fields, and Lucene refuses searches of more than 1,024.
_MOST_FUZZY = 8
# Within quotes Lucene's query language gives a meaning to these two only.
_NO_PHRASE = str.maketrans({'"': " ", "\\": " "})


@dataclass(frozen=True, slots=True)
class Entity:
    """A name of the graph.

    Args:
        id: the entity.
        name: its most frequent spelling.
        type: a type of the ontology.
        aliases: its other spellings.
        confidence: share of the evidence that agrees with the type, 0 to 1.
        mentions: ties to chunks; a chunk that names it in several ways counts several times.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    confidence: float
    mentions: int


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """An entity that answers to a name.

    Args:
        entity: the entity.
        confidence: that it is the one asked for, 0 to 1; 1 where the name is its own.
        via: ``exact`` name, known ``alias``, all ``words`` of the name, or ``fuzzy`` likeness.
        signals: what each signal says, and what it adds to the confidence: ``name`` (exact or alias), ``fuzzy``, ``tokens``, and
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
        matches: best first; among equals those of more mentions, then by id.
        model: the embedding model that compared the names; none without embeddings.
        degraded: signals that failed: ``vector`` when the model cannot be loaded.
        effort: the work that it took, Λ under ``lambda``.
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
    """An entity with what it is tied to.

    Args:
        entity: the entity.
        chunks: chunks that mention it (of a hub, those of its first mentions only).
        documents: documents that mention it, counted likewise.
        facts: facts that name it.
        about: the first twenty documents about it.
        communities: communities it belongs to, lowest level first.
    """

    entity: Entity
    chunks: int
    documents: int
    facts: int
    about: tuple[AboutDocument, ...]
    communities: tuple[Membership, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities: its predicate, ``out`` or ``in``, and the facts and documents beneath it."""

    predicate: str
    direction: str
    weight: float
    documents: int


@dataclass(frozen=True, slots=True)
class Neighbor:
    """An entity that relations tie to another; ``weight`` is the sum of theirs."""

    id: str
    name: str
    type: str
    weight: float
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A statement, the sentence that makes it, and where that stands.

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


class EntityRepository:
    """Reads entities; holds nothing itself.

    Args:
        graph: the graph.
        vectors: compares names by embeddings; without it the other signals decide.
    """

    def __init__(self, graph: GraphDatabase, vectors: "NameVectors | None" = None) -> None:
        self._graph = graph
        self._vectors = vectors

    def search(
        self, tenant: str, name: str, *, types: Sequence[str] = (), limit: int = 10, min_confidence: float = 0.0
    ) -> EntitySearch:
        """Return the entities that a name may mean.

        Candidates come from the index of keys and the full-text index of names and aliases, a few times as many as are wanted. The likest
        twenty are also compared by embeddings.

        Args:
            tenant: whose.
            name: a name, also misspelt, in part, or with its words in another order.
            types: only entities of these types; empty for all.
            limit: entities wanted.
            min_confidence: only matches at least as sure, 0 to 1.
        """
        key = normalize_name(name)
        rows = self._candidates(tenant, name, key, types, limit)
        compared = sorted(rows, key=lambda row: (-_likeness(row, key).confidence, row["id"]))[:MOST_COMPARED]
        cosines, degraded = self._compare(name, compared)
        matches = [_match(row, key, cosines) for row in rows]
        matches.sort(key=lambda match: (-match.confidence, -match.entity.mentions, match.entity.id))
        legs = (2 if key else 0) + bool(cosines)
        return EntitySearch(
            matches=tuple(match for match in matches if match.confidence >= min_confidence)[:limit],
            model=self._vectors.model if self._vectors and cosines else None,
            degraded=degraded,
            effort=effort_report(Work(legs=legs, candidates=len(rows) + len(cosines))),
        )

    def _candidates(self, tenant: str, name: str, key: str, types: Sequence[str], limit: int) -> list[Row]:
        """Return a few more entities than are wanted, each once."""
        if not key:
            return []
        most = max(limit * _OVERFETCH, _FEWEST)
        search = _lucene(tenant, name)
        rows = self._graph.run(_NAMED, tenant=tenant, key=key, types=list(types), limit=limit)
        rows = rows + self._graph.run(_SEARCH, tenant=tenant, search=search, types=list(types), limit=most)
        return list({row["id"]: row for row in rows}.values())

    def _compare(self, name: str, rows: Sequence[Row]) -> tuple[dict[str, float], tuple[str, ...]]:
        """Return the cosines of some entities' names with the one asked for, by id, and what failed."""
        if self._vectors is None:
            return {}, ()
        try:
            cosines = self._vectors.cosines(clean_name(name), [row["name"] for row in rows])
        except InterlaceError:
            return {}, ("vector",)
        return {row["id"]: cosine for row, cosine in zip(rows, cosines, strict=False)}, ()

    def get(self, tenant: str, entity_id: str) -> EntityDetail:
        """Return one entity.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        rows = self._graph.run(_DETAIL, tenant=tenant, id=entity_id, counted=_COUNTED_MENTIONS)
        if not rows:
            raise NotFoundError(
                f"There is no entity {entity_id}; `interlace entities search NAME` finds entities by name."
            )
        row = rows[0]
        return EntityDetail(
            entity=_entity(row),
            chunks=row["chunks"],
            documents=row["documents"],
            facts=row["facts"],
            about=tuple(AboutDocument(**item) for item in row["about"]),
            communities=tuple(Membership(**item) for item in row["communities"]),
        )

    def neighbors(
        self, tenant: str, entity_id: str, *, direction: Direction = "both", limit: int = 25
    ) -> list[Neighbor]:
        """Return the entities that relations tie to this one, the strongest first.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        rows = self._graph.run(_NEIGHBORS, tenant=tenant, id=entity_id, direction=direction, limit=limit)
        if not rows:
            self.get(tenant, entity_id)
        return [
            Neighbor(
                id=row["id"],
                name=row["name"],
                type=row["type"],
                weight=row["weight"],
                relations=tuple(Relation(**relation) for relation in row["relations"]),
            )
            for row in rows
        ]

    def facts(
        self, tenant: str, entity_id: str, *, limit: int = 25, after: tuple[float, str] | None = None
    ) -> list[StatedFact]:
        """Return the facts that name this entity, the surest first.

        Args:
            tenant: whose.
            entity_id: the entity.
            limit: facts wanted.
            after: confidence and id of the last fact of the page before.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        confidence, last = after or (None, None)
        rows = self._graph.run(_FACTS, tenant=tenant, id=entity_id, confidence=confidence, after=last, limit=limit)
        if not rows:
            self.get(tenant, entity_id)
        return [StatedFact(**row) for row in rows]


def _entity(row: Row) -> Entity:
    return Entity(
        id=row["id"],
        name=row["name"],
        type=row["type"],
        aliases=tuple(row["aliases"] or ()),
        confidence=row["confidence"],
        mentions=row["mentions"],
    )


def _likeness(row: Row, key: str, cosines: Mapping[str, float] | None = None) -> Likeness:
    spellings = [normalize_name(spelling) for spelling in (row["aliases"] or ())]
    return assess(
        key,
        normalize_name(row["name"]),
        [*(row["keys"] or ()), *spellings],
        cosine=cosines.get(row["id"]) if cosines else None,
        vectors=bool(cosines),
    )


def _match(row: Row, key: str, cosines: Mapping[str, float]) -> EntityMatch:
    found = _likeness(row, key, cosines)
    return EntityMatch(_entity(row), found.confidence, found.via, found.signals)


def _lucene(tenant: str, name: str) -> str:
    """Return the full-text search of a name: the whole phrase first, then its words, long ones also misspelt."""
    phrase = clean_name(name).translate(_NO_PHRASE)
    words = list(dict.fromkeys(token.form for token in tokens(phrase)))[:MAX_KEY_TOKENS]
    inexact = set(sorted((word for word in words if len(word) >= _FUZZY_FROM), key=len, reverse=True)[:_MOST_FUZZY])
    parts = [f'"{phrase}"^8']
    for word in words:
        parts.append(f'"{word}"^2')  # quoted: a bare AND, OR or NOT would be an operator
        if word in inexact:
            parts.append(f"{word}~1")
    wanted = " ".join(parts)
    # By field: the index also holds the tenant, whose name must be no word of every entity.
    return f'+tenant:"{tenant}" +(name:({wanted}) aliases:({wanted}))'
