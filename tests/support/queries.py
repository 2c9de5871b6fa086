"""Queries that a test writes itself, and the names of those in files."""

from interlace.cypher_files import cypher_root
from interlace.ports.graph import Query


def query_of(text: str, mode: str = "read", **params: str) -> Query:
    """Return a query with the types of its parameters."""
    return Query(name="test/query", title="Test", text=text, params=params, mode=mode, returns="rows")


def query_names() -> list[str]:
    """Return the names of all query files, sorted."""
    root = cypher_root() / "queries"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.cypher"))
