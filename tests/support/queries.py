"""Queries that a test writes itself."""

from interlace.ports.graph import Query


def query_of(text: str, mode: str = "read", **params: str) -> Query:
    """Return a query with the types of its parameters."""
    return Query(name="test/query", title="Test", text=text, params=params, mode=mode, returns="rows")
