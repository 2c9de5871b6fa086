// Write relationships of a backup between nodes that are there
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: written (how many)
UNWIND $rows AS row
CALL (row) {
  WITH row
  WHERE row.startLabel = 'Document'
  MATCH (n:Document {id: row.startKey})
  USING INDEX SEEK n:Document(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Section'
  MATCH (n:Section {id: row.startKey})
  USING INDEX SEEK n:Section(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Chunk'
  MATCH (n:Chunk {id: row.startKey})
  USING INDEX SEEK n:Chunk(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Entity'
  MATCH (n:Entity {id: row.startKey})
  USING INDEX SEEK n:Entity(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Fact'
  MATCH (n:Fact {id: row.startKey})
  USING INDEX SEEK n:Fact(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Community'
  MATCH (n:Community {id: row.startKey})
  USING INDEX SEEK n:Community(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Job'
  MATCH (n:Job {id: row.startKey})
  USING INDEX SEEK n:Job(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'IngestionRecord'
  MATCH (n:IngestionRecord {id: row.startKey})
  USING INDEX SEEK n:IngestionRecord(id)
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Tag'
  MATCH (n:Tag {tenant: $tenant, name: row.startKey})
  RETURN n AS s
    UNION
  WITH row
  WHERE row.startLabel = 'Reference'
  MATCH (n:Reference {tenant: $tenant, key: row.startKey})
  RETURN n AS s
}
CALL (row) {
  WITH row
  WHERE row.endLabel = 'Document'
  MATCH (n:Document {id: row.endKey})
  USING INDEX SEEK n:Document(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Section'
  MATCH (n:Section {id: row.endKey})
  USING INDEX SEEK n:Section(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Chunk'
  MATCH (n:Chunk {id: row.endKey})
  USING INDEX SEEK n:Chunk(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Entity'
  MATCH (n:Entity {id: row.endKey})
  USING INDEX SEEK n:Entity(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Fact'
  MATCH (n:Fact {id: row.endKey})
  USING INDEX SEEK n:Fact(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Community'
  MATCH (n:Community {id: row.endKey})
  USING INDEX SEEK n:Community(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Job'
  MATCH (n:Job {id: row.endKey})
  USING INDEX SEEK n:Job(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'IngestionRecord'
  MATCH (n:IngestionRecord {id: row.endKey})
  USING INDEX SEEK n:IngestionRecord(id)
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Tag'
  MATCH (n:Tag {tenant: $tenant, name: row.endKey})
  RETURN n AS e
    UNION
  WITH row
  WHERE row.endLabel = 'Reference'
  MATCH (n:Reference {tenant: $tenant, key: row.endKey})
  RETURN n AS e
}
CREATE (s)-[r:$(row.type)]->(e)
SET r = row.properties
RETURN count(r) AS written