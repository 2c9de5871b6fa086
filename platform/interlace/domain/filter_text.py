"""Filters as people write them on a command line or in an address: ``tags = boats and not metadata.year < 1990``.

Grammar, loosest first; keywords are case-insensitive::

    filter     = all ("or" all)*
    all        = one ("and" one)*
    one        = "not" one | "(" filter ")" | condition
    condition  = field ("=" | "!=" | "<" | "<=" | ">" | ">=") value | field "^=" value | field "in" "(" value ("," value)* ")"

``^=`` means *begins with*, ``!=`` is short for ``not … =``. A bare value is a number, ``true``, ``false`` or a text without spaces; in quotes
(double or single, a backslash before a quote in it) it is a text. A date may be relative to the present: ``-7 days``. A field in quotes may contain spaces: ``"metadata.due date" < 2026-01-01``.
"""

import re
from typing import Final

from interlace.domain.atoms import with_addresses
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import (
    DATES,
    MAX_LEVELS,
    METADATA,
    RANGES,
    WORDS,
    Condition,
    Filter,
    Operator,
    Scalar,
    within_limits,
)
from interlace.domain.instants import RELATIVE, relative_instant

MAX_FILTER_CHARACTERS: Final = 8000
_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<sign><=|>=|!=|\^=|[=<>(),])"""
    rf"""|(?P<bare>(?ai:{RELATIVE})\b|[^\s"'=<>!^(),]+))""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_PART = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?", re.ASCII)
_OPERATORS: Final[dict[str, Operator]] = {"=": "eq", "<": "lt", "<=": "lte", ">": "gt", ">=": "gte", "^=": "prefix"}
_KEYWORDS = frozenset({"and", "or", "not", "in"})
# Brackets and negations cost levels of recursion here before the filter itself is there to be measured.
_DEEPEST = 4 * MAX_LEVELS


def parse_filter(text: str) -> Filter:
    """Return the filter that a text describes.

    Raises:
        InvalidInputError: it is empty, too long, not of the language, or one of its conditions makes no sense.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidInputError(f"The filter has {len(text)} characters; at most {MAX_FILTER_CHARACTERS} are allowed.")
    parser = _Parser(text)
    found = parser.either(0)
    parser.expect_end()
    return within_limits(found if isinstance(found, Filter) else Filter(must=(found,)))


class _Parser:
    """Reads tokens from left to right; each is its kind, its text, and its place for messages."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, str, int]] = []
        self._at = 0
        place = 0
        end = len(text.rstrip())
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None:
                raise self._wrong(place, "an unclosed quote, or an unexpected character")
            kind = str(match.lastgroup)
            self._tokens.append((kind, match[kind], match.start(kind)))
            place = match.end()
        self._tokens.append(("end", "", len(text)))

    def either(self, depth: int) -> Condition | Filter:
        """Read ``a or b or …``."""
        parts = [self._all(depth)]
        while self._word("or"):
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else Filter(should=tuple(parts))

    def expect_end(self) -> None:
        """Refuse what follows a complete filter."""
        kind, token, place = self._tokens[self._at]
        if kind != "end":
            raise self._wrong(place, f"`{token}` where `and`, `or` or the end was expected")

    def _all(self, depth: int) -> Condition | Filter:
        parts = [self._one(depth)]
        while self._word("and"):
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else Filter(must=tuple(parts))

    def _one(self, depth: int) -> Condition | Filter:
        if depth > _DEEPEST:
            raise InvalidInputError(f"The filter nests too deep: more than {MAX_LEVELS} levels.")
        if self._word("not"):
            return Filter(must_not=(self._one(depth + 1),))
        if self._sign("("):
            found = self.either(depth + 1)
            self._need(")")
            return found
        return self._condition()

    def _condition(self) -> Condition | Filter:
        kind, token, place = self._next()
        if kind not in ("bare", "quoted") or (kind == "bare" and token.lower() in _KEYWORDS):
            raise self._wrong(place, f"`{token}` where a field was expected" if token else "no field")
        field = _unquoted(token) if kind == "quoted" else token
        if self._word("in"):
            self._need("(")
            values = [self._value(field)]
            while self._sign(","):
                values.append(self._value(field))
            self._need(")")
            return with_addresses(Condition(field, "in", tuple(values)))
        _, sign, place = self._next()
        if sign == "!=":
            return Filter(must_not=(with_addresses(Condition(field, "eq", self._value(field))),))
        if sign not in _OPERATORS:
            raise self._wrong(place, f"no comparison after `{field}`; there are {', '.join(_OPERATORS)}, != and in (…)")
        value, operator = self._value(field), _OPERATORS[sign]
        dated = field in DATES or (field.startswith(METADATA) and operator in RANGES)
        compared = (dated and isinstance(value, str) and relative_instant(value)) or value
        return with_addresses(Condition(field, operator, compared))

    def _value(self, field: str) -> Scalar:
        kind, token, place = self._next()
        if kind == "quoted":
            return _unquoted(token)
        if kind != "bare":
            raise self._wrong(place, f"`{token}` where a value was expected" if token else f"no value for `{field}`")
        # Known fields hold texts, whatever they look like: a tag may be a year.
        return token if field in WORDS or field in DATES else _scalar(token)

    def _next(self) -> tuple[str, str, int]:
        found = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return found

    def _word(self, word: str) -> bool:
        kind, token, _ = self._tokens[self._at]
        return self._taken(there=kind == "bare" and token.lower() == word)

    def _sign(self, sign: str) -> bool:
        return self._taken(there=self._tokens[self._at][:2] == ("sign", sign))

    def _taken(self, *, there: bool) -> bool:
        self._at += there
        return there

    def _need(self, sign: str) -> None:
        if not self._sign(sign):
            _, token, place = self._tokens[self._at]
            raise self._wrong(place, f"`{token}` where `{sign}` was expected" if token else f"no `{sign}`")

    def _wrong(self, place: int, what: str) -> InvalidInputError:
        return InvalidInputError(f"The filter {self._text!r} has, at character {place + 1}, {what}.")


def _unquoted(token: str) -> str:
    return _ESCAPED.sub(r"\1", token[1:-1])


def _scalar(token: str) -> Scalar:
    if token.lower() in ("true", "false"):
        return token.lower() == "true"
    if _WHOLE.fullmatch(token) and len(token) < MAX_FILTER_CHARACTERS // 2:
        return int(token)
    return float(token) if _PART.fullmatch(token) else token
