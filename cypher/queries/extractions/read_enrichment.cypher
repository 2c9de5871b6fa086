// What some chunks hold before a model's evidence is added
// params: $tenant STRING, $chunks LIST<STRING>, $key STRING
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, document STRING, title STRING, text STRING, checksum STRING, current BOOLEAN, read BOOLEAN,
//   mentions LIST<{entity STRING, origin STRING, via STRING, offsets LIST<INTEGER>?, evidence LIST<STRING>?}>,
//   facts LIST<{id STRING, subject STRING, object STRING?, predicate STRING, objectText STRING, extractor STRING, confidence FLOAT, ownConfidence FLOAT?}>
// rows: many
// note: ``current``: the model with this key has read it; ``read``: any model has. ``origin``: the
//   entity by form alone, whatever decisions make of it. Links that the linker made are left out.
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (d:Document)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c)
RETURN
  c.id AS id,
  d.id AS document,
  d.title AS title,
  c.text AS text,
  c.checksum AS checksum,
  EXISTS {
    MATCH (c)-[x:EXTRACTED_AS]->(r:ExtractionRecord)
    WHERE r.key + coalesce(x.manner, '') = $key
  } AS current,
  EXISTS {
    MATCH (c)-[:EXTRACTED_AS]->(:ExtractionRecord)
  } AS read,
  COLLECT {
    MATCH (c)-[m:MENTIONS]->(e:Entity)
    WHERE m.via <> 'linker'
    RETURN {
      entity: e.id,
      origin: coalesce(m.origin, e.id),
      via: m.via,
      offsets: m.offsets,
      evidence: m.evidence
    }
  } AS mentions,
  COLLECT {
    MATCH (c)-[:ASSERTS]->(f:Fact)-[:SUBJECT]->(s:Entity)
    RETURN {
      id: f.id,
      subject: s.id,
      object: head([(f)-[:OBJECT]->(o:Entity) | o.id ]),
      predicate: f.predicate,
      objectText: f.objectText,
      extractor: f.extractor,
      confidence: f.confidence,
      ownConfidence: f.ownConfidence
    }
  } AS facts