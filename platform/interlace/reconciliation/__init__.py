"""Invariants of graph and vector index as code: what is checked, and how it is put right while workers are at work."""
