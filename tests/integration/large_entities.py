"""Entities with tens of thousands of mentions, written as that many chunks of the real pipeline would have given them."""

from typing import Any, Final

from tests.integration.ingestion_world import World

from interlace.domain.ids import document_id, entity_id, stable_id
from interlace.domain.relations import confidence_level
from interlace.entities.evidence import Evidence, encode
from interlace.entities.normalization import normalize_name
from interlace.ingestion.change import relation_row
from interlace.queries.facts import aggregate_relations

CHUNKS: Final = 10
"""Chunks of a document. Each mentions the entity as an extractor found it; of every second document one asserts a fact besides."""
OTHERS: Final = 50
"""Entities that facts are about besides, whichever the large one is."""
_AT_ONCE = 500
_ENTITIES = """
MERGE (r:Tenant {tenant: $tenant}) ON CREATE SET r.version = 1, r.chunks = 0, r.epoch = randomUUID()
WITH r
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
SET e += row.properties, e.tenant = $tenant, e.type = 'Person', e:Person
"""
_DOCUMENTS = """
MATCH (e:Entity {id: $entity})
UNWIND $rows AS row
CREATE (d:Document {
  id: row.id, tenant: $tenant, title: row.uri, name: row.uri, sourceUri: row.uri, status: 'ready', version: 1, mediaType: 'text/markdown'
})
CREATE (d)-[:HAS_SECTION]->(s:Section {id: row.id + ' section', tenant: $tenant, ordinal: 0})
WITH e, s, row
UNWIND row.chunks AS chunk
CREATE (s)-[:HAS_CHUNK]->(c:Chunk {
  id: chunk.id, tenant: $tenant, documentId: row.id, ordinal: chunk.ordinal, links: '', text: chunk.text, terms: chunk.terms, capitals: ''
})
CREATE (c)-[m:MENTIONS]->(e)
SET m = $mention
WITH c, e, chunk
WHERE chunk.other IS NOT NULL
MATCH (o:Entity {id: chunk.other})
CREATE (c)-[:ASSERTS]->(f:Fact {
  id: chunk.id + ' fact', tenant: $tenant, predicate: 'MET', confidence: 0.8, sentence: chunk.text, name: 'met', subjectText: '', objectText: '',
  start: 0, end: 10, extractor: 'dependency'
})
CREATE (f)-[:SUBJECT]->(e)
CREATE (f)-[:OBJECT]->(o)
CREATE (c)-[:MENTIONS {via: 'linker', key: o.key, count: 1, confidence: 0.8, offsets: chunk.place, contextWords: ''}]->(o)
"""


def write_large(world: World, tenant: str, names: dict[str, int]) -> dict[str, str]:
    """Write entities with as many mentions each as ``names`` says; return their ids by name."""
    others = [f"Person {chr(97 + number % 26)}{chr(97 + number // 26)}xu" for number in range(OTHERS)]
    rows = [_entity(tenant, name, count) for name, count in {**names, **dict.fromkeys(others, 1)}.items()]
    world.run(_ENTITIES, tenant, rows=rows)
    ids = {name: entity_id(tenant, normalize_name(name)) for name in [*names, *others]}
    for name, count in names.items():
        mention = {
            "via": "ner",
            "count": 1,
            "confidence": 0.9,
            "offsets": [0, len(name)],
            "contextWords": "strolled along the river and met",
            "evidence": encode({Evidence("ner", "Person", name): 1}),
        }
        made = [_document(tenant, name, number, others, ids) for number in range(count // CHUNKS)]
        for at in range(0, len(made), _AT_ONCE):
            world.run(_DOCUMENTS, tenant, entity=ids[name], rows=made[at : at + _AT_ONCE], mention=mention)
        facts = [chunk["other"] for row in made for chunk in row["chunks"] if chunk["other"]]
        level = confidence_level(0.8)
        relations = [
            relation_row((ids[name], "MET", other), {level: facts.count(other)}, facts.count(other))
            for other in sorted(set(facts))
        ]
        aggregate_relations(world.platform.graph, rows=relations)
    return {name: ids[name] for name in names}


def _entity(tenant: str, name: str, mentions: int) -> dict[str, object]:
    key = normalize_name(name)
    properties = {
        "name": name,
        "aliases": [],
        "key": key,
        "keys": [key],
        "confidence": 1.0,
        "evidence": encode({Evidence("ner", "Person", name): mentions}),
    }
    return {"id": entity_id(tenant, key), "properties": properties}


def _document(tenant: str, name: str, number: int, others: list[str], ids: dict[str, str]) -> dict[str, Any]:
    uri = f"{name} {number}.md"
    identity = document_id(tenant, uri)
    chunks = []
    for ordinal in range(CHUNKS):
        other = others[number % OTHERS] if ordinal == 0 and number % 2 == 0 else None
        text = f"{name} strolled along the river and met {other or 'someone'} at mill {number}. " + _FILLING
        place = text.find(other) if other else 0
        chunks.append(
            {
                "id": stable_id("chunk", identity, str(ordinal)),
                "ordinal": ordinal,
                "text": text,
                "terms": " ".join(normalize_name(text).split()),
                "other": ids[other] if other else None,
                "place": [place, place + len(other or "")],
            }
        )
    return {"id": identity, "uri": uri, "chunks": chunks}


_FILLING = (
    "The letters lie in the archive, several boxes of them, and no one knows why the house was left in such a state. "
    * 4
)
