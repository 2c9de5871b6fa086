// A page of the chunks that mention an entity
// params: $tenant STRING, $id STRING, $after STRING?, $limit INTEGER
// mode: read
// reader: filtered
// returns: chunkId STRING, documentId STRING, title STRING, sourceUri STRING, text STRING, via LIST<STRING>, mentions INTEGER, offset INTEGER?
// note: A reader who is restricted to groups gets no mentions that linking found. ``via`` says how the mentions were found; ``offset`` is that of the first one; none where only the title names the entity.
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
MATCH (e)<-[m:MENTIONS]-(c:Chunk)
WHERE
  ($after IS NULL OR c.id > $after) AND ($groups IS NULL OR m.via <> 'linker')
WITH
  c,
  collect(DISTINCT m.via) AS via,
  sum(coalesce(m.count, 1)) AS mentions,
  min(m.offsets[0]) AS offset
ORDER BY c.id
WHERE
  $groups IS NULL OR
  EXISTS {
    MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
    WHERE
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups))
  }
WITH c, via, mentions, offset
ORDER BY c.id
LIMIT $limit
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
RETURN
  c.id AS chunkId,
  d.id AS documentId,
  d.title AS title,
  d.sourceUri AS sourceUri,
  c.text AS text,
  via,
  mentions,
  offset
ORDER BY chunkId