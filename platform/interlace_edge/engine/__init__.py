"""From checked requests to calls of the Qdrant Edge engine, and back."""
