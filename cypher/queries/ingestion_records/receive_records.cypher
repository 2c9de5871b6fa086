// Enter documents in the ledger; a newer upload replaces an older one
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MERGE (i:IngestionRecord {id: row.id})
WITH i, row, coalesce(i.generation, 0) + 1 AS generation
SET
  i = row,
  i.tenant = $tenant,
  i.generation = generation,
  i.stage = 'received',
  i.attempt = 0,
  i.receivedAt = timestamp()