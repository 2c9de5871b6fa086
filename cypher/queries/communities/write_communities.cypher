// Write communities, coarse ones first, each with its members, its parent and the sources that its summary quotes
// params: $tenant STRING, $rows LIST<MAP>, $central INTEGER
// mode: write
// returns: nothing
// note: the first ``central`` members are also kept on the community, for search. Who is no member any more has a rank that is another's:
// looking members up by rank, not in the whole list, keeps large communities linear.
UNWIND $rows AS row
MERGE (c:Community {id: row.id})
SET
  c = row.properties,
  c.id = row.id,
  c.tenant = $tenant,
  c.central = row.members[..$central]
WITH c, row
CALL (c, row) {
  UNWIND range(0, size(row.members) - 1) AS rank
  MATCH (e:Entity {id: row.members[rank]})
  USING INDEX SEEK e:Entity(id)
  MERGE (e)-[m:IN_COMMUNITY]->(c)
  SET m.level = row.properties.level, m.rank = rank
}
CALL (c, row) {
  MATCH (c)<-[m:IN_COMMUNITY]-(e:Entity)
  WHERE m.rank >= size(row.members) OR row.members[m.rank] <> e.id
  DELETE m
}
CALL (c, row) {
  MATCH (c)-[p:PARENT]->(other:Community)
  WHERE row.parent IS NULL OR other.id <> row.parent
  DELETE p
}
CALL (c, row) {
  MATCH (parent:Community {id: row.parent})
  USING INDEX SEEK parent:Community(id)
  MERGE (c)-[:PARENT]->(parent)
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