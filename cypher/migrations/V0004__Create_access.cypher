// API keys and the audit log belong to the installation: a key opens several tenants, so that neither has one of its own
CREATE CONSTRAINT api_key_id_unique IF NOT EXISTS
FOR (apiKey:ApiKey)
REQUIRE apiKey.id IS UNIQUE;

CREATE CONSTRAINT audit_entry_id_unique IF NOT EXISTS
FOR (auditEntry:AuditEntry)
REQUIRE auditEntry.id IS UNIQUE;

CREATE INDEX audit_entry_at IF NOT EXISTS
FOR (auditEntry:AuditEntry)
ON (auditEntry.at);