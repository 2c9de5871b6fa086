"""Which sentences and verbs assert something: no questions, instructions, headings, cells or code, and nothing that is only possible."""

import re
from typing import Final

from interlace.extraction.dependency_tree import DependencyTree
from interlace.extraction.dialogue import turns

MAX_TOKENS = 80
"""Tokens of a sentence; anything longer is a list or a table that has lost its punctuation."""
MIN_LINE_CHARACTERS = 40
"""Characters: if a line at least this long breaks within a sentence, it belongs to a wrapped paragraph and is not a heading above it."""

_END = re.compile(r"[.!][\"'\u201d\u2019)\]]{0,2}$")
_NO_PROSE = re.compile(r"[{}<>=`$^~\\|@#\u2022\u2190-\u2bff\U0001f300-\U0001faff]|://|\(\)|\w_\w|--|::|\.\.\.|\u2026")
_FINITE: Final = frozenset({"VBD", "VBP", "VBZ"})
_PARTICIPLES: Final = frozenset({"VBN", "VBG"})
_SUBJECTS: Final = ("nsubj", "nsubjpass")
_HYPOTHETICAL: Final = frozenset(
    {"as", "before", "if", "in", "lest", "once", "so", "that", "unless", "until", "whenever", "wherever", "whether"}
)
_QUALIFYING = """
according allegedly almost apparently barely hardly likely maybe n't nearly never no not perhaps possibly presumably probably purportedly
rarely reportedly scarcely seldom supposedly
"""
_QUALIFIERS: Final = frozenset(_QUALIFYING.split())
# With a qualifier they deny ("hardly ever"); other words with one, as in "not surprisingly", do not.
_QUALIFIED: Final = frozenset({"ever", "longer"})
_MAX_STEPS = 4


def main_verb(tree: DependencyTree, first: int, last: int) -> int | None:
    """Return the verb of a sentence, given by its first token and the one after its last, that asserts something; None for any other sentence."""
    text = tree.text_of(first, last).strip()
    if last - first > MAX_TOKENS or not _END.search(text) or _NO_PROSE.search(text) or not _is_paragraph(text):
        return None
    verb = root_of(tree, first, last)
    return verb if verb is not None and is_finite(tree, verb) and main_subject(tree, verb) is not None else None


def root_of(tree: DependencyTree, first: int, last: int) -> int | None:
    """Return the root of a sentence if it is a verb."""
    root = next((index for index in range(first, last) if tree.heads[index] == index), None)
    return root if root is not None and tree.kinds[root] in {"VERB", "AUX"} else None


def main_subject(tree: DependencyTree, verb: int) -> int | None:
    """Return the subject of a verb."""
    return tree.child(verb, *_SUBJECTS)


def _is_paragraph(text: str) -> bool:
    """Return whether line breaks in a sentence only wrap it."""
    *wrapped, _ = text.split("\n")
    return not any(turns(text, 1)) and all(len(line) >= MIN_LINE_CHARACTERS for line in wrapped)


def is_finite(tree: DependencyTree, verb: int) -> bool:
    """Return whether a verb, or its auxiliary, is finite: no infinitive and no imperative."""
    auxiliaries = (child for child in tree.children[verb] if tree.deps[child] in {"aux", "auxpass"})
    return tree.tags[verb] in _FINITE or any(tree.tags[child] in _FINITE for child in auxiliaries)


def is_stated(tree: DependencyTree, verb: int) -> bool:
    """Return whether a clause asserts a fact: not negated, not possible or future, not a condition, a purpose or hearsay."""
    for _ in range(_MAX_STEPS):
        relation = tree.deps[verb]
        if _is_qualified(tree, verb):
            return False
        if relation == "acl":
            return tree.tags[verb] in _PARTICIPLES and tree.child(verb, "aux") is None
        if relation in {"ROOT", "relcl"}:
            return is_finite(tree, verb)
        if is_opening(tree, verb):
            return True
        if not (_is_joined(tree, verb) or _is_beside(tree, verb)):
            return False
        verb = tree.heads[verb]
    return False


def _is_joined(tree: DependencyTree, verb: int) -> bool:
    """Return whether a verb is coordinated with another one: "written and *directed*"."""
    head = tree.heads[verb]
    if tree.deps[verb] != "conj" or tree.kinds[head] not in {"VERB", "AUX"}:
        return False
    return (
        is_finite(tree, verb)
        or tree.tags[verb] == tree.tags[head]
        or {tree.tags[verb], tree.tags[head]} == _PARTICIPLES
    )


def is_opening(tree: DependencyTree, verb: int) -> bool:
    """Return whether a participle before the subject modifies it: "*Directed* by Jane Doe, the film was …"."""
    subject = tree.child(tree.heads[verb], *_SUBJECTS)
    plain = tree.tags[verb] == "VBN" and tree.child(verb, "mark", "aux", "auxpass", *_SUBJECTS) is None
    return tree.deps[verb] == "advcl" and plain and subject is not None and verb < subject


def _is_beside(tree: DependencyTree, verb: int) -> bool:
    """Return whether an adverbial clause asserts something of its own: "while Jane *ran* the office"."""
    if tree.deps[verb] != "advcl" or not is_finite(tree, verb) or tree.child(verb, *_SUBJECTS) is None:
        return False
    introduced = (child for child in tree.children[verb] if tree.deps[child] in {"mark", "advmod", "prep"})
    return not any(tree.lower[child] in _HYPOTHETICAL for child in introduced)


def _is_qualified(tree: DependencyTree, verb: int) -> bool:
    """Return whether a verb is negated, hedged or attributed to a source, or has a modal verb or "to" before it."""
    return any(
        tree.deps[child] in {"neg", "preconj"}
        or tree.tags[child] in {"MD", "TO"}
        or tree.lower[child] in _QUALIFIERS
        or (tree.lower[child] in _QUALIFIED and any(tree.lower[word] in _QUALIFIERS for word in tree.children[child]))
        for child in tree.children[verb]
        if tree.deps[child] in {"neg", "aux", "auxpass", "advmod", "preconj"} or tree.lower[child] == "according"
    )
