"""Relations that a note's front matter states (``uses: [Redis]``), as lines of its text, where they are evidence like any other."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interlace.domain.relations import stated_relation
from interlace.entities.normalization import normalize_name
from interlace.parsing.decoding import one_line

HEADING = "Relations"
_NAME_CHARACTERS = 120
_LINK = re.compile(r"\[\[[^\[\]|]+\]\]")
# Paths and addresses are not names, and link characters would create another link.
_NO_NAME = re.compile(r"[\[\]|#/\\]")


def relation_lines(values: Mapping[Any, Any]) -> Iterator[str]:
    """Yield a line of Markdown for each key that states a relation: ``Uses: [[Redis]], [[Neo4j#product]]`` and a full stop.

    Args:
        values: the front matter. Whatever is neither a name nor a wiki link or typed reference is skipped.
    """
    for key, value in values.items():
        words = str(key).replace("_", " ").replace("-", " ")
        if stated_relation(words) and (names := list(dict.fromkeys(_references(value)))):
            yield f"{words.capitalize()}: {', '.join(names)}."


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):
        # YAML reads ``[[Redis]]`` as a nested list.
        for item in value:
            yield from _references(item)
    elif isinstance(value, str):
        for part in value.split(","):
            name = one_line(part)[:_NAME_CHARACTERS]
            if _LINK.fullmatch(name):
                yield name
            elif normalize_name(name) and not _NO_NAME.search(name):
                yield f"[[{name}]]"
