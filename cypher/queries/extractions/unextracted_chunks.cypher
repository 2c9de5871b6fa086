// Chunks of some documents that the model with this key has not read yet, in order
// params: $tenant STRING, $documents LIST<STRING>, $key STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, document STRING, checksum STRING, text STRING
// rows: many
UNWIND $documents AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE
  NOT EXISTS {
    MATCH (c)-[x:EXTRACTED_AS]->(r:ExtractionRecord)
    WHERE r.key + coalesce(x.manner, '') = $key
  }
RETURN c.id AS id, d.id AS document, c.checksum AS checksum, c.text AS text
ORDER BY document, c.ordinal
LIMIT $limit