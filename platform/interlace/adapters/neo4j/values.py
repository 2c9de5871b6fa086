"""The driver's return values as plain Python: services never see a type of the driver."""

from typing import Any

from neo4j.graph import Entity, Path
from neo4j.time import Date, DateTime, Duration, Time

_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})


def plain(value: Any) -> Any:
    """Return a result value as ``str``, ``int``, ``float``, ``bool``, ``bytes``, ``list``, ``dict``, ``datetime`` or ``None``.

    A node or a relationship becomes the dictionary of its properties, a duration its ISO 8601 text (months have no length in
    seconds), a point the list of its coordinates.

    Raises:
        TypeError: the value is a path; return its nodes and relationships instead.
    """
    # Checked first, because nearly all are plain, and an expansion of the graph returns thousands.
    return value if type(value) in _PLAIN else _converted(value)


def _converted(value: Any) -> Any:
    match value:
        case Duration():  # a subclass of tuple, therefore before tuples
            return value.iso_format()
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case Entity():
            return {key: plain(item) for key, item in value.items()}
        case DateTime() | Date() | Time():
            return value.to_native()
        case Path():
            raise TypeError("A query returned a path; return nodes(p) and relationships(p) instead.")
        case _:
            return value
