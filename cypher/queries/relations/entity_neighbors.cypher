// Entities that relations tie to some entities, of each the strongest
// params: $tenant STRING, $ids LIST<STRING>, $known LIST<STRING>, $direction STRING, $types LIST<STRING>, $predicates LIST<STRING>,
//   $confidence FLOAT, $hubCap INTEGER, $start BOOLEAN, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: via STRING, viaName STRING, id STRING, name STRING, type STRING, weight INTEGER,
//   relations LIST<{predicate STRING, direction STRING, weight INTEGER, documents INTEGER, confidence FLOAT}>
// note: Entities with more than ``hubCap`` relations lead nowhere, unless the search starts at them. ``known`` entities are left out.
UNWIND $ids AS via
MATCH (e:Entity {id: via})
USING INDEX SEEK e:Entity(id)
WHERE
  e.tenant = $tenant AND
  ($start OR
    COUNT { (e)-[:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]-() } <=
    $hubCap)
CALL (e) {
  MATCH (e)-[r:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]-(o:Entity)
  WHERE
    ($direction = 'both' OR
      ($direction = 'out' AND startNode(r) = e) OR
      ($direction = 'in' AND endNode(r) = e)) AND
    r.confidence >= $confidence AND
    (size($predicates) = 0 OR r.predicate IN $predicates) AND
    (size($types) = 0 OR o.type IN $types) AND
    NOT o.id IN $known
  WITH o, r,
    CASE startNode(r)
      WHEN e THEN 'out'
      ELSE 'in'
    END AS direction
  ORDER BY r.weight DESC, r.predicate, direction
  WITH
    o,
    sum(r.weight) AS weight,
    collect({
      predicate: r.predicate,
      direction: direction,
      weight: r.weight,
      documents: r.documents,
      confidence: r.confidence
    }) AS relations
  ORDER BY weight DESC, o.name, o.id
  LIMIT $limit
  RETURN o, weight, relations
}
RETURN
  via,
  e.name AS viaName,
  o.id AS id,
  o.name AS name,
  o.type AS type,
  weight,
  relations
ORDER BY weight DESC, name, id, via