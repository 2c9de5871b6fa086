"""The only builder of Lucene queries: searches of the full-text indexes in the syntax of Lucene's classic query parser.

A search always names its tenant and its fields: a word without a field would match in every indexed property, including the tenant. The
tenant's clause narrows a search but does not enforce it: the index of entities splits ``a-b`` into words, so tenant ``a`` also finds its
entities. Queries compare the tenant exactly, before they limit their rows.
"""

import re
from collections.abc import Iterable, Sequence

from interlace.domain.errors import InvalidInputError
from interlace.text.similarity import allowed_edits
from interlace.text.tokenizer import fold_case

_MAX_PATTERN_CHARACTERS = 100
_MAX_REPEATED = 20
# Other characters are special in only one of the two languages; so is a group that begins with a question mark.
_PATTERN = re.compile(r"(?:[^\W_]|[.|*+?){}\],-]|\[\^?|\((?!\?)|\\[^\w\s/])+")
# Within quotes Lucene's query language gives a meaning to these two only.
_NO_PHRASE = str.maketrans({'"': " ", "\\": " "})


def in_tenant(tenant: str, clause: str) -> str:
    """Return the search that restricts a clause to a tenant.

    Args:
        tenant: the tenant; lower-case letters, digits and hyphens.
        clause: a clause with its fields, from ``in_field`` or a group of such.
    """
    return f'+tenant:"{tenant}" +{clause}'


def in_field(field: str, clause: str) -> str:
    """Return a clause of one field: a term, a phrase or a group."""
    return f"{field}:{clause}"


def in_fields(fields: Iterable[str], clause: str) -> str:
    """Return the group that finds a clause in any of several fields."""
    return any_of(in_field(field, clause) for field in fields)


def any_of(clauses: Iterable[str]) -> str:
    """Return the group that matches any of the clauses; the more match, the better the score."""
    return f"({' '.join(clauses)})"


def all_of(clauses: Iterable[str]) -> str:
    """Return the group that matches all of the clauses together."""
    return any_of(f"+{clause}" for clause in clauses)


def phrase(text: str) -> str:
    """Return a quoted phrase: nothing in it is syntax, not even ``AND``, ``OR`` or ``NOT``."""
    return f'"{text.translate(_NO_PHRASE)}"'


def boosted(clause: str, weight: str) -> str:
    """Return a clause whose score is multiplied by ``weight``, a positive decimal number."""
    return f"{clause}^{weight}"


def beginning_with(word: str) -> str:
    """Return the prefix term of a folded word."""
    return f"{word}*"


def fuzzy_term(word: str) -> str:
    """Return the term that matches a folded word and, with less weight, words within its allowed edit distance."""
    most = allowed_edits(word)
    return any_of((boosted(word, "2"), f"{word}~{most}")) if most else word


def word_pattern(pattern: str) -> str:
    """Return the term for words that a regular expression matches in full, ignoring case.

    Only the common subset of Lucene's and Python's expressions is allowed: letters, digits, ``.``, ``[…]``, ``(…)``, ``|``, ``*``, ``+``, ``?``,
    ``{n,m}`` up to 20, and backslash escapes. Lucene compiles it to an automaton, so that no pattern takes exponential time.

    Raises:
        InvalidInputError: it has more than 100 characters, or is something else.
    """
    folded = fold_case(pattern.strip())
    allowed = 0 < len(folded) <= _MAX_PATTERN_CHARACTERS and _PATTERN.fullmatch(folded)
    if not allowed or any(int(count) > _MAX_REPEATED for count in re.findall(r"(?<=[{,])\d+", folded)):
        raise InvalidInputError(
            f"{pattern[:_MAX_PATTERN_CHARACTERS]!r} is not a pattern for a word. Use letters, digits, . [ ] ( ) | * + ? and {{n,m}} up to "
            f"{_MAX_REPEATED}, other signs after a backslash, at most {_MAX_PATTERN_CHARACTERS} characters; it must match a whole word."
        )
    try:
        re.compile(folded)
    except (re.error, OverflowError) as error:
        raise InvalidInputError(f"{pattern!r} is not a pattern for a word: {error}.") from None
    return f"/{folded}/"


def fuzzy_terms(words: Sequence[str], max_fuzzy: int) -> list[str]:
    """Return the terms of folded, unique words in their order, the ``max_fuzzy`` longest of them fuzzy.

    A fuzzy term expands to up to fifty clauses in each field, and Lucene refuses searches of more than 1,024.
    """
    inexact = set(sorted(words, key=len, reverse=True)[:max_fuzzy])
    return [fuzzy_term(word) if word in inexact else word for word in words]
