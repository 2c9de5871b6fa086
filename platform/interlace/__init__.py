"""Interlace: documents in, a Neo4j knowledge graph and a Qdrant index out, explained answers to questions."""

__version__ = "0.1.0"
