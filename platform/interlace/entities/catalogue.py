"""The registry as people and programs look things up in it: entities by name, their neighbours and their facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from interlace.cypher_files import query
from interlace.domain.errors import NotFoundError
from interlace.entities.names import clean_name, key_of, tokens
from interlace.ports.graph import GraphDatabase, Row

_SEARCH = query("retrieve/entity_search")
_NAMED = query("retrieve/entity_named")
_DETAIL = query("retrieve/entity_detail")
_NEIGHBORS = query("retrieve/entity_neighbors")
_FACTS = query("retrieve/entity_facts")

Direction = Literal["out", "in", "both"]
Via = Literal["exact", "alias", "words", "fuzzy"]
# Mentions that are looked at when the documents of an entity are counted: a hub must not make its own page slow.
_COUNTED_MENTIONS = 20_000
# The full-text index ranks by its own scores; ours need a few more candidates than are wanted.
_OVERFETCH = 5
_FUZZY_FROM = 4
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
        mentions: ties to passages; a passage that names it in several ways counts several times.
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
        score: 0 to 1; 1 where the name is its own.
        via: ``exact`` name, known ``alias``, all ``words`` of the name, or ``fuzzy`` likeness.
    """

    entity: Entity
    score: float
    via: Via


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
        passages: passages that mention it (of a hub, those of its first mentions only).
        documents: documents that mention it, counted likewise.
        facts: facts that name it.
        about: the first twenty documents about it.
        communities: communities it belongs to, lowest level first.
    """

    entity: Entity
    passages: int
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
        start: offset of the sentence in its passage.
        end: offset after the sentence.
        confidence: 0 to 1.
        extractor: what found it.
        chunk_id: the passage.
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


class EntityCatalogue:
    """Reads entities; holds nothing itself."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def search(self, tenant: str, name: str, *, types: Sequence[str] = (), limit: int = 10) -> list[EntityMatch]:
        """Return the entities that a name may mean, best first: its own, then aliases, then all its words, then likeness."""
        search, key = _lucene(name), key_of(name)
        if not search:
            return []
        rows = self._graph.read(_NAMED, tenant=tenant, key=key, types=list(types), limit=limit) if key else []
        rows = rows + self._graph.read(
            _SEARCH, tenant=tenant, search=search, types=list(types), limit=limit * _OVERFETCH
        )
        matches = [_match(row, key) for row in {row["id"]: row for row in rows}.values()]
        matches.sort(key=lambda match: (-match.score, -match.entity.mentions, match.entity.id))
        return matches[:limit]

    def get(self, tenant: str, entity_id: str) -> EntityDetail:
        """Return one entity.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        rows = self._graph.read(_DETAIL, tenant=tenant, id=entity_id, counted=_COUNTED_MENTIONS)
        if not rows:
            raise NotFoundError(
                f"There is no entity {entity_id}; `interlace entities search NAME` finds entities by name."
            )
        row = rows[0]
        return EntityDetail(
            entity=_entity(row),
            passages=row["passages"],
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
        rows = self._graph.read(_NEIGHBORS, tenant=tenant, id=entity_id, direction=direction, limit=limit)
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
        rows = self._graph.read(_FACTS, tenant=tenant, id=entity_id, confidence=confidence, after=last, limit=limit)
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


def _match(row: Row, key: str) -> EntityMatch:
    entity = _entity(row)
    if key and key_of(entity.name) == key:
        return EntityMatch(entity, 1.0, "exact")
    if key in (row["keys"] or ()):
        return EntityMatch(entity, 0.95, "alias")
    keys = [key_of(spelling) for spelling in (entity.name, *entity.aliases)]
    likeness = max(fuzz.ratio(key, other) for other in keys) / 100
    wanted = set(key.split())
    if wanted and any(wanted <= set(other.split()) for other in keys):
        return EntityMatch(entity, round(0.6 + 0.3 * likeness, 4), "words")
    return EntityMatch(entity, round(0.6 * likeness, 4), "fuzzy")


def _lucene(name: str) -> str:
    """Return the full-text search of a name: the whole phrase first, then its words, long ones also misspelt."""
    phrase = clean_name(name).translate(_NO_PHRASE)
    words = dict.fromkeys(token.form for token in tokens(phrase))
    if not words:
        return ""
    parts = [f'"{phrase}"^8']
    for word in words:
        parts.append(f'"{word}"^2')  # quoted: a bare AND, OR or NOT would be an operator
        if len(word) >= _FUZZY_FROM:
            parts.append(f"{word}~1")
    return " ".join(parts)
