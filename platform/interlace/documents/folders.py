"""Folder synchronisation: which documents came from a folder and are no longer in it, and which of them only have a new path.

A document belongs to a folder if its file lay in the folder **and** its source URI is the end of the file's path. Another folder of the same name,
and what was sent over the API under such a name, is never taken for vanished.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from interlace.documents.verification import FileReference, file_references_of
from interlace.domain.documents import ACCESS, LOCAL_FILE, Source
from interlace.domain.errors import ParseError
from interlace.parsing.sources import uris_of
from interlace.ports.graph import GraphDatabase


@dataclass(frozen=True, slots=True)
class VanishedDocument:
    """A document whose file is gone from its folder, or is left out now.

    Args:
        id: the document.
        source_uri: the path it had.
        renamed_to: the path at which the same bytes were found for the first time, or the same file was read; None if they are nowhere.
    """

    id: str
    source_uri: str
    renamed_to: str | None = None


class FolderWatch:
    """Compares what a folder holds with what it held when its documents were ingested.

    Args:
        graph: where the documents are.
        tenant: the tenant that owns the documents.
        paths: folders, or files of records. A path that does not exist is skipped: a missing folder removes nothing.
    """

    def __init__(self, graph: GraphDatabase, tenant: str, paths: Sequence[Path]) -> None:
        self._before: dict[str, FileReference] = {}
        self._roots = [path.resolve() for path in paths if path.exists()]
        for root in self._roots:
            self._before |= {each.source_uri: each for each in _documents_in(graph, tenant, root)}
        self._access = {each.checksum: each.access for each in self._before.values() if each.access}
        self._found: dict[str, str] = {}
        self._files: dict[str, str | None] = {}
        self._unreadable: set[str] = set()

    def watch(self, sources: Iterable[Source | ParseError]) -> Iterator[Source | ParseError]:
        """Pass sources through, remembering which there are."""
        for source in sources:
            if isinstance(source, ParseError):
                # If a file of records cannot be read completely, none of its records is known to be gone.
                self._unreadable.add(source.file or source.uri)
            else:
                self._found[source.uri] = source.checksum
                self._files[source.uri] = source.metadata.get(LOCAL_FILE)
                source = self._as_before(source)  # noqa: PLW2901 - the same file, labelled
            yield source

    def _as_before(self, source: Source) -> Source:
        """Return a file at a new path with the labels its bytes had at the old one, so that restricted documents are never open in between."""
        groups = self._access.get(source.checksum)
        if not groups or source.uri in self._before or ACCESS in source.metadata:
            return source
        return replace(source, metadata={**source.metadata, ACCESS: list(groups)})

    def vanished(self) -> list[VanishedDocument]:
        """Return the documents that were in the folder before and were not read now, by path; to be called when everything has been read.

        What is there and cannot be read has not vanished, and neither has anything below a folder that cannot be read.
        """
        gone = [each for uri, each in sorted(self._before.items()) if uri not in self._found and not self._hidden(each)]
        moved = self._new_paths()
        return [
            VanishedDocument(each.id, each.source_uri, self._copied(each) or next(moved[each.checksum], None))
            for each in gone
        ]

    def _copied(self, document: FileReference) -> str | None:
        """Return the path at which the same file was read, where two documents came from it."""
        uris = uris_of(Path(document.file or ""))
        before = next(uri for uri in uris if document.source_uri.startswith(uri))
        paths = (uri + document.source_uri.removeprefix(before) for uri in uris)
        return next((uri for uri in paths if self._files.get(uri) == document.file), None)

    def _new_paths(self) -> defaultdict[str, Iterator[str]]:
        """Return checksum → the paths with these bytes that no document had before, each to be used once."""
        paths: defaultdict[str, list[str]] = defaultdict(list)
        for uri, checksum in sorted(self._found.items()):
            if uri not in self._before:
                paths[checksum].append(uri)
        return defaultdict(lambda: iter(()), {checksum: iter(uris) for checksum, uris in paths.items()})

    def _hidden(self, document: FileReference) -> bool:
        """Return whether the file of a document, or a folder above it, cannot be read."""
        file = Path(document.file or "")
        # An error has the URI by the folder that is given now, which a document need not have.
        given = (_uri_from(root, file) for root in self._roots if file.is_relative_to(root))
        paths = map(PurePosixPath, given)
        return any(str(each) in self._unreadable for path in paths for each in (path, *path.parents))


def _uri_from(root: Path, file: Path) -> str:
    """Return the URI that a file has when it is given by a folder above it, or by itself: it begins with that folder's name."""
    return uris_of(Path("/") / file.relative_to(root.parent))[0]


def _documents_in(graph: GraphDatabase, tenant: str, root: Path) -> Iterator[FileReference]:
    """Yield the documents of files below a root, whichever folder above or below it they were given by."""
    for reference in file_references_of(graph, tenant, "", str(root)):
        file = Path(reference.file or "")
        if file.is_relative_to(root) and reference.source_uri.startswith(tuple(uris_of(file))):
            yield reference
