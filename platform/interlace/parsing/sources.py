"""Source discovery: the documents in files and folders.

The URI of a document must not depend on where its folder is or on the working directory: it is the file's POSIX path relative to
the *parent* of the given path. ``docs`` (or ``/data/docs``) holding ``a/b.md`` gives ``docs/a/b.md``; the single file ``x/y.md`` gives
``y.md``; a record of ``corpus.jsonl`` gives ``corpus.jsonl#<id>``. Names are in NFC, because file systems disagree, and control and
bidirectional characters in them are percent-encoded.
"""

import datetime as dt
import errno
import mimetypes
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any
from urllib.parse import quote

from interlace.domain.documents import DOCUMENTATION_ROOT, LOCAL_FILE, Source
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import clean, display_name, is_unicode
from interlace.parsing.ignored import IgnoreRules
from interlace.parsing.media import HEAD_BYTES, JSON, MAILBOX, TEXT, UNKNOWN, media_type_of, sniff
from interlace.parsing.note import kind_of, note_source
from interlace.parsing.records.files import RECORD_FILES, is_mailbox, split_array, split_records
from interlace.parsing.registry import too_large
from interlace.parsing.sandbox.limits import ParseLimits

SourceResult = Source | ParseError
FileProgress = Callable[[Path], None]

_URI_CHARACTERS = 2_000
_NO_TEXT = ("image/", "audio/", "video/", "font/")
_IN_DOCUMENTATIONS = frozenset({".md", ".rst"})
_VERSION_CONTROL = frozenset({"CVS", "SCCS", "RCS", "_darcs"})


def find_sources(
    paths: Sequence[Path], *, limits: ParseLimits, progress: FileProgress | None = None
) -> Iterator[SourceResult]:
    """Yield a source for each document in files and folders, in name order, and an error for each that cannot be read.

    Hidden files, version control folders, images, audio and video in a given folder are skipped, and so are virtual environments, build
    output and whatever ``.gitignore`` matches. Links in a folder are not followed:
    a link to a target in the same folder is skipped, because that is found under its own name; a link that leads out of the folder,
    nowhere or in a circle is an error. At most one document, or one record of a file of records, is held in memory.

    Args:
        paths: files and folders; one given twice is read once.
        limits: ``max_bytes`` bounds each document.
        progress: called with the path of each file before it is read.
    """
    roots: dict[str, Path] = {}
    for path in paths:
        try:
            root = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            yield _unreadable(display_name(str(path)), error, _uri_name(path.name))
            continue
        uri = root_uri(root)
        known = roots.get(uri)
        if known is None:
            roots[uri] = root
            for file, name in _files(root, uri):
                yield from _read(file, name, limits, progress) if not isinstance(name, ParseError) else [name]
        elif known != root:
            yield ParseError(
                f"{display_name(str(path))} and {display_name(str(known))} have the same name, so their documents would replace each other. "
                "Rename one, or give a folder that holds both.",
                reason="duplicate",
                uri=uri,
            )


def root_uri(root: Path) -> str:
    """Return the common prefix of the URIs of all documents in a resolved file or folder: its name."""
    return _uri_name(root.name)


def uris_of(file: Path) -> list[str]:
    """Return the URIs that a file has, by the folder from which it is given, the longest first."""
    names = [_uri_name(part) for part in file.parts[1:]]
    return ["/".join(names[start:]) for start in range(len(names))]


def _uri_name(name: str) -> str:
    """Return one part of a path as URIs spell it."""
    normal = unicodedata.normalize("NFC", name)
    return "".join(part if clean(part) == part and part != "\n" else quote(os.fsencode(part)) for part in normal)


def _files(root: Path, uri: str) -> Iterator[tuple[Path, str | ParseError]]:
    """Yield the files below a root with their URIs, depth first in name order, without recursion."""
    stack = [(root, uri)]
    rules = IgnoreRules(root)
    while stack:
        path, name = stack.pop()
        try:
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                problem = _link_problem(path, root, name)
                if problem:
                    yield path, problem
            elif stat.S_ISDIR(mode):
                entries = sorted((entry for entry in path.iterdir() if not _is_skipped(entry, rules)), reverse=True)
                named = {f"{name}/{_uri_name(entry.name)}": entry for entry in entries}
                stack += [(entry, uri) for uri, entry in named.items()]
                if len(named) < len(entries):
                    yield from _same_names(named, entries, name)
            else:
                yield path, name
        except OSError as error:
            yield path, _unreadable(display_name(name), error, name)


def _same_names(named: Mapping[str, Path], entries: Sequence[Path], folder: str) -> Iterator[tuple[Path, ParseError]]:
    """Yield an error for each entry of a folder whose name another one has in a different Unicode form."""
    for entry in entries:
        if named[uri := f"{folder}/{_uri_name(entry.name)}"] is not entry:
            sentence = f"{display_name(uri)}: two files have this name, spelled in two Unicode forms. Rename one."
            yield entry, ParseError(sentence, reason="duplicate", uri=uri)


def _is_skipped(path: Path, rules: IgnoreRules) -> bool:
    """Return whether a folder holds this for another purpose: hidden, version control, images beside the text, or made by tools."""
    kind = mimetypes.guess_type(path.name)[0] or ""
    if path.name.startswith(".") or path.name in _VERSION_CONTROL or kind.startswith(_NO_TEXT):
        return True
    return rules.ignores(path, folder=path.is_dir() and not path.is_symlink())


def _link_problem(link: Path, root: Path, uri: str) -> ParseError | None:
    """Return the error for a link that leads to no document of this root; None if its target is found under its own name."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        problem = "is a link that leads nowhere or in a circle. Remove it"
    else:
        if not target.is_relative_to(root):
            problem = "is a link out of the folder. Give its target itself"
        elif link.is_relative_to(target):
            problem = "is a link to a folder that holds it. Remove it"
        else:
            return None
    return ParseError(f"{display_name(uri)} {problem}.", reason="link", uri=uri)


def _unreadable(name: str, error: Exception, uri: str) -> ParseError:
    if isinstance(error, FileNotFoundError):
        return ParseError(f"{name} does not exist, or disappeared. Check the path.", reason="unreadable", uri=uri)
    why = getattr(error, "strerror", None) or str(error)
    return ParseError(f"{name} cannot be opened: {why}. Check its name and permissions.", reason="unreadable", uri=uri)


def _read(path: Path, uri: str, limits: ParseLimits, progress: FileProgress | None) -> Iterator[SourceResult]:
    """Yield the document, or the records, of one file."""
    if progress:
        progress(path)
    if len(uri) > _URI_CHARACTERS:
        yield ParseError(
            f"{display_name(uri)} has a path of {len(uri)} characters (limit {_URI_CHARACTERS}). Shorten it.",
            reason="limit",
            uri=uri,
        )
        return
    try:
        # Neither follow links nor block: the file may have been replaced, even by a pipe, since the folder was listed.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            yield from _read_open(file, path, uri, limits)
    except ParseError as error:
        error.uri = uri
        yield error
    except OSError as error:
        if error.errno == errno.ELOOP:
            yield ParseError(
                f"{display_name(uri)} became a link while it was read. Try again.", reason="changed", uri=uri
            )
        else:
            yield _unreadable(display_name(uri), error, uri)


def _read_open(file: BufferedReader, path: Path, uri: str, limits: ParseLimits) -> Iterator[SourceResult]:
    before, name = os.fstat(file.fileno()), display_name(uri)
    if not stat.S_ISREG(before.st_mode):
        raise ParseError(
            f"{name} is not a regular file but a pipe, socket or device. Remove it.", reason="unknown-type"
        )
    hint = media_type_of(path.name)
    metadata = _file_metadata(path, uri, before)
    if hint in {TEXT, UNKNOWN} and is_mailbox(os.pread(file.fileno(), HEAD_BYTES, 0)):
        hint = MAILBOX
    if hint in RECORD_FILES:
        sniff(os.pread(file.fileno(), HEAD_BYTES, 0), hint, name)
        yield from split_records(file, hint, uri, _record_metadata(metadata), limits)
        _check_unchanged(file, before, name)
        return
    if before.st_size > limits.max_bytes:
        raise too_large(name, before.st_size, limits)
    content = file.read(before.st_size + 1)  # one byte more, so that growth is detected and reading stays bounded
    _check_unchanged(file, before, name)
    if exported := kind_of(content):
        if exported == "document":  # the lists of an export are derived from its notes
            yield note_source(content, name, limits)
        return
    if content.strip():
        hint = sniff(content[:HEAD_BYTES], hint, name)
    if hint == JSON:
        yield from split_array(content, uri, _record_metadata(metadata), limits)
    else:
        yield Source(uri, hint, content, metadata)


def _check_unchanged(file: BufferedReader, before: os.stat_result, name: str) -> None:
    after = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise ParseError(f"{name} changed while it was read. Try again when it is complete.", reason="changed")


def _file_metadata(path: Path, uri: str, status: os.stat_result) -> dict[str, Any]:
    modified = dt.datetime.fromtimestamp(status.st_mtime, tz=dt.UTC).isoformat(timespec="seconds")
    found = {"path": uri, "file_name": uri.rpartition("/")[2], "modified_at": modified, "size_bytes": status.st_size}
    if path.suffix in _IN_DOCUMENTATIONS:
        given = path.parents[: uri.count("/")]  # the folder that was given, and what is in it
        above = next((depth for depth, each in enumerate(given) if (each / "conf.py").is_file()), None)
        found |= {} if above is None else {DOCUMENTATION_ROOT: "/".join([".."] * above) or "."}
    # A path that is not Unicode cannot be represented in JSON, so verification skips that file.
    return found | ({LOCAL_FILE: str(path)} if is_unicode(str(path)) else {})


def _record_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a file's metadata that applies to each record: not the size, which changes with its other records."""
    return {key: value for key, value in metadata.items() if key != "size_bytes"}
