// Documents with a tag (:param tag => 'howto')
// params: $tenant STRING, $tag STRING
// mode: read
// returns: paths from the tag's documents to the tag
MATCH path = (:Document)-[:TAGGED]->(:Tag {tenant: $tenant, name: $tag})
RETURN path
LIMIT 200