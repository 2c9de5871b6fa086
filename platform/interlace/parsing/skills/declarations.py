"""The declarations in a skill's front matter: routing keywords and tools, in each form that authors use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interlace.domain.errors import ParseError
from interlace.entities.normalization import normalize_name
from interlace.parsing.decoding import one_line
from interlace.parsing.metadata import words_of

_NAME_CHARACTERS = 120
_KEYS = frozenset({"name", "description", "keywords"})


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool as the front matter declares it."""

    name: str
    description: str = ""
    keywords: tuple[str, ...] = ()


def declared_keywords(value: Any) -> tuple[str, ...]:
    """Return the keywords in a list or a comma-separated text, each once."""
    return distinct_names(words_of(value))


def distinct_names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that are names, each normalised form once, as first written."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(normalize_name(word), word[:_NAME_CHARACTERS])
    return tuple(word for key, word in first.items() if key)


def declared_tools(value: Any, document: str) -> dict[str, DeclaredTool]:
    """Return the tools by normalised name, in order; if two have the same name, the first.

    Args:
        value: names; ``name: description`` pairs; or mappings with ``name``, ``description`` and ``keywords``.
        document: what messages call the document.

    Raises:
        ParseError: a tool has no name.
    """
    if isinstance(value, Mapping):
        items: Iterable[Any] = ({"name": key, **_as_mapping(item)} for key, item in value.items())
    else:
        items = value if isinstance(value, list | tuple) else words_of(value)
    tools: dict[str, DeclaredTool] = {}
    for item in items:
        tool = _tool(item, document)
        tools.setdefault(normalize_name(tool.name), tool)
    return tools


def _as_mapping(item: Any) -> Mapping[Any, Any]:
    return item if isinstance(item, Mapping) else {"description": item}


def _tool(item: Any, document: str) -> DeclaredTool:
    if not isinstance(item, Mapping):
        name, _, description = str(item).partition(": ")
        item = {"name": name, "description": description}
    elif len(item) == 1 and item.keys().isdisjoint(_KEYS):
        # YAML reads ``- merge: Joins files.`` as a mapping with one key.
        name, description = next(iter(item.items()))
        item = {"name": name, "description": description}
    name = one_line(str(item.get("name") or ""))[:_NAME_CHARACTERS]
    if not normalize_name(name):
        raise ParseError(f"{document} declares a tool without a name. Give each entry of `tools` a `name`.")
    description = item.get("description")
    return DeclaredTool(
        name=name,
        description="" if description is None else one_line(str(description)),
        keywords=declared_keywords(item.get("keywords")),
    )
