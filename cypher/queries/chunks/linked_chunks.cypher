// Documents of some chunks that have links, each with those among them that it links to or that link to it
// params: $tenant STRING, $ids LIST<STRING>, $fanOut INTEGER
// mode: read
// reader: filtered
// returns: document STRING, chunks LIST<STRING>, linked LIST<STRING>
// rows: collected
// note: A direction with more than fanOut links is only read from its other ends; ``linked`` holds ids of documents and may repeat.
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
// Without the hint, a graph whose statistics are older than its chunks is asked for all chunks of the tenant, once a chunk.
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
// From the chunk upwards: see chunks/chunk_payloads.
CALL (c) {
  MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN d
}
WITH d, collect(c.id) AS chunks
WHERE
  CASE
    WHEN $groups IS NULL THEN EXISTS { (d)-[:LINKS_TO]-() }
    ELSE
      EXISTS {
        MATCH (d)-[:LINKS_TO]-(other)
        WHERE
          ($groups IS NULL OR
            other.access IS NULL OR
            any(g IN other.access WHERE g IN $groups))
      }
  END
WITH collect({node: d, chunks: chunks}) AS held, collect(d) AS documents
UNWIND held AS each
WITH documents, each.node AS d, each.chunks AS chunks
RETURN
  d.id AS document,
  chunks,
  [
    (d)-[:LINKS_TO]->(other)
    WHERE
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
      END <=
      $fanOut AND
      other IN documents
    | other.id
  ] +
  [
    (d)<-[:LINKS_TO]-(other)
    WHERE
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
      END <=
      $fanOut AND
      other IN documents
    | other.id
  ] AS linked