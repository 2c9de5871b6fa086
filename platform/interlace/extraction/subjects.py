"""The subject of a clause: an entity in it, the speaker of a dialogue turn, or the document's title where the sentence continues that topic.

A pronoun refers to the title only while nothing else came between: the sentence before is about the title too, in the same paragraph, and
the pronoun is the subject of the whole sentence (the rule of continued topics in centering: Grosz, Joshi and Weinstein 1995).
"""

import re
from typing import Final

from interlace.extraction.dependency_tree import DependencyTree
from interlace.extraction.dialogue import turns
from interlace.extraction.entity_spans import EntitySpan
from interlace.extraction.statements import is_opening, main_subject, root_of

MAX_STEPS = 4  # from a clause to the clause or noun whose subject it shares

_PERSONAL = frozenset({"he", "she"})
_PRONOUNS = frozenset({*_PERSONAL, "it", "they"})
_POSSESSIVES: Final = {"his": "he", "her": "he", "its": "it", "their": "they"}
_RELATIVES = frozenset({"who", "which", "that", "whom", "whose"})
_LEND_SUBJECT = frozenset({"conj", "acl", "relcl"})
_CLAUSES = ("ccomp", "xcomp", "csubj")
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
_ITEM = re.compile(r"\n\s*(?:\n|[-*\u2022\d#|])")


class Subjects:
    """Finds subjects in one tree, sentence by sentence.

    Args:
        tree: the parse.
        title: the document's title; empty if nothing may refer to it.
    """

    def __init__(self, tree: DependencyTree, title: str) -> None:
        self._tree = tree
        self.title = title
        plain = _DISAMBIGUATION.sub("", title).casefold()
        self._title_words = plain.split()
        self._opening = _openings(tree, plain) if plain else frozenset()
        self._type = self._type_of_title()
        self._turns = [(turn.start(), turn["speaker"]) for turn in turns(tree.text)]
        self._kinds: set[str] = set()
        self._continued = False
        self._about_title = False
        self._end = 0
        self._main: int | None = None

    def begin(self, first: int, last: int) -> None:
        """Advance to the next sentence, given as a range of tokens."""
        tree = self._tree
        start = tree.doc[first].idx
        self._continued = self._about_title and not _ITEM.search(tree.text[self._end : start])
        self._end = start + len(tree.text_of(first, last).rstrip())
        verb = root_of(tree, first, last)
        self._main = None if verb is None else main_subject(tree, verb)
        named = self.of_noun(self._main) if self._main is not None else []
        self._about_title = self.title in named or first in self._opening

    def learn_kind(self, noun: int) -> None:
        """Remember what the title was said to be ("… is a film"), so that "the film" can refer to it in the next sentences."""
        self._kinds.add(self._tree.lower[noun])

    def of_verb(self, verb: int) -> list[str]:
        """Return the subjects of a verb: its own, or those of the verb or noun that it is attached to."""
        tree = self._tree
        for _ in range(MAX_STEPS):
            own = main_subject(tree, verb)
            relation = tree.deps[verb]
            if is_opening(tree, verb):
                verb = tree.heads[verb]
                continue
            if own is not None and not (relation == "relcl" and tree.lower[own] in _RELATIVES):
                return self.of_noun(own)
            if relation not in _LEND_SUBJECT or (relation == "relcl" and own is None):
                return []
            head = tree.heads[verb]
            if tree.kinds[head] not in {"VERB", "AUX"}:
                listed = self._listed_after_agent(verb, head)
                if listed is None:
                    return self.of_noun(head) if self._belongs(verb, head) else []
                head = listed
            verb = head
        return []

    def of_noun(self, index: int) -> list[str]:
        """Return the entities that a token and its conjuncts refer to."""
        tree = self._tree
        if index in self._opening:
            return [self.title]
        if any(tree.lower[child] in {"or", "nor"} for child in tree.children[index] if tree.deps[child] == "cc"):
            return []
        found = (self._one(joined) for joined in tree.conjuncts(index))
        return [subject for subject in found if subject]

    def _belongs(self, verb: int, noun: int) -> bool:
        """Return whether a clause is about the noun that the parser attached it to; after a preposition it may be about an earlier noun."""
        tree = self._tree
        doubtful = {"pobj", "conj", "appos"} if noun in tree.entity_at else {"pobj"}
        if tree.deps[noun] not in doubtful or tree.lower[verb] == "born":
            return True
        own = main_subject(tree, verb)
        person = noun in tree.entity_at and tree.entity_at[noun].mention.type == "Person"
        return person and own is not None and tree.lower[own] == "who"

    def _listed_after_agent(self, verb: int, head: int) -> int | None:
        """Return the verb before this one in "directed by A, produced by B", which the parser attaches to A."""
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

    def _one(self, index: int) -> str | None:
        tree = self._tree
        for _ in range(MAX_STEPS):
            copula_subject = tree.child(tree.heads[index], "nsubj") if tree.deps[index] == "attr" else None
            if copula_subject is not None and copula_subject != index:
                index = copula_subject
                continue
            if index in self._opening:
                return self.title
            if index in tree.entity_at:
                return self._entity(tree.entity_at[index], index)
            if tree.tags[index] == "PRP" and tree.lower[index] == "i":
                return self._speaker(index)
            if self._refers_to_title(index):
                return self.title
            if tree.deps[index] != "appos":
                return self._beside(index)
            index = tree.heads[index]
        return None

    def _beside(self, index: int) -> str | None:
        """Return the person whom an apposition names: "the architect *Benson*"."""
        named = next(self._tree.entities(index), None) if self._tree.deps[index] not in {"conj", "dobj"} else None
        return None if named is None or named == index else self._entity(self._tree.entity_at[named], named)

    def _entity(self, span: EntitySpan, index: int) -> str | None:
        tree, mention = self._tree, span.mention
        speaks = tree.words[index + 1 : index + 2] == [":"]  # "Jane: It is late" marks the speaker
        people = mention.type == "Group" and tree.tags[index] == "JJ"  # "the Austrian"
        if speaks or people or next(tree.entities(index), None) != index:
            return None
        same = self._names_title(mention.surface.casefold().split(), mention.type)
        return self.title if same else mention.surface

    def _speaker(self, index: int) -> str | None:
        """Return the speaker of a dialogue turn ("Jane: I sold the house"), if the chunk names them."""
        at = self._tree.doc[index].idx
        names = [name for start, name in self._turns if start < at]
        found = any(span.mention.surface == names[-1] for span in self._tree.entity_at.values()) if names else False
        return names[-1] if found else None

    def _names_title(self, words: list[str], kind: str) -> bool:
        """Return whether a name is the title or, for a person, its first or last words ("Lang") or a fuller form ("Fritz Anton Lang")."""
        title = self._title_words
        if words == title:
            return bool(title)
        if kind != "Person" or len(title) < 2:  # noqa: PLR2004 - one word has no shorter form
            return False
        if len(words) < len(title):
            return title[: len(words)] == words or title[-len(words) :] == words
        return _is_fuller(words, title)

    def _refers_to_title(self, index: int) -> bool:
        tree = self._tree
        word = tree.lower[index]
        if not self.title or not self._continued or not self._is_main(index):
            return False
        pronoun = _POSSESSIVES.get(word, word)
        if pronoun in _PRONOUNS:
            return self._fits(pronoun) and not (word == "it" and self._is_empty(tree.heads[index]))
        article = tree.child(index, "det") if word in self._kinds else None
        return article is not None and tree.lower[article] in {"the", "this"}

    def _is_main(self, index: int) -> bool:
        """Return whether a word is the subject of its sentence, or the possessor of the subject."""
        return self._main is not None and self._main in {index, self._tree.heads[index]}

    def _fits(self, pronoun: str) -> bool:
        # The recogniser often takes a single word at the beginning of a sentence for a person.
        if self._type == "Person" and len(self._title_words) > 1:
            return pronoun in _PERSONAL
        return pronoun not in _PERSONAL or self._type in {"", "Other", "Person"}

    def _is_empty(self, verb: int) -> bool:
        """Return whether "it" is an expletive: "it was clear that …"."""
        tree = self._tree
        below = [verb, *(child for child in tree.children[verb] if tree.deps[child] in {"acomp", "attr", "oprd"})]
        return any(tree.child(index, *_CLAUSES) is not None for index in below)

    def _type_of_title(self) -> str:
        """Return the type under which the chunk mentions what the title names; empty if it does not mention it."""
        spans = self._tree.entity_at.values()
        types = [
            each.mention.type
            for each in spans
            if self._names_title(each.mention.surface.casefold().split(), each.mention.type)
        ]
        return next((kind for kind in types if kind != "Other"), types[0] if types else "")


def _openings(tree: DependencyTree, title: str) -> frozenset[int]:
    """Return the tokens of the title where a sentence begins with it, ignoring an article before it."""
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
    """Return whether the title's words occur in this order in a person's name, where an initial ("A.") matches any word that it begins."""
    # One iterator for all parts: each search continues where the last one ended, which keeps the order.
    rest = iter(words)
    return all(
        any(word == part or (part.endswith(".") and word.startswith(part[:-1])) for word in rest) for part in title
    )
