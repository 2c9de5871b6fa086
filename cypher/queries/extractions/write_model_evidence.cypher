// Note which record each chunk's evidence of a model comes from
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
// note: ``manner`` says how the record was read.
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
USING INDEX SEEK c:Chunk(id)
MATCH (r:ExtractionRecord {id: row.record})
USING INDEX SEEK r:ExtractionRecord(id)
MERGE (c)-[x:EXTRACTED_AS]->(r)
SET x = {manner: row.manner}