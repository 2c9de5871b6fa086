// Text and mentions of some chunks, as the linker needs them
// params: $tenant STRING, $chunks LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, text STRING, document STRING, mentions LIST<{entity STRING, via STRING, key STRING?, offsets LIST<INTEGER>?}>
// rows: many
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
RETURN
  c.id AS id,
  c.text AS text,
  c.documentId AS document,
  COLLECT {
    MATCH (c)-[m:MENTIONS]->(e:Entity)
    WHERE m.via <> 'title'
    RETURN {entity: e.id, via: m.via, key: m.key, offsets: m.offsets}
  } AS mentions