// Remove what some chunks mention that is no name, or a title that is not their document's
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (c)-[m:MENTIONS]->(e)
WHERE
  NOT (e:Entity OR e:RetiredEntity) OR
  e.tenant <> $tenant OR
  (m.via = 'title' AND
    NOT EXISTS {
    (:Document {id: c.documentId})-[:ABOUT]->(e)
    })
DELETE m