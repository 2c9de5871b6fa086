// Remove mentions that the linker no longer makes
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
USING INDEX SEEK c:Chunk(id)
CALL (c, row) {
  MATCH (c)-[m:MENTIONS {via: 'linker'}]->(e:Entity)
  WHERE e.id = row.entity AND m.key = row.key
  DELETE m
}