"""Keys by which links between documents find their targets, without either document knowing the other."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from interlace.domain.atoms import ATLAS_ADDRESS, ATLAS_ID, addressed_atom, is_atom
from interlace.domain.documents import DOCUMENTATION_ROOT, DocumentLink
from interlace.entities.normalization import normalize_name
from interlace.ingestion.versions import NewVersion
from interlace.parsing.file_names import file_uri, record_of, without_suffix

_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# The folder that was ingested, or scheme and host of a page of the web.
_TOP = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?[^/]*", re.IGNORECASE)
_WEB_PAGE = re.compile(r"\.html?\Z", re.IGNORECASE)
# Schemes of links that lead to no document: mailto:, data:, javascript:.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
# Kinds of links whose targets are addresses: with escapes and maybe a query.
_ADDRESSED = frozenset({"markdown", "html"})
_MAX_FOLDERS = 32  # from which a path may lead: a document's own and those above it
# What stands for its folder.
_FOLDER_PAGES = frozenset({"index", "readme"})


def reference_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return the targets of a document's links, as keys that match ``known_as`` keys.

    A name, an address or an anchor that the document itself has means the document, not others that have it too.
    """
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    own = {key for key in _known_as(version) if not key.startswith("path:")}
    root = version.parsed.metadata.get(DOCUMENTATION_ROOT)
    file = file_uri(version.claim.source_uri, version.claim.metadata)
    for written in version.parsed.links:
        link = written
        if isinstance(root, str) and link.kind == "rst" and link.target.startswith("/"):
            link = replace(link, target=posixpath.join(root, link.target.strip("/ ")))
        anchor = _unquoted(link.kind, link.anchor)
        for key in set(_target_keys(file, link)) - own:
            row = {"document": version.claim.id, "key": key, "kind": link.kind, "anchor": anchor}
            rows.setdefault((key, link.kind, anchor), row)
    return [rows[each] for each in sorted(rows)]


def _target_keys(file: str, link: DocumentLink) -> tuple[str, ...]:
    """Return the keys that a link's target may stand for.

    An address is one, and a name is one of a document anywhere. A path leads from the linking document's folder; what begins with ``/``, and
    the path of a wikilink without ``./``, lead from that folder or one above it, because their root is not known.
    """
    if link.kind in {"typed", "declared"}:
        return ()
    if link.kind == "rst" and link.anchor and not link.target:
        return (_anchor_key(file, link.anchor),)
    target = link.target.strip()
    if _URL.match(target) or addressed_atom(target):
        return (f"uri:{_unquoted(link.kind, target) if addressed_atom(target) else target}",)
    if link.kind == "wikilink" and "/" not in target:
        return (f"name:{normalize_name(target)}",) if normalize_name(target) else ()
    return () if link.kind != "wikilink" and _SCHEME.match(target) else _path_keys(file, link.kind, target)


def _unquoted(kind: str, text: str) -> str:
    return unquote(text) if kind in _ADDRESSED else text


def _path_keys(file: str, kind: str, target: str) -> tuple[str, ...]:
    if kind in _ADDRESSED and "?" in target:  # before a query, or in the name of a file
        addressed = (target.partition("?")[0], target.replace("?", "%3F"))
        return tuple(key for each in addressed for key in _path_keys(file, kind, each))
    path = target if kind == "wikilink" else unquote(target)
    if not path.strip("/ ") or path.startswith(("#", "?")):
        return ()
    folders = _folders(file)
    if not path.startswith("/") and (kind != "wikilink" or path.startswith(("./", "../"))):
        folders = folders[:1]
    # Generators make ``page.html`` of a page in any format, so that links to one mean the page.
    page = _WEB_PAGE.sub("", path.strip("/ "))
    return tuple(path_key(posixpath.join(folder, page)) for folder in folders)


def _folders(file: str) -> list[str]:
    """Return a file's folder and those above it up to the top one, nearest first; at most ``_MAX_FOLDERS``."""
    top = _top(file)
    names = file.removeprefix(top).split("/")
    folders = [top, *names[1:-1]] if len(names) > 1 else [""]
    return ["/".join(folders[:depth]) for depth in range(len(folders), max(len(folders) - _MAX_FOLDERS, 0), -1)]


def path_key(path: str) -> str:
    """Return the key of a path, which is the same in small and capital letters as names are."""
    return f"path:{posixpath.normpath(path).casefold()}"


def _anchor_key(file: str, anchor: str) -> str:
    """Return the key of an anchor, which is unique in a documentation: in the folder that was ingested, or on a host."""
    return f"anchor:{_top(file)}:{anchor}"


def _top(file: str) -> str:
    found = _TOP.match(file)
    return found[0] if found else ""


def known_as_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return the keys by which links may name a document: its URI, its path, its file name, its title, aliases and anchors."""
    return [{"document": version.claim.id, "key": key} for key in sorted(_known_as(version))]


def _known_as(version: NewVersion) -> frozenset[str]:
    uri, metadata = version.claim.source_uri, version.claim.metadata
    keys = known_keys(uri, [version.parsed.title, *version.parsed.aliases], metadata)
    if is_atom(version.parsed.metadata):
        keys |= {f"uri:{ATLAS_ADDRESS}{version.parsed.metadata[ATLAS_ID]}"}
    return keys | {_anchor_key(file_uri(uri, metadata), anchor) for anchor in version.parsed.anchors}


def known_keys(uri: str, names: Sequence[str], metadata: Mapping[str, Any] = MappingProxyType({})) -> frozenset[str]:
    """Return the keys that a document of this URI with these names (title and aliases) answers to.

    Its path and its file name are keys with and without suffix: a link with one means that file alone. ``index`` and ``README`` stand for their folder too.
    """
    folder, file = posixpath.split(uri)
    name = posixpath.basename(record_of(uri, metadata) or uri)
    paths = [uri, without_suffix(uri), *([folder] if without_suffix(file).casefold() in _FOLDER_PAGES else [])]
    stem, whole = normalize_name(without_suffix(name)), normalize_name(name)
    # Of ``a.md`` the suffix alone would be left, without what looks like an article.
    forms = {*map(normalize_name, names), stem, *([whole] if whole.startswith(f"{stem} ") else [])}
    return frozenset({f"uri:{uri}", *map(path_key, paths), *(f"name:{form}" for form in forms if form)})
