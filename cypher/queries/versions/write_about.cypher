// Connect documents with what they are about
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
MATCH (e:Entity {id: row.entity})
USING INDEX SEEK e:Entity(id)
CREATE (d)-[a:ABOUT]->(e)
SET a = row.properties