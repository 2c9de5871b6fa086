// A page of documents with the files on this machine that they came from
// params: $tenant STRING, $prefix STRING, $root STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, source STRING, file STRING?, checksum STRING, indexed STRING, access LIST<STRING>?
// note: Documents that were sent as bytes have no file. With a ``root``, only those whose file's path begins with it.
MATCH (d:Document {tenant: $tenant})
WHERE
  d.sourceUri > $after AND
  d.sourceUri STARTS WITH $prefix AND
  ($root = '' OR d.file STARTS WITH $root) AND
  d.status = 'ready'
RETURN
  d.id AS id,
  d.sourceUri AS source,
  d.file AS file,
  d.checksum AS checksum,
  d.indexedAt AS indexed,
  d.access AS access
ORDER BY source
LIMIT $limit