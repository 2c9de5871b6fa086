// Draw the links between documents that references and names imply
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
CALL (d) {
  MATCH (d)-[x:REFERS_TO]->(:Reference)<-[:KNOWN_AS]-(other:Document)
  RETURN d AS source, other AS target, x.kind AS kind, x.anchor AS anchor
    UNION
  MATCH (d)-[:KNOWN_AS]->(:Reference)<-[x:REFERS_TO]-(other:Document)
  RETURN other AS source, d AS target, x.kind AS kind, x.anchor AS anchor
}
WITH source, target, kind, anchor
WHERE source <> target
MERGE (source)-[:LINKS_TO {kind: kind, anchor: anchor}]->(target)