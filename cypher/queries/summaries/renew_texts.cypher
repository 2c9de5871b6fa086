// Tie generated texts to the chunks that a language model read for them; a text of which one is gone or changed goes
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (t:GeneratedText {id: id})
USING INDEX SEEK t:GeneratedText(id)
WHERE t.tenant = $tenant
CALL (t) {
  UNWIND range(0, size(t.sources) - 1) AS i
  MATCH (c:Chunk {id: t.sources[i]})
  USING INDEX SEEK c:Chunk(id)
  MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
  WHERE
    c.tenant = t.tenant AND
    c.checksum = t.checksums[i] AND
    d.title = t.titles[i]
  MERGE (t)-[r:READS]->(c)
  SET r.checksum = t.checksums[i], r.title = t.titles[i]
  RETURN count(*) AS standing
}
WITH t, standing
WHERE standing < size(t.sources)
DETACH DELETE t