"""Vectors: the projection of the graph into the vector index, and its rebuild."""
