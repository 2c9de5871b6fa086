"""How many mentions one transaction may move, by the memory that the server grants it."""

import logging
from typing import Final

from pydantic import ByteSize, TypeAdapter

from interlace.domain.errors import InterlaceError
from interlace.ports.graph import GraphDatabase
from interlace.queries.database import transaction_memory

_MENTION_BYTES: Final = 10_000
"""Memory that an open transaction and its commit take for each mention moved; measured, see docs/adr/0137."""
_SHARE: Final = 0.5
"""Share of the granted memory to use: close to the limit, garbage collection takes longer than connections wait."""
_UNKNOWN: Final = 25_000
_SIZE: Final = TypeAdapter(ByteSize)
_logger = logging.getLogger(__name__)


def movable_mentions(graph: GraphDatabase) -> int:
    """Return how many mentions a transaction may move; the figure for a small server if this one does not say."""
    try:
        sizes = list(map(_SIZE.validate_python, transaction_memory(graph)))
    except (InterlaceError, ValueError) as error:
        _logger.warning("Neo4j does not report how much memory a transaction may use: %s", error)
        return _UNKNOWN
    granted = [size for size in sizes if size]
    return int(min(granted) * _SHARE / _MENTION_BYTES) if granted else _UNKNOWN
