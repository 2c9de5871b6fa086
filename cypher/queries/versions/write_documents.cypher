// Write documents, with the label of those that are atoms
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
REMOVE d :Atom
WITH d, row, row.properties AS properties
SET
  d =
    properties {
      .*,
      id: row.id,
      dated:
        coalesce(
          properties.modifiedAt,
          properties.createdAt,
          properties.indexedAt
        )
    },
  d: $ (row.labels)