"""Roles and directives of Sphinx (``:func:`run```, in Markdown ``{func}`run```): which words they show, and whether these are code.

A code role (``func``, ``setting``) shows its words, or the last part of ``~package.name``. The words of ``ref`` and ``doc`` belong to a
heading and name nothing, as in Markdown links to one.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlace.parsing.markdown.inline import InlineText

PROSE_DIRECTIVES = frozenset(
    {
        "admonition", "attention", "caution", "centered", "danger", "deprecated", "error", "hint", "important", "note", "rubric", "seealso",
        "sidebar", "tip", "topic", "versionadded", "versionchanged", "warning",
    }
)  # fmt: skip
_TITLED = re.compile(r"\s*+(.*\S)\s*<([^<>]+)>\s*", re.DOTALL)
_PROSE_ROLES = frozenset(
    {
        "abbr", "dfn", "emphasis", "guilabel", "menuselection", "program", "pypi", "std:term", "strong", "sub", "sup", "term", "title",
        "title-reference",
    }
)  # fmt: skip
_LABELLED = frozenset({"ref", "std:ref"})
_NUMBERED = {"pep": "PEP", "rfc": "RFC"}


def add_role(inline: "InlineText", role: str, words: str) -> None:
    """Add the words that a role shows; those of ``doc`` are a link, and those of ``ref`` one to a label, in whichever document it is."""
    titled = _TITLED.fullmatch(words)
    start = inline.length
    if role in _NUMBERED and not titled:
        inline.add(f"{_NUMBERED[role]} {_visible_words(words)}")
    elif role in _PROSE_ROLES or role in _NUMBERED:
        inline.add(_visible_words(words))
    else:
        inline.add_literal(_visible_words(words))
    target = titled[2] if titled else words.strip()
    if role == "doc":
        inline.add_reference("rst", target, "", start)
    elif role in _LABELLED:
        inline.add_reference("rst", "", " ".join(target.lower().split()), start)


def _visible_words(words: str) -> str:
    """Return the words that a reader sees: ``Engine`` for ``Engine <component-engine>``, ``Spider`` for ``~scrapy.Spider``."""
    if titled := _TITLED.fullmatch(words):
        return titled[1]
    return words.rpartition(".")[2] if words.startswith("~") else words.lstrip("!")
