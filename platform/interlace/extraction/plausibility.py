"""Which names found by a model are names where they stand: the structure of the document decides, not the string alone.

A capital says little at the beginning of a sentence, in the head of a table, or in a line that is only a label; code says nothing at all.
Words that a dictionary has are then no names. In a text with code, what the document also writes as code is technology and no person.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from interlace.domain.documents import Chunk
from interlace.extraction.entity_spans import EntitySpan, is_plausible
from interlace.extraction.notation import humps, is_exclamation, is_notation, is_value
from interlace.ports.syntax import SyntaxDoc
from interlace.text.stop_words import ENTITY_STOP_WORDS

_PERSON, _PLACE, _ORGANIZATION, _OTHER, _PRODUCT = "Person", "Place", "Organization", "Other", "Product"
_BEFORE = re.compile(r"(?:[^\w.!?:|\n\u2026,;/&)\]]|_)*$")
_BEGINS = frozenset(".!?:|\n\u2026")
_QUOTES = frozenset("\"'\u201c\u2018\u00ab\u201e")
_LABEL_WORDS = 8
_LOOK_BACK = 12
_MONTH_NAMES = frozenset({"April", "May", "June", "August"})
_TURN = re.compile(r"^\w+(?: \w+)?: ", re.MULTILINE)
_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_ENDS_SENTENCE = (".", "!", "?", ":", ";", ",", "\u2026", '"', "\u201d", ")")
# Nouns as well as verbs, so that a dictionary alone cannot tell an instruction from a name.
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


class NameFilter:
    """Assesses the entities found in one chunk.

    Args:
        doc: the parse.
        chunk: the text that was parsed, with what of it is code.
    """

    def __init__(self, doc: SyntaxDoc, chunk: Chunk) -> None:
        self._doc = doc
        self._text = doc.text
        self._literals = chunk.literals
        self._code = frozenset(chunk.code_words)
        self._coded_anyhow = frozenset(word.casefold() for word in chunk.code_words)
        self._technical = bool(chunk.literals or chunk.code_words)
        self._is_talk = len(_TURN.findall(self._text)) > 1
        self._titles = frozenset(word.casefold() for word in chunk.path[0].split()) if chunk.path else frozenset()
        self._elsewhere: dict[str, bool] = {}

    def assess(self, span: EntitySpan) -> EntitySpan | None:
        """Return the entity without the words before it that are no part of it and with the type that fits; none if it is no name."""
        found = self._without_opening(span)
        if found is None:
            return None
        mention = found.mention
        surface = mention.surface
        torn = any(first < mention.end and mention.start < last for first, last in self._literals)
        value = is_value(surface) and not (mention.type == _PERSON and surface in _MONTH_NAMES)
        if torn or value or is_notation(surface) or self._is_accessed(mention.start, mention.end):
            return None
        if self._is_label(found) or self._is_identifier(surface) or self._is_shouted(surface):
            return None
        if self._is_kind_of_thing(surface, mention.type):
            return None
        kind = self._kind(surface, mention.type)
        return found if kind == mention.type else replace(found, mention=replace(mention, type=kind))

    def _without_opening(self, span: EntitySpan) -> EntitySpan | None:
        """Drop exclamations and instructions before a name: ``Thanks Joanna``, ``Run JupyterLab``."""
        first = span.first
        begins = self._begins(span.mention.start) and not self._is_quoted(span.mention.start)
        while begins and first < span.last and self._opens(first, alone=first + 1 == span.last):
            first += 1
        if first == span.first:
            return span
        while first < span.last and (self._doc[first].is_punct or self._doc[first].text.islower()):
            first += 1
        if first == span.last:
            return None
        start = self._doc[first].idx
        surface = self._text[start : span.mention.end]
        kept = replace(span.mention, surface=surface, start=start)
        return replace(span, mention=kept, first=first) if is_plausible(surface) else None

    def _opens(self, index: int, *, alone: bool) -> bool:
        word = self._doc[index].text
        if is_exclamation(word):
            return True
        if not self._technical:
            return False
        if alone or "verb" not in self._classes(word):
            return word.lower() in _IMPERATIVES
        follows = self._doc[index + 1].text
        return word.lower() in _IMPERATIVES or "noun" not in self._classes(word) or not self._is_common(follows)

    def _is_accessed(self, start: int, end: int) -> bool:
        """Return whether the signs around a word are those of code: ``module.Name``, ``Name(``, ``path/Name``."""
        before, after = self._text[max(0, start - 2) : start], self._text[end : end + 1]
        if self._technical and before[-1:] == "/":
            return True
        return (
            after in {"(", "=", "_", "\\"}
            or before[-1:] in {"_", "\\", "`"}
            or (before[-1:] == "." and before[:1].isalnum())
        )

    def _is_label(self, span: EntitySpan) -> bool:
        """Return whether common words have capitals only because of where they stand."""
        mention = span.mention
        words = mention.surface.split()
        if not all(map(self._is_common, words)) or self._is_quoted(mention.start):
            return False
        if self._technical and self._text[mention.end : mention.end + 1] == ":":
            return True
        if self._in_head(mention.start, mention.end) or (self._in_label(span) and self._doubtful(mention.type, words)):
            return True
        if len(words) > 1 or not self._begins(mention.start):
            return False
        return self._is_common_beginning(words[0], mention.type) and not self._stands_elsewhere(words[0])

    def _doubtful(self, kind: str, words: list[str]) -> bool:
        return self._technical or kind == _OTHER or (len(words) > 1 and kind not in {_PERSON, _PLACE})

    def _is_common_beginning(self, word: str, kind: str) -> bool:
        classes = self._classes(word)
        if self._technical or kind == _OTHER:
            return bool(classes)
        if (
            kind == _PERSON
        ):  # whoever has a name is called by it in the middle of a sentence, too, or is known from elsewhere
            known = bool(classes) if self._is_talk else not classes.isdisjoint({"verb", "adj", "adv"})
            return known and not self._speaks(word)
        if kind == _PLACE:
            return "adv" in classes or ("verb" in classes and word.endswith("ing"))
        return not classes.isdisjoint({"verb", "adj", "adv"})

    def _speaks(self, word: str) -> bool:
        """Return whether a line begins with a word and a colon, as the turns of a talk do."""
        return re.search(rf"^{re.escape(word)}:", self._text, re.MULTILINE) is not None

    def _is_identifier(self, surface: str) -> bool:
        """Return whether a word of prose is a name in the document's code: ``Registry``, ``PoolManager``."""
        return surface in self._code and not surface.isupper() and all(map(self._is_common, humps(surface)))

    def _is_kind_of_thing(self, surface: str, kind: str) -> bool:
        """Return whether a common word of a technical text means things of its kind, not one of them: nodes, not ``Nodes``."""
        if (
            not (self._technical and surface.isalpha() and self._is_common(surface))
            or surface.casefold() in self._titles
        ):
            return False
        if surface not in self._code and re.search(rf"\b{surface.lower()}\b", self._text):
            return True
        return surface.casefold() not in self._coded_anyhow and (kind == _OTHER or self._is_plural(surface))

    def _is_plural(self, word: str) -> bool:
        return word.endswith("s") and "noun" in self._classes(word[:-1])

    def _is_shouted(self, surface: str) -> bool:
        """Return whether a common word in capitals stands among others that are none: a heading that ran into a name."""
        words = surface.split()
        shouted = [word for word in words[1:] if len(word) > 2 and word.isupper() and "verb" in self._classes(word)]  # noqa: PLR2004
        return bool(shouted) and not surface.isupper()

    def _kind(self, surface: str, kind: str) -> str:
        """Return the type with which a name fits its spelling and the document's code."""
        words = surface.split()
        coded = any(word.casefold() in self._coded_anyhow for word in words)
        technical = coded or _MIXED.search(surface) is not None or all(map(_CAPITALS.fullmatch, words))
        if kind == _PERSON and (technical or (self._technical and len(words) == 1)):
            return _PRODUCT if self._technical and technical else _OTHER
        if self._technical and technical and kind not in {_PERSON, _PRODUCT}:
            return _PRODUCT if coded or kind not in {_ORGANIZATION, _OTHER} else kind
        return kind

    def _begins(self, start: int) -> bool:
        before = _BEFORE.sub("", self._text[max(0, start - _LOOK_BACK) : start])
        return not before or before[-1] in _BEGINS

    def _is_quoted(self, start: int) -> bool:
        return self._text[start - 1 : start] in _QUOTES

    def _line(self, start: int, end: int) -> tuple[int, int]:
        close = self._text.find("\n", end)
        return self._text.rfind("\n", 0, start) + 1, len(self._text) if close < 0 else close

    def _in_head(self, start: int, end: int) -> bool:
        """Return whether a place is in the first row of a table."""
        first, last = self._line(start, end)
        before = self._text[: max(0, first - 1)].rpartition("\n")[2]
        return " | " in self._text[first:last] and " | " not in before

    def _in_label(self, span: EntitySpan) -> bool:
        """Return whether a place is in a line, or a cell, that is no sentence."""
        first, last = self._line(span.mention.start, span.mention.end)
        line = self._text[first:last].strip()
        if (first, last) == (0, len(self._text)) and not self._technical:
            return False
        cells = " | " in line
        if not cells and (len(line.split()) > _LABEL_WORDS or line.endswith(_ENDS_SENTENCE)):
            return False
        return cells or not self._any_token(span, first, last, lambda index: self._doc[index].tag_ in _FINITE)

    def _any_token(self, span: EntitySpan, first: int, last: int, holds: Callable[[int], bool]) -> bool:
        """Return whether something holds of a token in a stretch of text around an entity, the entity aside."""
        index = span.first
        while index > 0 and self._doc[index - 1].idx >= first:
            index -= 1
        while index < len(self._doc) and self._doc[index].idx < last:
            if not span.first <= index < span.last and holds(index):
                return True
            index += 1
        return False

    def _stands_elsewhere(self, word: str) -> bool:
        """Return whether a word has its capital also where no sentence begins."""
        if word not in self._elsewhere:
            places = re.finditer(rf"\b{re.escape(word)}\b", self._text)
            self._elsewhere[word] = any(not self._begins(place.start()) for place in places)
        return self._elsewhere[word]

    def _classes(self, word: str) -> frozenset[str]:
        return self._doc.word_classes(word)

    def _is_common(self, word: str) -> bool:
        return word.lower() in ENTITY_STOP_WORDS or not word[:1].isalpha() or bool(self._classes(word.strip(".,;:!?'")))
