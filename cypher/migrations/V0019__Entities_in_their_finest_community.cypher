// An entity is linked to the finest community that holds it; those above hold it by what is beneath them
MATCH (e:Entity)-[m:IN_COMMUNITY]->(c:Community)
WHERE EXISTS { (e)-[:IN_COMMUNITY]->(:Community)-[:PARENT]->+(c) }
DELETE m;