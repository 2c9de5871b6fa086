"""Keys by which links between documents find their targets, without either document knowing the other."""

import posixpath
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from interlace.domain.atoms import ATLAS_ADDRESS, ATLAS_ID, addressed_atom, is_atom
from interlace.domain.documents import DocumentLink
from interlace.entities.normalization import normalize_name
from interlace.ingestion.versions import NewVersion

_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# Schemes of links that lead to no document: mailto:, data:, javascript:.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)


def reference_rows(version: NewVersion) -> list[dict[str, Any]]:
    """Return the targets of a document's links, as keys that match ``known_as`` keys."""
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for link in version.parsed.links:
        key = _target_key(version.claim.source_uri, link)
        if key:
            identity = (key, link.kind, link.anchor)
            row = {"document": version.claim.id, "key": key, "kind": link.kind, "anchor": link.anchor}
            rows.setdefault(identity, row)
    return [rows[identity] for identity in sorted(rows)]


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
    return [{"document": version.claim.id, "key": key} for key in sorted(keys)]


def known_keys(uri: str, names: Sequence[str]) -> frozenset[str]:
    """Return the keys that a document of this URI with these names (title and aliases) answers to."""
    stem = normalize_name(without_suffix(posixpath.basename(uri.split("#", maxsplit=1)[-1])))
    keys = {key for name in names if (key := normalize_name(name))} | ({stem} if stem else set())
    # Generators of documentation make ``page.html`` from ``page.rst``, and links say that or just ``page``.
    paths = {without_suffix(uri), without_suffix(uri).removesuffix(".rst")}
    return frozenset({f"uri:{uri}", *(f"path:{path}" for path in paths), *(f"name:{key}" for key in keys)})


def without_suffix(path: str) -> str:
    """Return a path without the suffix that links to documents leave out; other suffixes stay."""
    return re.sub(r"\.(md|markdown|html?|txt|pdf|docx)\Z", "", path, flags=re.IGNORECASE)
