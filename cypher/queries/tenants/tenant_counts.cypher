// Number of documents, chunks, entities, facts and communities of one tenant
// params: $tenant STRING
// mode: read
// reader: filtered
// returns: documents INTEGER, chunks INTEGER, entities INTEGER, facts INTEGER, communities INTEGER?
// note: Communities are made of all documents: their number is null for a reader who is restricted to groups.
// rows: one
// allows: CartesianProduct because each side is one row
CALL () {
  MATCH (d:Document {tenant: $tenant})
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN count(d) AS documents
}
CALL () {
  MATCH (c:Chunk {tenant: $tenant})
  WHERE
    $groups IS NULL OR
    EXISTS {
      MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
      WHERE
        ($groups IS NULL OR
          d.access IS NULL OR
          any(g IN d.access WHERE g IN $groups))
    }
  RETURN count(c) AS chunks
}
CALL () {
  MATCH (e:Entity {tenant: $tenant})
  WHERE
    $groups IS NULL OR
    EXISTS {
      MATCH (e)<-[a:ABOUT]-(d:Document)
      WHERE
        a.evidence IS NOT NULL AND
        ($groups IS NULL OR
          d.access IS NULL OR
          any(g IN d.access WHERE g IN $groups))
    } OR
    EXISTS {
      MATCH (e)<-[m:MENTIONS]-(c:Chunk)
      WHERE m.evidence IS NOT NULL
      MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
      WHERE
        ($groups IS NULL OR
          d.access IS NULL OR
          any(g IN d.access WHERE g IN $groups))
    }
  RETURN count(e) AS entities
}
CALL () {
  MATCH (f:Fact {tenant: $tenant})
  WHERE
    $groups IS NULL OR
    EXISTS {
      MATCH (f)<-[:ASSERTS]-(c:Chunk)
      MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
      WHERE
        ($groups IS NULL OR
          d.access IS NULL OR
          any(g IN d.access WHERE g IN $groups))
    }
  RETURN count(f) AS facts
}
CALL () {
  MATCH (c:Community {tenant: $tenant})
  WHERE $groups IS NULL
  RETURN count(c) AS communities
}
RETURN
  documents,
  chunks,
  entities,
  facts,
  CASE
    WHEN $groups IS NULL THEN communities
  END AS communities