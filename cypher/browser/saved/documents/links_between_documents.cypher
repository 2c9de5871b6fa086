// Links between documents
// params: $tenant STRING
// mode: read
// returns: paths from a document to one that it links to
MATCH path = (d:Document {tenant: $tenant})-[:LINKS_TO]->(:Document)
RETURN path
LIMIT 200