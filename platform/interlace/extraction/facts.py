"""Open information extraction: who did what to whom, by patterns over the dependency tree of each sentence.

The object of a fact is an entity, a date, an amount or, after "is", a kind; whatever else a sentence says is left to its text. The patterns
follow the ClearNLP labels of spaCy's English pipelines; a pipeline with other labels gives entities but no facts.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from interlace.domain.extraction import Fact
from interlace.entities.normalization import title_forms
from interlace.extraction.dependency_tree import DependencyTree
from interlace.extraction.statements import is_stated, main_verb
from interlace.extraction.subjects import Subjects
from interlace.ports.syntax import SyntaxSpan
from interlace.text.stop_words import ARTICLES

EXTRACTOR = "spacy"  # kept in the graph
MAX_PER_SENTENCE = 24
MAX_PREDICATE_CHARACTERS = 64
# Precision according to human readers (docs/facts.md).
KIND_CONFIDENCE = 0.9  # "a film"
CLAUSE_CONFIDENCE = 0.85  # a clause with a subject of its own, and what a noun relates
HUNG_CONFIDENCE = 0.65  # a participle or relative clause, which the parser may have attached to the wrong noun

_SINGULAR = frozenset({"first", "second", "third", "last", "latest", "main", "next", "only", "same", "sole"})
_COPULAS = frozenset({"be", "become", "remain"})
_TEMPORAL = frozenset({"after", "around", "before", "between", "by", "during", "from", "in", "on", "since", "until"})
_RELATING = frozenset({"at", "between", "by", "for", "from", "in", "near", "of", "on", "to", "with"})
_NO_RELATION = frozenset({"besides", "despite", "except", "including", "like", "such", "than", "unlike", "without"})
# Nouns that say nothing about their subject: "is a part of", "is the name of".
_VAGUE_NOUNS = """
case east example fact group kid kind lot mix name north number one part pic picture piece place project result series set sort south
term thing time type use version way west
"""
_VAGUE = frozenset(_VAGUE_NOUNS.split())
_NO_ACTION = frozenset({"say", "see", "mean", "think", "want", "like", "try", "seem", "let", "do", "get"})
_BRACKETS = frozenset('()[]:;"\u2013\u2014\u201c')
_NOT_SNAKE = re.compile(r"[^A-Z0-9]+")


class _Claim(NamedTuple):
    subject: str
    predicate: str
    target: int
    confidence: float = CLAUSE_CONFIDENCE


class _Argument(NamedTuple):
    predicate: str
    target: int


def find_facts(tree: DependencyTree, title: str) -> list[Fact]:
    """Return the facts of a parsed chunk, in sentence order and each only once; the title is empty if no pronoun may refer to it."""
    reader = _Reader(tree, title)
    facts: dict[tuple[str, str, str], Fact] = {}
    for sentence in tree.doc.sents:
        start, end = _trimmed(sentence)
        stated = tree.text[start:end]
        for claim in islice(reader.claims(sentence.start, sentence.end), MAX_PER_SENTENCE):
            fact = _fact(tree, claim, start, end)
            if fact and fact.object in stated:
                facts.setdefault((fact.subject.casefold(), fact.predicate, fact.object.casefold()), fact)
    return list(facts.values())


def _trimmed(sentence: SyntaxSpan) -> tuple[int, int]:
    """Return the offsets of a sentence without the blanks around it."""
    text: str = sentence.text
    start: int = sentence.start_char
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _fact(tree: DependencyTree, claim: _Claim, start: int, end: int) -> Fact | None:
    phrase = tree.phrase(claim.target)
    predicate = predicate_of(claim.predicate)
    if not phrase or not predicate or set(title_forms(phrase)) & set(title_forms(claim.subject)):
        return None
    return Fact(claim.subject, predicate, phrase, start, end, claim.confidence, EXTRACTOR)


def predicate_of(words: str) -> str:
    """Return a predicate as ``UPPER_SNAKE`` ASCII; empty if it would not begin with a letter."""
    snake = _NOT_SNAKE.sub("_", words.upper()).strip("_")[:MAX_PREDICATE_CHARACTERS].rstrip("_")
    return snake if snake[:1].isalpha() else ""


class _Reader:
    """Reads claims from one tree."""

    def __init__(self, tree: DependencyTree, title: str) -> None:
        self._tree = tree
        self._subjects = Subjects(tree, title)

    def claims(self, first: int, last: int) -> Iterator[_Claim]:
        """Yield the claims of one sentence, given as a range of tokens."""
        tree = self._tree
        main = main_verb(tree, first, last)
        self._subjects.begin(first, last)
        if main is None:
            return
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
        if not is_stated(tree, verb) or tree.child(verb, "expl") is not None:
            return
        arguments = list(self._arguments(verb))
        for subject in self._subjects.of_verb(verb) if arguments else ():
            for words, target in arguments:
                if words == "is" and subject == self._subjects.title:
                    self._subjects.learn_kind(target)
                yield _Claim(subject, words, target, self._confidence(verb, words))

    def _confidence(self, verb: int, words: str) -> float:
        tree = self._tree
        if tree.deps[verb] in {"acl", "relcl"} and tree.lower[verb] != "born":
            return HUNG_CONFIDENCE
        return KIND_CONFIDENCE if words in {"is", "become", "remain"} else CLAUSE_CONFIDENCE

    def _arguments(self, verb: int) -> Iterator[_Argument]:
        """Yield predicate and object of each statement that a verb makes."""
        tree = self._tree
        lemma = tree.doc.lemma(verb)
        classes = tree.doc.word_classes(lemma)
        if lemma in _NO_ACTION or not lemma.isalpha() or (classes and "verb" not in classes):
            return
        if self._is_passive(verb):
            yield from self._passive(verb)
        elif lemma in _COPULAS:
            yield from self._copula(verb, "is" if lemma == "be" else lemma)
        else:
            yield from self._active(verb, lemma)

    def _is_passive(self, verb: int) -> bool:
        tree = self._tree
        if tree.lower[verb] == "born":
            return True
        if tree.tags[verb] != "VBN":
            return False
        if tree.child(verb, "auxpass") is not None or tree.deps[verb] == "acl":
            return True
        return tree.deps[verb] == "conj" and tree.tags[tree.heads[verb]] == "VBN" and self._is_passive(tree.heads[verb])

    def _passive(self, verb: int) -> Iterator[_Argument]:
        tree = self._tree
        words = self._with_particle(verb, tree.lower[verb])
        dated = tree.child(verb, "dobj", "oprd", "xcomp", "ccomp") is None
        for child in self._with_shared_agent(verb):
            relation = tree.deps[child]
            if relation in {"oprd", "dobj"}:
                yield from (_Argument(words, named) for named in tree.entities(child))
            elif relation == "npadvmod" and child in tree.date_at and words == "born":
                yield _Argument(words, child)
            elif relation in {"agent", "prep"}:
                yield from self._after_preposition(words, child, dated=dated)

    def _with_particle(self, verb: int, base: str) -> str:
        """Return a verb with its particle ("take over")."""
        particle = self._tree.child(verb, "prt")
        return base if particle is None else f"{base} {self._tree.lower[particle]}"

    def _with_shared_agent(self, verb: int) -> list[int]:
        """Return the children of a verb; in "written and directed by Jane", what follows the second verb belongs to both."""
        tree = self._tree
        own = tree.children[verb]
        partner = tree.child(verb, "conj")
        if partner is not None and not any(tree.deps[child] in {"agent", "prep", "oprd"} for child in own):
            return [*own, *(child for child in tree.children[partner] if tree.deps[child] in {"agent", "prep"})]
        return own

    def _after_preposition(self, words: str, preposition: int, *, dated: bool) -> Iterator[_Argument]:
        """Yield what a preposition introduces: the entities after it, and a date if the preposition may precede one."""
        tree = self._tree
        pobj = tree.child(preposition, "pobj")
        if pobj is None or tree.lower[preposition] in _NO_RELATION:
            return
        predicate = f"{words} {tree.lower[preposition]}"
        if pobj in tree.date_at:
            if dated and tree.lower[preposition] in _TEMPORAL:
                yield _Argument(predicate, pobj)
            return
        yield from (_Argument(predicate, named) for named in tree.entities(pobj))

    def _copula(self, verb: int, words: str) -> Iterator[_Argument]:
        """Yield the kind ("is" film), "capital of" with its complement, and where something is."""
        tree = self._tree
        for child in tree.children[verb]:
            relation = tree.deps[child]
            if relation == "prep" and tree.child(verb, "attr", "acomp") is None:
                yield from self._after_preposition(words, child, dated=False)
            elif relation in {"attr", "acomp"} and child == tree.child(verb, "attr", "acomp"):
                if child in tree.entity_at:
                    yield _Argument(words, child)
                for joined in self._listed(child):
                    if relation == "attr" and self._is_kind(joined):
                        yield _Argument(words, joined)
                    if joined not in tree.entity_at:
                        yield from self._relations(joined)

    def _listed(self, noun: int) -> Iterator[int]:
        """Yield a noun and its conjuncts; after "author of plays" a list may continue either noun, so only the first is certain."""
        tree = self._tree
        if tree.child(noun, "prep") is None:
            yield from (joined for joined in tree.conjuncts(noun) if tree.tags[joined] == tree.tags[noun])
        else:
            yield noun

    def _is_kind(self, noun: int) -> bool:
        """Return whether a noun alone says what something is: "a film", not "sequel to" or "their speaker", and nothing truncated."""
        tree = self._tree
        if (
            tree.kinds[noun] != "NOUN"
            or tree.lower[noun] in _VAGUE
            or tree.child(noun, "neg", "ccomp", "case") is not None
        ):
            return False
        owned = any(
            tree.tags[child] == "PRP$" or (tree.deps[child] == "det" and tree.lower[child] not in ARTICLES)
            for child in tree.children[noun]
        )
        follows = tree.kinds[noun + 1] if noun + 1 < len(tree.kinds) else ""
        after = (tree.lower[child] for child in tree.children[noun] if tree.deps[child] == "prep")
        if self._is_one_of_its_kind(noun) and any(
            tree.deps[child] in {"prep", "acl", "relcl"} and child > noun and tree.lower[child] != "of"
            for child in tree.children[noun]
        ):
            return False
        return not owned and follows not in {"NOUN", "PROPN", "ADJ", "NUM"} and not {"to", "as"}.intersection(after)

    def _is_one_of_its_kind(self, noun: int) -> bool:
        """Return whether a noun is "the largest", "the first" or "the only" one, which means little without what follows it."""
        tree = self._tree
        return any(tree.tags[child] == "JJS" or tree.lower[child] in _SINGULAR for child in tree.children[noun])

    def _active(self, verb: int, lemma: str) -> Iterator[_Argument]:
        tree = self._tree
        words = self._with_particle(verb, lemma)
        if tree.child(verb, "ccomp", "xcomp", "acomp", "oprd", "dative") is not None:
            return
        complement = tree.child(verb, "dobj", "attr")
        if complement is None:
            prepositions = [child for child in tree.children[verb] if tree.deps[child] == "prep"]
            for child in prepositions:
                yield from self._after_preposition(words, child, dated=len(prepositions) == 1)
            return
        named = list(tree.entities(complement))
        yield from (_Argument(words, each) for each in named)
        if tree.is_measured(complement):
            yield _Argument(words, complement)
        elif not named and tree.deps[complement] == "dobj" and tree.kinds[complement] == "NOUN":
            yield from self._with_object(verb, complement, words)

    def _with_object(self, verb: int, noun: int, words: str) -> Iterator[_Argument]:
        """Yield "study economics in" with Leeds and "have population of" with 5,000: the verb's plain object is part of the predicate."""
        tree = self._tree
        if (
            tree.lower[noun] in _VAGUE - {"part", "place"}
            or tree.child(noun, "amod", "nummod", "conj", "neg", "relcl") is not None
        ):
            return
        base = f"{words} {tree.lower[noun] if tree.lower[noun].endswith('ics') else tree.doc.lemma(noun)}"
        prepositions = [child for child in tree.children[noun] + tree.children[verb] if tree.deps[child] == "prep"]
        for child in prepositions:
            pobj = tree.child(child, "pobj")
            if pobj is not None and pobj in tree.amount_at and tree.lower[child] == "of":
                yield _Argument(f"{base} of", pobj)
            else:
                yield from self._after_preposition(base, child, dated=False)

    def _relations(self, noun: int) -> Iterator[_Argument]:
        """Yield "capital of" and France for "capital of France", and likewise for each preposition of a noun or adjective."""
        tree = self._tree
        if tree.lower[noun] in _VAGUE - {"part"}:
            return
        for preposition in tree.children[noun]:
            pobj = tree.child(preposition, "pobj") if tree.lower[preposition] in _RELATING else None
            for named in tree.entities(pobj) if pobj is not None else ():
                yield _Argument(f"{tree.doc.lemma(noun)} {tree.lower[preposition]}", named)

    def _apposition(self, noun: int) -> Iterator[_Claim]:
        """Read "Thea, wife of Fritz" as a statement about Thea, and "his wife, Thea" as one about him."""
        tree = self._tree
        head = tree.heads[noun]
        if noun in tree.entity_at:
            owner = None if head in tree.entity_at else tree.child(head, "poss")
            for subject in self._subjects.of_noun(owner) if owner is not None else ():
                yield _Claim(subject, tree.doc.lemma(head), noun)
            return
        if not self._is_described(head, noun):
            return
        for subject in self._subjects.of_noun(head):
            if self._is_kind(noun):
                yield _Claim(subject, "is", noun, KIND_CONFIDENCE)
            for words, target in self._relations(noun):
                yield _Claim(subject, words, target)

    def _is_described(self, head: int, noun: int) -> bool:
        """Return whether a comma and an article ("Sines, a port") or "of" ("Thea, wife of Fritz") make a noun a description."""
        tree = self._tree
        article, of = tree.child(noun, "det"), tree.child(noun, "prep")
        if (
            tree.deps[head] == "attr" and head not in tree.entity_at
        ):  # of a list after "is", any noun may be the one described
            return False
        described = (article is not None and tree.lower[article] in ARTICLES) or (
            of is not None and tree.lower[of] == "of"
        )
        if tree.deps[head] == "pobj" and tree.heads[tree.heads[head]] in tree.entity_at:  # "Jane of Sines, a pilot"
            return False
        between = tree.words[head + 1 : noun]
        return described and "," in between and _BRACKETS.isdisjoint(between)

    def _possession(self, owner: int) -> Iterator[_Claim]:
        """Read "his father was Anton" as father of the title."""
        tree = self._tree
        noun = tree.heads[owner]
        verb = tree.heads[noun]
        attribute = tree.child(verb, "attr")
        if tree.deps[noun] != "nsubj" or attribute is None or noun in tree.entity_at or attribute not in tree.entity_at:
            return
        for subject in self._subjects.of_noun(owner):
            for joined in tree.entities(attribute):
                yield _Claim(subject, tree.doc.lemma(noun), joined)
