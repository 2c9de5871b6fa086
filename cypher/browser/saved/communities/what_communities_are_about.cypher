// What the communities are about
// params: $tenant STRING
// mode: read
// returns: level, title, size, summary
MATCH (c:Community {tenant: $tenant})
RETURN c.level AS level, c.title AS title, c.size AS size, c.summary AS summary
ORDER BY level DESC, size DESC
LIMIT 100