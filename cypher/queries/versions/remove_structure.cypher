// Remove the sections of documents and every relationship that a new version may change
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
CALL (d) {
  MATCH (d)-[r:ABOUT|TAGGED|REFERS_TO|KNOWN_AS|LINKS_TO]->()
  DELETE r
}
CALL (d) {
  MATCH (d)<-[r:LINKS_TO]-()
  DELETE r
}
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)
  OPTIONAL MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[n:NEXT]->()
  DELETE n
  DETACH DELETE s
}