"""Generic terms: words that denote a kind of thing rather than name one, by how technical texts write them: code classes, nodes, guides, constants."""

import re
from dataclasses import dataclass

from interlace.domain.extraction import Mention
from interlace.extraction.candidate_spans import PROPER_NOUN
from interlace.extraction.notation import humps
from interlace.extraction.surroundings import Surroundings
from interlace.ports.syntax import SyntaxDoc
from interlace.text.stop_words import ENTITY_STOP_WORDS

SHORT_CONSTANT = 4
"""Characters: shorter words in capitals are mostly acronyms, and shorter parts of compounds say nothing."""
_ACRONYM = 5  # letters: nouns in capitals up to this length may be one: "ASCII"
_MAX_ACRONYM_CHARACTERS = 8
_REFERENCE = 2  # words: anything longer is mostly a name
# What kind of code the name before it is: "the FormData constructor".
_OF_CODE = re.compile(r" (?:alias|class|constructor|decorator|enum|exception|method|struct|subclass)(?:e?s)?\b")
# Placeholders for any value: a version, a name.
_PLACEHOLDER = re.compile(
    r"[vV]?(?:X\.Y|[A-Z]\.[B0x]\.[C0x]|Y{2,4}\.)[\w.]*|(?:.*[\s_-])?(?:Foo|FOO|Foobar|Baz|Qux)(?:[\s_-].*)?"
)
_COUNT = re.compile(r"\d+|[ivx]+|[IVX]+|[A-Za-z]")
_VERSION = re.compile(r"\d[\w.]*")
_IN_CAPITALS = """
CONNECT DEBUG DELETE GET HEAD INFO OPTIONS PATCH POST PUT TRACE WARN
AUTHORS CHANGELOG CONTRIBUTING COPYING INSTALL LICENSE MANIFEST NOTICE README TODO
STDERR STDIN STDOUT BAR BAZ FOO QUX
"""
_CONVENTIONAL = frozenset(_IN_CAPITALS.split())
"""HTTP methods and log levels, conventional files of a repository, standard streams, and placeholders."""
_BELONGING = frozenset({"for", "from", "in", "of", "on", "to", "with"})
_PERSON, _PLACE, _GROUP, _OTHER = "Person", "Place", "Group", "Other"


@dataclass(frozen=True, slots=True)
class GenericTerms:
    """Assesses the words of one chunk."""

    at: Surroundings
    text: str

    def is_identifier(self, mention: Mention) -> bool:
        """Return whether a word in prose is an identifier of the document's code: ``Registry``, ``PoolManager``."""
        surface = mention.surface
        parts = humps(surface)
        if surface in self.at.code and not surface.isupper() and all(map(self.at.is_common, parts)):
            return True
        if not (self.at.technical and surface.isalpha() and len(parts) > 1 and surface[0].isupper()):
            return False
        if surface.casefold() in self.at.titles or not self.at.is_known(parts[-1]):
            return False
        composed = len(parts[-1]) >= SHORT_CONSTANT and (len(parts) > 2 or self.at.is_known(parts[0]))  # noqa: PLR2004
        # A package or a site of that name would also occur in lower case.
        sentence = len(parts) > 2 and all(map(self.at.is_known, parts))  # noqa: PLR2004 - "RouteShorthandOptions"
        if (mention.confidence == PROPER_NOUN or sentence) and composed and surface.lower() not in self.text:
            return True
        in_code = _OF_CODE.match(self.text, mention.end) is not None or self.at.is_called(surface)
        return in_code or self.at.has_sibling(surface, parts)

    def is_placeholder(self, surface: str) -> bool:
        """Return whether a name in a technical text is a placeholder: ``X.Y.Z``, ``Foo-Flask``."""
        return self.at.technical and _PLACEHOLDER.fullmatch(surface) is not None

    def is_kind_before(self, doc: SyntaxDoc, index: int, last: int) -> bool:
        """Return whether a word in a technical text only qualifies the name after it: ``Modern Linux``, ``Union of TypedDict``."""
        if not self.at.technical or index + 1 >= last or not (doc[index].text.istitle() and doc[index].whitespace_):
            return False
        word, follows = doc[index].text, doc[index + 1].text
        small = self.at.is_written_small(word)
        if follows in _BELONGING:
            return small and index + 2 < last and not self.at.is_common(doc[index + 2].text)
        classes = self.at.classes(word)
        quality = small or (bool(classes) and "noun" not in classes)
        return quality and self.at.stands_without(follows, word) and not self.at.is_written_small(follows)

    def is_field(self, mention: Mention) -> bool:
        """Return whether common words joined by hyphens in a technical text are a header or a field: ``Content-Type``."""
        parts = mention.surface.split("-")
        plain = self.at.technical and len(parts) > 1 and mention.type not in {_PERSON, _PLACE, _GROUP}
        return plain and all(part.isalpha() and not part.isupper() and self.at.is_common(part) for part in parts)

    def is_kind_of_thing(self, surface: str, kind: str) -> bool:
        """Return whether a common word in a technical text denotes a kind of thing, not one thing: nodes, not ``Nodes``."""
        if (
            not (self.at.technical and surface.isalpha() and self.at.is_common(surface))
            or surface.casefold() in self.at.titles
        ):
            return False
        if self.at.is_written_small(surface):
            return True
        return surface.casefold() not in self.at.coded_anyhow and (kind == _OTHER or self.is_plural(surface))

    def is_phrase(self, mention: Mention) -> bool:
        """Return whether words in a technical text denote a kind of thing: plural, or normally lower-case, as ``User Commands``, ``Verbosity 1``."""
        words = mention.surface.split()
        own = any(word.casefold() in self.at.titles for word in words)
        if not self.at.technical or own or self.at.defines_acronym(mention.end):
            return False
        small = [self.at.is_written_small(word) or word in ENTITY_STOP_WORDS for word in words]
        if (small[0] and self._is_numbered(words)) or self.at.is_alternative_text(mention.start):
            return True
        if not words[-1].isalpha():
            return False
        plural = self.is_plural(words[-1]) and not words[-1].isupper()
        known = all(plural if word.isupper() else self.at.is_common(word) for word in words)
        if self._is_unsure(mention, words) and (small[-1] or (known and (small[0] or plural))):
            return True
        person = mention.type == _PERSON and self.at.classes(words[0]) != {"verb"} and not small[-1]
        return known and (all(small) or (plural and not person and mention.type not in {_PLACE, _GROUP}))

    def _is_numbered(self, words: list[str]) -> bool:
        """Return whether numbers follow a common word ("Item 1 ii"), or a version follows an adjective ("New 12.2", but "Pip 20.1")."""
        form = _COUNT if "noun" in self.at.classes(words[0]) else _VERSION
        return self.at.is_common(words[0]) and all(map(form.fullmatch, words[1:]))

    def _is_unsure(self, mention: Mention, words: list[str]) -> bool:
        """Return whether only the tagger takes words for a name, and the first is capitalised nowhere else."""
        apart = self.at.stands_apart(words[0], mention.surface)
        return mention.confidence == PROPER_NOUN and all(map(str.isalpha, words)) and not apart

    def is_cited_title(self, mention: Mention) -> bool:
        """Return whether common words are the title of a page, or a part of one, that a technical text links to: ``see Getting Started``.

        The dictionary also has names, as nouns in the singular: *Zambia*, *Robert*. So one word must be of another kind.
        """
        words = mention.surface.split()
        if not (self.at.technical and self.at.is_cited(mention.start, mention.end)):
            return False
        if mention.type in {_GROUP, "Language"} or (mention.type == _PLACE and len(words) > 1):
            return False
        parts = [part for word in words for part in word.split("-") if part]
        if words[-1].isupper() or not all(part.isupper() or self._is_plain(part) for part in parts):
            return False
        return any(self._is_ordinary(part) for part in parts if not part.isupper())

    def _is_plain(self, word: str) -> bool:
        return self.at.is_known(word) or self.at.is_written_small(word)

    def _is_ordinary(self, word: str) -> bool:
        """Return whether the document normally writes a word in lower case, or it is more than a noun in the singular."""
        small = self.at.is_written_small(word) or self.is_plural(word)
        return small or (word.lower() not in ENTITY_STOP_WORDS and self.at.classes(word) != {"noun"})

    def is_reference(self, mention: Mention) -> bool:
        """Return whether common words after an article refer to a part of a text: ``see the Migration Guide``.

        The first word of a real name is also capitalised elsewhere, or occurs in the title.
        """
        words = mention.surface.split()
        if len(words) > _REFERENCE or not all(map(str.isalpha, words)) or any(map(str.isupper, words)):
            return False
        if mention.type == _PLACE or any(word.casefold() in self.at.titles for word in words):
            return False
        return all(map(self.at.is_common, words)) and not self.at.stands_apart(words[0], mention.surface)

    def is_constant(self, word: str) -> bool:
        """Return whether a word in capitals is a constant rather than an acronym: ``INVALID``, ``BACKOFF``."""
        classes = self.at.classes(word)
        if word in _CONVENTIONAL:
            return True
        if len(word) < SHORT_CONSTANT or not word.isalpha():
            return False
        if len(word) > (_ACRONYM if "noun" in classes else _MAX_ACRONYM_CHARACTERS):
            return True
        if "noun" in classes and re.search(rf"\b{word.lower()}s?\b", self.text):
            return True
        if word.lower() in self.at.code:
            return False
        return not classes.isdisjoint({"verb", "adj", "adv"}) or (not classes and self.at.is_known(word.title()))

    def is_plural(self, word: str) -> bool:
        """Return whether it is the plural of a noun in the dictionary."""
        one = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
        return word.endswith("s") and "noun" in self.at.classes(one)
