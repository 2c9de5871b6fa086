// Take mentions of one origin from an entity to another
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
// note: A row names chunk, source, target, origin, and what the mention keeps of the origin: nothing where the target is it.
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
USING INDEX SEEK c:Chunk(id)
MATCH (t:Entity {id: row.target})
USING INDEX SEEK t:Entity(id)
CALL (c, t, row) {
  MATCH (c)-[m:MENTIONS]->(e:Entity)
  WHERE
    e.id = row.source AND
    m.via <> 'linker' AND
    coalesce(m.origin, e.id) = row.origin
  CREATE (c)-[n:MENTIONS]->(t)
  SET n = properties(m), n.origin = row.keep
  DELETE m
}