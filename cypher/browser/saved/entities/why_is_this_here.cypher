// Why is this entity here? Entity, facts, chunks and documents (:param name => 'Clara Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: paths from the entity over the facts about it, and over chunks that mention it, to their documents
MATCH (e:Entity {tenant: $tenant, key: toLower($name)})
CALL (e) {
  MATCH
    path =
      (e)<-[:SUBJECT|OBJECT]-
      (:Fact)<-[:ASSERTS]-
      (:Chunk)<-[:HAS_CHUNK]-
      (:Section)<-[:HAS_SECTION]-
      (:Document)
  RETURN path
  LIMIT 25
    UNION ALL
  MATCH
    path =
      (e)<-[:MENTIONS]-
      (:Chunk)<-[:HAS_CHUNK]-
      (:Section)<-[:HAS_SECTION]-
      (:Document)
  RETURN path
  LIMIT 25
}
RETURN path