"""Sufficiency: which words of a question an answer has to hold, in which form."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.support.answers import BREAD, hit, response

from interlace.answers import question_words
from interlace.answers.service import WeighedEvidence, weigh_evidence
from interlace.domain.hits import Hit
from interlace.text.dates import CalendarDate, dates_in

COUNCIL = hit(1, "Minutes", "The precept for the coming year is 41 pounds and 50 pence. The chair thanked the clerk.")


def weigh(question: str, *hits: Hit) -> WeighedEvidence:
    return weigh_evidence(response(question, *hits), 3)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wie viel muss Frau Kranz nachzahlen?", "Für 2023 muss Frau Kranz 387,50 € nachzahlen."),
        ("Wann ist die Nachzahlung fällig?", "Die Nachzahlung ist am 3. Mai fällig."),
        ("Quand la bibliothèque est-elle fermée ?", "La bibliothèque sera fermée du 15 au 27 avril."),
        (
            "Darf ich meinen Hund in der Halle führen?",
            "Das Führen von Hunden in der Halle ist untersagt, ein Hund bleibt draußen.",
        ),
        ("¿Puedo tener un perro en la vivienda?", "En la vivienda se puede tener un perro."),
        ("Où puis-je garer le vélo ?", "Il faut garer le vélo dans la cour."),
        ("Why couldn't everyone come to the concert?", "The concert was sold out."),
        ("I don\u2019t know, who'll sing at the concert?", "Orla Venning sings at the concert."),
        ("Когда выплата?", "Выплата третьего мая."),
        ("wie viele urlaubstage", "Im Jahr sind es 30 Urlaubstage."),
        ("whos the chair, and whats the precept", "The chair is Ole Lund. The precept is 41 pounds."),
        ("which things went to the ferry", "Chairs and tables are on the ferry."),
    ],
)
def test_function_words_of_other_languages_are_not_asked_for(question: str, text: str) -> None:
    assert weigh(question, hit(1, "Brief", text)).sufficiency.uncovered == ()


@pytest.mark.parametrize(
    ("question", "missing"),
    [("pod restart policy", "pod"), ("sin tax rate", "sin"), ("Ole Lund", "Ole"), ("Los Gatos office", "Los")],
)
def test_an_english_word_or_a_name_that_another_language_has_too_is_asked_for(question: str, missing: str) -> None:
    text = "The restart policy, the tax rate and the office in Lund and Gatos."
    assert weigh(question, hit(1, "Notes", text)).sufficiency.uncovered == (missing,)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How high is the precept?", COUNCIL.text),
        ("What time is the concert?", "The concert is on Saturday, at 19:00."),
        ("How much does the concert cost?", "The concert is 12 euros."),
        ("What happened at the concert?", "At the concert the lights went out."),
    ],
)
def test_a_word_that_says_the_type_is_covered_by_what_is_of_that_type(question: str, text: str) -> None:
    assert weigh(question, hit(1, "Notes", text)).sufficiency.uncovered == ()


def test_a_word_that_says_the_type_is_not_covered_without_it() -> None:
    assert weigh("How high is the precept?", hit(1, "Minutes", "The precept is agreed.")).sufficiency.uncovered == (
        "high",
    )


def test_a_price_that_no_hit_names_is_not_answered() -> None:
    question = "How much does sequencing at Genodrome cost?"
    without = weigh(question, hit(1, "Genodrome", "Sent 2, 4 and 6 for sequencing to Genodrome."))
    assert (without.sufficiency.probability, without.sufficiency.uncovered) == (0.0, ("cost",))
    assert weigh(question, hit(1, "Genodrome", "Sequencing at Genodrome: 4 €.")).sufficiency.sufficient
    table = hit(1, "Parts", "Item | Price | Supplier | Unit\nGasket | 12.50 | Norrland | pair")
    assert weigh("How much does a gasket cost?", table).sufficiency.probability


def test_a_price_in_a_sentence_beyond_the_first_hits_is_one() -> None:
    others = [hit(rank, f"Note {rank}", "The ferry leaves at noon.") for rank in range(1, 6)]
    evidence = weigh("How much does a gasket cost?", *others, hit(6, "Parts", "A gasket is 4 €."))
    assert evidence.chosen[0].sentence.text == "A gasket is 4 €."
    assert evidence.sufficiency.probability


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the cost function of the model?", "The cost function of the model is cross entropy."),
        ("How much time does it take to charge the battery?", "To charge the battery takes two hours."),
        ("How much leave do employees earn per month?", "Employees earn two days of leave per month."),
        ("What is the rent?", "The rent comes to nine hundred."),
        ("How much do I have to pay?", "What you have to pay is on the back."),
    ],
)
def test_without_a_price_only_how_much_cost_is_abstained_from(question: str, text: str) -> None:
    assert weigh(question, hit(1, "Notes", text)).sufficiency.sufficient


TICKET = "Which ticket was created on 2 February 2024?"
NEAR = hit(1, "T-3305", "Ticket T-3305 is of a café. Created: 2024-02-20")
ASKED = hit(2, "T-3304", "Ticket T-3304 is about a loud grinder. Created: 2024-02-02")


def test_a_date_is_covered_however_it_is_written() -> None:
    evidence = weigh(TICKET, NEAR, ASKED)
    assert evidence.sufficiency.uncovered == ()
    assert evidence.sufficiency.features["named"] == 1.0
    assert evidence.chosen[0].sentence.hit is ASKED


def test_a_date_is_covered_by_the_day_of_the_document() -> None:
    undated = hit(1, "T-3304", "Ticket T-3304 was created for a loud grinder.")
    assert weigh(TICKET, undated).sufficiency.uncovered == ("2 February 2024",)
    dated = weigh(TICKET, replace(undated, created_at="2024-02-02T09:30:00Z")).sufficiency
    assert dated.uncovered == ()
    assert dated.features["named"] == 1.0
    assert dated.features["hit"] == pytest.approx(1.0)


def test_a_month_of_no_year_is_a_word() -> None:
    assert weigh("Who sang in May?", hit(1, "Choir", "Orla Venning sang in May.")).sufficiency.uncovered == ()


def test_a_date_that_no_hit_has_is_missing_as_a_whole() -> None:
    evidence = weigh(TICKET, NEAR, BREAD)
    assert evidence.sufficiency.uncovered == ("2 February 2024",)
    assert evidence.sufficiency.features["named"] == 0.0


def test_dates_of_a_text_are_read_once_however_many_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Counter[str]()

    def count(text: str) -> tuple[CalendarDate, ...]:
        reads[text] += 1
        return dates_in(text)

    monkeypatch.setattr(question_words, "dates_in", count)
    dates = [f"{day} May 2024" for day in range(1, 13)]
    diary = hit(1, "Diary", " ".join(f"It rained on {date}." for date in dates))
    evidence = weigh(f"Did it rain on {', '.join(dates)}?", diary)
    # The title is read for the scores and for the sufficiency, whatever the number of sentences.
    assert (reads["It rained on 9 May 2024."], reads["Diary"]) == (1, 2)
    assert list(evidence.question_words.dates) == dates[:8]
    assert {"9", "10", "11", "12"} <= evidence.question_words.words.keys()


def test_a_date_that_is_asked_about_twice_is_one_word() -> None:
    question = "Which ticket of 2 February 2024 was closed on 2 February 2024?"
    assert weigh(question, NEAR).question_words.words.keys() & {"2", "februari", "2024"} == frozenset()


@pytest.mark.parametrize("question", ["Was kostet die Halle?", "How expensive is the Halle?"])
def test_no_price_is_no_answer_to_what_something_costs_in_other_words(question: str) -> None:
    assert (
        weigh(question, hit(1, "Halle", "Die Halle ist groß, the Halle is expensive.")).sufficiency.probability == 0.0
    )
    assert (
        weigh(question, hit(1, "Halle", "Die Halle kann für 180 Euro gemietet werden.")).sufficiency.probability > 0.0
    )


def test_a_hit_that_stands_out_is_more_likely_to_hold_the_answer() -> None:
    def probability(*cosines: float) -> float:
        hits = [replace(BREAD, legs=hit(rank, "", "", cosine=each).legs) for rank, each in enumerate(cosines, start=1)]
        return weigh("Who bakes the bread?", *hits).sufficiency.probability

    assert probability(0.8, 0.6, 0.6) > probability(0.8, 0.79, 0.79)
    assert probability(0.8, 0.6, 0.6) > probability(0.7, 0.5, 0.5)


def test_among_one_or_two_hits_none_stands_out() -> None:
    alone, beside = weigh("Who bakes the bread?", BREAD), weigh("Who bakes the bread?", BREAD, NEAR)
    assert alone.sufficiency.features["margin"] == beside.sufficiency.features["margin"] == 0.07


@pytest.mark.parametrize("question", ["HbA1c of Pellegrin", "Wie viele Urlaubstage", "Which chair has the clerk"])
def test_what_is_typed_without_capitals_is_answered_as_well(question: str) -> None:
    hits = (
        hit(1, "Discharge", "The HbA1c of Mr Pellegrin was 9.4 %."),
        hit(2, "Vertrag", "Die Zahl der Urlaubstage ist dreißig."),
        COUNCIL,
    )
    assert weigh(question.lower(), *hits).sufficiency == weigh(question, *hits).sufficiency


def test_a_word_that_the_hits_also_write_small_is_no_name() -> None:
    hits = (hit(1, "Minutes", "Chair: Ole Lund. The chair thanked the clerk."), BREAD)
    assert weigh("who was the chair", *hits).sufficiency.features["named"] == 0.5
