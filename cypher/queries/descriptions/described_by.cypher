// Names of some entities, and whether each is still described by the chunk that is given with it
// params: $tenant STRING, $rows LIST<MAP>
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, described BOOLEAN
// note: A row is ``id`` and ``chunk``; an empty ``chunk`` stands for no description, which always holds.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
OPTIONAL MATCH (c:Chunk {id: row.chunk})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
OPTIONAL MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  row.chunk = '' OR
  EXISTS { (c)-[:ASSERTS]->(:Fact)-[:SUBJECT]->(e) } OR
  EXISTS {
  (d)-[:ABOUT]->(e)
  } AS described