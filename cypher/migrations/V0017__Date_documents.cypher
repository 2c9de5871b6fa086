// The time by which documents are sorted: of the last change, else of the beginning, else of indexing
MATCH (document:Document)
SET
  document.dated =
    coalesce(document.modifiedAt, document.createdAt, document.indexedAt);