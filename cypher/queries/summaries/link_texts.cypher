// Tie generated texts to the entities and communities that they describe
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (t:GeneratedText {id: row.text})
USING INDEX SEEK t:GeneratedText(id)
WHERE t.tenant = $tenant
CALL (row) {
  MATCH (e:Entity {id: row.subject})
  USING INDEX SEEK e:Entity(id)
  RETURN e AS subject
    UNION
  MATCH (k:Community {id: row.subject})
  USING INDEX SEEK k:Community(id)
  RETURN k AS subject
}
WITH t, subject
WHERE subject.tenant = $tenant
MERGE (t)-[:DESCRIBES]->(subject)