"""Data frames and pictures for notebooks: the columns of each kind of row, and the optional packages that draw them."""

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interlace.domain.errors import SettingsError

if TYPE_CHECKING:
    from pandas import DataFrame

HIT_COLUMNS = (
    "rank", "score", "title", "source_uri", "section", "sentence", "text", "tags", "legs", "path", "cypher",
    "document_id", "chunk_id",
)  # fmt: skip
ATOM_COLUMNS = (
    "rank", "score", "title", "atlas_id", "source_uri", "tags", "domains", "relevance", "tf_idf", "coverage",
    "cosine", "ranks", "id",
)  # fmt: skip
MATCH_COLUMNS = ("name", "type", "confidence", "via", "signals", "mentions", "type_confidence", "aliases", "id")
NEIGHBOR_COLUMNS = ("name", "type", "hops", "weight", "relations", "sentence", "via_name", "id")
FACT_COLUMNS = (
    "subject", "predicate", "object", "sentence", "confidence", "title", "source_uri", "subject_id", "object_id",
    "chunk_id", "id",
)  # fmt: skip
TOOL_COLUMNS = (
    "rank", "score", "tool", "skill", "description", "keywords", "parts", "paths", "supporters", "cypher", "tool_id",
)  # fmt: skip
SKILL_COLUMNS = ("name", "tools", "keywords", "source_uri", "id")
COMMUNITY_COLUMNS = ("title", "size", "level", "rating", "summary", "parents", "id")
DOCUMENT_COLUMNS = (
    "title", "source_uri", "status", "media_type", "tags", "metadata", "version", "created_at", "modified_at",
    "indexed_at", "id",
)  # fmt: skip


def data_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> "DataFrame":
    """Return the rows with these columns; what a row lacks is empty, in columns of texts None.

    Raises:
        SettingsError: pandas is not installed.
    """
    pandas = import_extra("pandas")
    frame: DataFrame = pandas.DataFrame(
        [{name: row.get(name) for name in columns} for row in rows], columns=list(columns)
    )
    for name in columns:
        # From version 3 on pandas has NaN there, which is true where a title is asked for.
        if frame[name].dtype == "str" and frame[name].hasnans:
            frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
    return frame


def match_row(match: Mapping[str, Any]) -> dict[str, Any]:
    """Return a match as one row: the confidence is that of the match, the entity's own is that of its type."""
    entity = match["entity"]
    return {
        **entity,
        "via": match["via"],
        "confidence": match["confidence"],
        "type_confidence": entity["confidence"],
        "signals": {signal: part["share"] for signal, part in match["signals"].items()},
    }


def neighbor_row(neighbor: Mapping[str, Any]) -> dict[str, Any]:
    """Return a neighbour as a row: its relations by predicate, and the surest sentence of the strongest."""
    relations = neighbor["relations"]
    return {
        **neighbor,
        "relations": ", ".join(relation["predicate"] for relation in relations),
        "sentence": relations[0]["sentence"],
    }


def import_extra(name: str) -> Any:
    """Import a package of the extra ``notebooks``.

    Raises:
        SettingsError: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise SettingsError(f"This needs the package {name}: install `interlace[notebooks]`.") from None
