"""Front matter: the block of YAML or TOML at the top of a Markdown file, read within limits."""

import re
import tomllib
from itertools import takewhile
from typing import Any, ClassVar

import yaml

from interlace.domain.documents import ACCESS
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits

_DEPTH = 12
_ALIASES = 20
_OPENING = re.compile(r"---[ \t]*\n")
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_KEY = re.compile(r"\s*(?:#.*\n\s*)*[\"']?[\w. -]+[\"']?\s*:(?:\s|\Z)")
_KEY_AT_START = re.compile(r"\n(?=[\w\"'])")
_PLAIN_KEY = re.compile(r"[\w. -]+")
_STATES_READERS = re.compile(
    rf"^[ \t]*(?:\{{(?:[^\n]*,)?[ \t]*)?[\"']?{ACCESS}[\"']?[ \t]*[:=]",
    re.MULTILINE | re.IGNORECASE,
)
# Empty, indented, a comment, an item, or a key: a line that front matter may have.
_LIKE_ITS_LINES = re.compile(r"\Z|[\s#]|-\s|\{?[\"']?[\w. -]{1,60}[\"']?[ \t]*[:=]")
_MAX_LINES = 40
# A boolean, an octal or binary number, one with underscores, a number of seconds: texts to YAML 1.2 and Obsidian.
_ONLY_OF_YAML_1_1 = re.compile(
    r"(?:(?i:yes|no|on|off)|[-+]?(?:0b?[\d_]+|\d[\d.]*_[\d_.]*|\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?))\Z", re.ASCII
)
_SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SAFE_LOADER):  # type: ignore[misc]
    """The safe loader, in C where it is built, to which ``NO``, ``01234`` and ``12:30`` are texts."""

    yaml_implicit_resolvers: ClassVar = {
        first: [("tag:yaml.org,2002:str", _ONLY_OF_YAML_1_1), *others]
        for first, others in _SAFE_LOADER.yaml_implicit_resolvers.items()
    }


def split_front_matter(text: str, limits: ParseLimits, name: str) -> tuple[dict[Any, Any], str]:
    """Return the front matter's keys and values, and the text below it; ``({}, text)`` if there is none.

    A block between two ``---`` lines counts only if it begins with a key, so that text between thematic breaks stays text; one between two
    ``+++`` lines only if it is TOML.

    Raises:
        ParseError: the block is too large, too deep, or full of aliases, or what says who may read the document cannot be read.
    """
    if toml := _TOML.match(text):
        _check_size(toml[1], limits, name)
        values = _load_toml(toml[1])
        return _without(text, name) if values is None else (values, text[toml.end() :])
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return _without(text, name)
    block = text[opening.end() : closing.start()]
    if not block.strip():
        return {}, text[closing.end() :]
    if not _KEY.match(block):
        return _without(text, name)
    _check_size(block, limits, name)
    values = _load(block, name)
    return (values, text[closing.end() :]) if isinstance(values, dict) else _without(text, name)


def _without(text: str, name: str) -> tuple[dict[Any, Any], str]:
    check_no_stated_readers(text, name)
    return {}, text


def check_no_stated_readers(text: str, name: str) -> None:
    """Refuse a text read as one without front matter if its first lines are one all the same that restricts the document.

    Raises:
        ParseError: reason ``access``.
    """
    mark, *lines = text.lstrip().split("\n", _MAX_LINES + 1)
    if mark.rstrip() in {"---", "+++"}:
        _check_states_no_readers("\n".join(takewhile(_LIKE_ITS_LINES.match, lines[:_MAX_LINES])), name)


def _check_states_no_readers(block: str, name: str) -> None:
    if _STATES_READERS.search(block):
        raise _unclear_readers(name)


def _unclear_readers(name: str) -> ParseError:
    return ParseError(
        f"{name} says who may read it (`{ACCESS}`) in a front matter that cannot be read. Write Markdown, begin it with a line `---`, "
        f"write `{ACCESS}: [board, legal]` once, on a line of its own, and end the front matter with a line `---`; "
        "or give the field another name if it does not say who may read the document.",
        reason=ACCESS,
    )


def _check_size(block: str, limits: ParseLimits, name: str) -> None:
    if len(block) > limits.front_matter_bytes:
        raise ParseError(
            f"{name} has a front matter of {len(block)} characters (limit {limits.front_matter_bytes}). Shorten it.",
            reason="limit",
        )


def _load_toml(block: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(block)
    except tomllib.TOMLDecodeError:
        return None


def _load(block: str, name: str) -> Any:
    try:
        return _values(block, name)
    except (yaml.YAMLError, ValueError, OverflowError):
        return _readable_keys(block, name)


def _readable_keys(block: str, name: str) -> dict[Any, Any]:
    """Return the values of keys that can be read separately: one bad line must not lose the document."""
    found: dict[Any, Any] = {}
    for part in _KEY_AT_START.split(block):
        try:
            values = _values(part, name)
        except (yaml.YAMLError, ValueError, OverflowError):
            key, _, value = part.partition(":")
            plain = " ".join(value.split()).strip("\"'")
            values = (
                {key.strip(): plain}
                if _PLAIN_KEY.fullmatch(key.strip()) and plain and "\n" not in part.strip()
                else None
            )
        if not isinstance(values, dict):
            _check_states_no_readers(part, name)
        elif ACCESS in found and ACCESS in values:
            raise _unclear_readers(name)
        else:
            found.update(values)
    return found


def _values(block: str, name: str) -> Any:
    _check_shape(block, name)
    loader = _Loader(block)
    try:
        node = loader.get_single_node()
        if isinstance(node, yaml.MappingNode) and [key.value for key, _ in node.value].count(ACCESS) > 1:
            raise _unclear_readers(name)  # YAML would take the last
        return node and loader.construct_document(node)
    finally:
        loader.dispose()


def _check_shape(block: str, name: str) -> None:
    """Refuse deep nesting, which makes the loader recurse, and aliases, which multiply, before any object is built."""
    depth = aliases = 0
    for event in yaml.parse(block, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        aliases += isinstance(event, yaml.AliasEvent)
        if depth > _DEPTH:
            raise ParseError(f"{name} nests its front matter deeper than {_DEPTH} levels. Flatten it.", reason="limit")
        if aliases > _ALIASES:
            raise ParseError(f"{name} uses more than {_ALIASES} YAML aliases. Write the values out.", reason="limit")
