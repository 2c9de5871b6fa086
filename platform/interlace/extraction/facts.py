"""Open information extraction: who did what to whom, by patterns over the dependency tree of each sentence.

The patterns follow the ClearNLP labels of spaCy's English pipelines; a pipeline with other labels gives entities but no facts.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from interlace.domain.extraction import Fact
from interlace.extraction.dependency_tree import DependencyTree
from interlace.extraction.subjects import Subject, Subjects
from interlace.ports.syntax import SyntaxSpan

EXTRACTOR = "spacy"  # kept in the graph
CERTAIN = 0.8
MAX_PER_SENTENCE = 24
MAX_PREDICATE = 64
_COMMON = 0.75  # factor: the object is a noun phrase, not an entity or a date

_COPULAS = frozenset({"be", "become", "remain"})
_HAVE = frozenset({"have", "has", "had", "having", "'ve", "\u2019ve"})
_ADVERBIAL = frozenset(
    {"addition", "case", "course", "end", "example", "fact", "order", "part", "result", "time", "turn", "way"}
)
_NOT_SNAKE = re.compile(r"[^A-Z0-9]+")


class _Claim(NamedTuple):
    subject: Subject
    predicate: str
    target: int


def find_facts(tree: DependencyTree, title: str) -> list[Fact]:
    """Return the facts of a parsed chunk, in order of their sentences and each only once.

    Args:
        tree: the parse.
        title: the document's title; empty if a pronoun must not stand for it.
    """
    reader = _Reader(tree, title)
    facts: dict[tuple[str, str, str], Fact] = {}
    for sentence in tree.doc.sents:
        start, end = _trimmed(sentence)
        stated = tree.text[start:end]
        for claim in islice(reader.claims(sentence.start, sentence.end), MAX_PER_SENTENCE):
            fact = _fact(tree, claim, start, end)
            if fact and fact.object in stated and (fact.subject == title or fact.subject in stated):
                facts.setdefault((fact.subject.casefold(), fact.predicate, fact.object.casefold()), fact)
    return list(facts.values())


def _trimmed(sentence: SyntaxSpan) -> tuple[int, int]:
    """Return the offsets of a sentence without the blanks around it."""
    text: str = sentence.text
    start: int = sentence.start_char
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _fact(tree: DependencyTree, claim: _Claim, start: int, end: int) -> Fact | None:
    phrase = tree.phrase(claim.target)
    predicate = _snake(claim.predicate)
    if not phrase or not predicate or phrase.casefold() == claim.subject.text.casefold():
        return None
    confidence = CERTAIN * claim.subject.certainty * (1.0 if tree.is_entity(claim.target) else _COMMON)
    return Fact(claim.subject.text, predicate, phrase, start, end, round(confidence, 4), EXTRACTOR)


def _snake(words: str) -> str:
    """Return a predicate as ``UPPER_SNAKE`` ASCII; empty if it would not begin with a letter."""
    snake = _NOT_SNAKE.sub("_", words.upper()).strip("_")[:MAX_PREDICATE].rstrip("_")
    return snake if snake[:1].isalpha() else ""


class _Reader:
    """Reads claims from one tree."""

    def __init__(self, tree: DependencyTree, title: str) -> None:
        self._tree = tree
        self._subjects = Subjects(tree, title)

    def claims(self, first: int, last: int) -> Iterator[_Claim]:
        """Yield the claims of one sentence, given as a range of tokens."""
        tree = self._tree
        for index in range(first, last):
            relation = tree.deps[index]
            if tree.kinds[index] in {"VERB", "AUX"} and relation not in {"aux", "auxpass"}:
                yield from self._verb(index)
            elif relation == "appos":
                yield from self._apposition(index)
            elif relation == "poss" and tree.kinds[tree.heads[index]] == "NOUN":
                yield from self._possession(index)

    def _verb(self, verb: int) -> Iterator[_Claim]:
        tree = self._tree
        if tree.child(verb, "neg") is not None:
            return
        passive = self._is_passive(verb)
        predicate = self._predicate(verb, passive)
        arguments = [
            (words, joined)
            for child in self._complements(verb, passive)
            for words, target in self._arguments(verb, child, predicate, passive)
            for joined in tree.conjuncts(target)
        ]
        for subject in self._subjects.of_verb(verb) if arguments else ():
            for words, target in arguments:
                if words == "is" and subject.text == self._subjects.title:
                    self._subjects.learn_kind(target)
                yield _Claim(subject, words, target)

    def _is_passive(self, verb: int) -> bool:
        tree = self._tree
        if tree.lower[verb] == "born":
            return True
        if tree.tags[verb] != "VBN":
            return False
        if tree.child(verb, "auxpass") is not None:
            return True
        if tree.deps[verb] == "conj" and tree.tags[tree.heads[verb]] == "VBN":
            return self._is_passive(tree.heads[verb])
        return not any(tree.deps[child] == "aux" and tree.lower[child] in _HAVE for child in tree.children[verb])

    def _predicate(self, verb: int, passive: bool) -> str:
        """Return a passive verb's participle as it stands, any other verb's base form, and its particle ("take over")."""
        tree = self._tree
        base = tree.lower[verb] if passive else tree.doc.lemma(verb)
        particle = tree.child(verb, "prt")
        return base if particle is None else f"{base} {tree.lower[particle]}"

    def _complements(self, verb: int, passive: bool) -> list[int]:
        """Return the children of a verb; for "written and directed by", those of the second verb for both."""
        tree = self._tree
        own = tree.children[verb]
        partner = tree.child(verb, "conj")
        if passive and partner is not None and not any(tree.deps[child] in {"agent", "prep"} for child in own):
            return [*own, *(child for child in tree.children[partner] if tree.deps[child] == "agent")]
        return own

    def _arguments(self, verb: int, child: int, predicate: str, passive: bool) -> Iterator[tuple[str, int]]:
        """Yield predicate and object token for one child of a verb."""
        tree = self._tree
        relation = tree.deps[child]
        if relation in {"attr", "acomp"} and predicate in _COPULAS:
            yield from self._attribute("is" if predicate == "be" else predicate, child)
        elif relation in {"dobj", "oprd", "attr"} or (relation == "npadvmod" and child in tree.date_at):
            yield predicate, child
        elif relation in {"agent", "prep"}:
            held = tree.child(child, "pobj")
            if held is not None and self._stands_alone(verb, held, predicate, passive):
                yield f"{predicate} {tree.lower[child]}", held

    def _stands_alone(self, verb: int, held: int, predicate: str, passive: bool) -> bool:
        """Return whether what a preposition adds to a verb can stand without the verb's object: "born in 1970", not "made in 1970"."""
        tree = self._tree
        if held in tree.entity_at:
            return True
        if predicate == "be" or tree.lower[held] in _ADVERBIAL:
            return False
        return passive or tree.child(verb, "dobj", "attr", "acomp") is None

    def _attribute(self, copula: str, attribute: int) -> Iterator[tuple[str, int]]:
        """Yield "is" with the attribute, and "capital of" with what the attribute belongs to."""
        tree = self._tree
        if tree.deps[attribute] == "attr":
            yield copula, attribute
        for joined in tree.conjuncts(attribute):
            if not tree.is_entity(joined):
                yield from self._relations(joined)

    def _relations(self, noun: int) -> Iterator[tuple[str, int]]:
        """Yield "capital of" and France for "capital of France", and so for each preposition of a noun or adjective."""
        tree = self._tree
        for preposition in tree.children[noun]:
            held = tree.child(preposition, "pobj") if tree.deps[preposition] == "prep" else None
            if held is not None and tree.is_entity(held):
                yield f"{tree.doc.lemma(noun)} {tree.lower[preposition]}", held

    def _apposition(self, noun: int) -> Iterator[_Claim]:
        """Read "Thea, wife of Fritz" as a statement about Thea, and "his wife, Thea" as one about him."""
        tree = self._tree
        head = tree.heads[noun]
        if tree.is_entity(noun):
            owner = None if tree.is_entity(head) else tree.child(head, "poss")
            for subject in self._subjects.of_noun(owner) if owner is not None else ():
                yield _Claim(subject, tree.doc.lemma(head), noun)
            return
        for subject in self._subjects.of_noun(head):
            yield _Claim(subject, "is", noun)
            for words, held in self._relations(noun):
                for joined in tree.conjuncts(held):
                    yield _Claim(subject, words, joined)

    def _possession(self, owner: int) -> Iterator[_Claim]:
        """Read "his father was Anton" as father of the title."""
        tree = self._tree
        noun = tree.heads[owner]
        verb = tree.heads[noun]
        attribute = tree.child(verb, "attr")
        if tree.deps[noun] != "nsubj" or attribute is None or tree.is_entity(noun) or not tree.is_entity(attribute):
            return
        for subject in self._subjects.of_noun(owner):
            for joined in tree.conjuncts(attribute):
                yield _Claim(subject, tree.doc.lemma(noun), joined)
