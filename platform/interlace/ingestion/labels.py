"""Tags and metadata from outside a document's file: its sender's, and later changes made by people.

A change is stored as a patch on the document, so that it also applies to the next version of the file: what was added stays added, what was removed
stays removed. For metadata, a patch holds one value per key, or that the key is removed (JSON merge patch, RFC 7396).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson

from interlace.domain.atoms import ATLAS_ID, ATLAS_STRATEGY
from interlace.domain.documents import ACCESS, DOCUMENTATION_ROOT, LOCAL_FILE, ORIGIN, TAGS, ParsedDocument
from interlace.domain.errors import InvalidInputError, ParseError
from interlace.domain.ids import checksum
from interlace.domain.reader import group_names
from interlace.parsing.metadata import tags_of, words_of
from interlace.vectors.projection import TIMES

READING_KEYS: Final = frozenset({LOCAL_FILE, ATLAS_ID, ATLAS_STRATEGY, TAGS, ORIGIN, ACCESS, DOCUMENTATION_ROOT})
"""Metadata keys that decide how a document is read; another upload changes them."""
_NOT_COMPARED = READING_KEYS - {TAGS, ACCESS, DOCUMENTATION_ROOT} | set(TIMES.values())


def with_sent(parsed: ParsedDocument, sent: Mapping[str, Any]) -> ParsedDocument:
    """Return a document with its sender's metadata and tags added. If both have a key, the document's own value wins; tags are combined.

    If the sender says who may see it, that wins: a document must not grant others access to itself.

    Raises:
        ParseError: what is given as a group of readers cannot be one, or ``access`` is written otherwise.
    """
    given = {key: value for key, value in sent.items() if key not in {TAGS, ORIGIN}}
    tags = tags_of([*parsed.tags, *words_of(sent.get(TAGS))])
    metadata = {**given, **{key: value for key, value in parsed.metadata.items() if value is not None}}
    try:
        check_spelling(metadata)
        groups = groups_of(sent.get(ACCESS, metadata.pop(ACCESS, None)))
    except InvalidInputError as error:
        raise ParseError(error.message, reason=ACCESS) from None
    return replace(parsed, metadata={**metadata, **({ACCESS: list(groups)} if groups else {})}, tags=tags)


def check_spelling(metadata: Iterable[str]) -> None:
    """Refuse a key that is ``access`` but for capitals and spaces, which must not be taken for a label that restricts nothing.

    Raises:
        InvalidInputError: one of the keys is.
    """
    if wrong := [key for key in metadata if key != ACCESS and key.strip().casefold() == ACCESS]:
        raise InvalidInputError(
            f"{wrong[0]!r}: write `{ACCESS}`, in small letters, to say who may read a document, or give the field another name if it does not say so."
        )


def groups_of(value: Any) -> tuple[str, ...]:
    """Return the groups of readers that a metadata value names: a list, or comma-separated text; no groups means everybody.

    Raises:
        InvalidInputError: it is something else, which must not be taken for "everybody".
    """
    parts = value.split(",") if isinstance(value, str) else () if value is None else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str | int) for part in parts):
        raise InvalidInputError("access: write groups of readers as a list of names, `access: [board, legal]`.")
    return group_names(name for part in parts if (name := str(part).strip()))


def sent_digest(sent: Mapping[str, Any]) -> str:
    """Return a digest of what a sender says about a document; the same bytes with another digest do not count as unchanged."""
    compared = {key: value for key, value in sent.items() if key not in _NOT_COMPARED}
    if not compared:
        return _of_origin(sent, "sent")
    return checksum(orjson.dumps(compared, option=orjson.OPT_SORT_KEYS))


def exported_patch(sent: Mapping[str, Any]) -> "LabelPatch":
    """Return the label changes that people had made to a document that comes from an exported note; none if they cannot be read."""
    try:
        return LabelPatch.decode(_of_origin(sent, "patch"))
    except (ValueError, KeyError, TypeError):
        return LabelPatch()


def _of_origin(sent: Mapping[str, Any], key: str) -> str:
    origin = sent.get(ORIGIN)
    return str(origin.get(key) or "") if isinstance(origin, Mapping) else ""


@dataclass(frozen=True, slots=True)
class LabelPatch:
    """Changes that people made to a document's tags and metadata.

    Args:
        added: tags that it has, whatever its file says.
        removed: tags that it does not have, whatever its file says.
        metadata: key to its value; None for a removed key.
    """

    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.metadata)

    def encode(self) -> str:
        """Return the patch as JSON: the form kept on the node."""
        kept = {"added": sorted(self.added), "removed": sorted(self.removed), "metadata": dict(self.metadata)}
        return orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()

    @staticmethod
    def decode(text: str | None) -> "LabelPatch":
        """Decode a patch; None gives an empty one."""
        if not text:
            return LabelPatch()
        kept = orjson.loads(text)
        return LabelPatch(frozenset(kept["added"]), frozenset(kept["removed"]), kept["metadata"])

    def apply(self, parsed: ParsedDocument) -> ParsedDocument:
        """Return a document with the patch applied to its labels."""
        if not self:
            return parsed
        tags = tuple(sorted((set(parsed.tags) - self.removed) | self.added))
        metadata = {key: value for key, value in {**parsed.metadata, **self.metadata}.items() if value is not None}
        return replace(parsed, tags=tags, metadata=metadata)

    def then(self, added: Iterable[str], removed: Iterable[str], metadata: Mapping[str, Any]) -> "LabelPatch":
        """Return this patch followed by another one."""
        more, less = frozenset(added), frozenset(removed)
        return LabelPatch((self.added - less) | more, (self.removed - more) | less, {**self.metadata, **metadata})


def merged(current: Any, change: Any) -> Any:
    """Return a JSON value after a merge patch (RFC 7396): objects are merged, null removes, everything else replaces."""
    if not isinstance(change, Mapping):
        return change
    result = dict(current) if isinstance(current, Mapping) else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
