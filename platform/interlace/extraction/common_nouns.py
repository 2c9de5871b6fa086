"""Common nouns with a capital only because a line, an item or a cell begins with them, which a recogniser of sentences takes for names: *Oxygen probe OX-1*."""

import re

from interlace.extraction.dialogue import speaks
from interlace.extraction.entity_spans import EntitySpan
from interlace.extraction.surroundings import FINITE, Surroundings
from interlace.ports.syntax import SyntaxDoc
from interlace.text.proper_nouns import is_proper_noun

_NOUNS = frozenset({"NN", "NNS"})
_OF_PEOPLE = FINITE | {"POS"}  # "Toby said", "Toby's"
_PLURAL = re.compile(r".*[^ius]s")
_APART = re.compile(r"[ \t]*(?:,|\|)")  # an apposition ("Dunlin, single-handed"), or a cell of its own


def is_common_noun(doc: SyntaxDoc, surroundings: Surroundings, span: EntitySpan) -> bool:
    """Return whether a word that begins a line, an item or a cell is a noun that no name is written like, and nothing shows that it is one here.

    Many first names are nouns, too (``Rose called``): what was found to be a person is one unless it is a plural, stands before ``of`` or another
    noun (``Lorry fill rate``), or is also written in lower case; and what says or owns something may be a person that was found to be something else.
    """
    mention, word = span.mention, span.mention.surface
    if not (word.istitle() and word.isalpha() and "noun" in surroundings.classes(word)):
        return False
    if is_proper_noun(word) or not surroundings.begins_item(mention.start):
        return False
    if word.casefold() in surroundings.titles or surroundings.stands_elsewhere(word) or speaks(doc.text, word):
        return False
    plural = _PLURAL.fullmatch(word) is not None
    if plural or _APART.match(doc.text, mention.end):
        return plural
    after = doc[span.last] if span.last < len(doc) else None
    if mention.type != "Person":
        return after is None or after.tag_ not in _OF_PEOPLE
    compound = after is not None and (after.text == "of" or (after.text.islower() and after.tag_ in _NOUNS))
    return compound or surroundings.is_small_here(word)
