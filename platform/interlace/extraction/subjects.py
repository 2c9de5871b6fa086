"""The subject of a clause: an entity in it, or the document's title where a pronoun or another form of the title stands for it."""

import re
from typing import NamedTuple

from interlace.extraction.dependency_tree import DependencyTree
from interlace.extraction.entity_spans import EntitySpan

REFERRED = 0.75  # certainty of a subject that is only referred to
MAX_STEPS = 4  # from a clause to the clause or noun whose subject it shares

_PRONOUNS = frozenset({"he", "she", "it", "they", "his", "her", "its", "their"})
_RELATIVES = frozenset({"who", "which", "that", "whom", "whose"})
_LEND_SUBJECT = frozenset({"conj", "xcomp", "advcl", "acl", "relcl"})
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")


class Subject(NamedTuple):
    """What a fact is about: the text, and a factor for the fact's confidence."""

    text: str
    certainty: float


class Subjects:
    """Finds subjects in one tree.

    Args:
        tree: the parse.
        title: the document's title; empty if nothing may stand for it.
    """

    def __init__(self, tree: DependencyTree, title: str) -> None:
        self._tree = tree
        self.title = title
        plain = _DISAMBIGUATION.sub("", title).casefold()
        self._title_words = plain.split()
        self._opening = _openings(tree, plain) if plain else frozenset()
        self._kinds: set[str] = set()

    def learn_kind(self, noun: int) -> None:
        """Remember what the title was said to be ("… is a film"), so that "the film" can stand for it later in the chunk."""
        self._kinds.add(self._tree.lower[noun])

    def of_verb(self, verb: int) -> list[Subject]:
        """Return the subjects of a verb: its own, or that of the verb or noun it hangs on."""
        tree = self._tree
        for _ in range(MAX_STEPS):
            own = tree.child(verb, "nsubj", "nsubjpass")
            relation = tree.deps[verb]
            if own is not None and not (relation == "relcl" and tree.lower[own] in _RELATIVES):
                return self.of_noun(own)
            if relation not in _LEND_SUBJECT:
                return []
            head = tree.heads[verb]
            if tree.kinds[head] not in {"VERB", "AUX"}:
                listed = self._listed_after_agent(verb, head)
                if listed is None:
                    return self.of_noun(head)
                head = listed
            verb = head
        return []

    def of_noun(self, index: int) -> list[Subject]:
        """Return the entities that a token and its conjuncts stand for."""
        if index in self._opening:
            return [Subject(self.title, 1.0)]
        found = (self._one(joined) for joined in self._tree.conjuncts(index))
        return [subject for subject in found if subject]

    def _listed_after_agent(self, verb: int, head: int) -> int | None:
        """Return the verb before this one in "directed by A, produced by B", which the parser hangs on A."""
        tree = self._tree
        by = tree.heads[head]
        if (
            tree.tags[verb] != "VBN"
            or tree.deps[verb] != "acl"
            or tree.deps[by] != "agent"
            or tree.lower[verb] == "born"
        ):
            return None
        return tree.heads[by]

    def _one(self, index: int) -> Subject | None:
        tree = self._tree
        for _ in range(MAX_STEPS):
            copula_subject = tree.child(tree.heads[index], "nsubj") if tree.deps[index] == "attr" else None
            if copula_subject is not None and copula_subject != index:
                index = copula_subject
                continue
            if index in self._opening:
                return Subject(self.title, 1.0)
            span = tree.entity_at.get(index)
            if span:
                return self._entity(span, index)
            if self._refers_to_title(index):
                return Subject(self.title, REFERRED)
            if tree.deps[index] != "appos":
                return None
            index = tree.heads[index]
        return None

    def _entity(self, span: EntitySpan, index: int) -> Subject | None:
        mention = span.mention
        if mention.type == "Group" and self._tree.tags[index] == "JJ":
            return None
        same = self._names_title(mention.surface.casefold().split(), mention.type)
        return Subject(self.title if same else mention.surface, 1.0)

    def _names_title(self, words: list[str], kind: str) -> bool:
        """Return whether a name is the title, its first or last words ("Lang"), or a fuller form ("Fritz Anton Lang").

        A place in a title ("Margaret of Bavaria") is not what the title is about.
        """
        title = self._title_words
        if words == title:
            return bool(title)
        if kind == "Place" or not title:
            return False
        if len(words) < len(title):
            return title[: len(words)] == words or title[-len(words) :] == words
        return kind == "Person" and len(title) > 1 and _is_fuller(words, title)

    def _refers_to_title(self, index: int) -> bool:
        tree = self._tree
        if not self.title:
            return False
        if tree.lower[index] in _PRONOUNS:
            return True
        article = tree.child(index, "det") if tree.lower[index] in self._kinds else None
        return article is not None and tree.lower[article] in {"the", "this"}


def _openings(tree: DependencyTree, title: str) -> frozenset[int]:
    """Return the tokens of the title where a sentence begins with it, an article before it aside."""
    found: set[int] = set()
    text = tree.text
    for sentence in tree.doc.sents:
        first = sentence.start
        if first + 1 < sentence.end and tree.lower[first] == "the" and not title.startswith("the "):
            first += 1
        start = tree.doc[first].idx
        end = start + len(title)
        if text[start:end].casefold() == title and not text[end : end + 1].isalnum():
            while first < sentence.end and tree.doc[first].idx < end:
                found.add(first)
                first += 1
    return frozenset(found)


def _is_fuller(words: list[str], title: list[str]) -> bool:
    """Return whether the title's words occur in this order among a person's names, an initial ("A.") for any that it begins."""
    rest = iter(words)
    return all(
        any(word == part or (part.endswith(".") and word.startswith(part[:-1])) for word in rest) for part in title
    )
