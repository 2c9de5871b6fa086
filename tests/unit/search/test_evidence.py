"""Which sentence of a hit is shown."""

from typing import Any

from interlace.domain.hits import Hit, PathStep
from interlace.search.evidence import sentence_that_matters
from interlace.search.title_words import title_shares

TEXT = (
    "Clara Hoffmann designs electronics. She was born in Rostock in 1984 and studied in Dresden. "
    "Clara Hoffmann designed the circuit of a data logger."
)
ON_THE_WAY = PathStep("e1", "Plover", "c9", "Plover", "Clara Hoffmann designed the Plover in 2017.")
ARRIVED = PathStep("e2", "Clara Hoffmann", "c1", "Clara Hoffmann", "Clara Hoffmann designs electronics.")


def hit(text: str, *path: PathStep) -> Hit:
    rest: dict[str, Any] = dict.fromkeys(Hit.__slots__, "")
    return Hit(**{**rest, "chunk_id": "c1", "text": text, "path": path})


def test_what_the_path_has_said_does_not_count_again() -> None:
    question = "Where was the designer of the Plover born?"
    assert sentence_that_matters(question, hit(TEXT, ON_THE_WAY, ARRIVED)).startswith("She was born in Rostock")


def test_rare_words_of_the_question_count_more() -> None:
    text = "The Heron has a radar. The Heron costs little. The Heron loses its echo in rain."
    assert sentence_that_matters("When does the Heron lose its echo?", hit(text)) == "The Heron loses its echo in rain."


def test_words_within_an_identifier_count() -> None:
    text = "Options are given once. Set maxRequestsPerSocket to close a connection early."
    question = "limit the number of requests per socket"
    assert sentence_that_matters(question, hit(text)).startswith("Set maxRequestsPerSocket")
    assert title_shares(question, {"a": "Server: maxRequestsPerSocket", "b": "Server: bodyLimit"}).get("a") == 1.0


def test_without_a_word_of_the_question_the_path_or_the_beginning_decides() -> None:
    assert sentence_that_matters("Who?", hit(TEXT)) == "Clara Hoffmann designs electronics."
    last = PathStep(
        "e2", "Clara Hoffmann", "c1", "Clara Hoffmann", "Clara Hoffmann designed the circuit of a data logger."
    )
    assert sentence_that_matters("Who?", hit(TEXT, last)).startswith("Clara Hoffmann designed the circuit")
    assert sentence_that_matters("Who?", hit("")) == ""


def test_the_number_of_an_item_is_shown_with_the_item() -> None:
    text = "1. Read the forecast for three days.\n2. Test the Tern on the quay.\n3.\nCount the shackles."
    assert sentence_that_matters("Who?", hit(text)) == "1. Read the forecast for three days."
    assert sentence_that_matters("Where is the Tern tested?", hit(text)) == "2. Test the Tern on the quay."
    assert sentence_that_matters("How many shackles?", hit(text)) == "Count the shackles."
    assert sentence_that_matters("Who?", hit("12.")) == "12."


def test_the_sentence_stands_in_the_text_as_it_is() -> None:
    text = "One  thing\tis red. Another thing is blue."
    assert sentence_that_matters("red", hit(text)) == "One  thing\tis red."


def test_a_short_record_is_shown_whole() -> None:
    text = "Title: Wolf Hall\nAuthor: Hilary Mantel\nBorrower: Sabine Roth"
    assert sentence_that_matters("Who has Wolf Hall?", hit(text)) == text
