"""Resolve a stem to a document: by id, URI, path, file name or title, in this order of certainty."""

import posixpath
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.entities.normalization import normalize_name
from interlace.ingestion.references import path_key
from interlace.parsing.file_names import record_of, without_suffix
from interlace.ports.links import LinkedDocument, LinkGraph
from interlace.text.tokenizer import tokens

_MAX_CHARACTERS = 2000
_SHOWN = 5
_CANDIDATES = 50
# Two names with a lower similarity (0 to 100) are not misspellings of each other.
_MIN_SIMILARITY = 60.0


def stem_keys(stem: str) -> tuple[str, ...]:
    """Return the keys that a stem may stand for, most certain first.

    A stem with folders is a path, because its file name alone would name other files too; one without is a name in any folder.
    """
    if "/" in stem:
        paths = [stem.strip("/"), without_suffix(stem.strip("/"))]
        names = [normalize_name(stem)]
    else:
        paths = []
        names = [normalize_name(stem), normalize_name(without_suffix(record_of(stem) or stem))]
    keys = (stem, f"uri:{stem}", *map(path_key, paths), *(f"name:{name}" for name in names if name))
    return tuple(dict.fromkeys(keys))


def find(links: LinkGraph, tenant: str, stem: str) -> str:
    """Return the id of the document that a stem names.

    Raises:
        InvalidInputError: the stem is empty or too long, or names several documents; the message lists them.
        NotFoundError: it names none; the message lists documents with similar names.
    """
    asked = stem.strip()
    if not asked or len(asked) > _MAX_CHARACTERS:
        raise InvalidInputError(f"The stem must have 1 to {_MAX_CHARACTERS} characters; it has {len(asked)}.")
    keys = stem_keys(asked)
    found = links.resolve(tenant, keys, _SHOWN + 1)
    ids = next((found[key] for key in keys if key in found), None) or _below_a_folder(links, tenant, asked)
    if not ids:
        raise NotFoundError(_unknown(asked, _near_misses(links, tenant, asked)))
    if len(ids) > 1:
        raise InvalidInputError(_ambiguous(asked, ids, links.read_documents(tenant, ids[:_SHOWN]).values()))
    return ids[0]


def _below_a_folder(links: LinkGraph, tenant: str, stem: str) -> list[str]:
    """Return the documents whose path ends like a stem with folders, whatever folder they were ingested with."""
    folders, _, file = stem.strip("/").rpartition("/")
    if not folders:
        return []
    key = f"name:{normalize_name(file)}"
    namesakes = links.read_documents(tenant, links.resolve(tenant, [key], _CANDIDATES).get(key, []))
    end = path_key(stem.strip("/")).replace("path:", "/", 1)
    return sorted(each.id for each in namesakes.values() if any(known.endswith(end) for known in each.known_as))


def _ambiguous(stem: str, ids: Sequence[str], shown: Iterable[LinkedDocument]) -> str:
    listed = ", ".join(f"{document.id} ({document.title}, {document.source_uri})" for document in shown)
    more = " and more" if len(ids) > _SHOWN else ""
    return f"{stem} may be several documents; give an id or a source URI: {listed}{more}."


def _unknown(stem: str, near: Sequence[LinkedDocument]) -> str:
    if not near:
        return f"No document is called {stem}; `interlace documents list` lists them."
    listed = ", ".join(f"{document.title} ({document.source_uri})" for document in near)
    return f"No document is called {stem}; similar names: {listed}."


def _near_misses(links: LinkGraph, tenant: str, stem: str) -> list[LinkedDocument]:
    words = list(dict.fromkeys(token.form for token in tokens(posixpath.basename(without_suffix(stem)))))[:8]
    near = links.read_documents(tenant, links.search_names(tenant, words, _CANDIDATES, fuzzy=True))
    asked = normalize_name(stem)
    similarity = {document.id: _similarity(asked, document) for document in near.values()}
    ranked = sorted(near.values(), key=lambda document: (-similarity[document.id], document.id))
    return [document for document in ranked if similarity[document.id] >= _MIN_SIMILARITY][:_SHOWN]


def _similarity(asked: str, document: LinkedDocument) -> float:
    names = [key.partition(":")[2] for key in document.known_as if key.startswith("name:")]
    return max((fuzz.WRatio(asked, name) for name in names), default=0.0)
