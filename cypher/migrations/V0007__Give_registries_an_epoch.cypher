// Versions of a registry are counted from nought again in a fresh database, and go back with a restored one; the epoch tells them apart
MATCH (r:Registry)
WHERE r.epoch IS NULL
SET r.epoch = randomUUID();