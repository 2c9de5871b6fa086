// Whoever follows a job asks for its entries by stage, several times a second: the index alone answers. By lease nothing is looked up
DROP INDEX intake_job_id IF EXISTS;

DROP INDEX intake_lease_until IF EXISTS;

CREATE INDEX intake_job_id_stage IF NOT EXISTS
FOR (intake:Intake)
ON (intake.jobId, intake.stage);