"""Grounding: what a language model says about a chunk is kept only if the chunk says it, and in the chunk's own words.

A model may hallucinate, and a document may try to instruct it. A name counts if its tokens occur consecutively in the text, and the text
at that place is what is kept; a fact counts if its quote occurs. A name of one word needs the model's own case or capitals, because the
prompt says to copy it: *apple* does not name Apple. Nothing else of the model's output gets past this module.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.domain.hits import MAX_NAME_CHARACTERS
from interlace.entities.normalization import clean_name, may_match, normalize_name
from interlace.extraction.facts import predicate_of
from interlace.extraction.schema import OTHER, RESERVED_RELATIONS, ExtractionSchema
from interlace.text.sentences import sentence_spans
from interlace.text.tokenizer import Token, tokens

VIA: Final = "llm"
MAX_ENTITIES: Final = 60
MAX_FACTS: Final = 60
"""Most entities and most facts considered per chunk; a chunk has some two hundred words."""
MAX_PLACES: Final = 40
"""Most places kept for one name in a chunk."""
MAX_OBJECT_CHARACTERS: Final = MAX_NAME_CHARACTERS
CONFIDENCE: Final = 0.8
"""Of what one model says: not a probability, but below what an author marked and in the range of spaCy's."""
_MIN_QUOTE_TOKENS = 2  # tokens: a single word states nothing


@dataclass(frozen=True, slots=True)
class Grounded:
    """What is kept of an output.

    Args:
        extraction: mentions and facts, each with its place in the text.
        dropped: how much was dropped, by reason: ``entity``, ``quote``, ``subject`` and ``object`` were not found in the text,
            ``predicate`` is outside the schema, ``cap`` exceeded the limit.
    """

    extraction: Extraction = field(default_factory=Extraction)
    dropped: Mapping[str, int] = field(default_factory=dict)


class ReadText:
    """A chunk's text as a sequence of tokens.

    Args:
        text: the text.
        titles: title and headings over it: a fact may be about one of them.
    """

    def __init__(self, text: str, titles: Sequence[str] = ()) -> None:
        self.text = text
        self._tokens = tokens(text)
        self._forms = [token.form for token in self._tokens]
        self._titles = {form for title in titles if (form := normalize_name(title))}
        self._at: dict[str, list[int]] = {}
        for index, form in enumerate(self._forms):
            self._at.setdefault(form, []).append(index)

    def places(self, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """Yield start and end offsets of each occurrence of a sequence of tokens, in order."""
        forms = [word.form for word in words]
        if not forms:
            return
        for index in self._at.get(forms[0], ()):
            if self._forms[index : index + len(forms)] == forms:
                yield self._tokens[index].start, self._tokens[index + len(forms) - 1].end

    def names(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield start and end offsets of each place that a name names, in order."""
        words = tokens(name)
        for start, end in self.places(words):
            if len(words) > 1 or _in_case(self.text[start:end], name[words[0].start : words[0].end]):
                yield start, end

    def first(self, phrase: str) -> tuple[int, int] | None:
        """Return where a phrase first occurs, as a name if it is one."""
        return next(self.names(phrase), None) or next(self.places(tokens(phrase)), None)

    def within(self, phrase: str, span: tuple[int, int]) -> bool:
        """Return whether a phrase occurs within a span of the text."""
        return any(span[0] <= start and end <= span[1] for start, end in self.places(tokens(phrase)))

    def sentence_of(self, quote: str) -> tuple[int, int] | None:
        """Return the sentence or sentences in which a quote first occurs; None if it does not occur, or says nothing."""
        quoted = tokens(quote)
        place = next(self.places(quoted), None) if len(quoted) >= _MIN_QUOTE_TOKENS else None
        if place is None:
            return None
        sentences = [span for span in sentence_spans(self.text) if span[0] < place[1] and place[0] < span[1]]
        return min((place[0], *(span[0] for span in sentences))), max((place[1], *(span[1] for span in sentences)))

    def is_title(self, name: str) -> bool:
        """Return whether a name is the title or a heading over the text."""
        return normalize_name(name) in self._titles


def ground(output: Mapping[str, Any], text: ReadText, schema: ExtractionSchema, extractor: str) -> Grounded:
    """Return the part of an output that the text supports.

    Args:
        output: JSON that satisfies the schema's own JSON schema.
        text: the chunk.
        schema: which types and relations count.
        extractor: the model's name, for facts.
    """
    dropped: Counter[str] = Counter()
    entities = _capped(output["entities"], MAX_ENTITIES, dropped)
    facts = _capped(output["facts"], MAX_FACTS, dropped)
    mentions: dict[tuple[int, int], Mention] = {}
    for entity in entities:
        found = list(_mentions(entity, text, schema))
        dropped["entity"] += not found
        for mention in found:
            mentions.setdefault((mention.start, mention.end), mention)
    kept: dict[tuple[str, str, str], Fact] = {}
    for each in facts:
        fact, reason = _fact(each, text, schema, extractor)
        if fact is None:
            dropped[reason] += 1
        else:
            kept.setdefault((normalize_name(fact.subject), fact.predicate, fact.object), fact)
    extraction = Extraction(tuple(mentions[span] for span in sorted(mentions)), tuple(kept.values()))
    return Grounded(extraction, dict(+dropped))


def _capped(found: Sequence[Mapping[str, Any]], limit: int, dropped: Counter[str]) -> Sequence[Mapping[str, Any]]:
    dropped["cap"] += max(0, len(found) - limit)
    return found[:limit]


def _mentions(entity: Mapping[str, Any], text: ReadText, schema: ExtractionSchema) -> Iterator[Mention]:
    name = str(entity["name"])
    if len(name) > MAX_NAME_CHARACTERS or not _may_name(name):
        return
    kind = entity["type"] if entity["type"] in schema.types else OTHER
    for number, (start, end) in enumerate(text.names(name)):
        if number == MAX_PLACES:
            return
        if clean_name(text.text[start:end]):
            yield Mention(text.text[start:end], kind, start, end, CONFIDENCE, VIA)


def _may_name(name: str) -> bool:
    """Return whether a name may have mentions; in capitals also one that is spelled like a function word, such as *US* and *IT*."""
    form = normalize_name(name)
    return may_match(form) or (len(form) > 1 and name.rsplit(maxsplit=1)[-1].isupper())


def _in_case(found: str, name: str) -> bool:
    """Return whether a word of the text is in the case of a name, or in capitals."""
    capitals, wanted = ([letter.isupper() for letter in unicodedata.normalize("NFKC", word)] for word in (found, name))
    return found.isupper() or capitals == wanted


def _fact(
    found: Mapping[str, Any], text: ReadText, schema: ExtractionSchema, extractor: str
) -> tuple[Fact | None, str]:
    """Return a fact in the text's words, or None with the part of it that is at fault."""
    predicate = predicate_of(str(found["predicate"]))
    if not predicate or predicate in RESERVED_RELATIONS or (schema.strict and predicate not in schema.relations):
        return None, "predicate"
    sentence = text.sentence_of(str(found["quote"]))
    if sentence is None:
        return None, "quote"
    subject = _end(str(found["subject"]), text)
    if not subject:
        return None, "subject"
    target = _end(str(found["object"]), text)
    if not target or normalize_name(target) == normalize_name(subject):
        return None, "object"
    # Two names of the chunk with a sentence that mentions neither would still be an invented fact.
    if not any(text.within(name, sentence) for name in (subject, target)):
        return None, "quote"
    return Fact(subject, predicate, target, *sentence, CONFIDENCE, extractor), ""


def _end(phrase: str, text: ReadText) -> str:
    """Return the subject or object of a fact as the text spells it, or the title that it names; empty if it is neither."""
    if len(phrase) > MAX_OBJECT_CHARACTERS:
        return ""
    place = text.first(phrase)
    if place is not None:
        return clean_name(text.text[slice(*place)])
    return clean_name(phrase) if text.is_title(phrase) else ""
