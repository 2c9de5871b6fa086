"""The context of a mention: its line and sentence, the markers of code around it, and what the dictionary and the document say about a word."""

import re
from collections.abc import Callable

from interlace.domain.documents import Chunk
from interlace.extraction.dialogue import is_dialogue
from interlace.extraction.entity_spans import QUOTES, EntitySpan
from interlace.extraction.notation import is_exclamation
from interlace.extraction.whole_titles import is_titled
from interlace.ports.syntax import SyntaxDoc
from interlace.text.fields import is_field_label
from interlace.text.stop_words import ENTITY_STOP_WORDS

FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
"""Tags of finite verbs, which make a sentence."""
LOOK_BACK = 24
"""Characters of context before a mention."""
_BEFORE = re.compile(r"(?:[^\w.!?:|\n\u2026,;/&)\]]|_|\[[ xX]?\])*$")
# Before the text of an item or a cell: its bullet or number, its box.
_MARKER = re.compile(r"[ \t]*(?:[-*+>\u2022]|\(?(?:\d+|[a-z])[.)])?[ \t]*(?:\[[ xX]?\][ \t]*)?[*_]*")
_BEGINS = frozenset(".!?:|\n\u2026")
_LABEL_WORDS = 8
_HEADING_WORDS = 4
_PREFIX = re.compile(r"^(?:De|Non|Pre|Re|Sub|Un)")
_COMPOUND = 3  # letters of the shorter part of a compound
_ENDS_SENTENCE = (".", "!", "?", ":", ";", ",", "\u2026", '"', "\u201d", ")")
_SHOUT = re.compile(r"(?:\b[A-Z]+(?:['\u2019][A-Z]+)*\b[^\w\n]*){5,}")
_HANDLE = re.compile(r"@[\w-]*$")
# An option, or a term with its dash, before its explanation.
_TERM = re.compile(r"(?:(?:^|\s)--?[a-z][\w-]*\s+|\s[-\u2013\u2014] )$")
# A package or a path at the beginning of a line, before its description.
_ENTRY = re.compile(r"\W*[a-z][\w.]*[-/][\w./-]*:?\s+")
# Up to a few words before a link: "see also the [Guide]", "learn more in [Plugins]".
_REFERS = re.compile(r"\b(?:[Cc]heck|[Cc]onsult|[Dd]etails|[Ll]earn|[Rr]ead|[Rr]efer|[Ss]ee|[Vv]isit)\b[^.\n]{0,60}\Z")
_ARTICLE = re.compile(r"(?:The|A|An) $")
_CODE_SIGN = re.compile(
    r"\w\([\w\"'*\[{]|\(\)|\):|\s=\s|[=!]=|->|=>|[{};]$|^\s*[$>%] |>>>|::|\b(?:from \S+ )?import \w|^\s*:\w+:",
    re.MULTILINE,
)
_WORDS_A_SIGN = 5  # a line with more words for each marker of code is a sentence
_OPTION_LINE = re.compile(r"^\s*--?[A-Za-z][\w-]*\b", re.MULTILINE)
_NAMED_CELLS = re.compile(r"[^|:\n]{1,80}: [^|\n]*\| [^|:\n]{1,80}: ")  # as rows of a spreadsheet
_NUMBER = re.compile(r" *\d[\d.,]*%? *")
# What an image shows, in a directive of reStructuredText that stands in Markdown.
_ALTERNATIVE = re.compile(r":alt: [^:\n]*\Z")
_DEFINED = re.compile(r" \([A-Z]{2,}\)")
_JOINED = re.compile(r"[^\W\d_]+(?:-[a-z]+)+")


class Surroundings:
    """Answers questions about one chunk.

    Attributes:
        technical: whether it has code.
        is_talk: whether it has several dialogue turns.
        titles: the words of the document's title, case-folded.
        code: words that the document also writes as code; ``coded_anyhow`` has them case-folded.
        shouts: spans of sentences in capitals.

    Args:
        doc: the parse.
        chunk: the text that was parsed, with its code marked.
    """

    def __init__(self, doc: SyntaxDoc, chunk: Chunk) -> None:
        self._doc = doc
        self._text = doc.text
        self.code = frozenset(chunk.code_words)
        self.coded_anyhow = frozenset(word.casefold() for word in chunk.code_words)
        self._code_lines = _code_lines(self._text)
        listed = len(self._code_lines) > 1 or len(_OPTION_LINE.findall(self._text)) > 1
        self._small = frozenset(chunk.small_words)
        self._cited = chunk.cited
        self._loose_seconds = frozenset((first, second) for first, second, _ in chunk.loose_pairs)
        self.technical = bool(chunk.literals or chunk.code_words or self._small) or listed
        self.is_talk = is_dialogue(self._text)
        self.titles = frozenset(word.casefold() for word in chunk.path[0].split()) if chunk.path else frozenset()
        self.shouts = [run.span() for run in _SHOUT.finditer(self._text) if _has_function_word(run[0])]
        self._elsewhere: dict[str, bool] = {}

    def is_accessed(self, start: int, end: int) -> bool:
        """Return whether the characters around a word mark it as code: ``module.Name``, ``Name(``, ``path/Name``."""
        before, after = self._text[max(0, start - 2) : start], self._text[end : end + 1]
        if (self.technical and before[-1:] == "/") or _HANDLE.search(self._text[max(0, start - LOOK_BACK) : start]):
            return True
        return (
            after in {"(", "=", "_", "\\"}
            or before[-1:] in {"_", "\\", "`"}
            or (self.technical and before[-1:] == "$")
            or (before[-1:] == "." and before[:1].isalnum())
        )

    def is_in_code(self, start: int) -> bool:
        """Return whether an offset in a technical text is in a line of code that is not marked as code."""
        return self.technical and any(first <= start < last for first, last in self._code_lines)

    def is_alternative_text(self, start: int) -> bool:
        """Return whether an offset in a technical text is in the alternative text of an image, such as a badge: ``:alt: PyPI Downloads``."""
        line = self._line(start, start)[0]
        return self.technical and _ALTERNATIVE.search(self._text, line, start) is not None

    def is_called(self, word: str) -> bool:
        """Return whether a word is used as code somewhere: in a line of code, or called, imported or as a part of a module."""
        places = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", self._text))
        return any(self.is_in_code(place.start()) or self.is_accessed(*place.span()) for place in places)

    def is_known(self, word: str) -> bool:
        """Return whether a word, or in technical texts and dialogue both parts of a compound, is in the dictionary: ``Changelog``, ``Prebuilt``."""
        if self.technical and _JOINED.fullmatch(word):
            return all(map(self.is_known, word.split("-")))
        if self.is_common(word) or not ((self.technical or self.is_talk) and word.istitle() and word.isalpha()):
            return self.is_common(word)
        cuts = range(_COMPOUND, len(word) - _COMPOUND + 1)
        if any(self.classes(word[:cut]) and self.classes(word[cut:]) for cut in cuts):
            return True
        rest = _PREFIX.sub("", word)
        return _COMPOUND < len(rest) < len(word) and not self.classes(rest).isdisjoint({"verb", "adj"})

    def is_field(self, start: int, end: int) -> bool:
        """Return whether a span is the label of a field: at the beginning of a line, ``Agenda: …``, or any before a number alone, ``Posts: 636``, or in a line of several, ``Boat: Tern | Berth: B4``."""
        first, last = self._line(start, end)
        if _NAMED_CELLS.match(self._text, first):
            cell = max(first, self._text.rfind("|", first, start) + 1)
            return end <= self._text.find(": ", cell, last)
        labelled = is_field_label(self._text[start:end]) or _NUMBER.fullmatch(self._text, end + 1, last) is not None
        return labelled and self._text[end : end + 1] == ":" and not self._text[first:start].strip(" *#>-|")

    def ends_longer_name(self, word: str, start: int) -> bool:
        """Return whether another capitalised word precedes it elsewhere than at an offset, as in a person's full name.

        At the offset only what is not a part of the name counts: an exclamation ("Hey Debs") or an owner ("the AFC's Patriots").
        """
        longer = re.finditer(rf"\b([A-Z][\w.'\u2019-]*) {re.escape(word)}\b", self._text)
        return any(
            each[1].lower() not in ENTITY_STOP_WORDS
            and (each.end() - len(word) != start or is_exclamation(each[1]) or each[1].endswith(("'s", "\u2019s")))
            for each in longer
        )

    def begins(self, start: int) -> bool:
        """Return whether a sentence, a line, a cell or an explanation begins at an offset."""
        near = self._text[max(0, start - LOOK_BACK) : start]
        before = _BEFORE.sub("", near)
        if not before or before[-1] in _BEGINS:
            return True
        entry = self._text[self._line(start, start)[0] : start]
        return self.technical and (_TERM.search(near) is not None or _ENTRY.fullmatch(entry) is not None)

    def begins_item(self, start: int) -> bool:
        """Return whether a line, an item of a list or a cell begins at an offset."""
        line = self._line(start, start)[0]
        return _MARKER.fullmatch(self._text, max(line, self._text.rfind("|", line, start) + 1), start) is not None

    def defines_acronym(self, end: int) -> bool:
        """Return whether an acronym in brackets follows an offset."""
        return _DEFINED.match(self._text, end) is not None

    def is_quoted(self, start: int) -> bool:
        """Return whether a quotation begins at an offset; technical texts quote what is on a screen, so theirs do not count."""
        if self.technical:
            return False
        before = _ARTICLE.sub("", self._text[max(0, start - LOOK_BACK) : start])
        return bool(before) and before[-1] in QUOTES

    def is_cited(self, start: int, end: int) -> bool:
        """Return whether a span is within a link to a page of the same site that begins a line or a sentence, or that the reader is referred to."""
        link = next((first for first, last in self._cited if first <= start and end <= last), None)
        return link is not None and (self.begins(link) or _REFERS.search(self._text, 0, link) is not None)

    def _line(self, start: int, end: int) -> tuple[int, int]:
        close = self._text.find("\n", end)
        return self._text.rfind("\n", 0, start) + 1, len(self._text) if close < 0 else close

    def fills_line(self, start: int, end: int) -> bool:
        """Return whether a line has at most one word outside a span."""
        first, last = self._line(start, end)
        return len(self._text[first:last].split()) <= len(self._text[start:end].split()) + 1

    def in_head(self, start: int, end: int) -> bool:
        """Return whether a span is in the first row of a table."""
        first, last = self._line(start, end)
        before = self._text[: max(0, first - 1)].rpartition("\n")[2]
        return " | " in self._text[first:last] and " | " not in before

    def in_label(self, span: EntitySpan) -> bool:
        """Return whether an entity is in a line, or a cell, that is not a sentence."""
        first, last = self._line(span.mention.start, span.mention.end)
        line = self._text[first:last].strip()
        if (first, last) == (0, len(self._text)) and not self.technical:
            return False
        cells = " | " in line
        if self.technical and is_titled(line.rstrip(".:").split(), _HEADING_WORDS):
            return True
        if not cells and (len(line.split()) > _LABEL_WORDS or line.endswith(_ENDS_SENTENCE)):
            return False
        return cells or not self._any_token(span, first, last, lambda index: self._doc[index].tag_ in FINITE)

    def _any_token(self, span: EntitySpan, first: int, last: int, holds: Callable[[int], bool]) -> bool:
        """Return whether a predicate holds for any token in a span of text around an entity, outside the entity."""
        index = span.first
        while index > 0 and self._doc[index - 1].idx >= first:
            index -= 1
        while index < len(self._doc) and self._doc[index].idx < last:
            if not span.first <= index < span.last and holds(index):
                return True
            index += 1
        return False

    def stands_elsewhere(self, word: str) -> bool:
        """Return whether a word is also capitalised where no sentence begins."""
        if word not in self._elsewhere:
            places = re.finditer(rf"\b{re.escape(word)}\b", self._text)
            self._elsewhere[word] = any(not self.begins(place.start()) for place in places)
        return self._elsewhere[word]

    def is_small_here(self, word: str) -> bool:
        """Return whether the chunk also has a word in lower case, in singular or plural, outside paths and identifiers."""
        return re.search(rf"(?<![\w./@-]){word.lower()}s?(?![\w/@-]|\.\w)", self._text) is not None

    def stands_apart(self, word: str, name: str) -> bool:
        """Return whether a word of a name is capitalised somewhere outside the name, where no sentence begins."""
        places = re.finditer(rf"(?<![\w-]){re.escape(word)}(?!\w)", self._text)
        return any(
            not self.begins(place.start()) and not self._text.startswith(name, place.start()) for place in places
        )

    def has_sibling(self, word: str, parts: list[str]) -> bool:
        """Return whether two more words share the first or last part of a camel-case word, as a module's classes do: ``RedisBucket``, ``SQLiteBucket``."""
        ends = [rf"\b[A-Z]\w+{parts[-1]}\b"] if len(parts[-1]) > _COMPOUND else []
        ends += [rf"\b{parts[0]}[A-Z]\w+"] if len(parts[0]) > _COMPOUND + 1 and self.is_known(parts[0]) else []
        return any(len(set(re.findall(pattern, self._text)) - {word}) > 1 for pattern in ends)

    def classes(self, word: str) -> frozenset[str]:
        """Return the word classes of a word in the dictionary."""
        return self._doc.word_classes(word)

    def is_written_small(self, word: str) -> bool:
        """Return whether the document normally writes a word in lower case, in singular or plural: its capital means nothing."""
        return word in self._small

    def stands_without(self, word: str, before: str) -> bool:
        """Return whether the document has a word alone at least as often as after another capitalised word: *Linux* in ``Modern Linux``."""
        return (before, word) in self._loose_seconds

    def is_common(self, word: str) -> bool:
        """Return whether it is a function word, a number or a dictionary word."""
        return word.lower() in ENTITY_STOP_WORDS or not word[:1].isalpha() or bool(self.classes(word.strip(".,;:!?'")))


def _code_lines(text: str) -> list[tuple[int, int]]:
    """Return the spans of lines with so many markers of code that they must be code."""
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        signs = len(_CODE_SIGN.findall(line))
        if signs and signs * _WORDS_A_SIGN >= len(line.split()):
            found.append((start, start + len(line)))
        start += len(line)
    return found


def _has_function_word(text: str) -> bool:
    """Return whether words in capitals are a sentence rather than a list of acronyms."""
    return not ENTITY_STOP_WORDS.isdisjoint(word.strip(".,;:!?\"'()").lower() for word in text.split())
