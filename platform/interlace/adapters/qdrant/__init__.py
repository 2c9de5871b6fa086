"""The vector index in a Qdrant server, Qdrant cluster or Qdrant Edge server, over its REST API."""
