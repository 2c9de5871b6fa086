// First passages of documents that carry some tags, exactly or below them
// params: $tenant STRING, $tags LIST<STRING>, $limit INTEGER, $allowed LIST<STRING>
// mode: read
// returns: chunk, score (share of the tags)
UNWIND $tags AS wanted
MATCH (t:Tag {tenant: $tenant})
WHERE t.name = wanted OR t.name STARTS WITH wanted + '/'
MATCH (t)<-[:TAGGED]-(d:Document)
WHERE $allowed IS NULL OR d.id IN $allowed
WITH d, count(DISTINCT wanted) AS matched
ORDER BY matched DESC, d.id
LIMIT $limit
MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk {ordinal: 0})
RETURN c.id AS chunk, toFloat(matched) / size($tags) AS score
ORDER BY score DESC, chunk