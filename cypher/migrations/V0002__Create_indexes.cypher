// What queries look nodes up by, besides their keys. The index alone answers who follows a job and counts its records by stage
CREATE INDEX document_tenant IF NOT EXISTS
FOR (document:Document)
ON (document.tenant);

CREATE INDEX chunk_tenant IF NOT EXISTS
FOR (chunk:Chunk)
ON (chunk.tenant);

CREATE INDEX entity_tenant IF NOT EXISTS
FOR (entity:Entity)
ON (entity.tenant);

CREATE INDEX fact_tenant IF NOT EXISTS
FOR (fact:Fact)
ON (fact.tenant);

CREATE INDEX community_tenant IF NOT EXISTS
FOR (community:Community)
ON (community.tenant);

CREATE INDEX document_tenant_source_uri IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.sourceUri);

CREATE INDEX entity_tenant_key IF NOT EXISTS
FOR (entity:Entity)
ON (entity.tenant, entity.key);

CREATE INDEX entity_tenant_type IF NOT EXISTS
FOR (entity:Entity)
ON (entity.tenant, entity.type);

CREATE INDEX ingestion_record_tenant_stage IF NOT EXISTS
FOR (ingestionRecord:IngestionRecord)
ON (ingestionRecord.tenant, ingestionRecord.stage);

CREATE INDEX job_tenant_created_at IF NOT EXISTS
FOR (job:Job)
ON (job.tenant, job.createdAt);

CREATE INDEX job_heartbeat_at IF NOT EXISTS
FOR (job:Job)
ON (job.heartbeatAt);

CREATE INDEX job_updated_at IF NOT EXISTS
FOR (job:Job)
ON (job.updatedAt);

CREATE INDEX outbox_due_at IF NOT EXISTS
FOR (outbox:Outbox)
ON (outbox.dueAt);

CREATE INDEX outbox_tenant_due_at IF NOT EXISTS
FOR (outbox:Outbox)
ON (outbox.tenant, outbox.dueAt);

CREATE INDEX ingestion_record_job_id_stage IF NOT EXISTS
FOR (ingestionRecord:IngestionRecord)
ON (ingestionRecord.jobId, ingestionRecord.stage);

CREATE INDEX document_tenant_checksum IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.checksum);

CREATE INDEX atom_tenant IF NOT EXISTS
FOR (atom:Atom)
ON (atom.tenant);