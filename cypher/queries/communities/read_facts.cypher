// Facts about the central names of communities: first those that tie two of them together
// params: $tenant STRING, $rows LIST<MAP>, $longest INTEGER, $limit INTEGER
// mode: read
// returns: row (its number), id (of the fact), sentence, names (ids of central names in it)
UNWIND $rows AS row
UNWIND row.central AS central
MATCH (e:Entity {id: central})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (row, e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE size(f.sentence) <= $longest
  WITH
    f,
    COLLECT {
      MATCH (f)-[:SUBJECT|OBJECT]->(o:Entity)
      WHERE o.id IN row.central
      RETURN DISTINCT o.id
      ORDER
      BY
      o.id
    } AS names
  // Not earlier, lest the plan of an empty graph seek all facts of the tenant for each name.
  WHERE f.tenant = $tenant
  RETURN f, names
  ORDER BY size(names) DESC, f.confidence DESC, f.id
  LIMIT $limit
}
RETURN DISTINCT row.number AS row, f.id AS id, f.sentence AS sentence, names
ORDER BY row, id