// What language models extracted is kept by the text that they read; documents wait for them in an order of their own
CREATE CONSTRAINT extraction_record_id_unique IF NOT EXISTS
FOR (extractionRecord:ExtractionRecord)
REQUIRE extractionRecord.id IS UNIQUE;

CREATE CONSTRAINT pending_extraction_id_unique IF NOT EXISTS
FOR (pendingExtraction:PendingExtraction)
REQUIRE pendingExtraction.id IS UNIQUE;

CREATE CONSTRAINT token_usage_id_unique IF NOT EXISTS
FOR (tokenUsage:TokenUsage)
REQUIRE tokenUsage.id IS UNIQUE;

CREATE INDEX extraction_record_tenant_checksum IF NOT EXISTS
FOR (extractionRecord:ExtractionRecord)
ON (extractionRecord.tenant, extractionRecord.checksum);

CREATE INDEX chunk_tenant_checksum IF NOT EXISTS
FOR (chunk:Chunk)
ON (chunk.tenant, chunk.checksum);

CREATE INDEX pending_extraction_tenant_due_at IF NOT EXISTS
FOR (pendingExtraction:PendingExtraction)
ON (pendingExtraction.tenant, pendingExtraction.dueAt);

CREATE INDEX pending_extraction_due_at IF NOT EXISTS
FOR (pendingExtraction:PendingExtraction)
ON (pendingExtraction.dueAt);

CREATE INDEX pending_extraction_job_id IF NOT EXISTS
FOR (pendingExtraction:PendingExtraction)
ON (pendingExtraction.jobId);