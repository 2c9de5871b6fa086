"""Keys by which links between documents find their targets, without either document knowing the other."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from interlace.domain.atoms import ATLAS_ADDRESS, ATLAS_ID, addressed_atom, is_atom
from interlace.domain.documents import DOCUMENTATION_ROOT, DocumentLink
from interlace.entities.normalization import normalize_name
from interlace.ingestion.versions import NewVersion

_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# The folder that was ingested, or scheme and host of a page of the web.
_TOP = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?[^/#]*", re.IGNORECASE)
_WEB_PAGE = re.compile(r"\.html?\Z", re.IGNORECASE)
# Schemes of links that lead to no document: mailto:, data:, javascript:.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)


def reference_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return the targets of a document's links, as keys that match ``known_as`` keys."""
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    own = set(version.parsed.anchors)
    root = version.parsed.metadata.get(DOCUMENTATION_ROOT)
    for written in version.parsed.links:
        link = _from_root(written, root) if isinstance(root, str) and _is_rooted(written) else written
        for key in () if _is_anchor(link) and link.anchor in own else _target_keys(version.claim.source_uri, link):
            identity = (key, link.kind, link.anchor)
            row = {"document": version.claim.id, "key": key, "kind": link.kind, "anchor": link.anchor}
            rows.setdefault(identity, row)
    return [rows[identity] for identity in sorted(rows)]


def _target_keys(source_uri: str, link: DocumentLink) -> tuple[str, ...]:
    if _is_anchor(link):
        return (_anchor_key(source_uri, link.anchor),)
    keys = [key for key in _rooted_keys(source_uri, link) or [_target_key(source_uri, link)] if key]
    # Generators of documentation make ``page.html`` from ``page.rst``, and links say that or, in reStructuredText, just ``page``.
    if link.kind == "rst" or (link.kind == "markdown" and _WEB_PAGE.search(link.target)):
        keys += [f"{key}.rst" for key in keys if key.startswith("path:") and not key.endswith(".rst")]
    return tuple(keys)


def _is_rooted(link: DocumentLink) -> bool:
    return link.kind == "rst" and link.target.startswith("/")


def _from_root(link: DocumentLink, root: str) -> DocumentLink:
    return replace(link, target=posixpath.join(root, link.target.strip("/ ")))


def _is_anchor(link: DocumentLink) -> bool:
    return link.kind == "rst" and not link.target and bool(link.anchor)


def _anchor_key(source_uri: str, anchor: str) -> str:
    """Return the key of an anchor, which is unique in a documentation: in the folder that was ingested, or on a host."""
    return f"anchor:{_top(source_uri)}:{anchor}"


def _top(source_uri: str) -> str:
    found = _TOP.match(source_uri)
    return found[0] if found else ""


def _rooted_keys(source_uri: str, link: DocumentLink) -> list[str]:
    """Return the keys of ``:doc:`/path``` in a document that does not say where its documentation's root is: any folder above it, up to the top one."""
    if not _is_rooted(link):
        return []
    top, path = _top(source_uri), link.target.strip("/ ")
    names = source_uri.split("#", maxsplit=1)[0].removeprefix(top).split("/")
    folders = [top, *names[1:-1]] if len(names) > 1 else [""]
    roots = ("/".join(folders[:depth]) for depth in range(len(folders), 0, -1))
    return [_target_key("", replace(link, target=posixpath.join(root, path))) for root in roots if path]


def _target_key(source_uri: str, link: DocumentLink) -> str:
    if link.kind in {"typed", "declared"}:
        return ""
    target = link.target.strip()
    if _URL.match(target) or addressed_atom(target):
        return f"uri:{target}"
    if link.kind == "wikilink" and "/" not in target:
        return f"name:{normalize_name(target)}" if normalize_name(target) else ""
    if link.kind != "wikilink":
        if _SCHEME.match(target):
            return ""
        target = unquote(target)
    base = posixpath.dirname(source_uri.split("#", maxsplit=1)[0])
    resolved = posixpath.normpath(posixpath.join(base, target)) if target else ""
    return f"path:{without_suffix(resolved)}" if resolved and not target.startswith("#") else ""


def known_as_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return the keys by which links may name a document: its URI, its path, its file name and its title."""
    keys = known_keys(version.claim.source_uri, [version.parsed.title, *version.parsed.aliases])
    if is_atom(version.parsed.metadata):
        keys |= {f"uri:{ATLAS_ADDRESS}{version.parsed.metadata[ATLAS_ID]}"}
    keys |= {_anchor_key(version.claim.source_uri, anchor) for anchor in version.parsed.anchors}
    return [{"document": version.claim.id, "key": key} for key in sorted(keys)]


def known_keys(uri: str, names: Sequence[str]) -> frozenset[str]:
    """Return the keys that a document of this URI with these names (title and aliases) answers to."""
    stem = normalize_name(without_suffix(posixpath.basename(uri.split("#", maxsplit=1)[-1])))
    keys = {key for name in names if (key := normalize_name(name))} | ({stem} if stem else set())
    return frozenset({f"uri:{uri}", f"path:{without_suffix(uri)}", *(f"name:{key}" for key in keys)})


def without_suffix(path: str) -> str:
    """Return a path without the suffix that links to documents leave out; other suffixes stay."""
    return re.sub(r"\.(md|markdown|html?|txt|pdf|docx|odt|rtf)\Z", "", path, flags=re.IGNORECASE)
