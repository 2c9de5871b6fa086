"""Neo4j: the graph database, its errors as ours, and the migrations of its schema."""
