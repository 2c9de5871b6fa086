"""One document a file: a file that is given by another path than before keeps the source URI under which it was ingested first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from interlace.domain.documents import LOCAL_FILE, Source
from interlace.domain.errors import ParseError
from interlace.domain.ids import document_id
from interlace.parsing.sources import uris_of
from interlace.ports.graph import GraphDatabase
from interlace.queries.versions import known_documents

_BATCH = 100
_BATCH_BYTES = 4_000_000
_PATH = "path"


def under_known_uris(
    graph: GraphDatabase, tenant: str, sources: Iterable[Source | ParseError]
) -> Iterator[Source | ParseError]:
    """Yield sources in their order; those from a file that a document came from already have the source URI of that document.

    A source URI is the end of a file's path, from the name of the folder that was given: ``docs/a.md`` and ``a.md`` may be the same file. At most 4 MB
    of sources and one more are held in memory.
    """
    waiting: list[Source | ParseError] = []
    size = 0
    for source in sources:
        waiting.append(source)
        size += 0 if isinstance(source, ParseError) else len(source.content)
        if len(waiting) >= _BATCH or size >= _BATCH_BYTES:
            yield from _renamed(graph, tenant, waiting)
            waiting, size = [], 0
    yield from _renamed(graph, tenant, waiting)


def _renamed(
    graph: GraphDatabase, tenant: str, sources: Sequence[Source | ParseError]
) -> Iterator[Source | ParseError]:
    possible = [{} if isinstance(source, ParseError) else _possible_paths(source) for source in sources]
    ids = {document_id(tenant, uri) for paths in possible for uri in paths}
    files = {row.source: row.file for row in known_documents(graph, tenant=tenant, ids=sorted(ids))} if ids else {}
    for source, paths in zip(sources, possible, strict=True):
        if isinstance(source, ParseError):
            yield source
            continue
        known = (uri for uri in paths if files.get(uri) == source.metadata[LOCAL_FILE])
        uri = next(known, None)
        yield replace(source, uri=uri, metadata={**source.metadata, _PATH: paths[uri]}) if uri else source


def _possible_paths(source: Source) -> dict[str, str]:
    """Return the URIs of a source by the folder from which its file may have been given, the longest first, each with the path in it.

    A record of a file has a URI that goes on after the path. What is in no file has no such URI.
    """
    file, path = source.metadata.get(LOCAL_FILE), source.metadata.get(_PATH)
    if not (isinstance(file, str) and isinstance(path, str) and source.uri.startswith(path)):
        return {}
    record = source.uri.removeprefix(path)
    return {each + record: each for each in uris_of(Path(file))}
