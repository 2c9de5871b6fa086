// Evidence of some entities as they keep it, and as their mentions and documents give it
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: id STRING, stored LIST<STRING>, found LIST<STRING>
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  CALL (e) {
    MATCH (e)<-[m:MENTIONS]-(:Chunk)
    UNWIND m.evidence AS line
    RETURN split(line, '\t') AS parts, m.origin AS origin
      UNION ALL
    MATCH (e)<-[a:ABOUT]-(:Document)
    UNWIND a.evidence AS line
    RETURN split(line, '\t') AS parts, a.origin AS origin
  }
  WITH
    parts[0] + '\t' + parts[1] + '\t' + parts[2] + coalesce('\t' + origin, '') AS reason,
    sum(toInteger(parts[3])) AS count
  RETURN collect(reason + '\t' + toString(count)) AS found
}
RETURN e.id AS id, coalesce(e.evidence, []) AS stored, found