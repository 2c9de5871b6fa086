// Facts about the most central entities of communities, first those about two of them
// params: $tenant STRING, $rows LIST<MAP>, $maxCharacters INTEGER, $limit INTEGER
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: row INTEGER, id STRING, sentence STRING, entities LIST<STRING>
// note: ``row`` is the number of the row in ``rows``; ``entities`` are the ids of the central entities in the fact.
UNWIND $rows AS row
UNWIND row.central AS central
MATCH (e:Entity {id: central})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (row, e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE size(f.sentence) <= $maxCharacters
  WITH
    f,
    COLLECT {
      MATCH (f)-[:SUBJECT|OBJECT]->(o:Entity)
      WHERE o.id IN row.central
      RETURN DISTINCT o.id
      ORDER
      BY
      o.id
    } AS entities
  // Not earlier, lest the plan of an empty graph seek all facts of the tenant for each name.
  WHERE f.tenant = $tenant
  RETURN f, entities
  ORDER BY size(entities) DESC, f.confidence DESC, f.id
  LIMIT $limit
}
RETURN DISTINCT row.number AS row, f.id AS id, f.sentence AS sentence, entities
ORDER BY row, id