// The entities that most documents mention
// params: $tenant STRING
// mode: read
// returns: name, type, documents, mentions
MATCH (e:Entity {tenant: $tenant})
RETURN
  e.name AS name,
  e.type AS type,
  e.documentCount AS documents,
  e.mentionCount AS mentions
ORDER BY documents DESC, mentions DESC, name
LIMIT 50