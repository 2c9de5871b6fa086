"""How many mentions one transaction may move, by the memory that the server grants it."""

import logging
from typing import Final

from pydantic import ByteSize, TypeAdapter

from interlace.domain.errors import InterlaceError
from interlace.ports.graph import GraphDatabase
from interlace.queries.database import transaction_memory

_MENTION_BYTES: Final = 10_000
"""Memory of an open transaction and its commit for each mention that it moves; measured, see docs/adr/0137."""
_SHARE: Final = 0.5
"""Of the memory granted: close to the limit the server collects garbage for longer than connections wait."""
_UNKNOWN: Final = 25_000
_SIZE: Final = TypeAdapter(ByteSize)
_log = logging.getLogger(__name__)


def movable_mentions(graph: GraphDatabase) -> int:
    """Return how many mentions a transaction may move; the number of a small server where this one does not tell."""
    try:
        sizes = [_SIZE.validate_python(row.granted) for row in transaction_memory(graph)]
    except (InterlaceError, ValueError) as error:
        _log.warning("Neo4j does not tell what memory a transaction may take: %s", error)
        return _UNKNOWN
    granted = [size for size in sizes if size]
    return int(min(granted) * _SHARE / _MENTION_BYTES) if granted else _UNKNOWN
