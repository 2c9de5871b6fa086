// One key for each label; an id already holds the tenant. Community Edition has uniqueness only: that keys exist is up to the writers
CREATE CONSTRAINT document_id_unique IF NOT EXISTS
FOR (document:Document)
REQUIRE document.id IS UNIQUE;

CREATE CONSTRAINT section_id_unique IF NOT EXISTS
FOR (section:Section)
REQUIRE section.id IS UNIQUE;

CREATE CONSTRAINT chunk_id_unique IF NOT EXISTS
FOR (chunk:Chunk)
REQUIRE chunk.id IS UNIQUE;

CREATE CONSTRAINT entity_id_unique IF NOT EXISTS
FOR (entity:Entity)
REQUIRE entity.id IS UNIQUE;

CREATE CONSTRAINT fact_id_unique IF NOT EXISTS
FOR (fact:Fact)
REQUIRE fact.id IS UNIQUE;

CREATE CONSTRAINT community_id_unique IF NOT EXISTS
FOR (community:Community)
REQUIRE community.id IS UNIQUE;

CREATE CONSTRAINT job_id_unique IF NOT EXISTS
FOR (job:Job)
REQUIRE job.id IS UNIQUE;

CREATE CONSTRAINT ingestion_record_id_unique IF NOT EXISTS
FOR (ingestionRecord:IngestionRecord)
REQUIRE ingestionRecord.id IS UNIQUE;

CREATE CONSTRAINT outbox_id_unique IF NOT EXISTS
FOR (outbox:Outbox)
REQUIRE outbox.id IS UNIQUE;

CREATE CONSTRAINT tag_tenant_name_unique IF NOT EXISTS
FOR (tag:Tag)
REQUIRE (tag.tenant, tag.name) IS UNIQUE;

CREATE CONSTRAINT tenant_tenant_unique IF NOT EXISTS
FOR (tenant:Tenant)
REQUIRE tenant.tenant IS UNIQUE;

CREATE CONSTRAINT lease_tenant_name_unique IF NOT EXISTS
FOR (lease:Lease)
REQUIRE (lease.tenant, lease.name) IS UNIQUE;

CREATE CONSTRAINT gazetteer_change_tenant_version_unique IF NOT EXISTS
FOR (gazetteerChange:GazetteerChange)
REQUIRE (gazetteerChange.tenant, gazetteerChange.version) IS UNIQUE;

CREATE CONSTRAINT reference_tenant_key_unique IF NOT EXISTS
FOR (reference:Reference)
REQUIRE (reference.tenant, reference.key) IS UNIQUE;