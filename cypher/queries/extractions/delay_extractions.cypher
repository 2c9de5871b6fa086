// Let all documents of a tenant that are due wait for some time, with the reason why
// params: $tenant STRING, $delayMs INTEGER, $reason STRING
// mode: write
// returns: nothing
MATCH (p:PendingExtraction {tenant: $tenant})
WHERE p.dueAt <= timestamp()
SET p.dueAt = timestamp() + $delayMs, p.reason = $reason