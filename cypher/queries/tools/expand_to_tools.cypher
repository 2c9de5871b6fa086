// Tools that names lead to in at most two steps over what skills contain, what is related, used or documented together
// params: $tenant STRING, $seeds LIST<STRING>, $hubCap INTEGER, $limit INTEGER
// mode: read
// reader: operators because tools are entities, which come from documents of all groups
// returns: seed STRING, tool STRING, hops INTEGER, via STRING?, viaName STRING?, viaType STRING?
// note: ``via`` is the entity in between.
UNWIND $seeds AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE
  e.tenant = $tenant AND
  COUNT { (e)-[:CONTAINS|RELATED_TO|USES|DOCUMENTED_IN]-() } <= $hubCap
CALL (e) {
  WITH e
  WHERE e.type = 'Tool'
  RETURN e AS tool, 0 AS hops, null AS via
    UNION
  MATCH
    (e)-[:CONTAINS|RELATED_TO|USES|DOCUMENTED_IN]-(tool:Entity {type: 'Tool'})
  RETURN tool, 1 AS hops, null AS via
  ORDER BY tool.id
  LIMIT $limit
    UNION
  MATCH (e)-[:CONTAINS|RELATED_TO|USES|DOCUMENTED_IN]-(via:Entity)
  WHERE
    (via.type IN ['Skill', 'Tool', 'Concept'] OR
      EXISTS {
      (via)<-[:DOCUMENTED_IN]-(:Entity)
      }) AND
    COUNT { (via)-[:CONTAINS|RELATED_TO|USES|DOCUMENTED_IN]-() } <= $hubCap
  MATCH
    (via)-[:CONTAINS|RELATED_TO|USES|DOCUMENTED_IN]-(tool:Entity {type: 'Tool'})
  WHERE tool <> e
  RETURN DISTINCT tool, 2 AS hops, via
  ORDER BY tool.id, via.id
  LIMIT $limit
}
RETURN
  e.id AS seed,
  tool.id AS tool,
  hops,
  via.id AS via,
  via.name AS viaName,
  via.type AS viaType