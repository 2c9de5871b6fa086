// Note when API keys were last used
// params: $uses LIST<MAP>
// mode: write
// returns: nothing
// note: ``uses`` has ``id`` and ``at``, in milliseconds since 1970.
UNWIND $uses AS use
MATCH (k:ApiKey {id: use.id})
USING INDEX SEEK k:ApiKey(id)
WHERE coalesce(k.lastUsedAt, 0) < use.at
SET k.lastUsedAt = use.at