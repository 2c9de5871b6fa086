"""Which names found by a model really are names where they occur: the structure of the document decides, not the string alone.

A capital says little at the beginning of a sentence, in a table header, or in a line that is only a label; in code it says nothing at all.
There, words that are in a dictionary are not names. In a text with code, what the document also writes as code is technology, not a person.
"""

import re
from dataclasses import replace

from interlace.domain.documents import Chunk
from interlace.domain.extraction import HONORIFICS, LEGAL_FORMS, PARTICLES, Mention
from interlace.extraction.candidate_spans import PROPER_NOUN, RECOGNISED
from interlace.extraction.common_nouns import is_common_noun
from interlace.extraction.defined_names import as_defined
from interlace.extraction.dialogue import is_address, speaks
from interlace.extraction.entity_spans import EntitySpan, is_plausible
from interlace.extraction.generic_terms import SHORT_CONSTANT, GenericTerms
from interlace.extraction.name_scores import NameScores
from interlace.extraction.notation import is_exclamation, is_notation, is_value
from interlace.extraction.surroundings import FINITE, LOOK_BACK, Surroundings
from interlace.ports.syntax import SyntaxDoc
from interlace.text.greetings import GREETINGS
from interlace.text.stop_words import ENTITY_STOP_WORDS

_PERSON, _PLACE, _ORGANIZATION, _OTHER, _PRODUCT, _GROUP = (
    "Person", "Place", "Organization", "Other", "Product", "Group",
)  # fmt: skip
_DETERMINERS = frozenset({"a", "an", "the", "this", "our", "your", "its", "each", "any"})
_ADDRESSES = frozenset({"URI", "URIs", "URL", "URLs"})
_ABBREVIATED = frozenset({"BTW", "FYI", "LOL", "OK", "OMG", "TTYL"})
_MONTH_NAMES = frozenset({"April", "May", "June", "August"})
# Also nouns, so that a dictionary alone cannot tell an instruction from a name.
_INSTRUCTIONS = """
add allow ask build call change check choose clone close copy create define disable download drop edit enable ensure export fix
follow get give go handle import improve install keep learn let list load make move note open pass print provide put query read
release remove rename replace report return run save search see select send set show start stop store support switch test try type
update upgrade use view visit wait watch write
"""
_IMPERATIVES = frozenset(_INSTRUCTIONS.split())
_MIXED = re.compile(
    r"[^\W\d_]\d|(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLe)(?<!\bLa)(?<!\bDi)(?<!\bDu)(?<!\bFitz)(?<=[a-z])[A-Z]"
)
_CAPITALS = re.compile(r"[A-Z][A-Z0-9.+#-]+")
_AFTER_GREETING = re.compile(r"[ \t]*(?:[,!:;\u2013\u2014-]|\n|$)")
_ELIDED = re.compile(r"\w+in")
_TITLED = re.compile(r"[a-z,] (?:The|A|An) $")


class NameFilter:
    """Assesses the entities found in one chunk; it is ``technical`` if the chunk has code."""

    def __init__(self, doc: SyntaxDoc, chunk: Chunk) -> None:
        self._doc = doc
        self._text = doc.text
        self._chunk = chunk
        self._at = Surroundings(doc, chunk)
        self._generic = GenericTerms(self._at, doc.text)
        self._scores = NameScores(doc, self._at)
        self.technical = self._at.technical

    def assess(self, span: EntitySpan) -> EntitySpan | None:
        """Return the entity without leading words that are not part of it and with the type that fits; None if it is not a name."""
        found = self._without_opening(self._without_tail(as_defined(self._doc, span) if self.technical else span))
        if found is None:
            return None
        mention = found.mention
        surface = mention.surface
        value = is_value(surface) and not (mention.type == _PERSON and surface in _MONTH_NAMES)
        if (
            self._chunk.has_code(mention.start, mention.end)
            or value
            or is_notation(surface)
            or self._generic.is_placeholder(surface)
            or self._at.is_accessed(mention.start, mention.end)
            or self._at.is_field(mention.start, mention.end)
        ):
            return None
        if self._at.is_in_code(mention.start):
            return None
        if (
            self._is_label(found)
            or self._has_article(found)
            or self._generic.is_identifier(mention)
            or self._generic.is_cited_title(mention)
            or self._is_shouted(mention)
        ):
            return None
        if (
            (self._at.is_talk and is_address(surface) and self._at.is_quoted(mention.start))
            or self._is_called_out(mention)
            or self._is_saying(found)
            or self._generic.is_kind_of_thing(surface, mention.type)
            or self._is_tail(mention)
            or self._lacks_witness(found)
            or (self._scores.is_unlikely(found) if self.technical else is_common_noun(self._doc, self._at, found))
        ):
            return None
        kind = self._kind(surface, mention.type)
        return found if kind == mention.type else replace(found, mention=replace(mention, type=kind))

    def _without_opening(self, span: EntitySpan) -> EntitySpan | None:
        """Drop exclamations and instructions before a name: ``Thanks Joanna``, ``Run JupyterLab``."""
        first = span.first
        start = span.mention.start
        begins = self._text[start - 1 : start] == "(" or (self._at.begins(start) and not self._at.is_quoted(start))
        while first < span.last and (
            self._generic.is_kind_before(self._doc, first, span.last)
            or (begins and (self._opens(span, first) or self._is_quality(span, first)))
        ):
            first += 1
        if first == span.first:
            return span
        while first < span.last and (self._doc[first].is_punct or self._doc[first].text.islower()):
            first += 1
        if first == span.last:
            return None
        start = self._doc[first].idx
        surface = self._text[start : span.mention.end]
        called = [word for word in surface.split() if word.lower().rstrip(".") not in HONORIFICS]
        greeted = self._greets(span, span.first) and not any(map(self._at.is_known, called))
        kept = replace(span.mention, surface=surface, start=start, type=_PERSON if greeted else span.mention.type)
        return replace(span, mention=kept, first=first) if is_plausible(surface) else None

    def _without_tail(self, span: EntitySpan) -> EntitySpan:
        """Drop a trailing lower-case word, an address, and an adjective after a hyphen, from a name in a technical text: ``S3-Compatible``."""
        last = span.last
        words = [token.text for token in self._doc[span.first : last]]
        if not self.technical or span.mention.type in {"Work", "Event", "Law"} or len(words) < 2:  # noqa: PLR2004 - a name and its tail
            return span
        if words[-1] in _ADDRESSES or (words[-1].rstrip(".").isalpha() and words[-1].islower() and words[-2] != "-"):
            last -= 1 + (words[-2] == "-")
        elif len(words) > 2 and words[-2] == "-" and "noun" not in (self._at.classes(words[-1]) or {"noun"}):  # noqa: PLR2004
            last -= 2
        if last == span.last:
            return span
        end = self._doc[last - 1].idx + len(self._doc[last - 1])
        kept = replace(span.mention, surface=self._text[span.mention.start : end], end=end)
        return replace(span, mention=kept, last=last) if is_plausible(kept.surface) else span

    def _opens(self, span: EntitySpan, index: int) -> bool:
        word = self._doc[index].text
        alone = index + 1 == span.last
        if not alone and self._greets(span, index):
            return True
        if is_exclamation(word) and (alone or self.technical or self._at.is_talk):  # "Great Britain" is neither
            return True
        if not self.technical:
            return self._at.is_talk and (self._is_elided(index) or (not alone and self._is_before_name(span, index)))
        if word.lower() in ENTITY_STOP_WORDS and not alone:
            return True
        follows = self._doc[index + 1].text if not alone else ""
        called = (
            span.mention.type == _PERSON
            and index + 2 == span.last
            and self._doc[index].pos_ == "PROPN"
            and follows.istitle()
        )
        if alone or called or "verb" not in self._at.classes(word):
            return word.lower() in _IMPERATIVES
        return word.lower() in _IMPERATIVES or "noun" not in self._at.classes(word) or not self._at.is_common(follows)

    def _greets(self, span: EntitySpan, index: int) -> bool:
        """Return whether a letter begins with the word and whom it is to: ``Dear Ilse,``."""
        return self._doc[index].lower_ in GREETINGS and _AFTER_GREETING.match(self._text, span.mention.end) is not None

    def _is_quality(self, span: EntitySpan, index: int) -> bool:
        """Return whether an adjective in the dictionary precedes a name in a technical text: ``Latest Conda``."""
        if not self.technical or index + 1 >= span.last or self._text[self._doc[index + 1].idx - 1] != " ":
            return False
        word, follows = self._doc[index], self._doc[index + 1].text
        only = self._at.classes(word.text) in ({"adj"}, {"adv"}, {"adj", "adv"})
        if self._at.is_written_small(word.text) and not self._at.is_common(follows):  # "Serverless Redis"
            return True
        if word.pos_ == "ADJ" and self._at.is_known(word.text):
            return only or not self._at.is_common(follows)
        return only and (not self._at.is_common(follows) or self._at.stands_apart(follows, follows + " "))

    def _is_before_name(self, span: EntitySpan, index: int) -> bool:
        """Return whether a dictionary word in dialogue precedes a name that occurs elsewhere without it: ``Glad Max``."""
        word, name = self._doc[index].text, self._text[self._doc[index + 1].idx : span.mention.end]
        if span.mention.type == _PLACE or not (self._at.is_known(word) and self._doc[index].whitespace_):
            return False
        return speaks(self._text, name) or self._text.count(name) > self._text.count(f"{word} {name}")

    def _is_saying(self, span: EntitySpan) -> bool:
        """Return whether a name would contain a verb, or a person's name a lower-case dictionary word: ``Neo4j keeps``, ``Catch ya later``."""
        kind = span.mention.type
        tokens = [self._doc[index] for index in range(span.first, span.last) if self._doc[index].text.islower()]
        words = [
            token for token in tokens if self._text[token.idx - 1 : token.idx] == " " and self._at.classes(token.text)
        ]
        if kind not in {"Work", "Event", "Law"} and any(token.tag_ in FINITE for token in words):
            return True
        small = [token.text for token in tokens if kind == _PERSON and len(token) >= SHORT_CONSTANT]
        return any(self._at.classes(word) and word not in PARTICLES | ENTITY_STOP_WORDS for word in small)

    def _is_called_out(self, mention: Mention) -> bool:
        """Return whether it is an exclamation in dialogue, or all of a sentence and occurs nowhere else: ``Bon voyage!``.

        In capitals it may be an acronym (``the AHA``, ``UM``), and within a sentence a recognised person or place (``I went to Nice``).
        """
        acronym = mention.surface.isupper() and mention.surface not in _ABBREVIATED
        exclaims = is_exclamation(mention.surface) and not acronym
        named = (
            mention.type in {_PERSON, _PLACE}
            and mention.confidence == RECOGNISED
            and not self._at.begins(mention.start)
        )
        if self._at.is_talk and exclaims and not named and not self._at.is_quoted(mention.start):
            return True
        if (
            not self._at.is_talk
            or self._text[mention.end : mention.end + 1] != "!"
            or not self._at.begins(mention.start)
        ):
            return False
        return self._text.count(mention.surface) == 1

    def _is_elided(self, index: int) -> bool:
        """Return whether a word is a participle without its last letter: ``Startin'``."""
        word = self._doc[index].text.rstrip("'\u2019")
        return _ELIDED.fullmatch(word) is not None and "verb" in self._at.classes(word + "g")

    def _is_label(self, span: EntitySpan) -> bool:
        """Return whether common words are capitalised only because of their position."""
        mention = span.mention
        words = mention.surface.split()
        if self._at.is_quoted(mention.start):
            return False
        acronyms = self.technical and not words[-1].isupper() and self._at.fills_line(mention.start, mention.end)
        if not all(self._at.is_known(word) or (acronyms and word.isupper()) for word in words):
            return len(words) == 1 and self._is_capital_alone(span)
        if self.technical and self._text[mention.end : mention.end + 1] == ":":
            return True
        if self._at.in_head(mention.start, mention.end) or (
            self._at.in_label(span) and self._doubtful(mention.type, words)
        ):
            return True
        if len(words) > 1 or not self._at.begins(mention.start):
            orders = all(map(str.isalpha, words)) and "verb" in self._at.classes(words[0])
            coded = self._at.titles | self._at.coded_anyhow
            unknown = all(map(str.istitle, words)) and not any(word.casefold() in coded for word in words)
            capital_alone = orders or (mention.confidence == PROPER_NOUN and unknown)
            return self.technical and capital_alone and self._at.begins(mention.start)
        return self._is_common_beginning(words[0], mention.type) and not self._at.stands_elsewhere(words[0])

    def _is_capital_alone(self, span: EntitySpan) -> bool:
        """Return whether a word in a technical text or dialogue looks like a name only because it begins a sentence: ``Timezones are …``."""
        mention = span.mention
        word = mention.surface
        if not (word.istitle() and word.isalpha() and self._at.begins(mention.start)):
            return False
        if not (self.technical or self._at.is_talk) or speaks(self._text, word):
            return False
        if word.casefold() in self._at.titles | self._at.coded_anyhow:
            return False
        unrecognised = self.technical and mention.confidence == PROPER_NOUN
        return self._at.is_small_here(word) or (unrecognised and not self._at.stands_elsewhere(word))

    def _has_article(self, span: EntitySpan) -> bool:
        """Return whether a known word in a technical text stands alone after an article: ``see the Tutorial``; product names have none."""
        mention = span.mention
        if not self.technical or span.first == 0 or mention.type == _GROUP:
            return False
        before = self._doc[span.first - 1].lower_
        if span.last - span.first > 1:
            return before in _DETERMINERS and self._generic.is_reference(mention)
        if mention.type in {_PERSON, _PLACE} and before not in {"a", "an"}:
            return False
        if (
            not self._at.is_known(mention.surface)
            or mention.surface.isupper()
            or mention.surface.casefold() in self._at.titles
        ):
            return False
        after = self._doc[span.last] if span.last < len(self._doc) else None
        kind = bool(self._at.classes(mention.surface) & {"verb", "adj"})  # "the Remote protocol"
        alone = after is None or after.pos_ not in {"NOUN", "PROPN"} or (kind and after.text.islower())
        return alone and before in _DETERMINERS

    def _doubtful(self, kind: str, words: list[str]) -> bool:
        return self.technical or kind == _OTHER or (len(words) > 1 and kind not in {_PERSON, _PLACE})

    def _is_common_beginning(self, word: str, kind: str) -> bool:
        if self.technical or kind == _OTHER or (self._at.is_talk and kind not in {_PERSON, _PLACE}):
            return self._at.is_known(word)
        classes = self._at.classes(word)
        if kind == _PERSON:  # a real name also occurs in the middle of a sentence, or is known from elsewhere
            known = bool(classes) if self._at.is_talk else not classes.isdisjoint({"verb", "adj", "adv"})
            return known and not speaks(self._text, word)
        if kind == _PLACE:
            return "adv" in classes or ("verb" in classes and word.endswith("ing"))
        return not classes.isdisjoint({"verb", "adj", "adv"})

    def _lacks_witness(self, span: EntitySpan) -> bool:
        """Return whether only one of recogniser and tagger takes a dictionary word for a name: ``Poetry``, ``Experimental``.

        A name in quotes, after a capitalised article (``saw The Godfather``), in the title, or at the end of a longer name needs no second witness.
        """
        mention = span.mention
        word = mention.surface
        if span.last - span.first > 1:
            return self._generic.is_phrase(mention) or self._generic.is_field(mention)
        if word.isupper() or not self._at.classes(word) or self._at.is_quoted(mention.start):
            return False
        titled = _TITLED.search(self._text[max(0, mention.start - LOOK_BACK) : mention.start])
        if titled or word.casefold() in self._at.titles or self._at.ends_longer_name(word, mention.start):
            return False
        if mention.confidence == PROPER_NOUN or self._is_formed(word, mention.type):
            return True
        if self.technical and mention.type == _PERSON and self._at.classes(word) & {"verb", "adj"}:
            return self._text.count(word) == 1
        return self._doc[span.first].pos_ != "PROPN" and mention.type in {_ORGANIZATION, _PRODUCT, _OTHER, "Work"}

    def _is_formed(self, word: str, kind: str) -> bool:
        """Return whether a word in a technical text is an adjective or a verb form: ``Algorithmic``, ``Decoding``."""
        classes = self._at.classes(word)
        if not self.technical or kind not in {_ORGANIZATION, _GROUP}:
            return False
        return "noun" not in classes or ("verb" in classes and word.endswith(("ing", "ed")))

    def _is_tail(self, mention: Mention) -> bool:
        """Return whether a mention is the cut-off end of a name: ``Inc.`` after ``Acme,``, ``Runtime`` after ``ONNX``."""
        known = self.technical and mention.type == _OTHER and self._at.is_known(mention.surface)
        if not known and mention.surface.rstrip(".").lower() not in LEGAL_FORMS:
            return False
        return re.search(r"[A-Z]\w+\.?,? $", self._text[max(0, mention.start - LOOK_BACK) : mention.start]) is not None

    def _is_shouted(self, mention: Mention) -> bool:
        """Return whether capitals mean nothing where a mention occurs, or a common word in capitals stands among others that are not."""
        surface = mention.surface
        if any(first <= mention.start < last for first, last in self._at.shouts):
            return mention.type not in {_PERSON, _PLACE} or all(map(self._at.is_common, surface.split()))
        if self.technical and surface.isupper():
            return any(map(self._generic.is_constant, re.split(r"[-_]", surface)))
        words = surface.split()
        shouted = [word for word in words[1:] if len(word) > 2 and word.isupper() and "verb" in self._at.classes(word)]  # noqa: PLR2004
        return bool(shouted) and not surface.isupper()

    def _kind(self, surface: str, kind: str) -> str:
        """Return the type that fits a name's spelling and the document's code."""
        words = surface.split()
        coded = any(word.casefold() in self._at.coded_anyhow for word in words)
        technical = coded or _MIXED.search(surface) is not None or all(map(_CAPITALS.fullmatch, words))
        if kind == _PERSON and (technical or (self.technical and len(words) == 1)):
            return _PRODUCT if self.technical and technical else _OTHER
        if self.technical and technical and kind not in {_PERSON, _PRODUCT}:
            return _PRODUCT if coded or kind not in {_ORGANIZATION, _OTHER} else kind
        return kind
