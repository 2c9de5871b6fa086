"""Several extractions of a chunk become one."""

from itertools import permutations

from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.extraction.merge import merge

TEXT = "Ringo left the Beatles in 1970."


def mention(surface: str, kind: str, confidence: float, via: str = "ner") -> Mention:
    start = TEXT.index(surface)
    return Mention(surface, kind, start, start + len(surface), confidence, via)


def fact(subject: str, obj: str, confidence: float, extractor: str = "spacy") -> Fact:
    return Fact(subject, "LEAVE", obj, 0, len(TEXT), confidence, extractor)


def test_the_most_confident_of_agreeing_mentions_stays() -> None:
    ner, llm = mention("Beatles", "Organization", 0.85), mention("the Beatles", "Group", 0.9, "llm")
    assert merge([Extraction((ner,)), Extraction((llm,))]).mentions == (llm,)


def test_a_mention_without_type_takes_it_from_another() -> None:
    link, ner = mention("Ringo", "Other", 1.0, "link"), mention("Ringo", "Person", 0.85)
    assert merge([Extraction((ner,)), Extraction((link,))]).mentions == (mention("Ringo", "Person", 1.0, "link"),)


def test_a_reference_wins_over_a_guess_that_overlaps_it() -> None:
    link, ner = mention("Ringo", "Person", 1.0, "link"), mention("Ringo left", "Other", 0.99)
    assert merge([Extraction((ner,)), Extraction((link,))]).mentions == (link,)


def test_names_within_names_stay_apart() -> None:
    whole, part = mention("Ringo left", "Work", 0.9, "llm"), mention("Ringo", "Person", 0.85)
    assert merge([Extraction((whole, part))]).mentions == (part, whole)


def test_facts_agree_by_normalised_names() -> None:
    low, high = fact("Ringo", "Beatles", 0.6), fact("ringo", "the Beatles", 0.9, "llm")
    assert merge([Extraction(facts=(low,)), Extraction(facts=(high,))]).facts == (high,)


def test_the_order_of_extractors_does_not_matter() -> None:
    extractions = [
        Extraction((mention("Ringo", "Person", 0.85), mention("1970", "Other", 0.5)), (fact("Ringo", "Beatles", 0.6),)),
        Extraction((mention("the Beatles", "Group", 0.85),), (fact("Ringo", "the Beatles", 0.6, "llm"),)),
        Extraction((mention("Ringo", "Other", 1.0, "link"), mention("Beatles", "Other", 0.85))),
    ]
    results = {merge(order) for order in permutations(extractions)}
    assert len(results) == 1
    assert [found.surface for found in results.pop().mentions] == ["Ringo", "the Beatles", "1970"]
