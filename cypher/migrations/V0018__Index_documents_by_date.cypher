// What lists of documents by date, and answers by metadata alone, go through
CREATE INDEX document_tenant_dated IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.dated);