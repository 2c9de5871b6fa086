"""Relations that a note's front matter states (``uses: [Redis]``), as lines of its text, where they are evidence like any other; its other links."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interlace.domain.relations import stated_relation
from interlace.entities.normalization import normalize_name
from interlace.parsing.decoding import one_line

HEADING = "Relations"
_NAME_CHARACTERS = 120
_LINK = re.compile(r"\[\[[^\[\]|]+(?:\|[^\[\]]+)?\]\]")
# What stands between commas; one within a wiki link belongs to its name: ``[[Smith, John]]``.
_PART = re.compile(rf"(?:{_LINK.pattern}|[^,])+")
# Paths and addresses are not names, and link characters would create another link.
_NO_NAME = re.compile(r"[\[\]|#/\\]")


def relation_lines(values: Mapping[Any, Any]) -> Iterator[str]:
    """Yield a line of Markdown for each key of front matter that states a relation: ``Uses: [[Redis]], [[Neo4j#product]]`` and a full stop.

    Whatever is neither a name nor a wiki link or typed reference is skipped.
    """
    for key, value in values.items():
        words = _words(key)
        if stated_relation(words) and (names := list(dict.fromkeys(_references(value)))):
            yield f"{words.capitalize()}: {', '.join(names)}."


def linking_values(values: Mapping[Any, Any]) -> Iterator[str]:
    """Yield the texts with a wiki link that stand at keys that state no relation: ``[[Index]]`` of ``up``."""
    for key, value in values.items():
        if not stated_relation(_words(key)):
            yield from filter(_LINK.search, _texts(value))


def _words(key: Any) -> str:
    return str(key).replace("_", " ").replace("-", " ")


def _texts(value: Any) -> Iterator[str]:
    """Yield a text, or those of a list: YAML reads ``[[Redis]]`` as a nested one."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def _references(value: Any) -> Iterator[str]:
    for text in (one_line(part) for each in _texts(value) for part in _PART.findall(each)):
        name = text[:_NAME_CHARACTERS]
        if _LINK.fullmatch(text):
            yield text
        elif normalize_name(name) and not _NO_NAME.search(name):
            yield f"[[{name}]]"
