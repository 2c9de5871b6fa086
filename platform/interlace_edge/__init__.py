"""A small HTTP server that exposes the part of Qdrant's REST API that Interlace uses, on top of Qdrant Edge, Qdrant's in-process engine."""
