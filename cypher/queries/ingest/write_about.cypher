// Tie documents to what they are about
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (e:Entity {id: row.entity})
CREATE (d)-[a:ABOUT]->(e)
SET a = row.properties