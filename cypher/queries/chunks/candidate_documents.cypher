// Date and links of the documents of some chunks
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: chunk STRING, date STRING?, incoming INTEGER, outgoing INTEGER
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN
  c.id AS chunk,
  d.dated AS date,
  CASE
    WHEN $groups IS NULL THEN COUNT { (d)<-[:LINKS_TO]-() }
    ELSE
      COUNT {
        MATCH (d)<-[:LINKS_TO]-(seen)
        WHERE
          ($groups IS NULL OR
            seen.access IS NULL OR
            any(g IN seen.access WHERE g IN $groups))
      }
  END AS incoming,
  CASE
    WHEN $groups IS NULL THEN COUNT { (d)-[:LINKS_TO]->() }
    ELSE
      COUNT {
        MATCH (d)-[:LINKS_TO]->(seen)
        WHERE
          ($groups IS NULL OR
            seen.access IS NULL OR
            any(g IN seen.access WHERE g IN $groups))
      }
  END AS outgoing