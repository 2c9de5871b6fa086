"""Checks the text of a hand-written statement: the first layer of the guard, before the database sees it.

The rules leave a subset of Cypher in which the text shows what runs: no quoting, escapes or comments that could hide something, patterns only
where the plan shows them, nothing that changes the database or the role under which the rest is read.
"""

import re
from typing import Final

from interlace.domain.errors import InvalidInputError

MAX_CHARACTERS: Final = 5000
"""Characters of a statement."""
_BEGINNING = re.compile(r"\s*(MATCH|OPTIONAL\s+MATCH|UNWIND|WITH|RETURN)\b", re.IGNORECASE)
_HIDING = re.compile(r"[`\\'\";]|//|/\*")
# `match` can also be the name of a variable or a key, after which patterns are no more allowed than elsewhere.
_PATTERN = r"(?=\s*(?:\w+\s*=\s*)?(?:(?:all)?shortestPaths?\s*)?\()"
_CLAUSE = re.compile(
    rf"(?<![.:|&$\w])(MATCH{_PATTERN}|WHERE|WITH|RETURN|UNWIND|ORDER|SKIP|OFFSET|LIMIT|UNION)\b", re.IGNORECASE
)
_FORBIDDEN = re.compile(r"(?<![.:|&$\w])(CALL|USE|LOAD|PROFILE|EXPLAIN|CYPHER)\b", re.IGNORECASE)
# In plans `cache[n.tenant]` is a property that was read before; an element of a map of that name would look the same.
_CACHE = re.compile(r"(?<![.:|&$\w])cache\b", re.IGNORECASE)
SUBQUERY: Final = re.compile(r"\b(EXISTS|COUNT|COLLECT)\s*\{", re.IGNORECASE)
"""Where a subquery begins in an expression, in a statement as in the details of a plan."""
# The database parses and plans recursively, and what exhausts its stack costs it the connection.
_BRACKET = re.compile(r"([(\[{])|[)\]}]")
_CASE = re.compile(r"(?<![.:|&$\w])(?:(CASE)|END)\b", re.IGNORECASE)
_DEEPEST: Final = 50
_MAX_NEGATIONS: Final = 100
_NEGATION = re.compile(r"(?<![.:|&$\w])NOT\b", re.IGNORECASE)
_FUNCTION = re.compile(r"([A-Za-z_]\w*(?:\s*\.\s*\w+)+)\s*\(")
_NAMESPACED: Final = frozenset(
    {
        "date.truncate", "datetime.truncate", "datetime.fromepoch", "datetime.fromepochmillis", "duration.between",
        "duration.indays", "duration.inmonths", "duration.inseconds",
    }
)  # fmt: skip
# A relationship after a node, once white space is gone: `)-[`, `)--`, `)->`, `)<-`.
_RELATIONSHIP = re.compile(r"\)(-[-\[>]|<-)")


def check_text(text: str) -> None:
    """Check how a statement is written.

    Raises:
        InvalidInputError: it holds something beyond the rules; the message says what to write instead.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidInputError(f"The statement has {len(text)} characters; at most {MAX_CHARACTERS} are accepted.")
    if not text.isascii() or any(not char.isprintable() and char not in "\n\r\t" for char in text):
        raise InvalidInputError("A statement must be plain ASCII; give any other text as a parameter.")
    if found := _HIDING.search(text):
        raise InvalidInputError(
            f"{found[0]!r} is not accepted: no quotes, escapes, comments or further statements. Give texts as parameters, `$name`."
        )
    if not _BEGINNING.match(text):
        raise InvalidInputError("A statement must begin with MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN.")
    if found := _FORBIDDEN.search(text):
        raise InvalidInputError(f"{found[1].upper()} is not accepted: only reads, no procedures, no subqueries.")
    if _CACHE.search(text):
        raise InvalidInputError("`cache` is not accepted as a name; choose another one.")
    if found := SUBQUERY.search(text):
        raise InvalidInputError(f"{found[1].upper()} {{ … }} is not accepted; write the pattern in its own `MATCH`.")
    for call in _FUNCTION.finditer(text):
        name = re.sub(r"\s", "", call[1]).lower()
        if name not in _NAMESPACED:
            raise InvalidInputError(f"The function {name} is not accepted; use {', '.join(sorted(_NAMESPACED))}.")
    _check_nesting(text)
    _check_patterns(text)


def _check_nesting(text: str) -> None:
    if max(_depth(_BRACKET, text), _depth(_CASE, text)) > _DEEPEST:
        raise InvalidInputError(f"The statement is nested more than {_DEEPEST} levels deep; write it flatter.")
    if len(_NEGATION.findall(text)) > _MAX_NEGATIONS:
        raise InvalidInputError(f"The statement has more than {_MAX_NEGATIONS} NOT; write it flatter.")


def _depth(levels: re.Pattern[str], text: str) -> int:
    """Return how deep levels are nested, whose first group begins one; an end without a beginning, such as a name, ends none."""
    depth = deepest = 0
    for found in levels.finditer(text):
        depth = depth + 1 if found[1] else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _check_patterns(text: str) -> None:
    """Refuse patterns outside MATCH: inside an expression their plan may be part of another operator, where it cannot be seen."""
    starts = [(0, ""), *((found.start(), found[1].upper()) for found in _CLAUSE.finditer(text))]
    ends = [start for start, _ in starts[1:]] + [len(text)]
    for (start, clause), end in zip(starts, ends, strict=True):
        segment = re.sub(r"\s", "", text[start:end])
        parts = _in_braces(segment) if clause == "MATCH" else [segment]
        if any(_RELATIONSHIP.search(part) for part in parts):
            raise InvalidInputError(
                "A pattern may only stand directly after `MATCH`, not in an expression nor after ANY, ALL or SHORTEST; write a `MATCH` for it."
            )


def _in_braces(segment: str) -> list[str]:
    """Return what stands between the outermost braces: properties of nodes and relationships."""
    found, depth, start = [], 0, 0
    for place, char in enumerate(segment):
        if char == "{":
            start = place if depth == 0 else start
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                found.append(segment[start : place + 1])
    return [*found, segment[start:]] if depth > 0 else found
