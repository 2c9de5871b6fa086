// The types of relationships, what they join, what they mean and how many there are
// params: $tenant STRING
// mode: read
// returns: type, start, end, means, relationships (one row a type)
CALL () {
  MATCH (n:Document {tenant: $tenant})
  RETURN
    'HAS_SECTION' AS type,
    'Document' AS start,
    'Section' AS end,
    'a document is divided into sections' AS means,
    sum(COUNT { (n)-[:HAS_SECTION]->() }) AS relationships
    UNION ALL
  MATCH (n:Section {tenant: $tenant})
  RETURN
    'HAS_CHUNK' AS type,
    'Section' AS start,
    'Chunk' AS end,
    'a section is divided into chunks' AS means,
    sum(COUNT { (n)-[:HAS_CHUNK]->() }) AS relationships
    UNION ALL
  MATCH (n:Chunk {tenant: $tenant})
  RETURN
    'NEXT' AS type,
    'Chunk' AS start,
    'Chunk' AS end,
    'the chunk that follows in the text' AS means,
    sum(COUNT { (n)-[:NEXT]->() }) AS relationships
    UNION ALL
  MATCH (n:Document {tenant: $tenant})
  RETURN
    'TAGGED' AS type,
    'Document' AS start,
    'Tag' AS end,
    'a document has a tag' AS means,
    sum(COUNT { (n)-[:TAGGED]->() }) AS relationships
    UNION ALL
  MATCH (n:Document {tenant: $tenant})
  RETURN
    'LINKS_TO' AS type,
    'Document' AS start,
    'Document' AS end,
    'a text links to another document' AS means,
    sum(COUNT { (n)-[:LINKS_TO]->() }) AS relationships
    UNION ALL
  MATCH (n:Document {tenant: $tenant})
  RETURN
    'ABOUT' AS type,
    'Document' AS start,
    'Entity' AS end,
    'a document is about an entity: its title, or a typed reference' AS means,
    sum(COUNT { (n)-[:ABOUT]->() }) AS relationships
    UNION ALL
  MATCH (n:Chunk {tenant: $tenant})
  RETURN
    'MENTIONS' AS type,
    'Chunk' AS start,
    'Entity' AS end,
    'a text names an entity; `via` says how that was found' AS means,
    sum(COUNT { (n)-[:MENTIONS]->() }) AS relationships
    UNION ALL
  MATCH (n:Chunk {tenant: $tenant})
  RETURN
    'ASSERTS' AS type,
    'Chunk' AS start,
    'Fact' AS end,
    'a sentence of the chunk states a fact' AS means,
    sum(COUNT { (n)-[:ASSERTS]->() }) AS relationships
    UNION ALL
  MATCH (n:Fact {tenant: $tenant})
  RETURN
    'SUBJECT' AS type,
    'Fact' AS start,
    'Entity' AS end,
    'what the fact is about' AS means,
    sum(COUNT { (n)-[:SUBJECT]->() }) AS relationships
    UNION ALL
  MATCH (n:Fact {tenant: $tenant})
  RETURN
    'OBJECT' AS type,
    'Fact' AS start,
    'Entity' AS end,
    'what the fact says of it' AS means,
    sum(COUNT { (n)-[:OBJECT]->() }) AS relationships
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'RELATES_TO' AS type,
    'Entity' AS start,
    'Entity' AS end,
    'the facts between two entities, by their verb in `predicate`' AS means,
    sum(COUNT { (n)-[:RELATES_TO]->() }) AS relationships
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'CONTAINS' AS type,
    'Entity' AS start,
    'Entity' AS end,
    'a heading holds a heading below it' AS means,
    sum(COUNT { (n)-[:CONTAINS]->() }) AS relationships
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'DOCUMENTED_IN' AS type,
    'Entity' AS start,
    'Entity' AS end,
    'a thing is described in a document' AS means,
    sum(COUNT { (n)-[:DOCUMENTED_IN]->() }) AS relationships
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'RELATED_TO' AS type,
    'Entity' AS start,
    'Entity' AS end,
    'the document of one links to that of the other' AS means,
    sum(COUNT { (n)-[:RELATED_TO]->() }) AS relationships
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'USES' AS type,
    'Entity' AS start,
    'Entity' AS end,
    'a skill names a tool' AS means,
    sum(COUNT { (n)-[:USES]->() }) AS relationships
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'IN_COMMUNITY' AS type,
    'Entity' AS start,
    'Community' AS end,
    'an entity belongs to a community' AS means,
    sum(COUNT { (n)-[:IN_COMMUNITY]->() }) AS relationships
    UNION ALL
  MATCH (n:Community {tenant: $tenant})
  RETURN
    'PARENT' AS type,
    'Community' AS start,
    'Community' AS end,
    'a community is part of a larger one' AS means,
    sum(COUNT { (n)-[:PARENT]->() }) AS relationships
}
RETURN type, start, end, means, relationships