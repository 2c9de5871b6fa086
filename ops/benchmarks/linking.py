"""Measures which names chunks are linked with, against names that another extractor found in the same chunks.

``interlace graph dump --canonical dump.jsonl --tenant TENANT`` and then
``.venv/bin/python ops/benchmarks/linking.py dump.jsonl SILVER``. ``SILVER`` has a JSON line a chunk: ``_id``, and ``entities``, a list of names;
the source URIs of the tenant's documents end in ``#`` and that id. Needs no running stack.
"""

import calendar
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from interlace.entities.normalization import normalize_name

_MONTHS = frozenset(month.lower() for month in calendar.month_name[1:])

Links = dict[str, dict[str, set[str]]]
"""Chunk to its names: key of a name to the ways in which it was found (``ner``, ``linker``, ``title`` …)."""


def main(
    dump: Annotated[Path, typer.Argument(help="Canonical dump of the tenant.")],
    silver: Annotated[Path, typer.Argument(help="JSON Lines of chunks with their names.")],
) -> None:
    """Print how many of the silver names are linked, and how many links are silver names, by the way in which they were found."""
    found = linked(orjson.loads(line) for line in dump.open("rb"))
    wanted = {row["_id"]: silver_keys(row["entities"]) for row in map(orjson.loads, silver.open("rb"))}
    typer.echo(table(found, wanted))


def linked(lines: Iterable[Mapping[str, Any]]) -> Links:
    """Return the names of each chunk, from the lines of a dump."""
    uris: dict[str, str] = {}
    documents: dict[str, str] = {}
    names: dict[str, str] = {}
    mentions: list[tuple[str, str, str, str]] = []
    for line in lines:
        properties = line["properties"]
        if line["kind"] == "relationship":
            if line["type"] == "MENTIONS":
                mentions.append((line["start"], line["end"], properties.get("key") or "", properties["via"]))
        elif "Document" in line["labels"]:
            uris[line["id"]] = properties["sourceUri"].rpartition("#")[2]
        elif "Chunk" in line["labels"]:
            documents[line["id"]] = properties["documentId"]
        elif "Entity" in line["labels"]:
            names[line["id"]] = normalize_name(properties["name"])
    found: Links = defaultdict(dict)
    for chunk, entity, key, via in mentions:
        found[uris[documents[chunk]]].setdefault(key or names[entity], set()).add(via)
    return found


def silver_keys(names: Iterable[str]) -> set[str]:
    """Return the keys of names: what has a capital, and is no date."""
    keys = {normalize_name(name) for name in names if any(character.isupper() for character in name)}
    return {key for key in keys if key and not all(word.isdigit() or word in _MONTHS for word in key.split())}


def within(key: str, others: Iterable[str]) -> bool:
    """Return whether a key is one of others, or stands in one as whole words, or holds one."""
    return any(f" {key} " in f" {other} " or f" {other} " in f" {key} " for other in others)


def table(found: Links, wanted: Mapping[str, set[str]]) -> str:
    """Return both shares as a Markdown table, in percent: names that are equal, and names one of which holds the other."""
    names = [(key, found.get(chunk, {})) for chunk, keys in sorted(wanted.items()) for key in sorted(keys)]
    rows = [("silver names that are linked", [(key in others, within(key, others)) for key, others in names])]
    links = [
        (via, key in keys, within(key, keys))
        for chunk, keys in sorted(wanted.items())
        for key, ways in sorted(found.get(chunk, {}).items())
        for via in ("any", *sorted(ways))
    ]
    rows += [
        (f"links by {way} that are silver names", [(one, other) for via, one, other in links if via == way])
        for way in ("any", *sorted({via for via, _, _ in links} - {"any"}))
    ]
    return "\n".join(
        ["| | of | equal | or one within the other |", "| --- | --- | --- | --- |"]
        + [
            f"| {name} | {len(hits):,} | {_share([one for one, _ in hits])} | {_share([other for _, other in hits])} |"
            for name, hits in rows
        ]
    )


def _share(hits: list[bool]) -> str:
    return f"{100 * sum(hits) / len(hits):.1f}" if hits else ""


if __name__ == "__main__":
    typer.run(main)
