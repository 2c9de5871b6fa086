// Documents that are kept to groups of readers, without a look at those that are open to everybody
CREATE INDEX document_tenant_access IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.access);