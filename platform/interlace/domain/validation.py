"""Validation: patterns of names with their descriptions, and why a value was refused, as a sentence for people."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no text in UTF-8 can hold."""


@dataclass(frozen=True, slots=True)
class TextPattern:
    """What a kind of text may be.

    Args:
        expression: a regular expression that all of it matches.
        description: the same for people, as it follows "must be".
    """

    expression: str
    description: str

    @property
    def pattern(self) -> str:
        """The expression with anchors, as JSON Schema and pydantic expect it."""
        return f"^{self.expression}$"

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches all of a text."""
        return re.fullmatch(self.expression, text) is not None


TENANT: Final = TextPattern(
    "[a-z0-9][a-z0-9-]{0,47}", "1 to 48 lower-case letters (a to z), digits and hyphens, the first of them no hyphen"
)
GROUP: Final = TextPattern(
    "[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}",
    "1 to 128 letters (A to Z), digits and characters of `._:@/-`, the first of them a letter or a digit",
)
STACK: Final = TextPattern(
    "[a-z0-9][a-z0-9-]{0,31}", "1 to 32 lower-case letters (a to z), digits and hyphens, the first of them no hyphen"
)
COLLECTION_PREFIX: Final = TextPattern(
    "[a-z0-9_-]{0,32}", "at most 32 lower-case letters (a to z), digits, hyphens and underscores"
)
MODEL: Final = TextPattern(
    "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
    "1 to 64 letters (A to Z), digits and characters of `._-`, the first of them a letter or a digit",
)
ORIGIN: Final = TextPattern(
    "https?://[a-z0-9.-]+(:[0-9]{1,5})?", "`https://host` or `http://host`, in lower case, if need be with a port"
)
FETCH_HOST: Final = TextPattern(
    r"(\*|[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?)",
    "the name of a host, such as `docs.example` or `docs.example:8443`, or `*`",
)
IDEMPOTENCY_KEY: Final = TextPattern("[!-~]+", "printable ASCII characters without spaces")
WEB_ADDRESS: Final = TextPattern(
    "https?://[^/].*", "an address that begins with `http://` or `https://` and names a host"
)
DESCRIPTIONS: Final = {
    each.pattern: each.description
    for each in (TENANT, GROUP, STACK, COLLECTION_PREFIX, MODEL, ORIGIN, FETCH_HOST, IDEMPOTENCY_KEY, WEB_ADDRESS)
}
"""Pattern to its description."""
_NEAR: Final = 0.6
_NUMBERS: Final = {"int_parsing": "must be a whole number", "float_parsing": "must be a number"}


def nearest(word: str, among: Iterable[str]) -> str:
    """Return the word that one that is misspelt probably means; empty if none is near."""
    names = {each.casefold(): each for each in among}
    return next((names[near] for near in difflib.get_close_matches(word.casefold(), names, n=1, cutoff=_NEAR)), "")


def hint(word: str, among: Iterable[str]) -> str:
    """Return which of the words is probably meant, to be appended to a sentence; empty if none is near."""
    near = nearest(word, among)
    return f"; did you mean {near!r}?" if near else "."


def explained(problem: Mapping[str, Any]) -> str:
    """Return why pydantic refused a value, given one of its errors, as the end of a sentence without regular expressions and the library's own prefixes."""
    kind, message = problem["type"], str(problem["msg"]).removeprefix("Value error, ")
    context = problem.get("ctx", {})
    if kind == "string_pattern_mismatch":
        message = f"must be {DESCRIPTIONS.get(context['pattern'], context['pattern'])}"
    elif kind == "literal_error" and isinstance(given := problem.get("input"), str):
        message += hint(given, re.findall("'([^']*)'", context["expected"]))
    message = _NUMBERS.get(kind, message)
    return message if message.endswith((".", "?")) else f"{message}."
