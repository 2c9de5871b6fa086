// In how many statements of facts an entity is a subject or object, in the documents that a reader may see
// params: $tenant STRING, $id STRING
// mode: read
// reader: filtered
// returns: facts INTEGER
// rows: one
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
MATCH (e)<-[:SUBJECT|OBJECT]-(:Fact)<-[:ASSERTS]-(c)
// A document is looked at once, however often it states facts about the entity.
WITH c.documentId AS document, count(*) AS stated
MATCH (d:Document {id: document})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN coalesce(sum(stated), 0) AS facts