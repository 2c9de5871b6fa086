// Write communities, fine ones first, each with its own members, the communities beneath it and the sources that its summary quotes
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
// note: ``own`` are the members that no finer community holds, each with its place in the tenant's order by PageRank; ``left`` those that
// were the community's own before. ``central`` are the first of all its members, kept on it for search.
UNWIND $rows AS row
MERGE (c:Community {id: row.id})
SET
  c = row.properties,
  c.id = row.id,
  c.tenant = $tenant,
  c.central = row.central
WITH c, row
CALL (c, row) {
  UNWIND row.left AS id
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  MATCH (e)-[m:IN_COMMUNITY]->(c)
  DELETE m
}
CALL (c, row) {
  UNWIND row.own AS member
  MATCH (e:Entity {id: member.id})
  USING INDEX SEEK e:Entity(id)
  CALL (c, e) {
    MATCH (e)-[m:IN_COMMUNITY]->(other:Community)
    WHERE other <> c
    DELETE m
  }
  MERGE (e)-[m:IN_COMMUNITY]->(c)
  SET m.level = row.properties.level, m.rank = member.rank
}
CALL (c, row) {
  UNWIND row.children AS id
  MATCH (child:Community {id: id})
  USING INDEX SEEK child:Community(id)
  CALL (c, child) {
    MATCH (child)-[p:PARENT]->(other:Community)
    WHERE other <> c
    DELETE p
  }
  MERGE (child)-[:PARENT]->(c)
}
CALL (c) {
  MATCH (c)-[x:CITES]->()
  DELETE x
}
CALL (c, row) {
  UNWIND range(0, size(row.cited) - 1) AS ordinal
  CALL (row, ordinal) {
    MATCH (f:Fact {id: row.cited[ordinal]})
    USING INDEX SEEK f:Fact(id)
    RETURN f AS source
      UNION
    MATCH (k:Chunk {id: row.cited[ordinal]})
    USING INDEX SEEK k:Chunk(id)
    RETURN k AS source
  }
  CREATE (c)-[:CITES {ordinal: ordinal}]->(source)
}