// What a language model wrote about some entities or communities, as far as everything that it read stands as it was
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because it is made from documents of all groups
// returns: about STRING, output STRING, model STRING
UNWIND $ids AS id
CALL (id) {
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  RETURN e AS subject
    UNION
  MATCH (k:Community {id: id})
  USING INDEX SEEK k:Community(id)
  RETURN k AS subject
}
MATCH (subject)<-[:DESCRIBES]-(t:GeneratedText)
WHERE
  subject.tenant = $tenant AND
  t.tenant = $tenant AND
  size(t.sources) =
  COUNT {
    MATCH
      (t)-[r:READS]->
      (c:Chunk)<-[:HAS_CHUNK]-
      (:Section)<-[:HAS_SECTION]-
      (d:Document)
    WHERE c.checksum = r.checksum AND d.title = r.title
  }
RETURN subject.id AS about, t.output AS output, t.model AS model
ORDER BY about, t.id