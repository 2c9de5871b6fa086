"""A small HTTP server that puts the part of Qdrant's REST API that Interlace uses in front of Qdrant Edge, Qdrant's engine in process."""
