"""Jobs: batch jobs, idempotency keys, quarantine, retention."""
