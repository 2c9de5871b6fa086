// Documents of the link graph, with the keys that name them and the numbers of their links
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, document MAP, keys LIST<STRING>, incoming INTEGER, outgoing INTEGER
// note: ``document`` holds the node's properties.
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE
  d.tenant = $tenant AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN
  id,
  properties(d) AS document,
  COLLECT {
    MATCH (d)-[:KNOWN_AS]->(r:Reference)
    RETURN r.key
  } AS keys,
  CASE
    WHEN $groups IS NULL THEN COUNT { (d)<-[:LINKS_TO]-() }
    ELSE
      COUNT {
        MATCH (d)<-[:LINKS_TO]-(other:Document)
        WHERE
          ($groups IS NULL OR
            other.access IS NULL OR
            any(g IN other.access WHERE g IN $groups))
      }
  END AS incoming,
  CASE
    WHEN $groups IS NULL THEN COUNT { (d)-[:LINKS_TO]->() }
    ELSE
      COUNT {
        MATCH (d)-[:LINKS_TO]->(other:Document)
        WHERE
          ($groups IS NULL OR
            other.access IS NULL OR
            any(g IN other.access WHERE g IN $groups))
      }
  END AS outgoing