// What filters of documents are looked up by, besides sources, checksums and tags
CREATE INDEX document_tenant_created_at IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.createdAt);

CREATE INDEX document_tenant_modified_at IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.modifiedAt);

CREATE INDEX document_tenant_indexed_at IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.indexedAt);