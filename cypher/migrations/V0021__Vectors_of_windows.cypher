// Chunks have vectors of their windows, too: workers make those of the chunks that are there (`interlace vectors rebuild` at once)
MATCH (t:Tenant)
WHERE t.vectorModels IS NOT NULL
SET t.vectorModels = [];