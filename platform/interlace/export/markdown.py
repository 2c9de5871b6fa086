"""Markdown export: a tenant's graph as text files that can be kept in Git.

``documents/`` has a note for each document, ``communities/`` a note for each community, and ``entities/`` and ``tags/`` have a file for
each initial. The files are sorted and have no times, so that two exports differ only where the graphs differ.
"""

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from interlace.domain.errors import InvalidInputError
from interlace.export.schema import CHUNK, COMMUNITY, DOCUMENT, ENTITY, SECTION
from interlace.ports.graph import GraphDatabase

_OTHER_INITIALS = "other"
_MAX_NAME = 80
_METADATA = "metadata."
_UNLIMITED = 10_000


@dataclass(frozen=True, slots=True)
class MarkdownExport:
    """The size of an export.

    Args:
        documents: notes of documents.
        entities: entities in the files by initial.
        communities: notes of communities.
        tags: tags in the files by initial.
    """

    documents: int
    entities: int
    communities: int
    tags: int


def export_markdown(graph: GraphDatabase, tenant: str, folder: Path) -> MarkdownExport:
    """Write a tenant's graph to a folder, which appears only when it is complete.

    Each page of nodes is a query of its own, so the graph must not be written to meanwhile. Memory holds names and places, not texts.

    Args:
        graph: the database.
        tenant: whose graph.
        folder: a new or empty folder.

    Raises:
        InvalidInputError: the folder is not empty.
        UnavailableError: the database does not answer.
        OSError: the folder cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInputError(f"{folder} is not an empty folder; choose a new one.")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as temporary:
        root = Path(temporary, "export")
        root.mkdir()
        size = _write(graph, tenant, root, Path(temporary, "texts"))
        root.replace(folder)
    return size


def _write(graph: GraphDatabase, tenant: str, root: Path, texts: Path) -> MarkdownExport:
    notes: dict[str, Path] = {}
    tags: dict[str, list[str]] = defaultdict(list)
    for node in DOCUMENT.nodes(graph, tenant):
        notes[node.key] = root / "documents" / file_name(node.properties["title"], node.key)
        _put(notes[node.key], _front_matter(node.properties))
        for tag in node.properties.get("tags") or ():
            tags[tag].append(notes[node.key].name)
    _append_chunks(graph, tenant, notes, texts)
    names = {node.key: str(node.properties["name"]) for node in ENTITY.nodes(graph, tenant)}
    _write_shards(root / "entities", _entities(graph, tenant, names))
    _write_shards(root / "tags", ((tag, _tag(tag, files)) for tag, files in tags.items()))
    communities = _write_communities(graph, tenant, root / "communities", names)
    return MarkdownExport(len(notes), len(names), communities, len(tags))


def _front_matter(properties: Mapping[str, Any]) -> str:
    fields: dict[str, Any] = {
        "source": properties["sourceUri"],
        "media_type": properties["mediaType"],
        "checksum": properties["checksum"],
        "tags": sorted(properties.get("tags") or ()),
    }
    found = {name.removeprefix(_METADATA): value for name, value in properties.items() if name.startswith(_METADATA)}
    text = yaml.safe_dump(fields | {"metadata": found}, allow_unicode=True, width=_UNLIMITED)
    return f"---\n{text}---\n\n# {_one_line(properties['title'])}\n"


def _append_chunks(graph: GraphDatabase, tenant: str, notes: Mapping[str, Path], texts: Path) -> None:
    """Append the chunks of each document in order; pages come in order of id, so the texts wait in files."""
    headings = {
        each.key: f"{'#' * (int(node.properties['level']) + 1)} {_one_line(node.properties['heading'])}"
        for node in SECTION.nodes(graph, tenant)
        for each in node.relationships
        if each.label == CHUNK.label and node.properties.get("heading")
    }
    chunks: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for node in CHUNK.nodes(graph, tenant):
        chunks[node.properties["documentId"]].append((node.properties["ordinal"], node.key))
        _put(texts / node.key, node.properties["text"])
    for document, note in notes.items():
        shown = ""
        with note.open("a", encoding="utf-8") as out:
            for _, key in sorted(chunks[document]):
                heading = headings.get(key, "")
                if heading and heading != shown:
                    out.write(f"\n{heading}\n")
                shown = heading
                out.write(f"\n{(texts / key).read_text(encoding='utf-8').strip()}\n")


def _entities(graph: GraphDatabase, tenant: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for node in ENTITY.nodes(graph, tenant):
        name = names[node.key]
        lines = [f"- type: {node.properties['type']}"]
        if aliases := sorted({*(node.properties.get("aliases") or ())} - {name}):
            lines.append(f"- aliases: {', '.join(map(_one_line, aliases))}")
        relations = {f"- {each.type}: {_one_line(names[each.key])}" for each in node.relationships if each.key in names}
        yield name, "\n".join([f"## {_one_line(name)}", "", *lines, *sorted(relations), ""])


def _tag(tag: str, files: Iterable[str]) -> str:
    return "\n".join([f"## {_one_line(tag)}", "", *(f"- [{file}](../documents/{file})" for file in sorted(files)), ""])


def _write_communities(graph: GraphDatabase, tenant: str, folder: Path, names: Mapping[str, str]) -> int:
    members: dict[str, list[str]] = defaultdict(list)
    for node in ENTITY.nodes(graph, tenant):
        for each in node.relationships:
            if each.label == COMMUNITY.label:
                members[each.key].append(names[node.key])
    count = 0
    for node in COMMUNITY.nodes(graph, tenant):
        title = str(node.properties.get("title") or "Community")
        lines = [f"# {_one_line(title)}", "", str(node.properties.get("summary") or "").strip(), ""]
        listed = [f"- {_one_line(name)}" for name in sorted(members[node.key])]
        _put(folder / file_name(title, node.key), "\n".join([*lines, *listed, ""]))
        count += 1
    return count


def _write_shards(folder: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write entries to a file for each initial, sorted by name and then by text."""
    shards: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, text in entries:
        shards[initial(name)].append((name, text))
    for shard, found in shards.items():
        _put(folder / f"{shard}.md", f"# {shard}\n\n" + "\n".join(text for _, text in sorted(found)))


def initial(name: str) -> str:
    """Return the file of a name: its first letter in upper case, or one file for all names that begin with no letter."""
    first = name[:1].upper()
    return first if len(first) == 1 and first.isalpha() else _OTHER_INITIALS


def file_name(title: str, key: str) -> str:
    """Return a readable file name that every file system takes; the beginning of the node's id makes it unique."""
    slug = re.sub(r"\W+", "-", title.casefold()).strip("-")[:_MAX_NAME]
    return f"{slug or 'untitled'}-{key[:8]}.md"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
