// Which of some entities, facts and chunks still exist
// params: $tenant STRING, $names LIST<STRING>, $sources LIST<STRING>
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, name STRING?
// note: ``name`` is that of an entity, else null.
CALL () {
  UNWIND $names AS id
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.tenant = $tenant
  RETURN e.id AS id, e.name AS name
    UNION
  UNWIND $sources AS id
  MATCH (f:Fact {id: id})
  USING INDEX SEEK f:Fact(id)
  WHERE f.tenant = $tenant
  RETURN f.id AS id, null AS name
    UNION
  UNWIND $sources AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  RETURN c.id AS id, null AS name
}
RETURN id, name