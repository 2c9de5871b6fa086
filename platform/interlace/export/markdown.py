"""Markdown export: a tenant's graph as text files that can be kept in Git.

``documents/`` has a note for each document (``interlace.parsing.note``), from which the same document can be ingested again. ``communities/``
has a file for each community, ``entities/`` and ``tags/`` have one for each initial; they come from the notes and are not ingested. All is
sorted, and nothing says when it was indexed, so that two exports differ only where the graphs differ.
"""

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from interlace.domain.errors import InvalidInputError
from interlace.domain.relations import RELATION_TYPES
from interlace.export.documents import kept_documents
from interlace.export.schema import COMMUNITY, ENTITY
from interlace.parsing.note import MARK, write_note
from interlace.ports.graph import GraphDatabase
from interlace.text.excerpts import one_line

_OTHER_INITIALS = "other"
_MAX_NAME_BYTES = 160  # file systems take 255


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
    """Write a tenant's graph to a new or empty folder, which appears only when it is complete.

    Each page of nodes is a query of its own, so the graph must not be written to meanwhile. Memory holds names and positions, not texts.

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
        size = _write(graph, tenant, root)
        root.replace(folder)
    return size


def _write(graph: GraphDatabase, tenant: str, root: Path) -> MarkdownExport:
    documents = 0
    tags: dict[str, list[str]] = defaultdict(list)
    for document in kept_documents(graph, tenant, root.parent):
        note = file_name(document.parsed.title, document.id)
        _put(root / "documents" / note, write_note(document.parsed, document.origin))
        documents += 1
        for tag in document.parsed.tags:
            tags[tag].append(note)
    names = {node.key: str(node.properties["name"]) for node in ENTITY.nodes(graph, tenant)}
    _write_shards(root / "entities", _entities(graph, tenant, names))
    _write_shards(root / "tags", ((tag, _tag(tag, files)) for tag, files in tags.items()))
    communities = _write_communities(graph, tenant, root / "communities", names)
    return MarkdownExport(documents, len(names), communities, len(tags))


def _entities(graph: GraphDatabase, tenant: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for node in ENTITY.nodes(graph, tenant):
        name = names[node.key]
        lines = [f"- type: {node.properties['type']}"]
        if aliases := sorted({*(node.properties.get("aliases") or ())} - {name}):
            lines.append(f"- aliases: {', '.join(map(one_line, aliases))}")
        relations = {
            f"- {each.properties['predicate']}: {one_line(names[each.key])}"
            for each in node.relationships
            if each.type in RELATION_TYPES and each.key in names
        }
        yield name, "\n".join([f"## {one_line(name)}", "", *lines, *sorted(relations), ""])


def _tag(tag: str, files: Iterable[str]) -> str:
    return "\n".join([f"## {one_line(tag)}", "", *(f"- [{file}](../documents/{file})" for file in sorted(files)), ""])


def _write_communities(graph: GraphDatabase, tenant: str, folder: Path, names: Mapping[str, str]) -> int:
    members: dict[str, list[str]] = defaultdict(list)
    for node in ENTITY.nodes(graph, tenant):
        for each in node.relationships:
            if each.label == COMMUNITY.label:
                members[each.key].append(names[node.key])
    count = 0
    for node in COMMUNITY.nodes(graph, tenant):
        title = str(node.properties.get("title") or "Community")
        lines = [f"# {one_line(title)}", "", str(node.properties.get("summary") or "").strip(), ""]
        listed = [f"- {one_line(name)}" for name in sorted(members[node.key])]
        _put(folder / file_name(title, node.key), _listing("communities", "\n".join([*lines, *listed, ""])))
        count += 1
    return count


def _write_shards(folder: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write entries to a file for each initial, sorted by name and then by text."""
    shards: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, text in entries:
        shards[initial(name)].append((name, text))
    for shard, found in shards.items():
        text = f"# {shard}\n\n" + "\n".join(text for _, text in sorted(found))
        _put(folder / f"{shard}.md", _listing(folder.name, text))


def _listing(kind: str, text: str) -> str:
    """Return a file with the mark by which ingestion knows that it is not a document."""
    return f"---\n{MARK}: {kind}\n---\n{text}"


def initial(name: str) -> str:
    """Return the file of a name: its first letter in upper case, or one file for all names that begin with no letter."""
    first = name[:1].upper()
    return first if len(first) == 1 and first.isalpha() else _OTHER_INITIALS


def file_name(title: str, key: str) -> str:
    """Return a readable file name that every file system takes; the beginning of the node's id makes it unique."""
    slug = re.sub(r"\W+", "-", title.casefold()).strip("-").encode()[:_MAX_NAME_BYTES].decode(errors="ignore")
    return f"{slug or 'untitled'}-{key[:8]}.md"


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
