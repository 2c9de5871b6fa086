"""The local stack: Neo4j, Qdrant and Redis, with the API, worker and scheduler, as supervised child processes on loopback."""
